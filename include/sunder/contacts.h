// Which bodies collide and how, decided by functions of the host.
//
// Both are called within a step, from several threads at once and in any order. They must depend on nothing but their arguments
// and what no step changes; they may call const methods of the world that ask for one body, which then answer for the start of
// the step (or of its part, where a violent step is divided). What they answer otherwise, as from a clock or a counter, is not
// the same for any number of threads, and not after a restore. They must not throw.
//
// Snapshots and logs do not hold them: set them again on a world that a snapshot is restored into, and in replay()'s `prepare`.
#pragma once

#include <functional>
#include <span>

#include "sunder/types.h"

namespace sunder {

// Whether two bodies, whose layers agree, collide; for a sensor, whether it sees the other. a was added before b. It is asked
// when the bounds of the two come near each other, and the answer holds until they part. World::setFilter has the pairs of a
// body asked for anew.
using ContactFilter = std::function<bool(BodyId a, BodyId b)>;

struct ManifoldPoint {
    Vec3 position;   // m, world: between the two surfaces
    Real depth = 0;  // m: overlap; negative where they are apart
    Vec3 velocity;   // m/s: of b's matter against a's there, at the start of the step
};

// One place where two bodies touch, or may touch within the step, before it is solved.
struct ContactManifoldView {
    BodyId a, b;  // a was added before b
    Vec3 normal;  // unit, from a to b
    std::span<const ManifoldPoint> points;

    // What may be changed, for this step.
    bool isEnabled = true;  // false: they pass through each other here, and no event tells of it
    Real friction = 0;      // >= 0
    Real restitution = 0;   // 0 to 1
    Vec3 surfaceVelocity;   // m/s, world: of a's surface over a, less that of b's over b; what is along the normal is dropped
};

// Called for each place where two bodies touch in each step, sensors and sleepers excepted, with their materials' values filled
// in. Values out of range are ignored.
using PreSolve = std::function<void(ContactManifoldView& manifold)>;

}  // namespace sunder
