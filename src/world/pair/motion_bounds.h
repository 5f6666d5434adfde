// How far can a point of this body get in this time? Every shortcut of a step is an answer to that, about another stretch of
// time, so that it may leave out what cannot matter:
//
//   time     last look         start of step        substeps                      end of step
//            ----|------------------|------------------------------------------------|---->
//
//   one          |                  |- Flight - - - - - - - - - - - - - - - - - - - >|  straight on, if nothing stops it
//   body     ====|==== Travel =====>|                                                |  the sum of all ways so far
//                |                  |-- BodyWay -->: leaves it? then a longer one    |  what the solve may use up
//                |                  |==== BentWay ====.                              |  what the solve has made of it
//                |                  |                  '=============================|
//   two          |<--- SeenPair --->|                                                |  how they moved since then
//   bodies                          |<- close ->|<----------- way ----------->|      |
//                                   |<---------------- Reach ---------------->|      |  how far to look for contacts
//
//   type      asks                                                              because
//   Flight    where is the body, where will it be?                              the solve has not yet said where it goes
//   Travel    how far has it come since any earlier step?                       pairs far apart are not even looked at
//   SeenPair  how far have the two moved against each other since their look?   manifolds are kept while that is little
//   Reach     how near must two surfaces be to meet within the step?            farther ones are not searched
//   BodyWay   has it gone farther than its waiting contacts allow?              wide_substep.h: asked in every substep
//   BentWay   which way has it gone, if a blow turned it aside?                 fast bodies are followed along it
//
// All rest on two facts (dynamics/body/point_motion.h): no point is faster than |v| + |w| r, and none moves by a turn farther
// than its angle times r.
//
// One word, one thing: a speed is m/s; a *way* is a length in m; a *displacement* is a way with its direction; *turning* is the
// speed (m/s) of the surface about the centre; a *turn* is a rotation, in rad or as a quaternion; a *fall* is the speed that
// forces add; *close* (m) is the margin of contacts.
#pragma once

#include "collision/narrow_phase/manifold/manifold.h"
#include "dynamics/body/point_motion.h"
#include "world/pair/distances.h"
#include "world/pair/flight.h"

namespace sunder::world {

inline constexpr double kNotQuiet = -1;

// How two bodies lay when the narrow phase last looked at them, and what it looked for. Plain data; part of the state but for
// what quiet.h remembers.
struct SeenPair {
    // Of pairs without manifolds: when to look again, see quiet.h. Not part of the state.
    double quietUntil = kNotQuiet;  // m
    Real arm = 0;                   // m; negative where what is far apart are the balls about them
    Vec3 place;                     // of the smaller body's centre, in the principal frame of the larger
    Quat turn;                      // largerFromSmaller
    Quat larger;        // orientation of the larger one at the start of the last step, with which the normals turned
    Real reach = -1;    // m: places closer than this were looked for; negative where nothing may be kept
    Real distance = 0;  // m: the surfaces were at least this far apart; 0 where there are manifolds
};

// How far a body has come since its slot was first used, and what of its Flight says how far it may come in this step.
struct Travel {
    double way = 0, turn = 0;      // m of the centre; rad, see angleBetween: sums that only grow
    std::uint64_t stamp = 0;       // of the flight that the rest is of
    Vec3 velocity;                 // m/s
    Real wayNow = 0, fallWay = 0;  // m in the step: as it moves now; and by its fall, see wayAmongMany
    Real turningWay = 0;           // m in the step: by turning alone
    Real close = 0, touching = 0;  // m: see reachOf, of this body alone
    Real innerRadius = 0;          // m
    // Where it was then.
    WorldPoint center;
    Quat orientation;

    void follow(const Flight& flight, std::uint64_t stampOfFlight, Real dt);
};

// How far two bodies must see for one step.
struct Reach {
    Real close;    // m: surfaces this close are in contact even when nothing moves
    Real turning;  // m/s, of both
    Real reach;    // m
    collision::PointKinds points{};
    collision::ExpectedMotion expected{};  // of a body against a mesh, in the whole step
};
Reach reachOf(const Flight& a, const Flight& b, Real dt);
// No less than that reach, and quickly found.
Real mostReach(const Flight& a, const Flight& b, Real dt);

// The way that a body has gone through a step, which the solver leaves open but for its ends (m, from its centre at the start):
//     start --- u0 s ---> bend -> afterBend --- u1 (dt - s) ---> end        u0, u1: velocities before and after
// s is the moment that makes both parts meet best. One blow makes bend = afterBend; several in one place make them neighbours;
// and whatever the way is taken for, it is unbroken from a place where the body was, so that nothing closed is left unseen.
struct BentWay {
    Vec3 bend, afterBend;
    Real time = 0;  // s, in s
};
// before, after: the velocities; displacement: of the end.
BentWay bentWay(const Vec3& before, const Vec3& after, const Vec3& displacement, Real dt);
// m
inline Real lengthOf(const BentWay& way, const Vec3& displacement) {
    return length(way.bend) + length(way.afterBend - way.bend) + length(displacement - way.afterBend);
}

// Whether not even the balls around the shapes come within reach.
bool areFar(const Flight& a, const Flight& b, Real reach);
// Whether the pair goes far enough in the step for one to pass through the other.
bool isFarPair(const Flight& a, const Flight& b, Real dt);

// How two level sets move against each other may change within the step; so many times their way as it is now is looked for.
inline constexpr Real kSpareWay = Real(1.25);

inline bool areLevelSets(const Flight& a, const Flight& b) { return a.isLevelSet && b.isLevelSet; }

// The margin of contacts (marginOf) for level sets among many, of this cell (m).
inline Real touchingOf(Real margin, Real cell) {
    constexpr Real kTouchingCells = Real(0.3);
    return min(margin, kTouchingCells * cell);
}
// m: surfaces this close are in contact even when nothing moves.
inline Real closeOf(const Flight& a, const Flight& b) { return marginOf(min(a.innerRadius, b.innerRadius)); }

// m/s: the fall that is foreseen of a body near many others. One that is held, if it is let go at all, has only begun to fall.
inline Real fallAmongMany(const Flight& flight) {
    constexpr Real kHeldFall = Real(0.25);
    return flight.isHeld ? kHeldFall * flight.fall : flight.fall;
}
// m: how far a point of one can come towards the other if either may be held: as they move now, and by the fall of the one
// that is not held. Pieces at rest lie within their own fall in a step at the speed they would have then, but do not go there.
inline Real wayFromNow(const Flight& a, const Flight& b, Real fall, Real dt) {
    return (a.startSpeed + b.startSpeed + a.turning + b.turning + fall) * dt;
}
// wayFromNow among level sets.
inline Real wayAmongMany(const Flight& a, const Flight& b, Real dt) {
    return wayFromNow(a, b, max(fallAmongMany(a), fallAmongMany(b)), dt);
}
// m: how much nearer turning brings a surface in a step. It stays within the ball about the body.
inline Real turningWay(const Flight& flight, Real dt) { return min(flight.turning * dt, flight.radius - flight.innerRadius); }
// m: how far a point of one body moves at most in a step as seen from the other. Bodies that fly on together, as the pieces of
// one body do, come no nearer.
inline Real relativeWay(const Flight& a, const Flight& b, Real dt) {
    const Vec3 velocity = b.velocity - a.velocity, arm = b.center - a.center;
    const Real turning = dynamics::turningSpeed(b.angularVelocity - a.angularVelocity, min(a.radius, b.radius));
    const Vec3& w = a.radius > b.radius ? a.angularVelocity : b.angularVelocity;
    const Real together = (length(velocity - cross(w, arm)) + turning) * dt;
    return min(together, length(velocity) * dt + turningWay(a, dt) + turningWay(b, dt));
}
// How far two moving bodies close on each other in the step, as a share of the thinner one's inner radius.
Real closingWay(const Flight& a, const Flight& b, Real dt, const collision::ManifoldList& manifolds);

}  // namespace sunder::world
