// A body as energy_release.h needs it.
#pragma once

#include "fracture/bonds/energy_release.h"
#include "world/state/state.h"

namespace sunder::world {

// null: the world. The arm goes to the point.
fracture::ReleaseBody releaseBody(const Body* body, const WorldPoint& point);

}  // namespace sunder::world
