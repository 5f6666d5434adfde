// The search for the contacts of one pair of bodies: whether the manifolds of the last step still hold, and if not, new ones
// where and when the bodies meet.
#pragma once

#include <span>
#include <vector>

#include "collision/narrow_phase/manifold/manifold.h"
#include "dynamics/contact/scalar/constraint.h"
#include "world/pair/motion_bounds.h"
#include "world/pair/recycle.h"

namespace sunder::world {

// Scratch lists of a thread for the pair it looks at.
struct PairScratch {
    collision::ManifoldList manifolds, ahead;
    collision::ManifoldList found;  // by all pairs of the block
    std::vector<collision::KnownManifold> known;
    bool isKept = true;  // what is found may serve later steps too, so it is looked for a little farther
};

// Whether the manifolds of the last step serve this one too, because the bodies have hardly moved against each other.
bool mayKeep(const Flight& a, const Flight& b, const Reach& reach, Real dt, const Recycling& now, const SeenPair& seen,
             std::span<const dynamics::KeptManifold> old);

// Tells the narrow phase which manifolds there were.
void noteKnown(std::span<const dynamics::KeptManifold> old, std::vector<collision::KnownManifold>& known);

// Fills scratch.manifolds with the manifolds of a pair, and returns the moment within the step at which the bodies lie so: the
// start or the middle where they are already close, otherwise when they will meet. Points are relative to A's centre at the
// start.
Moment collidePair(const Flight& a, const Flight& b, const Reach& reach, bool isFar, Real dt, const Recycling& now,
                   SeenPair& seen, PairScratch& scratch);

// m: the least separation of all points.
Real deepest(const collision::ManifoldList& manifolds);

}  // namespace sunder::world
