// Distances away from a surface, from those of the nodes next to it.
//   [Zhao05] Zhao: A fast sweeping method for Eikonal equations. |grad d| = 1, first order upwind, eight orders of sweep.
#pragma once

#include <cstdint>
#include <span>

#include "geometry/level_set/level_set.h"

namespace sunder::geometry {

// `magnitudes` (m, per node) is exact where `isKnown`; elsewhere its value is ignored and becomes the distance to the known
// nodes' surface. Where `region` is given, only its nodes (non-zero) take part. At least one node must be known.
void sweepDistances(const Grid& grid, std::span<Real> magnitudes, std::span<const std::uint8_t> isKnown,
                    std::span<const std::uint8_t> region = {});

// Measures inside values again from the inside nodes next to the surface, which keep theirs; outside nodes keep theirs too.
void sweepInside(DistanceField& field);

}  // namespace sunder::geometry
