// Bonds between touching pieces: the overlap of two flat faces that lie on each other, with its area and second moments.
#include <algorithm>
#include <array>
#include <utility>

#include "collision/built_shape.h"
#include "math/vec3d.h"
#include "sunder/bonds.h"
#include "sunder/definitions.h"

namespace sunder {

namespace {

// Faces are parallel where the cosine of their normals is within this of -1.
constexpr double kParallel = 1e-3;
// Share of the smaller piece's section: faces with less overlap only touch at an edge.
constexpr double kLeastOverlap = 1e-4;

using Outline = std::vector<Vec3d>;

// Sums over triangles about a point near them: area, and first and second moments weighted by area.
struct FaceSums {
    double area = 0;
    Vec3d first;
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;

    void add(const Vec3d& p, const Vec3d& q, const Vec3d& r) {
        const Vec3d vector = cross(q - p, r - p) * 0.5;
        const double a = length(vector);
        area += a;
        first += (p + q + r) * (a / 3);
        // The integral of x y over a triangle: a / 12 times the sum over the corners and over the corner sum.
        const Vec3d s = p + q + r;
        const auto sum = [&](double Vec3d::*u, double Vec3d::*v) {
            return a / 12 * (p.*u * p.*v + q.*u * q.*v + r.*u * r.*v + s.*u * s.*v);
        };
        xx += sum(&Vec3d::x, &Vec3d::x);
        yy += sum(&Vec3d::y, &Vec3d::y);
        zz += sum(&Vec3d::z, &Vec3d::z);
        xy += sum(&Vec3d::x, &Vec3d::y);
        xz += sum(&Vec3d::x, &Vec3d::z);
        yz += sum(&Vec3d::y, &Vec3d::z);
    }
};

Bond bondOfSums(std::uint32_t a, std::uint32_t b, const FaceSums& sums, const Vec3d& origin, const Vec3d& normal) {
    Bond bond;
    bond.a = a;
    bond.b = b;
    bond.area = Real(sums.area);
    if (!(sums.area > 0))
        return bond;
    const Vec3d c = sums.first * (1 / sums.area);
    bond.point = toReal(origin + c);
    bond.normal = toReal(normal);
    bond.secondMoments = {Real(sums.xx - sums.area * c.x * c.x), Real(sums.yy - sums.area * c.y * c.y),
                          Real(sums.zz - sums.area * c.z * c.z)};
    bond.secondMoments = {std::max(Real(0), bond.secondMoments.x), std::max(Real(0), bond.secondMoments.y),
                          std::max(Real(0), bond.secondMoments.z)};
    bond.secondProducts = {Real(sums.xy - sums.area * c.x * c.y), Real(sums.xz - sums.area * c.x * c.z),
                           Real(sums.yz - sums.area * c.y * c.z)};
    return bond;
}

// A flat face of a piece, in the body's frame.
struct FlatFace {
    Vec3d normal;  // unit, outward
    Outline corners;
};

struct FlatPiece {
    std::vector<FlatFace> faces;
    Bounds bounds;
};

Vec3d placed(const Pose& pose, const Vec3& point) { return toDouble(transformPoint(pose, point)); }

void addFaces(const BuiltShape& shape, const Pose& pose, FlatPiece& piece) {
    if (shape.type == ShapeType::Compound) {
        for (const BuiltShape::Child& child : shape.children)
            addFaces(*child.shape, pose * child.parentFromChild, piece);
        return;
    }
    const geometry::Polyhedron& solid = shape.polyhedron;
    for (const geometry::Polyhedron::Face& face : solid.faces) {
        FlatFace& flat = piece.faces.emplace_back();
        flat.normal = toDouble(rotate(pose.orientation, face.normal));
        for (int i = 0; i < face.vertexCount; ++i)
            flat.corners.push_back(placed(pose, solid.vertices[solid.faceVertices[face.firstIndex + i]]));
    }
    piece.bounds = unite(piece.bounds, collision::worldBounds(shape, pose));
}

// The polygon clipped to the inner side of every edge of the convex, counter-clockwise face.
Outline clippedBy(Outline polygon, const FlatFace& face) {
    const std::size_t count = face.corners.size();
    for (std::size_t e = 0; e < count && !polygon.empty(); ++e) {
        const Vec3d& from = face.corners[e];
        const Vec3d inward = cross(face.normal, face.corners[(e + 1) % count] - from);
        Outline kept;
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            const Vec3d &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
            const double atP = dot(inward, p - from), atQ = dot(inward, q - from);
            if (atP >= 0)
                kept.push_back(p);
            if ((atP > 0 && atQ < 0) || (atP < 0 && atQ > 0))
                kept.push_back(p + (q - p) * (atP / (atP - atQ)));
        }
        polygon = std::move(kept);
    }
    return polygon;
}

// The overlap of the two faces, moved half way between them.
Outline overlapOf(const FlatFace& a, const FlatFace& b, double tolerance) {
    if (dot(a.normal, b.normal) > kParallel - 1)
        return {};
    const double gap = dot(a.normal, b.corners[0] - a.corners[0]);
    if (std::fabs(gap) > tolerance)
        return {};
    Outline onPlane;
    for (const Vec3d& corner : b.corners)
        onPlane.push_back(corner - a.normal * (dot(a.normal, corner - a.corners[0]) - gap / 2));
    return clippedBy(std::move(onPlane), a);
}

void bondPieces(const std::vector<FlatPiece>& pieces, std::uint32_t a, std::uint32_t b, Real tolerance,
                std::vector<Bond>& bonds) {
    FaceSums sums;
    Vec3d origin, normal;
    for (const FlatFace& faceA : pieces[a].faces)
        for (const FlatFace& faceB : pieces[b].faces) {
            const Outline common = overlapOf(faceA, faceB, tolerance);
            if (common.size() < 3)
                continue;
            if (!(sums.area > 0))
                origin = common[0];
            for (std::size_t i = 1; i + 1 < common.size(); ++i)
                sums.add(common[0] - origin, common[i] - origin, common[i + 1] - origin);
            const double before = length(normal);
            double area = 0;
            for (std::size_t i = 1; i + 1 < common.size(); ++i)
                area += length(cross(common[i] - common[0], common[i + 1] - common[0])) / 2;
            normal = before > 0 ? normal + faceA.normal * area : faceA.normal * area;
        }
    const auto size = [](const Bounds& box) { return toDouble(box.high - box.low); };
    const Vec3d first = size(pieces[a].bounds), second = size(pieces[b].bounds);
    const double small = std::min(dot(first, first), dot(second, second));
    if (sums.area > kLeastOverlap * small)
        bonds.push_back(bondOfSums(a, b, sums, origin, normalizeOr(normal, {0, 1, 0})));
}

}  // namespace

std::vector<Bond> findBonds(const Compound& pieces, Real tolerance) {
    std::vector<FlatPiece> flat(pieces.children.size());
    for (std::size_t i = 0; i < flat.size(); ++i) {
        const CompoundChild& child = pieces.children[i];
        addFaces(*buildShape(child.shape), {child.position, normalize(child.orientation)}, flat[i]);
    }
    // Sorted by least x, so that each face is tested only against those it can touch.
    std::vector<std::uint32_t> order(flat.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
        return flat[i].bounds.low.x != flat[j].bounds.low.x ? flat[i].bounds.low.x < flat[j].bounds.low.x : i < j;
    });
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Bounds reach = expand(flat[order[i]].bounds, tolerance);
        for (std::size_t j = i + 1; j < order.size() && flat[order[j]].bounds.low.x <= reach.high.x; ++j)
            if (overlaps(reach, flat[order[j]].bounds))
                pairs.push_back({std::min(order[i], order[j]), std::max(order[i], order[j])});
    }
    std::sort(pairs.begin(), pairs.end());
    std::vector<Bond> bonds;
    for (const auto& [a, b] : pairs)
        bondPieces(flat, a, b, tolerance, bonds);
    return bonds;
}

Bond bondOfTriangles(std::uint32_t a, std::uint32_t b, const std::vector<std::array<Vec3, 3>>& triangles, const Vec3& normal) {
    if (triangles.empty())
        throw Error("triangles: 0 triangles are not allowed (1 or more)");
    const Vec3d origin = toDouble(triangles[0][0]), towards = toDouble(normal);
    FaceSums sums;
    Vec3d area;
    for (const auto& [p, q, r] : triangles) {
        const Vec3d x = toDouble(p) - origin, y = toDouble(q) - origin, z = toDouble(r) - origin;
        sums.add(x, y, z);
        const Vec3d vector = cross(y - x, z - x);
        area += dot(vector, towards) < 0 ? -vector : vector;
    }
    return bondOfSums(a, b, sums, origin, normalizeOr(area, normalizeOr(towards, {0, 1, 0})));
}

}  // namespace sunder
