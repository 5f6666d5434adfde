// The energy that broken joints and bonds had stored, on its way back into the bodies they held.
//   [Li18] 3.4
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Energy to be given to two bodies that a joint or bond held together; force and torque are what it did to B about the point,
// in world axes; a null handle is the world. At once, or in parts from the next step on.
void releaseEnergy(WorldState& world, const Release& release);
// At the start of a step: the parts that are due.
void releaseWaiting(WorldState& world, Real dt);
// J that a blow carries (see Release), by the two bodies as they are now; shares: of each in the mass that moves with it.
double blowEnergyOf(const WorldState& world, const Release& release, const Vec3& blow, const Vec3& angularBlow,
                    double shareA = 1, double shareB = 1);
// J that an impulse and an angular impulse about its centre carry into a body.
double blowEnergyOf(const Body& body, const Vec3& blow, const Vec3& angularBlow);

}  // namespace sunder::world
