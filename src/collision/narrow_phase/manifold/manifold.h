// What the narrow phase reports about two shapes that touch or nearly touch.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "math/vec3.h"

namespace sunder::collision {

inline constexpr int kMaxManifoldPoints = 4;  // as many as support a face
// Key of a manifold of shapes that have gone through each other: they are brought apart, and do not bounce, or a deep pair
// would be given its bounce step by step.
inline constexpr std::uint32_t kTangledKey = 0xffffffff;

struct ContactPoint {
    Vec3 onA, onB;        // the points of the two surfaces, in the frame of the poses given; onB - onA = separation * normal
    Real separation = 0;  // m along the normal; negative where the shapes overlap
    std::uint32_t feature = 0;  // persistent: equal for the same pair of features from step to step; unique within its manifold
};

// Points that share one normal. A pair of convex shapes has one manifold, and a second one where more than four points touch;
// meshes and compounds have several.
struct ContactManifold {
    Vec3 normal;                           // unit, from A to B
    std::uint32_t key = 0;                 // which place of a compound or mesh: persistent, unique within the pair
    std::uint32_t childA = 0, childB = 0;  // of compounds: which child touches
    int count = 0;
    Real distance = 0;  // m: where count is 0, a lower bound of the distance of the surfaces
    ContactPoint points[kMaxManifoldPoints];
};

// The manifold with the roles of A and B exchanged.
inline void exchangeShapes(ContactManifold& manifold) {
    manifold.normal = -manifold.normal;
    for (int i = 0; i < manifold.count; ++i)
        std::swap(manifold.points[i].onA, manifold.points[i].onB);
}

using ManifoldList = std::vector<ContactManifold>;

// Points on which shapes may come to rest within the step though they do not touch there yet. All are looked for, unless what
// they bring is measured.
struct PointKinds {
    bool rocking = true;        // see rocking_points.h
    bool facingCorners = true;  // of polyhedra, and of shapes on meshes
};

// How a body is expected to move against a mesh in the time at hand, in the frame of the poses. Lets a mesh leave out triangles
// within the margin that the body does not come nearer to.
struct ExpectedMotion {
    Vec3 way, turn;          // m, rad: of the body that is not the mesh
    Vec3 about;              // the point that moves by `way`
    Real slack = kInfinity;  // m: nearer triangles are never left out
};

// How far to look for contacts. A level set has thousands of points, and those much farther away than the nearest do not
// matter; `spread` lets it skip them.
struct Range {
    Real margin = 0;          // m, >= 0
    Real spread = kInfinity;  // m beyond the nearest contact; contacts farther away may be left out
    PointKinds points;
    ExpectedMotion expected;
    bool areHeld = false;  // both bodies, by something: what bears them matters more than where they might come down

    Range(Real most) : margin(most) {}
    Range(Real most, Real beyondNearest) : margin(most), spread(beyondNearest) {}
};

// What the previous look at the pair found. Of two nearly equal answers the previous one is given again: a contact that hops
// between them kicks the bodies that rest on it.
struct KnownManifold {
    std::uint32_t key = 0;
    std::uint32_t childA = 0, childB = 0;
    Vec3 normal;  // from A to B
    int count = 0;
    std::uint32_t features[kMaxManifoldPoints] = {};

    bool has(std::uint32_t feature) const {
        for (int i = 0; i < count; ++i)
            if (features[i] == feature)
                return true;
        return false;
    }
};

using KnownManifolds = std::span<const KnownManifold>;

}  // namespace sunder::collision
