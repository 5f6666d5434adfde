// Manifolds that are kept from step to step while the two bodies hardly move against each other.
#pragma once

#include <span>

#include "dynamics/contact/scalar/constraint.h"
#include "world/pair/flight.h"

namespace sunder::world {

inline constexpr double kNotQuiet = -1;

// How two bodies lay when the narrow phase last looked at them, and what it looked for. Plain data; part of the state but for
// what quiet.h remembers.
struct SeenPair {
    // Of pairs without manifolds: when to look again, see quiet.h. Not part of the state.
    double quietUntil = kNotQuiet;  // m
    Real arm = 0;                   // m
    bool areBallsFar = false;
    Vec3 place;         // of the smaller body's centre, in the principal frame of the larger
    Quat turn;          // largerFromSmaller
    Quat larger;        // orientation of the larger one at the start of the last step, with which the normals turned
    Real reach = -1;    // m: places closer than this were looked for; negative where nothing may be kept
    Real distance = 0;  // m: the surfaces were at least this far apart; 0 where there are manifolds
};

// How two level sets move against each other may change within the step; so many times their way as it is now is looked for.
inline constexpr Real kSpareWay = Real(1.25);

// rad, or a little more.
Real angleBetween(const Quat& p, const Quat& q);

// Makes a manifold of the last step ready for the next: impulses times scale are the first guess, sums start from nothing.
void startNextStep(dynamics::ContactConstraint& constraint, Real scale);

// Turns the normal and the tangents, and with them the impulses, of two bodies' manifolds of the last step with the larger one.
void turnWithLarger(const Flight& a, const Flight& b, SeenPair& seen, std::span<dynamics::ContactConstraint> manifolds);

// The two bodies of a pair now, against what was seen.
class Recycling {
public:
    Recycling(const Flight& a, const Flight& b);

    // m: no point of the smaller body has moved further than this against the larger one since they were seen.
    Real motionSince(const SeenPair& seen) const;
    // Remembers the poses; the caller sets the rest.
    void remember(SeenPair& seen) const;
    // How the larger body has turned since the normals were last turned with it.
    Quat turnOfLarger(const SeenPair& seen) const { return larger_.orientation * conjugate(seen.larger); }
    // m: motion below which the manifolds are kept.
    Real tolerance() const;

private:
    const Flight &larger_, &smaller_;
    Vec3 place_;
    Quat turn_;
};

}  // namespace sunder::world
