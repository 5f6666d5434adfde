// The surface of a deformable body as it lies at the start of a step, and points on it.
#pragma once

#include <vector>

#include "geometry/level_set/closest_point.h"
#include "world/flesh/flesh_contact.h"

namespace sunder::world {

inline constexpr Real kFleshMargin = Real(0.01);  // m: looked for beyond what motion covers
// m: nearer to a surface than this, a direction is taken from the surface, not from the difference of points.
inline constexpr double kOnSurface = 1e-4;
// Cosine of the angle between a surface's normal and the other's, turned round, below which they do not face each other.
inline constexpr double kLeastFacing = 0.1;

struct FleshSurface {
    const Body& body;
    std::uint32_t slot;
    std::vector<Vec3> points;  // of all nodes, from the origin
    std::vector<Bounds> triangleBounds;
    Bounds bounds;
    Real reach;  // m: how far a point may get in the step

    // Unit, out of the surface: the mean by area over the triangles at a node. Found for all nodes when first asked for.
    const Vec3& normalAt(std::uint32_t node) const {
        if (normals_.empty())
            findNormals();
        return normals_[node];
    }

    // gravity: m/s^2; dt: s.
    FleshSurface(const Body& b, std::uint32_t s, const WorldPoint& origin, Real gravity, Real dt);

private:
    void findNormals() const;
    mutable std::vector<Vec3> normals_;
};

// A point of it.
struct OnSurface {
    std::uint32_t triangle = kNone;
    geometry::TrianglePoint at;
    Vec3 normal;
    Real gap = 0;
};

FleshContact::Side nodeSide(const FleshSurface& surface, std::uint32_t node, const WorldPoint& origin);
FleshContact::Side surfaceSide(const FleshSurface& surface, const OnSurface& on, const WorldPoint& origin);

}  // namespace sunder::world
