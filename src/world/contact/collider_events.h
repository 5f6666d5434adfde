// Merges events of colliders: a pair names two colliders, an event two bodies.
#pragma once

#include <vector>

#include "core/pages.h"
#include "sunder/events.h"
#include "world/record/body.h"

namespace sunder::world {

// Two bodies of which one deforms may touch with several colliders: the events of one report from `first` on become one for
// each pair of bodies, in place of the first of them.
void mergeColliderEvents(const PagedVector<Body>& bodies, std::vector<ContactEvent>& events, std::size_t first);

}  // namespace sunder::world
