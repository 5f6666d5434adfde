// Contacts that end outside of a step, and the order of the two bodies in an event.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

inline BodyId idOf(const PagedVector<Body>& bodies, std::uint32_t slot) { return {slot, bodies[slot].generation}; }

// The body that was added first comes first.
void orderBySerial(const PagedVector<Body>& bodies, ContactEvent& event);

// To be called before a pair that touched is dropped: the next step reports its end.
void noteEnd(const PagedVector<Body>& bodies, EventState& events, const ContactPair& pair);

}  // namespace sunder::world
