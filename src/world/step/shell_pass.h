// The last pass over thin shells: after it no triangles cross that did not cross before the step. [Bao07] III
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Between the solver and the scattering of its results. Shells that would end the step with triangles that cross, or are nearer
// to it than a hundredth of their thickness, form a zone: it moves as its centre of mass would, and of its bodies' motion
// within it only as large a share is done as leaves all apart; the rest of that motion ends, momentum stays. Shells that a zone
// runs into join it. In the worst case a zone moves as one stiff body, so the pass always ends.
void keepShellsApart(WorldState& world);

}  // namespace sunder::world
