// The dent that a blow leaves in a body of a ductile material.
//   [Bao07] VII.B
// Its level set and its drawn surface are moved by what plastic flow leaves (elastic/stress/plastic_flow.h). The body keeps its
// mass; its centre and inertia are those of the new shape.
#pragma once

#include <optional>

#include "world/state/state.h"

namespace sunder::world {

// Nothing where the body has no yield, its stress stays below it, it has cracks, or the dent would not be seen on its grid.
std::optional<Dent> dentOf(WorldState& world, const Body& body, const BreakRequest& request);

// The body with the shape of its dent. Its centre of mass, its velocity and, unless that would be a gain of energy, its angular
// momentum stay.
void takeDent(Body& body, const SharedShape& shape);

}  // namespace sunder::world
