// Exact signed distances of the solid shapes, evaluated on a grid.
#include "geometry/level_set/solid_distance.h"

#include <utility>

#include "geometry/convex_hull.h"
#include "geometry/level_set/closest_point.h"
#include "geometry/level_set/sweep.h"
#include "math/quat.h"

namespace sunder::geometry {
namespace {

// Distance to a rectangle of the given half sizes from a point in its plane, given by absolute values: a cylinder's profile.
Real rectangleDistance(Real x, Real y, Real halfX, Real halfY) {
    const Real dx = x - halfX, dy = y - halfY;
    const Real outside = std::sqrt(square(max(dx, 0)) + square(max(dy, 0)));
    return outside + min(max(dx, dy), 0);
}

Real distanceTo(const Sphere& sphere, const Vec3& p) { return length(p) - sphere.radius; }

Real distanceTo(const Box& box, const Vec3& p) {
    const Vec3 d = abs(p) - box.halfExtents;
    return length(max(d, Vec3{})) + min(max(d.x, max(d.y, d.z)), 0);
}

Real distanceTo(const Capsule& capsule, const Vec3& p) {
    const Vec3 onAxis{0, clamp(p.y, -capsule.halfHeight, capsule.halfHeight), 0};
    return length(p - onAxis) - capsule.radius;
}

Real distanceTo(const Cylinder& cylinder, const Vec3& p) {
    return rectangleDistance(std::sqrt(p.x * p.x + p.z * p.z), std::fabs(p.y), cylinder.radius, cylinder.halfHeight);
}

Real distanceTo(const Polyhedron& hull, std::span<const std::array<std::uint32_t, 3>> triangles, const Vec3& p) {
    Real deepest = -kInfinity;
    for (const Polyhedron::Face& face : hull.faces)
        deepest = max(deepest, dot(face.normal, p) - face.offset);
    if (deepest <= 0)
        return deepest;
    double nearest = double(kInfinity);
    for (const auto& triangle : triangles) {
        const TrianglePoint found = closestPoint(toDouble(p), toDouble(hull.vertices[triangle[0]]),
                                                 toDouble(hull.vertices[triangle[1]]), toDouble(hull.vertices[triangle[2]]));
        nearest = std::fmin(nearest, found.squaredDistance);
    }
    return Real(std::sqrt(nearest));
}

template <class Distance>
void fillGrid(DistanceField& field, const Distance& distance) {
    const auto [nx, ny, nz] = field.grid.nodes;
    field.values.resize(field.grid.nodeCount());
    Real* value = field.values.data();
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x)
                *value++ = distance(field.grid.position(x, y, z));
}

// Adds shapes to a field by union, each under its pose.
class Union {
public:
    explicit Union(const Grid& grid) : grid_(grid) {}

    std::string add(const Shape& shape, const Pose& gridFromShape) {
        return std::visit([&](const auto& s) { return addShape(s, gridFromShape); }, shape);
    }
    DistanceField take() {
        // The smaller of two depths is less than the depth in the union, so the inside is measured again from the surface.
        if (parts_ > 1)
            sweepInside(field_);
        return std::move(field_);
    }

private:
    template <class Solid>
    std::string addShape(const Solid& solid, const Pose& pose) {
        addDistance(pose, [&](const Vec3& p) { return distanceTo(solid, p); });
        return {};
    }
    std::string addShape(const Hull& hull, const Pose& pose) {
        const HullResult built = buildConvexHull(hull.points);
        if (!built.error.empty())
            return built.error;
        const auto triangles = triangulate(built.hull);
        addDistance(pose, [&](const Vec3& p) { return distanceTo(built.hull, triangles, p); });
        return {};
    }
    std::string addShape(const Compound& compound, const Pose& pose) {
        for (const CompoundChild& child : compound.children) {
            std::string error = add(child.shape, pose * Pose{child.position, child.orientation});
            if (!error.empty())
                return error;
        }
        return {};
    }
    std::string addShape(const Mesh&, const Pose&) { return "level set: a mesh is no solid shape"; }
    std::string addShape(const HeightField&, const Pose&) { return "level set: a height field is no solid shape"; }
    std::string addShape(const Shell&, const Pose&) { return "level set: a shell is no solid shape"; }
    std::string addShape(const sunder::LevelSet&, const Pose&) { return "level set: a level set is sampled already"; }
    std::string addShape(const SharedShape&, const Pose&) {
        return "level set: a shared shape must be given by its definition";
    }

    template <class Distance>
    void addDistance(const Pose& gridFromShape, const Distance& distance) {
        DistanceField part{grid_, {}};
        fillGrid(part, [&](const Vec3& p) { return distance(inverseTransformPoint(gridFromShape, p)); });
        if (parts_++ == 0) {
            field_ = std::move(part);
            return;
        }
        for (std::size_t node = 0; node < part.values.size(); ++node)
            field_.values[node] = min(field_.values[node], part.values[node]);
    }

    Grid grid_;
    DistanceField field_;
    int parts_ = 0;
};

Bounds boundsOf(const Vec3& halfExtents, const Pose& pose) {
    const Mat3 R = toMatrix(pose.orientation);
    const Vec3 reach{dot(abs(R.row0), halfExtents), dot(abs(R.row1), halfExtents), dot(abs(R.row2), halfExtents)};
    return {pose.position - reach, pose.position + reach};
}

Bounds boundsOf(const Shape& shape, const Pose& pose) {
    struct Visitor {
        Pose pose;
        Bounds operator()(const Sphere& s) const { return expand({pose.position, pose.position}, s.radius); }
        Bounds operator()(const Box& b) const { return boundsOf(b.halfExtents, pose); }
        Bounds operator()(const Capsule& c) const { return expand(boundsOf(Vec3{0, c.halfHeight, 0}, pose), c.radius); }
        Bounds operator()(const Cylinder& c) const {
            const Vec3 axis = rotate(pose.orientation, {0, 1, 0});
            const auto across = [&](Real a) { return c.radius * std::sqrt(max(0, 1 - a * a)) + c.halfHeight * std::fabs(a); };
            const Vec3 reach{across(axis.x), across(axis.y), across(axis.z)};
            return {pose.position - reach, pose.position + reach};
        }
        Bounds operator()(const Hull& h) const {
            Bounds all;
            for (const Vec3& p : h.points)
                all = unite(all, transformPoint(pose, p));
            return all;
        }
        Bounds operator()(const Compound& c) const {
            Bounds all;
            for (const CompoundChild& child : c.children)
                all = unite(all, boundsOf(child.shape, pose * Pose{child.position, child.orientation}));
            return all;
        }
        Bounds operator()(const Mesh&) const { return {{}, {1, 1, 1}}; }  // rejected later, with a message
        Bounds operator()(const HeightField&) const { return {{}, {1, 1, 1}}; }
        Bounds operator()(const Shell&) const { return {{}, {1, 1, 1}}; }
        Bounds operator()(const sunder::LevelSet&) const { return {{}, {1, 1, 1}}; }
        Bounds operator()(const SharedShape&) const { return {{}, {1, 1, 1}}; }
    };
    return std::visit(Visitor{pose}, shape);
}

}  // namespace

FieldResult distanceOfShape(const Shape& shape, const Resolution& resolution) {
    const GridResult grid = gridAround(boundsOf(shape, {}), resolution);
    if (!grid.error.empty())
        return {{}, grid.error};
    return distanceOfShape(shape, grid.grid);
}

FieldResult distanceOfShape(const Shape& shape, const Grid& grid) {
    Union solids(grid);
    FieldResult result;
    result.error = solids.add(shape, {});
    if (result.error.empty())
        result.field = solids.take();
    if (result.error.empty() && result.field.values.empty())
        result.error = "level set: the compound has no children";
    return result;
}

DistanceField distanceOfFunction(const Grid& grid, const std::function<Real(const Vec3&)>& distance) {
    DistanceField field{grid, {}};
    fillGrid(field, distance);
    return field;
}

}  // namespace sunder::geometry
