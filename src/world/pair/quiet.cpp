#include "world/pair/quiet.h"

#include "world/pair/pair_search.h"

namespace sunder::world {

namespace {
// What rounding may add to a way, and of the sizes of both bodies to their distance.
constexpr Real kRoundedUp = 1 + 64 * kEpsilon, kRounding = 128 * kEpsilon;
}  // namespace

void Travel::follow(const Flight& flight, std::uint64_t stampOfFlight, Real dt) {
    way += double(length(flight.center - center) * kRoundedUp);
    turn += double(angleBetween(orientation, flight.orientation) * kRoundedUp);
    stamp = stampOfFlight;
    velocity = flight.velocity;
    pace = (flight.startSpeed + flight.turning) * dt;
    fall = fallAmongMany(flight) * dt;
    turning = flight.turning * dt;
    close = marginOf(flight.innerRadius);
    touching = touchingOf(close, flight.cell);
    innerRadius = flight.innerRadius;
    center = flight.center;
    orientation = flight.orientation;
}

void beQuiet(const Flight& a, const Flight& b, const Travel& travelA, const Travel& travelB, Real distance, SeenPair& seen) {
    // A point of the one moves in the frame of the other by no more than the centres do, and by either's turn times this.
    const Real apart = length(b.center - a.center), offsets = length(a.shapePose.position) + length(b.shapePose.position);
    seen.arm = apart + min(a.radius, b.radius) + offsets;
    const Real rounding = kRounding * (seen.arm + a.radius + b.radius);
    seen.areBallsFar = false;
    seen.quietUntil =
        travelA.way + travelB.way + double(seen.arm) * (travelA.turn + travelB.turn) + double(distance - rounding);
}

void beFar(const Flight& a, const Flight& b, const Travel& travelA, const Travel& travelB, SeenPair& seen) {
    const Vec3 between = b.center - a.center + (b.shapePose.position - a.shapePose.position);
    beQuiet(a, b, travelA, travelB, length(between) - a.radius - b.radius, seen);
    seen.areBallsFar = true;
}

}  // namespace sunder::world
