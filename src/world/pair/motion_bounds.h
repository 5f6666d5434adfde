// Bounds on motion: how far can a point of a body get in a time? Every shortcut of a step uses such a bound, each for another
// stretch of time, to leave out what cannot matter:
//
//   time     last look         start of step        substeps                      end of step
//            ----|------------------|------------------------------------------------|---->
//
//   one          |                  |- Flight - - - - - - - - - - - - - - - - - - - >|  straight on, if nothing stops it
//   body         |                  |-- BodyWay -->: leaves it? then a longer one    |  what the solve may use up
//                |                  |==== BentWay ====.                              |  what the solve has made of it
//                |                  |                  '=============================|
//   two          |<--- SeenPair --->|                                                |  how they moved since then
//   bodies                          |<- close ->|<----------- way ----------->|      |
//                                   |<---------------- Reach ---------------->|      |  how far to look for contacts
//
//   type      asks                                                              because
//   Flight    where is the body, where will it be?                              the solve has not yet said where it goes
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

// How two bodies lay when the narrow phase last looked at them, and how far it looked.
struct SeenPair {
    Vec3 place;         // of the smaller body's centre, in the principal frame of the larger
    Quat turn;          // largerFromSmaller
    Quat larger;        // orientation of the larger one to which the normals were last turned
    Real reach = -1;    // m: contacts nearer than this were looked for; negative where nothing may be kept
    Real distance = 0;  // m: the surfaces were at least this far apart; 0 where there are manifolds
};

// How far contacts of two bodies are looked for in a step.
struct Reach {
    Real close;    // m: surfaces this close are in contact even when nothing moves
    Real turning;  // m/s, sum of both
    Real reach;    // m: surfaces nearer than this may meet
    collision::PointKinds points{};
    collision::ExpectedMotion expected{};  // of a body relative to a mesh, over the whole step
};
Reach reachOf(const Flight& a, const Flight& b, Real dt);
// m: an upper bound of Reach::reach that costs less to find.
Real mostReach(const Flight& a, const Flight& b, Real dt);

// The way that a body has gone through a step. The solver gives only its ends and the velocities there, so it is reconstructed
// (m, from the centre at the start):
//     start --- u0 s ---> bend -> afterBend --- u1 (dt - s) ---> end        u0, u1: velocities before and after
// s is the moment at which the two straight lines come nearest to each other. After one blow bend = afterBend; after several
// blows in one place they are near each other. The way has no gap, so a body that is followed along it cannot pass a closed
// surface.
struct BentWay {
    Vec3 bend, afterBend;
    Real time = 0;  // s: the moment s
};
// before, after: velocities; displacement: of the body at the end of the step.
BentWay bentWay(const Vec3& before, const Vec3& after, const Vec3& displacement, Real dt);
// m: length of the way.
inline Real lengthOf(const BentWay& way, const Vec3& displacement) {
    return length(way.bend) + length(way.afterBend - way.bend) + length(displacement - way.afterBend);
}

// Whether even the balls about the shapes are farther apart than the reach.
bool areFar(const Flight& a, const Flight& b, Real reach);
// Whether the pair goes far enough in the step for one to pass through the other.
bool isFarPair(const Flight& a, const Flight& b, Real dt);

// Factor on the relative way of two level sets: their relative motion may change within the step.
inline constexpr Real kSpareWay = Real(1.25);

inline bool areLevelSets(const Flight& a, const Flight& b) { return a.isLevelSet && b.isLevelSet; }
inline bool areShells(const Flight& a, const Flight& b) { return a.isShell && b.isShell; }

// m: the margin of contacts between two level sets of this cell (m). Less than marginOf, so that pieces in a heap do not have
// contacts with all others.
inline Real touchingOf(Real margin, Real cell) {
    // Cells. With more, shards at rest have manifolds that carry nothing (docs/step.md).
    constexpr Real kTouchingCells = Real(0.3);
    return min(margin, kTouchingCells * cell);
}
// m: surfaces this close are in contact even when nothing moves.
inline Real closeOf(const Flight& a, const Flight& b) { return marginOf(min(a.innerRadius, b.innerRadius)); }

// m/s: the fall that counts for a level set near others. A body that is held falls for a fraction of the step at most, if it is
// let go at all.
inline Real fallAmongMany(const Flight& flight) {
    constexpr Real kHeldFall = Real(0.25);  // share of its fall (docs/step.md: 863 shards at rest)
    return flight.isHeld ? kHeldFall * flight.fall : flight.fall;
}
// m: how far a point of one body can come towards the other in the step: by their present speeds, and by the given fall (m/s).
// The speeds of flights include the whole fall; by them pieces at rest would reach all their neighbours, though they do not
// move.
inline Real wayFromNow(const Flight& a, const Flight& b, Real fall, Real dt) {
    return (a.startSpeed + b.startSpeed + a.turning + b.turning + fall) * dt;
}
// wayFromNow for two level sets.
inline Real wayAmongMany(const Flight& a, const Flight& b, Real dt) {
    return wayFromNow(a, b, max(fallAmongMany(a), fallAmongMany(b)), dt);
}
// m: how much nearer turning can bring a surface in a step; no farther than to the ball about the body.
inline Real turningWay(const Flight& flight, Real dt) { return min(flight.turning * dt, flight.radius - flight.innerRadius); }
// m: how far a point of one body moves at most in a step, seen from the other. Small for bodies that fly on together, such as
// the pieces of one body.
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
