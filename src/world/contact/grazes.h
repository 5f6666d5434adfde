// Contacts with the side of something that a body goes over: of the next tile of a floor, of the brick beside the one that it
// slides on. A pair of bodies knows nothing of what else holds them, so the plane between a body and an edge ahead of it looks
// like a wall.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Whether dropGrazes should look at a contact: its bodies move, and it would stop them in the step.
bool mayGraze(const Flight& a, const Flight& b, const dynamics::ContactConstraint& constraint, Real dt);

// Drops those of the marked pairs' contacts (NarrowPhaseBlock::mayGraze) whose other body has a face that is level with what
// one of the two lies on, or comes down on in the step: it goes over that face and not against what bounds it.
void dropGrazes(WorldState& world, Real dt);

}  // namespace sunder::world
