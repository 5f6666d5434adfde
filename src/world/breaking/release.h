// Gives the energy that broken joints and bonds had stored back to the bodies that they joined.
//   [Li18] 3.4
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Force and torque of the release are those of the broken joint or bond on B, about the point, in world axes; a null handle is
// the world. The energy is given at once or, with ReleaseOptions::time, in equal portions from the next step on.
void releaseEnergy(WorldState& world, const Release& release);
// For what a blow had stored: gives it at the end of the step, once the contacts have taken up the blow. Given before, the
// contacts of the blow would take it up too. The strain of a blow comes back as the bodies unload.
void releaseAfterBlow(WorldState& world, const Release& release);
// At the start of a step: the portions that are due.
void releaseWaiting(WorldState& world, Real dt);
// At the end of a step, after its contacts: what blows had stored. A body that leans on one that does not move is no lighter
// than that for a push towards it: the other of the two gets the energy.
void releaseBlows(WorldState& world);
// Energy (J) of a blow on both bodies of a release. Each counts by its share, 0 to 1: its mass over the mass that the blow must
// move with it.
double blowEnergyOf(const WorldState& world, const Release& release, const Vec3& blow, const Vec3& angularBlow,
                    double shareA = 1, double shareB = 1);
// Energy (J) that an impulse and an angular impulse about its centre give to a body at rest.
double blowEnergyOf(const Body& body, const Vec3& blow, const Vec3& angularBlow);

}  // namespace sunder::world
