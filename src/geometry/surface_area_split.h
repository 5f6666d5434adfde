// One step of building a tree of bounds from scratch: splits a set of boxes in two where queries will cost least.
#pragma once

#include <cstdint>
#include <span>

#include "math/bounds.h"

namespace sunder::geometry {

// Reorders items (indices into bounds, at least two) and returns the size of the first half; neither half is empty. The split
// minimises count x surface area over binned planes of the widest axis. Where the centres coincide it cuts in the middle.
std::size_t splitBySurfaceArea(std::span<std::uint32_t> items, std::span<const Bounds> bounds);

}  // namespace sunder::geometry
