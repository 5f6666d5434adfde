// Where the broad phase keeps the colliders of a body.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// Bounds of one of its colliders as it lies now, in the world.
Bounds tightBounds(const Body& body, std::uint32_t child = 0);

void addProxies(PagedVector<Body>& bodies, collision::BroadPhase& broadPhase, std::uint32_t slot);
void removeProxies(collision::BroadPhase& broadPhase, Body& body);
// Fits the bounds of the proxies to a body that was moved.
void refreshProxies(collision::BroadPhase& broadPhase, const Body& body);
// The box of the fat bounds of all its colliders.
Bounds fatBounds(const collision::BroadPhase& broadPhase, const Body& body);
// Makes the next search look for and drop pairs of the body as if it had moved.
void touchProxies(collision::BroadPhase& broadPhase, const Body& body);
// Adds the proxies of a body anew, so that the next search finds all its pairs again, including those that were dropped.
void findAgain(PagedVector<Body>& bodies, collision::BroadPhase& broadPhase, std::uint32_t slot);

}  // namespace sunder::world
