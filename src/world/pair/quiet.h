// Most pairs whose bounds overlap do not touch, and will not for many steps. Each is known to be some way apart; it is passed
// over until its bodies have come that far, which is told by two sums per body. A shortcut alone: a pair that is passed over is
// one that the full test (mayKeep, areFar) would have left as it is, so nothing of this is part of the state.
#pragma once

#include "world/pair/flight.h"
#include "world/pair/recycle.h"

namespace sunder::world {

// How far a body has come since its slot was first used, and how far it may come in this step.
struct Travel {
    double way = 0, turn = 0;      // m of the centre; rad, see angleBetween: sums that only grow
    std::uint64_t stamp = 0;       // of the flight that the rest is of
    Vec3 velocity;                 // m/s
    Real pace = 0, fall = 0;       // m: as it moves now; and by its fall, see wayAmongMany
    Real turning = 0;              // m: by turning alone
    Real close = 0, touching = 0;  // m: see reachOf, of this body alone
    Real innerRadius = 0;          // m
    // Where it was then.
    WorldPoint center;
    Quat orientation;

    void follow(const Flight& flight, std::uint64_t stampOfFlight, Real dt);
};

// Whether the pair is as far apart as it need be.
inline bool isQuiet(const Travel& a, const Travel& b, const SeenPair& seen, std::uint64_t stamp, Real dt) {
    if (seen.quietUntil == kNotQuiet)
        return false;
    const double since = a.way + b.way + double(seen.arm) * (a.turn + b.turn);
    if (!(since < seen.quietUntil) || a.stamp != stamp || b.stamp != stamp)
        return false;
    const Real left = Real(seen.quietUntil - since), pace = a.pace + b.pace + max(a.fall, b.fall);
    if (seen.areBallsFar)
        return pace + min(a.close, b.close) < left;
    const Real way = length(b.velocity - a.velocity) * dt + a.turning + b.turning;
    constexpr Real kSurely = Real(0.99);
    return max(min(a.touching, b.touching), max(pace, kSpareWay * way)) < left &&
           way < kSurely * (a.innerRadius + b.innerRadius);
}

// Remembers that nothing of two level sets need be looked at until they have come nearer by `distance` (m).
void beQuiet(const Flight& a, const Flight& b, const Travel& travelA, const Travel& travelB, Real distance, SeenPair& seen);
// The same of the balls about them.
void beFar(const Flight& a, const Flight& b, const Travel& travelA, const Travel& travelB, SeenPair& seen);

}  // namespace sunder::world
