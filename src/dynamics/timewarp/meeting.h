// When two bodies of the timewarp steppers collide next.
#pragma once

#include <optional>

#include "dynamics/timewarp/warp_state.h"

namespace sunder::dynamics {

// Bodies that approach each other more slowly than this share of what gravity gives in a step do not collide.
inline constexpr Real kSlowShare = Real(0.05);

// m/s: bodies that approach more slowly at a time (s) of the step do not collide, they are in contact: those that would not
// bounce, and at least those that are slower than a share of what gravity gives in a step. What gravity gave them
// since both were valid does not count, so that a body at rest has no collisions. Apart from that it is twice as much after
// each collision of the pair in the step: one that rolls on another would collide with it for ever.
Real slowestCollision(const WarpStep& step, const ImpulsePair& pair, Real time);

// s since the start of the step: the first collision from the valid times of both to `end`. Conservative advancement along
// their ways, which are cut into chords until those are as good as straight. Thread-safe.
std::optional<Real> findCollision(const WarpStep& step, const ImpulsePair& pair, Real end);

// Whether the two overlap in these states by more than the distance at which they count as met. Thread-safe.
bool overlap(const WarpStep& step, const ImpulsePair& pair, const SolverBody& a, const SolverBody& b);

}  // namespace sunder::dynamics
