// The parts that a bonded body falls into where bonds break.
//   [Li18] 3.4, 3.5
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Takes these bonds (ascending) out of the body; where it no longer hangs together its parts take its place, and the energy of
// the bonds between them is released. False where the caps on pieces are reached: then the bonds hold.
bool breakBonded(WorldState& world, std::uint32_t slot, const std::vector<BondOverload>& broken);

// A bond gives way when its strength is reached: of what is more, nothing goes through it.
inline double atBreak(const BondOverload& overload) { return 1 / overload.ratio; }
const BondOverload& worstOf(const std::vector<BondOverload>& found);
inline fracture::Wrench scaled(const fracture::Wrench& load, double by) { return {load.force * by, load.torque * by}; }

}  // namespace sunder::world
