// Bonds that are loaded beyond their strength: which break first, and with what load.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Share of the load in the solve at which the bond broke: it never carries more than its strength.
inline double atBreak(const BondOverload& overload) { return 1 / overload.ratio; }
inline fracture::Wrench scaled(const fracture::Wrench& load, double by) { return {load.force * by, load.torque * by}; }

const BondOverload& worstOf(const std::vector<BondOverload>& found);
// Leaves the bonds that break before the others.
void keepFirst(std::vector<BondOverload>& found);
// Leaves one: the first of those with the highest ratio.
void keepWorst(std::vector<BondOverload>& found);

}  // namespace sunder::world
