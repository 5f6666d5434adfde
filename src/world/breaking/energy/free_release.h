// The share of a release that goes in the directions which the joints that still hold leave free (ReleaseOptions::free).
//   [Li18] 5
#pragma once

#include "fracture/bonds/energy_release.h"
#include "world/state/state.h"

namespace sunder::world {

// Moves all bodies that joints connect to a or b, each at least one of them and none the world. point: of the break. Returns
// what was released; nothing where a and b have no joints, which leave all directions free, or the joints leave none.
fracture::Released releaseFreely(WorldState& world, BodyId a, BodyId b, const WorldPoint& point,
                                 const fracture::ReleaseForce& push, double energy);

}  // namespace sunder::world
