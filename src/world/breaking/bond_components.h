// The components that a bonded body falls into where bonds break: pieces that the remaining bonds still join.
//   [Li18] 3.4, 3.5
#pragma once

#include "world/state/state.h"

namespace sunder::world {

enum class BreakOutcome : std::uint8_t {
    Refused,  // the caps on pieces are reached: the bonds hold
    Whole,    // the bonds are gone, and the rest still hangs together
    Apart,    // components have taken the body's place
};

// Takes these bonds (ascending) out of the body; where it no longer hangs together its components take its place, and the
// energy of the bonds between them is released.
BreakOutcome breakBonded(WorldState& world, std::uint32_t slot, const std::vector<BondOverload>& broken);

}  // namespace sunder::world
