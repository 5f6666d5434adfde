// Where the bodies of a pair met within a step. A contact that pushed for a moment, as in a bounce, is known to the solver by
// anchors on both bodies; at the end of the step those may be metres apart.
#pragma once

#include <span>

#include "world/state/state.h"

namespace sunder::world {

struct MeetingPoint {
    WorldPoint point;
    Vec3 normal;  // unit, from A to B
};

// The place at the moment when the first point touched, of those that pushed at least a tenth as hard as the hardest: the mean
// of the points of its manifold that touched by then, weighted by their impulses, or that point alone where one of the bodies
// is not convex and a mean might lie off its surface. Bodies that hardly move are taken where the step leaves them. At least
// one point must have pushed. dt (s): of the solve.
MeetingPoint meetingPointOf(const PagedVector<Body>& bodies, const SearchState& search, const SolveState& solve,
                            const ContactPair& pair, std::span<const dynamics::ContactConstraint> manifolds, Real dt);

// Whether the mean of the points that touch now, weighted by their impulses, will do: convex bodies that hardly move, or that
// touched before the step and do so at its end (stays). Most pairs of a pile, for which finding the moment of touch took a
// fifth of the step.
bool isWhereTheyTouch(const PagedVector<Body>& bodies, const SearchState& search, const ContactPair& pair,
                      const dynamics::ContactConstraint& manifold, bool stays, Real dt);

}  // namespace sunder::world
