// The surface of a deformable body as it lies at the start of a step, and points on it.
#pragma once

#include <map>
#include <vector>

#include "geometry/level_set/closest_point.h"
#include "world/flesh/flesh_contact.h"

namespace sunder::world {

inline constexpr Real kFleshMargin = Real(0.01);    // m: looked for beyond what motion covers
inline constexpr Real kStrikeMargin = Real(0.001);  // m: the same in a strike part; shards fly at centimetres from each other
// m: nearer to a surface than this, a direction is taken from the surface, not from the difference of points.
inline constexpr double kOnSurface = 1e-4;
// Cosine of the angle between a surface's normal and the other's, turned round, below which they do not face each other.
inline constexpr double kLeastFacing = 0.1;

struct FleshSurface {
    const PagedVector<Body>& bodies;
    std::uint32_t slot;
    WorldPoint origin;         // its body's centre
    std::vector<Vec3> points;  // of all nodes, from the origin
    std::vector<Bounds> triangleBounds;
    Bounds bounds;
    Real spread;  // m: how far a point may get in the step beside what its body's velocity takes it

    // Looked up each time: bodies move in memory when they are written to.
    const Body& body() const { return bodies[slot]; }

    // Unit, out of the surface: the mean by area over the triangles at a node. Found for all nodes when first asked for.
    const Vec3& normalAt(std::uint32_t node) const {
        if (normals_.empty())
            findNormals();
        return normals_[node];
    }

    // m^2: a third of the triangles at a node.
    Real areaAt(std::uint32_t node) const {
        if (normals_.empty())
            findNormals();
        return areas_[node];
    }

    // gravity: m/s^2; dt: s; margin: m
    FleshSurface(const PagedVector<Body>& all, std::uint32_t s, Real gravity, Real dt, Real margin);

private:
    void findNormals() const;
    mutable std::vector<Vec3> normals_;
    mutable std::vector<Real> areas_;
};

// Surfaces of deformable bodies, each made once as long as its body does not move or tear.
class FleshSurfaces {
public:
    FleshSurfaces(const WorldState& w, Real step, Real margin = kFleshMargin) : world(w), dt(step), margin_(margin) {}
    const FleshSurface& of(std::uint32_t slot);
    void forget(std::uint32_t slot) { made_.erase(slot); }

    const WorldState& world;
    const Real dt;  // s

private:
    const Real margin_;  // m
    std::map<std::uint32_t, FleshSurface> made_;
};

// A point of it.
struct OnSurface {
    std::uint32_t triangle = kNone;
    geometry::TrianglePoint at;
    Vec3 normal;
    Real gap = 0;
};

FleshContact::Side nodeSide(const FleshSurface& surface, std::uint32_t node);
FleshContact::Side surfaceSide(const FleshSurface& surface, const OnSurface& on);

}  // namespace sunder::world
