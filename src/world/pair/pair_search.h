// The search for the contacts of one pair of bodies: how far they must see for a step, whether what was found before still
// holds, and the manifolds where and when they meet.
#pragma once

#include <span>
#include <vector>

#include "collision/narrow_phase/manifold/manifold.h"
#include "dynamics/contact/scalar/constraint.h"
#include "world/pair/motion_bounds.h"
#include "world/pair/recycle.h"

namespace sunder::world {

// Lists of the pair that a thread looks at, kept for their memory.
struct PairScratch {
    collision::ManifoldList manifolds, ahead;
    collision::ManifoldList found;  // by all pairs of the block
    std::vector<collision::KnownManifold> known;
};

// Whether the manifolds of the last step serve this one too, because the bodies have hardly moved against each other.
bool mayKeep(const Flight& a, const Flight& b, const Reach& reach, Real dt, const Recycling& now, const SeenPair& seen,
             std::span<const dynamics::KeptManifold> old);

// Tells the narrow phase what there was.
void noteKnown(std::span<const dynamics::KeptManifold> old, std::vector<collision::KnownManifold>& known);

// The manifolds of a pair, into scratch.manifolds, and the time within the step at which the bodies were looked at: now where
// they are already close; where and when they will meet, if they meet later in the step. Points are relative to A's centre at
// the start.
Real collidePair(const Flight& a, const Flight& b, const Reach& reach, bool isFar, Real dt, const Recycling& now,
                 SeenPair& seen, PairScratch& scratch);

// Least separation of all points.
Real deepest(const collision::ManifoldList& manifolds);

}  // namespace sunder::world
