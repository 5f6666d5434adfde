#include "world/pair/quiet.h"

namespace sunder::world {

namespace {
// Share of the sizes of both bodies that rounding may add to their distance.
constexpr Real kRounding = 128 * kEpsilon;
}  // namespace

void beQuiet(const Flight& a, const Flight& b, const Travel& travelA, const Travel& travelB, Real distance, SeenPair& seen) {
    // Seen from one body, a point of the other moves by at most the ways of both centres and this arm times both turns.
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
