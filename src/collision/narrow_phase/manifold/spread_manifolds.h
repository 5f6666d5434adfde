// Chooses from many manifolds between two bodies the few that hold them apart as well as all do.
#pragma once

#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// Manifolds that two shells keep. Two rigid bodies need no more than a few contacts; shards that lie as they were cut, or boats
// in each other, have one for every two walls that come near.
inline constexpr std::size_t kMostShellManifolds = 6;

// Keeps at most `most` of the manifolds from `begin` on: the deepest, then those that are farthest from the ones kept, in place
// (as a share of `size`, m) and in direction. Touching ones go first, and ones known from the step before. The order stays.
void keepSpread(ManifoldList& manifolds, std::size_t begin, std::size_t most, Real size, KnownManifolds known);

}  // namespace sunder::collision
