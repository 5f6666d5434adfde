// Everything a world's future depends on, as bytes or in memory, and back.
//
//   8 bytes "SUNDERSN"   4 version   4 bytes per Real   8 fingerprint of the layout   8 size of what follows   8 its checksum
//   8 size of the state   the state: visitState of WorldState, shapes by number   their count, size and definition of each
#pragma once

#include "world/state/state.h"

namespace sunder::world {

std::vector<std::byte> takeSnapshot(const WorldState& world);
// Takes a world back, or throws Error and changes nothing. The world keeps its threads.
void restoreSnapshot(WorldState& world, std::span<const std::byte> snapshot);

// The same without shapes and checks, for bytes that never left the program.
std::vector<std::byte> takeState(const WorldState& world, std::vector<SharedShape>& shapes);
void restoreState(WorldState& world, std::span<const std::byte> state, std::span<const SharedShape> shapes);

// Puts the header before what follows it.
std::vector<std::byte> sealSnapshot(std::span<const std::byte> contents);
inline constexpr std::size_t kSnapshotHeaderSize = 40;

// What contradicts itself in a state that was read, or an empty text: afterwards steps cannot go astray.
std::string findFault(const WorldState& world);

}  // namespace sunder::world
