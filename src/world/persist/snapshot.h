// Saves and restores the state that future steps depend on.
//
//   8 bytes "SUNDERSN"   4 version   4 bytes per Real   8 fingerprint of the layout   8 size of what follows   8 its checksum
//   8 size of the state   the state: visitState of WorldState, shapes by number   their count, size and definition of each
#pragma once

#include "world/state/state.h"

namespace sunder::world {

std::vector<std::byte> takeSnapshot(const WorldState& world);
// Restores a world, or throws Error and changes nothing. The world keeps its threads.
void restoreSnapshot(WorldState& world, std::span<const std::byte> snapshot);

// For bytes that never leave the program: shapes are shared instead of written, and nothing is checked.
std::vector<std::byte> takeState(const WorldState& world, std::vector<SharedShape>& shapes);
void restoreState(WorldState& world, std::span<const std::byte> state, std::span<const SharedShape> shapes);

// Adds the header to contents.
std::vector<std::byte> sealSnapshot(std::span<const std::byte> contents);
inline constexpr std::size_t kSnapshotHeaderSize = 40;  // bytes, see above

// Describes an inconsistency of a state that was read, or is empty. Steps on a state without one are safe.
std::string findFault(const WorldState& world);

}  // namespace sunder::world
