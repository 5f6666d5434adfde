// Where the broad phase keeps the colliders of a body.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Of one of its colliders now, in the world.
Bounds tightBounds(const Body& body, std::uint32_t child = 0);

void addProxies(PagedVector<Body>& bodies, collision::BroadPhase& broadPhase, std::uint32_t slot);
void removeProxies(collision::BroadPhase& broadPhase, Body& body);
// Their bounds follow a body that was moved.
void refreshProxies(collision::BroadPhase& broadPhase, const Body& body);
// The box of all of them.
Bounds fatBounds(const collision::BroadPhase& broadPhase, const Body& body);
// Pairs are looked for and dropped as if the body had moved.
void touchProxies(collision::BroadPhase& broadPhase, const Body& body);
// Pairs of a body that were left out are looked at again by the next step: its proxy counts as moved.
void findAgain(PagedVector<Body>& bodies, collision::BroadPhase& broadPhase, std::uint32_t slot);

}  // namespace sunder::world
