// Whether what a handle names is still there.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// records: bodies or joints by slot.
template <class Records, class Id>
bool isLive(const Records& records, Id id) {
    return id.index < records.size() && records[id.index].alive && records[id.index].generation == id.generation;
}

inline bool isAlive(const WorldState& world, BodyId id) { return isLive(world.bodies, id); }
inline bool isAlive(const WorldState& world, JointId id) { return isLive(world.joints, id); }

// The body of a handle; null where it is gone or the handle names the world.
inline Body* livingBody(WorldState& world, BodyId id) { return isAlive(world, id) ? &world.bodies[id.index] : nullptr; }

// The body on one side of a joint; null where that is the world.
inline const Body* bodyOf(const PagedVector<Body>& bodies, BodyId id) { return id.isNull() ? nullptr : &bodies[id.index]; }
inline const Body* bodyOf(const PagedVector<Body>& bodies, std::uint32_t slot) {
    return slot == kWorldSlot ? nullptr : &bodies[slot];
}

}  // namespace sunder::world
