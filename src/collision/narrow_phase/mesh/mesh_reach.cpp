#include "collision/narrow_phase/mesh/mesh_reach.h"

#include "collision/narrow_phase/core/farthest.h"

namespace sunder::collision {
namespace {

// Share of the shape's radius, which exceeds the rounding of these tests.
constexpr Real kRounding = Real(1e-4);
// By how much a normal may leave those of the triangles around it (mesh_patches.cpp), with a little to spare. Holds for
// triangles whose edges are at least this share of the shape's radius long.
constexpr Real kLeanSlack = Real(0.025), kShortestEdge = Real(0.02);
constexpr Real kMostLean = Real(0.7);  // more than this leaves out nothing
// Boxes this many times as long as the one about all that the shape may touch: a plane hardly ever parts the shape from them.
constexpr Real kLarge = 2;
constexpr int kMostVertices = 64;  // of larger polyhedra no triangle is left out

// The vertices of a polyhedron, four at a time.
class LaneVertices {
public:
    explicit LaneVertices(const geometry::Polyhedron& polyhedron) : vertices_(polyhedron.vertexQuads()) {}

    Quad along(const Vec3& d, int quad) const {
        return quadOf(d.x) * at(quad, 0) + quadOf(d.y) * at(quad, 1) + quadOf(d.z) * at(quad, 2);
    }
    Quad distanceSquared(const Vec3& p, int quad) const {
        const Quad x = at(quad, 0) - quadOf(p.x), y = at(quad, 1) - quadOf(p.y), z = at(quad, 2) - quadOf(p.z);
        return x * x + y * y + z * z;
    }
    // The first vertex whose value is no more than the least.
    static int find(const Quad* values, int quads, Real least) {
        for (int k = 0; k < quads; ++k)
            if (const std::uint64_t bits = laneBits(values[k] <= quadOf(least)); bits != 0)
                return 4 * k + lowestBit(bits);
        return 0;
    }

private:
    Quad at(int quad, int axis) const { return loadQuad(vertices_ + quad * geometry::Polyhedron::kVertexQuad + 4 * axis); }

    const Real* vertices_;
};

}  // namespace

MeshReach::MeshReach(const Pose& poseMesh, const BuiltShape& convex, const Pose& poseConvex, const Quat& meshFromConvex,
                     const Range& range)
    : convex_(convex), even_(range.margin), most_(range.margin) {
    const Mat3 axes = toMatrix(meshFromConvex);
    for (int i = 0; i < 3; ++i)
        axes_[i] = axes * Vec3{Real(i == 0), Real(i == 1), Real(i == 2)};
    center_ = rotate(meshFromConvex, convex.polyhedron.center);
    isBall_ = convex.type == ShapeType::Sphere;
    rounding_ = isBall_ || convex.type == ShapeType::Capsule ? convex.radius : Real(0);
    inner_ = Real(0.99) * convex.polyhedron.innerRadius;
    const ExpectedMotion& expected = range.expected;
    if (expected.slack < range.margin) {
        const Vec3 arm = poseConvex.position - expected.about;
        way_ = rotate(conjugate(poseMesh.orientation), expected.way + cross(expected.turn, arm));
        // Turning moves the surface about the shape's origin, and the origin off the straight line by the second order.
        const Real angle = length(expected.turn), radius = convex.boundingRadius;
        const Real rounder = radius - convex.innerRadius + length(center_);  // than a ball
        const Real turning = min(angle * radius, rounder) + Real(0.5) * square(angle) * length(arm);
        even_ = min(range.margin, expected.slack + turning);
    }
    const Bounds now = expand(worldBounds(convex, {{}, meshFromConvex}), even_);
    swept_ = unite(now, {now.low + way_, now.high + way_});
    const Vec3 way{dot(axes_[0], way_), dot(axes_[1], way_), dot(axes_[2], way_)};
    const Real grow = even_ + kRounding * convex.boundingRadius;
    grown_ = rounding_ + grow;
    const Bounds box = expand(convex.localBounds, grow);
    const Vec3 covered = swept_.high - swept_.low;
    large_ = kLarge * max(max(covered.x, covered.y), covered.z);
    low_ = box.low + min(way, Vec3{});
    high_ = box.high + max(way, Vec3{});
}

bool MeshReach::reaches(const Bounds& bounds, const Vec3& center) const {
    const Bounds local{bounds.low - center, bounds.high - center};
    if (!overlaps(local, swept_))
        return false;
    const Vec3 size = local.high - local.low;
    if (max(max(size.x, size.y), size.z) > large_)
        return true;
    const Vec3 middle = sunder::center(local), half = size * Real(0.5);
    for (int i = 0; i < 3 && !isBall_; ++i) {
        const Real at = dot(axes_[i], middle), extent = dot(abs(axes_[i]), half);
        if (at + extent < component(low_, i) || at - extent > component(high_, i))
            return false;
    }
    // The plane through the box's point nearest to the shape's centre, across the line between: all of the box is beyond it.
    const Vec3 near = max(local.low, min(center_, local.high)), d = near - center_;
    const Real swept = coreExtent(d) + max(0, dot(way_, d)), gap = dot(near, d) - swept;
    return !(gap > 0 && square(gap) > square(grown_) * lengthSquared(d));
}

Real MeshReach::coreExtent(const Vec3& d) const {
    switch (convex_.type) {
        case ShapeType::Sphere: return 0;
        case ShapeType::Capsule: return convex_.halfHeight * std::fabs(dot(axes_[1], d));
        case ShapeType::Cylinder: {
            const Real along = dot(axes_[1], d);
            return convex_.halfHeight * std::fabs(along) + convex_.radius * std::sqrt(max(0, lengthSquared(d) - square(along)));
        }
        case ShapeType::Box:
            return convex_.halfExtents.x * std::fabs(dot(axes_[0], d)) + convex_.halfExtents.y * std::fabs(dot(axes_[1], d)) +
                   convex_.halfExtents.z * std::fabs(dot(axes_[2], d));
        default: break;
    }
    const Vec3 direction = inShape(d);
    const LaneVertices lanes(convex_.polyhedron);
    Quad most = quadOf(-kInfinity);
    for (std::size_t i = 0; i < convex_.polyhedron.vertices.size(); i += 4)
        most = greaterOf(most, lanes.along(direction, int(i / 4)));
    return largestOf(most);
}

// Let n be the triangle's normal, m one that is allowed, L a bound of |m - n| and v the lowest vertex along n. Where the shape
// touches with normal m, at p, the vertices x that span p are as low along m as any: m . (x - v) <= 0, so n . (x - v) <= L |x -
// v|. The point of the triangle that p touches is p - d m for the distance d, so that p is beyond no edge by more than d L.
// Where all such x are, no such m exists.
bool MeshReach::leansAway(const geometry::TriangleMesh& mesh, std::uint32_t triangle, const Vec3 (&corners)[3]) const {
    using geometry::Polyhedron;
    using geometry::TriangleMesh;
    const Polyhedron& polyhedron = convex_.polyhedron;
    const std::uint8_t units = mesh.triangles()[triangle].lean;
    const Real lean = Real(units) * TriangleMesh::kLeanUnit + kLeanSlack;
    if (polyhedron.vertices.empty() || polyhedron.vertices.size() > kMostVertices || units == TriangleMesh::kAnyLean ||
        lean > kMostLean)
        return false;
    const Real radius = convex_.boundingRadius, rounding = kRounding * radius;
    const Vec3 n = inShape(mesh.normal(triangle)), local[3] = {inShape(corners[0]), inShape(corners[1]), inShape(corners[2])};
    const int quads = int(polyhedron.vertices.size() + 3) / 4;
    const LaneVertices lanes(polyhedron);
    Quad heights[kMostVertices / 4];
    Quad least = quadOf(kInfinity);
    for (int k = 0; k < quads; ++k) {
        heights[k] = lanes.along(n, k) - quadOf(dot(n, local[0]));
        least = lesserOf(least, heights[k]);
    }
    const Real lowest = -largestOf(-least);
    if (!(lowest > rounding))
        return false;
    const Vec3 bottom = polyhedron.vertices[lanes.find(heights, quads, lowest)];
    QuadMask isLow[kMostVertices / 4];
    Quad highest = quadOf(lowest);
    for (int k = 0; k < quads; ++k) {
        const Quad rise = greaterOf(heights[k] - quadOf(lowest + rounding), quadOf(0));
        isLow[k] = rise * rise <= quadOf(square(lean)) * lanes.distanceSquared(bottom, k);
        highest = greaterOf(highest, select(isLow[k], heights[k], quadOf(lowest)));
    }
    const Real sideways = largestOf(highest) / (1 - Real(0.5) * square(lean)) * lean + rounding;
    for (int i = 0; i < 3; ++i) {
        const Vec3 edge = local[i == 2 ? 0 : i + 1] - local[i], outward = cross(edge, n);
        const Real length2 = lengthSquared(edge);
        if (length2 < square(kShortestEdge * radius))
            return false;
        Quad beyond = quadOf(kInfinity);
        for (int k = 0; k < quads; ++k)
            beyond = lesserOf(beyond, select(isLow[k], lanes.along(outward, k), quadOf(kInfinity)));
        const Real nearest = -largestOf(-beyond) - dot(outward, local[i]);
        if (nearest > 0 && square(nearest) > square(sideways) * length2)
            return true;
    }
    return false;
}

// Whether all of the core lies beyond an edge, over the triangle across it: then that triangle is nearer, and a normal of this
// one would be an accident of the seam. Across a convex edge the neighbour's own plane through the edge decides, so that what
// stands on the edge itself is not over either. A shape that is in deeper than it is beside the edge may have come from here.
bool MeshReach::isBeside(const geometry::TriangleMesh& mesh, std::uint32_t triangle, const Vec3 (&corners)[3]) const {
    const Vec3 n = mesh.normal(triangle);
    Real depth = -1;  // m, found when it is needed
    const std::uint8_t active = mesh.triangles()[triangle].activeEdges;
    const Vec3 local[3] = {corners[0] - center_, corners[1] - center_, corners[2] - center_};
    const bool isInFront = dot(n, local[0]) <= 0;
    for (int i = 0; i < 3; ++i) {
        const Vec3 &from = local[i], &to = local[i == 2 ? 0 : i + 1];
        // A centre in front of the triangle and on the inner side of the edge is not beyond it, however the neighbour lies.
        if (isInFront && dot(n, cross(to, from)) <= 0)
            continue;
        const Vec3 across = mesh.neighborNormal(triangle, i);
        const bool isActive = (active >> i & 1) != 0;
        if (isActive && across == n)  // nothing is across it, or more than one
            continue;
        const Vec3 edge = to - from;
        const Vec3 outward = cross(edge, n);
        const Vec3 out = isActive || dot(across, outward) > 0 ? cross(edge, across) : outward;
        // The ball inside the core must be beyond the edge before all of the core can be.
        const Real middle = -dot(out, from);
        if (!(middle > 0 && square(middle) > square(inner_) * lengthSquared(edge)))
            continue;
        const Real beyond = isBall_ ? middle : -dot(out, corners[i]) - coreExtent(-out);
        if (!(beyond > 0))
            continue;
        if (depth < 0)
            depth = kRounding * convex_.boundingRadius + max(0, -gapOver(n, corners[0]));
        if (square(beyond) > square(depth) * lengthSquared(edge))
            return true;
    }
    return false;
}

bool MeshReach::reaches(const geometry::TriangleMesh& mesh, std::uint32_t triangle, const Vec3 (&corners)[3]) const {
    const Vec3 n = mesh.normal(triangle);
    const Real rounding = kRounding * convex_.boundingRadius;
    const Real height = -dot(n, corners[0]);  // of the origin above the plane
    if (height + dot(n, center_) < -rounding)
        return false;
    if (gapOver(n, corners[0]) > min(most_, even_ + max(0, -dot(n, way_))) + rounding)
        return false;
    for (int i = 0; i < 3 && !isBall_; ++i) {
        const Real a = dot(axes_[i], corners[0]), b = dot(axes_[i], corners[1]), c = dot(axes_[i], corners[2]);
        if (max(max(a, b), c) < component(low_, i) || min(min(a, b), c) > component(high_, i))
            return false;
    }
    return true;
}

}  // namespace sunder::collision
