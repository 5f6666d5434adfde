// Mass, centre and place of a body, from its shape and what overrides it.
#pragma once

#include "world/record/body.h"

namespace sunder::world {

// Mass, centre and inertia from shape, material and overrides. The user's frame stays where it is; the velocity becomes
// that of the new centre.
void updateMass(Body& body);
void placeBody(Body& body, const WorldPoint& position, const Quat& orientation);
void push(Body& body, const Vec3& impulse);         // at its centre
void turn(Body& body, const Vec3& angularImpulse);  // world axes

}  // namespace sunder::world
