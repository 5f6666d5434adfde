// Most pairs whose bounds overlap do not touch, and will not for many steps. Such a pair is skipped until its bodies have moved
// by the distance between them, which two sums per body tell (Travel). This is a shortcut only: the full test (mayKeep, areFar)
// would leave every skipped pair as it is, so nothing of it belongs to the state of the world.
#pragma once

#include <cmath>

#include "world/pair/motion_bounds.h"

namespace sunder::world {

// Whether the pair can still be skipped in this step.
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
    constexpr Real kSurely = Real(0.99);  // share of a bound that leaves room for rounding
    return max(min(a.touching, b.touching), max(most, kSpareWay * way)) < left &&
           way < kSurely * (a.innerRadius + b.innerRadius);
}

// Remembers that nothing of two level sets need be looked at until they have come nearer by `distance` (m).
void beQuiet(const Flight& a, const Flight& b, const Travel& travelA, const Travel& travelB, Real distance, SeenPair& seen);
// Remembers that even the balls about the two are apart.
void beFar(const Flight& a, const Flight& b, const Travel& travelA, const Travel& travelB, SeenPair& seen);

}  // namespace sunder::world
