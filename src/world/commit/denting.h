// Bodies of a ductile material that blows dent: tried with the blow, done at the end of the step.
//   [Bao07] VII.B
#pragma once

#include <optional>

#include "world/state/state.h"

namespace sunder::world {

struct DentedBody {
    Body body;  // with the dent; otherwise as it is
    Dent dent;
};
// What the blow makes of the body, of which nothing in the world is changed. Nothing where it does not dent, or has a dent to
// take already.
std::optional<DentedBody> dentedBy(WorldState& world, const BreakRequest& request);

// A solve that is done again finds its dents anew.
void dropUnsettledDents(BreakingState& breaking);
void settleDents(BreakingState& breaking);
// Bodies take their dents. Not inside a solve: their mass and contacts change.
void applyDents(WorldState& world);

}  // namespace sunder::world
