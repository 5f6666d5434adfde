// Breaks joints and bonds that are loaded beyond their strength.
//   [Li18] 3.5, 4   breaking, and doing the step again without what broke
// A step solves its contacts and joints on copies of the bodies, and the loads of joints and bonds are checked before the
// result is stored. Those that are overloaded are removed, their energy is released, and the step is solved again from the
// state at its start, at most WorldDef::rewinds times. Those that are overloaded in the last attempt break at the end of the
// step.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// After a solve, h: its substep. Fills OverloadState::joints and ::bonds.
void findOverloads(WorldState& world, Real dt, Real h);
// Whether a blow, not a load, is among what breaks bonds, and so hard a one that the step must be divided.
bool isBondStruck(const OverloadState& overloads);
// Removes the joints and bonds that were found; false where the bodies are the same as before, so that nothing is to be solved
// again.
bool breakOverloads(WorldState& world);
// When the solve is kept: adds its loads to the load windows.
void keepLoads(WorldState& world, Real dt, Real h, bool isLast);

}  // namespace sunder::world
