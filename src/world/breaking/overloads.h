// Joints and bonds that are loaded beyond their strength, and what becomes of them.
//   [Li18] 3.5, 4   breaking, and doing the step again without what broke
// A step solves its contacts and joints on copies of the bodies. What the solve did to joints and bonds is looked at before it
// is taken over: where one is overloaded it is removed, its energy released, and the step begins again from the state it began
// with, WorldDef::rewinds times at most. What is overloaded in the last attempt breaks at its end.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// After a solve, h: its substep. Fills OverloadState::joints and ::bonds.
void findOverloads(WorldState& world, Real dt, Real h);
// Takes out what was found; false where there was nothing.
bool breakOverloads(WorldState& world);
// When the solve is to stand: the windows of loads go on by a step.
void keepLoads(WorldState& world, Real dt, Real h, bool isLast);

}  // namespace sunder::world
