// Which bonds one blow breaks, decided at once.
//
// The solve found the blow on a body that was whole: a striker met all of its mass, or the ground behind it. Once the first
// bonds are gone the loads take other ways, and a component that comes free gives way, so that little of the blow is left for
// it: the striker only has to bring it to their common speed. With y the yield (speed along the blow per unit of impulse) of
// striker s, whole body b and component c, the impulse left on a component is
//     P_c = P (y_s + y_b) / (y_s + y_c)
// and what the striker keeps goes to the pieces of the same body that it also touches and that still hold. With these blows the
// loads are found again on the bonds that are left, the most overloaded break, and so on until all hold. Only then is the step
// solved again, with the components apart.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// After a solve. broken: the bonds of the body that break first, by a blow; adds those that break after them. Ascending before
// and after.
void shedBonds(const WorldState& world, std::uint32_t slot, std::vector<BondOverload>& broken);

// J: what strikers that move and the components that they struck lose when they come to a common speed, the most that a blow
// can leave in the bonds between those components: (v^2 / 2) / (y_s + y_c), with v their closing speed, P (y_s + y_b). Infinite
// where something took part that has no such energy of its own: the ground, a joint or a call. componentOf: by piece.
double strikingEnergy(const WorldState& world, std::uint32_t slot, const std::vector<std::uint32_t>& componentOf);

}  // namespace sunder::world
