// Joints and bonds that are loaded beyond their strength, and what becomes of them.
//   [Li18] 3.5, 4   breaking, and doing the step again without what broke
// A step solves its contacts and joints on copies of the bodies. What the solve did to joints and bonds is looked at before it
// is taken over: where one is overloaded it is removed, its energy released, and the step begins again from the state it began
// with, WorldDef::rewinds times at most. What is overloaded in the last attempt breaks at its end.
#pragma once

#include "world/state.h"

namespace sunder::world {

// After a solve, h: its substep. Fills OverloadState::joints and ::bonds.
void findOverloads(WorldState& world, Real dt, Real h);
// Takes out what was found; false where there was nothing.
bool breakOverloads(WorldState& world);
// When the solve is to stand: the windows of loads go on by a step.
void keepLoads(WorldState& world, Real dt, Real h, bool isLast);

// The parts of the above, for joints and for bonds.
void findJointOverloads(WorldState& world, Real dt, Real h);
bool breakJointOverloads(WorldState& world);
void keepJointLoads(WorldState& world, Real dt, Real h);
void findBondOverloads(WorldState& world, Real dt, Real h);
bool breakBondOverloads(WorldState& world);
void keepBondLoads(WorldState& world, Real dt, bool isLast);

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
