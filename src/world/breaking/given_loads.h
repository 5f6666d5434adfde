// What calls and explosions do to single pieces of bonded bodies, so that bonds feel it as they feel contacts.
#pragma once

#include <functional>

#include "world/state/state.h"

namespace sunder::world {

// At a point of the world; the motion of the whole is the caller's. Nothing where bonds are not watched.
void giveImpulse(const WorldState& world, Body& body, const Vec3& impulse, const WorldPoint& point);
void giveForce(const WorldState& world, Body& body, const Vec3& force, const WorldPoint& point);
// The impulse of an explosion on the whole, spread over the pieces by `onBall`: the impulse on a ball (center, radius) there.
using OnBall = std::function<Vec3(const WorldPoint& center, Real radius)>;
void giveBlast(const WorldState& world, Body& body, const Vec3& impulse, const OnBall& onBall);

// Takes what the step has been given off the motion of a body that breaks, and hands it to the parts its pieces are in now:
// as if they had never been whole. `partOf` and `slots`: of each piece, of each part.
void takeGiven(Body& body);
void handGiven(WorldState& world, const Body& body, const std::vector<std::uint32_t>& partOf,
               const std::vector<std::uint32_t>& slots);

// After a part of a step: impulses have acted, forces act on until its end.
void endGiven(BodyBonds& bonds, bool isLast);

}  // namespace sunder::world
