// Forces and impulses of calls and explosions on single pieces of bonded bodies: bonds bear them as they bear contacts.
#pragma once

#include <functional>

#include "world/state/state.h"

namespace sunder::world {

// Notes what acts at a point of the world; the caller changes the motion of the body. Nothing is noted where the stepper does
// not look at bonds.
void giveImpulse(const WorldState& world, Body& body, const Vec3& impulse, const WorldPoint& point);
void giveForce(const WorldState& world, Body& body, const Vec3& force, const WorldPoint& point);
// The impulse of an explosion on the whole, spread over the pieces by `onBall`: the impulse on a ball (center, radius) there.
using OnBall = std::function<Vec3(const WorldPoint& center, Real radius)>;
void giveBlast(const WorldState& world, Body& body, const Vec3& impulse, const OnBall& onBall);

// When a body breaks, its given loads act on the components that hold their pieces, not on all of them: takeGiven takes their
// impulses off the body's velocity, handGiven applies them to the components. `componentOf` is by piece, `slots` by component.
void takeGiven(Body& body);
void handGiven(WorldState& world, const Body& body, const std::vector<std::uint32_t>& componentOf,
               const std::vector<std::uint32_t>& slots);

// After a part of a step: impulses have acted and are removed; forces stay until the last part.
void endGiven(BodyBonds& bonds, bool isLast);

}  // namespace sunder::world
