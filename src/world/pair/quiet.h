// Most pairs whose bounds overlap do not touch, and will not for many steps. Each is known to be some way apart; it is passed
// over until its bodies have come that far, which is told by two sums per body. A shortcut alone: a pair that is passed over is
// one that the full test (mayKeep, areFar) would have left as it is, so nothing of this is part of the state.
#pragma once

#include <cmath>

#include "world/pair/motion_bounds.h"

namespace sunder::world {

// Whether the pair is as far apart as it need be.
inline bool isQuiet(const Travel& a, const Travel& b, const SeenPair& seen, std::uint64_t stamp, Real dt) {
    if (seen.quietUntil == kNotQuiet)
        return false;
    const double since = a.way + b.way + double(std::fabs(seen.arm)) * (a.turn + b.turn);
    if (!(since < seen.quietUntil) || a.stamp != stamp || b.stamp != stamp)
        return false;
    const Real left = Real(seen.quietUntil - since), most = a.wayNow + b.wayNow + max(a.fallWay, b.fallWay);
    if (seen.arm < 0)
        return most + min(a.close, b.close) < left;
    const Real way = length(b.velocity - a.velocity) * dt + a.turningWay + b.turningWay;
    constexpr Real kSurely = Real(0.99);
    return max(min(a.touching, b.touching), max(most, kSpareWay * way)) < left &&
           way < kSurely * (a.innerRadius + b.innerRadius);
}

// Remembers that nothing of two level sets need be looked at until they have come nearer by `distance` (m).
void beQuiet(const Flight& a, const Flight& b, const Travel& travelA, const Travel& travelB, Real distance, SeenPair& seen);
// Remembers it of the balls about them.
void beFar(const Flight& a, const Flight& b, const Travel& travelA, const Travel& travelB, SeenPair& seen);

}  // namespace sunder::world
