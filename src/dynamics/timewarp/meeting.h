// When two bodies of the timewarp steppers collide next.
#pragma once

#include "dynamics/timewarp/warp_state.h"
#include "math/vec3d.h"

namespace sunder::dynamics {

// Bodies that approach each other more slowly than this share of what gravity gives in a step do not collide.
inline constexpr Real kSlowShare = Real(0.05);

// m/s: bodies that approach more slowly at a time (s) of the step do not collide, they are in contact: those that would not
// bounce, and at least those that are slower than a share of what gravity gives in a step. What gravity gave them
// since both were valid does not count, so that a body at rest has no collisions. Apart from that it is twice as much after
// each collision of the pair in the step: one that rolls on another would collide with it for ever.
Real slowestCollision(const WarpStep& step, const ImpulsePair& pair, Real time);

// What a search found: that the two collide at `time` (s since the start of the step), or that they do not before it, where it
// paused, or that they do not in the step.
struct Prospect {
    enum class Kind { Collide, ApartUntil, ApartInStep } kind = Kind::ApartInStep;
    Real time = 0;
    bool isSure = false;  // where they do not collide: by their distance or their speed, not by looks at some moments
};

// The stretch of the step (s since its start) to be searched. After `pause` the search ends as soon as it knows that nothing
// happens before.
struct SearchSpan {
    Real from, pause, end;
};

// What searches of a pair leave for the next one, which then starts from a good guess.
struct SearchMemory {
    Vec3d axis;            // the direction that parted the two when they were last looked at, or zero
    bool wereMet = false;  // at the last look they were as near as if they had met
};

// The first collision in the span, which starts no earlier than the valid times of both. Conservative advancement along their
// ways, which are cut into chords until those are as good as straight. Thread-safe.
Prospect findCollision(const WarpStep& step, const ImpulsePair& pair, const SearchSpan& span, SearchMemory& memory);

// Whether the two overlap in these states by more than the distance at which they count as met. Thread-safe.
bool overlap(const WarpStep& step, const ImpulsePair& pair, const SolverBody& a, const SolverBody& b);

}  // namespace sunder::dynamics
