// The components that a bonded body falls into where bonds break: pieces that the remaining bonds still join.
//   [Li18] 3.4, 3.5
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Takes these bonds (ascending) out of the body; where it no longer hangs together its components take its place, and the
// energy of the bonds between them is released. False where the caps on pieces are reached: then the bonds hold.
bool breakBonded(WorldState& world, std::uint32_t slot, const std::vector<BondOverload>& broken);

// Share of the load in the solve at which the bond broke: it never carries more than its strength.
inline double atBreak(const BondOverload& overload) { return 1 / overload.ratio; }
const BondOverload& worstOf(const std::vector<BondOverload>& found);
inline fracture::Wrench scaled(const fracture::Wrench& load, double by) { return {load.force * by, load.torque * by}; }

}  // namespace sunder::world
