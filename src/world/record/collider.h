// Numbers for what can collide. A collider is (body, child): it has a proxy in the broad phase, and a pair names two of them.
//
//     rigid body       one collider, child 0, whatever its shape: the narrow phase finds the children of a compound by itself
//     deforming body   as many as BodyVertices::colliders lists: each has bounds that follow its own vertices
//
// A child is what a manifold calls childA and childB, too: of a deforming body the collider, of a rigid one the place in its
// compound.
#pragma once

#include <cstdint>

namespace sunder::world {

inline constexpr std::uint32_t kNone = 0xffffffffu;  // no slot, proxy or island

// Slot and child share the bits of one number, the slot in the low ones, so that a rigid body's collider is its slot: 4 million
// bodies of up to 1024 colliders.
inline constexpr std::uint32_t kSlotBits = 22;
inline constexpr std::uint32_t kMostSlots = 1u << kSlotBits, kMostColliders = 1u << (32 - kSlotBits);

constexpr std::uint32_t colliderOf(std::uint32_t slot, std::uint32_t child) { return child << kSlotBits | slot; }
constexpr std::uint32_t slotOf(std::uint32_t collider) { return collider & (kMostSlots - 1); }
constexpr std::uint32_t childOf(std::uint32_t collider) { return collider >> kSlotBits; }

}  // namespace sunder::world
