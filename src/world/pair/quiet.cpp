#include "world/pair/quiet.h"

namespace sunder::world {

namespace {
// What rounding may add to the distance of two bodies, of the sizes of both.
constexpr Real kRounding = 128 * kEpsilon;
}  // namespace

void beQuiet(const Flight& a, const Flight& b, const Travel& travelA, const Travel& travelB, Real distance, SeenPair& seen) {
    // A point of the one moves in the frame of the other by no more than the centres do, and by either's turn times this.
    const Real apart = length(b.center - a.center), offsets = length(a.shapePose.position) + length(b.shapePose.position);
    seen.arm = apart + min(a.radius, b.radius) + offsets;
    const Real rounding = kRounding * (seen.arm + a.radius + b.radius);
    seen.quietUntil =
        travelA.way + travelB.way + double(seen.arm) * (travelA.turn + travelB.turn) + double(distance - rounding);
}

void beFar(const Flight& a, const Flight& b, const Travel& travelA, const Travel& travelB, SeenPair& seen) {
    const Vec3 between = b.center - a.center + (b.shapePose.position - a.shapePose.position);
    beQuiet(a, b, travelA, travelB, length(between) - a.radius - b.radius, seen);
    seen.arm = -seen.arm;
}

}  // namespace sunder::world
