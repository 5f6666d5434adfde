// Queries of a world between steps: rays, cast shapes, overlaps, closest points.
//
// All are const and keep no state, so several threads may query at once as long as none changes the world. Lengths are metres.
// Points are in double and are compared with bodies relative to each other, so results are as accurate ten kilometres from the
// origin as at it. Equal worlds and queries give equal bits on every machine. Invalid input (not finite, out of range, no
// direction) throws Error.
#pragma once

#include <cstdint>
#include <functional>

#include "sunder/shapes.h"
#include "sunder/types.h"

namespace sunder {

// Index that stands for no child or no triangle.
inline constexpr std::uint32_t kNoIndex = 0xffffffffu;

// Which bodies a query sees; by default all but sensors.
struct QueryFilter {
    std::uint32_t layer = 0xffffffffu;     // bits: the layers that the query is in
    std::uint32_t mask = 0xffffffffu;      // bits: the layers that it sees; as between two bodies, both sides must agree
    bool sensors = false;                  // sees bodies that are sensors
    bool backFaces = false;                // rays and casts also hit triangles of meshes from behind
    std::function<bool(BodyId)> accept{};  // optional: called last, for every body that the query comes near
};

struct Ray {
    WorldPoint origin{};
    Vec3 displacement{0, -1, 0};  // m, to the end of the ray; not zero
};

// A ray hits solids (all shapes but meshes) where it enters them. One that starts inside hits at fraction 0 with startsInside
// set, a normal against the ray and its own origin as the point. A mesh is a surface: it is hit where the ray meets a triangle
// from the front, or from behind with backFaces. One hit per body: its first.
struct RayHit {
    BodyId body{};
    Real fraction = 0;  // of the displacement, 0 to 1
    Real distance = 0;  // m from the ray's origin
    WorldPoint point{};
    Vec3 normal{};                      // unit, out of the surface, world axes
    std::uint32_t child = kNoIndex;     // of a compound: index of the child; children of nested compounds count in order
    std::uint32_t triangle = kNoIndex;  // of a mesh: its index in the mesh's list
    bool startsInside = false;
};

// A shape at a place: any but a mesh. One from buildShape saves building it for every query.
struct PlacedShape {
    Shape shape = Sphere{};
    WorldPoint position{};
    Quat orientation{};  // unit quaternion; normalised on entry
};

// A shape that is moved without turning.
struct ShapeCast {
    PlacedShape start{};
    Vec3 displacement{0, -1, 0};  // m; not zero
};

// Where a cast shape first touches a body. A shape that overlaps the body from the start hits at fraction 0 with startsInside
// set: the normal is then the way out, and depth (m) its length. One hit per body.
struct ShapeHit {
    BodyId body{};
    Real fraction = 0;                   // of the displacement, 0 to 1
    Real distance = 0;                   // m that the shape moved
    WorldPoint point{};                  // on the body
    Vec3 normal{};                       // unit, out of the body's surface, world axes
    Real depth = 0;                      // m of overlap at the start, 0 where there is none
    std::uint32_t child = kNoIndex;      // of the body, as in RayHit
    std::uint32_t triangle = kNoIndex;   // of the body
    std::uint32_t castChild = kNoIndex;  // of the moved shape where it is a compound
    bool startsInside = false;
};

// The point of a body's surface that is closest to a given point. Inside a solid the distance is negative; closed meshes count
// as solids, others always have distances >= 0. Inside a compound: the child that holds the point deepest, whose closest point
// may lie within another child.
struct PointHit {
    BodyId body{};
    Real distance = 0;  // m
    WorldPoint point{};
    Vec3 normal{};  // unit, out of the surface there, world axes
    std::uint32_t child = kNoIndex;
    std::uint32_t triangle = kNoIndex;
};

}  // namespace sunder
