// The search for the contacts of one pair of bodies: how far they must see for a step, whether what was found before still
// holds, and the manifolds where and when they meet.
#pragma once

#include <span>
#include <vector>

#include "collision/narrow_phase/manifold/manifold.h"
#include "dynamics/contact/scalar/constraint.h"
#include "world/pair/distances.h"
#include "world/pair/flight.h"
#include "world/pair/recycle.h"

namespace sunder::world {

// The margin of contacts (marginOf) for level sets among many, of this cell (m).
inline Real touchingOf(Real margin, Real cell) {
    constexpr Real kTouchingCells = Real(0.3);
    return min(margin, kTouchingCells * cell);
}

// m/s: by how much faster what is held by one is, on the way, where it is near many: if it is let go it has only begun to fall.
inline Real fallAmongMany(const Flight& flight) {
    constexpr Real kHeldFall = Real(0.25);
    return flight.isHeld ? kHeldFall * flight.fall : flight.fall;
}

// Lists of the pair that a thread looks at, kept for their memory.
struct PairScratch {
    collision::ManifoldList manifolds, ahead;
    collision::ManifoldList found;  // by all pairs of the block
    std::vector<collision::KnownManifold> known;
};

// How far two bodies must see for one step.
struct Reach {
    Real close;    // m: surfaces this close are in contact even when nothing moves
    Real turning;  // m/s
    Real reach;    // m
    collision::PointKinds points{};
};
Reach reachOf(const Flight& a, const Flight& b, Real dt);
// No less than that reach, and quickly found.
Real mostReach(const Flight& a, const Flight& b, Real dt);

// Whether not even the balls around the shapes come within reach.
bool areFar(const Flight& a, const Flight& b, Real reach);
// Whether the pair goes far enough in the step for one to pass through the other.
bool isFarPair(const Flight& a, const Flight& b, Real dt);

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

// How far two moving bodies close on each other in the step, as a share of the thinner one's inner radius.
Real closingWay(const Flight& a, const Flight& b, Real dt, const collision::ManifoldList& manifolds);

}  // namespace sunder::world
