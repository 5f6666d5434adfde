// A manifold in its own frame: an origin in the contact plane, the normal and two tangents. Seen from there two bodies move
// against each other by six numbers, and answer an impulse by a matrix of 6 x 6:
//
//      along    un  w1  w2       speed along the normal, turns about the tangents: what normal impulses deal with
//      across   u1  u2  wn       speeds along the tangents, turn about the normal: what friction deals with
//
//      | along  |   | alongResponse     coupling^T    | | impulse along the normal, its moments about the tangents |
//      | across | = | coupling        acrossResponse  | | impulses along the tangents, moment about the normal     |
//
// A point at (x, y), z above the origin, comes nearer at  un + w1 y - w2 x  and slips by  (u1 + w2 z - wn y, u2 + wn x - w1 z),
// so that a pass over the points of a manifold touches few numbers, and the bodies themselves but once at its end. The origin
// is the middle of the points that touch, so that their heights are small: what a friction impulse does through its own
// height is left to the end of the pass. Without heights boxes that rest on points of different height rocked for ever, because
// what rubbed had no friction; with the middle of all points a capsule that lay on two, with two others 20 mm above the floor,
// spun for ever at 0.14 rad/s, because its friction overshot.
//
// The frame is laid where the bodies are. Separations follow by the same formula from the bodies' small motions. Once they have
// moved by kFrameLag of its arms the frame is shifted: arms and separations are those of now, so that the two bodies' impulses
// have one point, and the responses stay as they were. Once they have moved by kFrameShift it is laid anew. A shift turns the
// arms with the bodies, but the contact point of a round body does not turn with it: there the frame is laid anew instead of
// shifted. With shifts the point climbed the round side, and a ball that rolled at 10 mm/s rolled at 100 mm/s after ten
// seconds.
#pragma once

#include "dynamics/contact/scalar/constraint.h"
#include "math/mat3.h"

namespace sunder::dynamics {

// Shares of the shorter arm. Bodies that have moved by kFrameLag shift the frame (2e-4: a tenth of S2w's time went into new
// frames without shifts); after kFrameShift it is laid anew.
inline constexpr Real kFrameLag = Real(2e-4), kFrameShift = Real(2e-3);

// A body with locked axes may be unable to give way along the normal. A point whose response is below this share of the pair's
// linear response gets no impulse: the impulse would be without bound, and with it the friction.
inline constexpr Real kLeastAnswer = Real(1e-3);
Real leastResponse(const SolverBody& a, const SolverBody& b, const Vec3& armA, const Vec3& armB);

// The contact plane and the points in it at the current positions.
struct ContactPlane {
    Vec3 armA, armB;  // from the centres to the origin
    struct Point {
        Real x = 0, y = 0, z = 0;  // m along the tangents and the normal
        Real separation = 0;
    } points[collision::kMaxManifoldPoints];
};
ContactPlane planeOf(const ContactConstraint& constraint, const SolverBody& a, const SolverBody& b);
// Brings only the separations of the points up to date.
void findSeparations(ContactConstraint& constraint, const SolverBody& a, const SolverBody& b);

// A velocity and an angular velocity, or an impulse and its moment about the origin; see the top of the file.
struct Screw {
    Vec3 along, across;
};

struct ContactFrame {
    ContactPlane plane;
    Real normalMass[collision::kMaxManifoldPoints] = {};  // effective masses of the points along the normal
    Sym3 alongResponse, acrossResponse;
    Vec3 coupling1, coupling2, couplingSpin;  // rows of the coupling matrix

    // State when the frame was laid or shifted: B's displacement less A's, the turns of both, and the square of how far they
    // may move before the frame is shifted (m^2).
    Vec3 offsetThen, turnedThenA, turnedThenB;
    Real slack = 0;
};

// Size of the contact as seen by one body (m^2): the square of its arm. A body that cannot turn sets no limit.
inline constexpr Real kNoSize = Real(1e30);
inline Real sizeOf(const SolverBody& body, const Vec3& arm) {
    return body.inverseInertia.xx > 0 ? lengthSquared(arm) : kNoSize;
}

ContactFrame layFrame(const ContactConstraint& constraint, const SolverBody& a, const SolverBody& b);

// How an `along` impulse changes the `across` velocities, and the reverse.
inline Vec3 acrossOf(const ContactFrame& frame, const Vec3& along) {
    return {dot(frame.coupling1, along), dot(frame.coupling2, along), dot(frame.couplingSpin, along)};
}
inline Vec3 alongOf(const ContactFrame& frame, const Vec3& across) {
    return frame.coupling1 * across.x + frame.coupling2 * across.y + frame.couplingSpin * across.z;
}

// Velocity of B relative to A at the origin. `across` is relative to the driven surface velocity.
Screw motionOf(const ContactConstraint& constraint, const ContactFrame& frame, const SolverBody& a, const SolverBody& b);
// The sum of the manifold's impulses, as one screw about the origin.
Screw impulseOf(const ContactConstraint& constraint, const ContactFrame& frame);
Vec3 forceOf(const ContactConstraint& constraint, const Screw& screw);
Vec3 torqueOf(const ContactConstraint& constraint, const Screw& screw);  // about the origin
// Applies the impulse to B and its opposite to A.
void applyScrew(const ContactConstraint& constraint, const ContactFrame& frame, SolverBody& a, SolverBody& b,
                const Screw& impulse);

// How far the bodies have moved since the frame was laid or shifted.
struct FrameMotion {
    Vec3 way, turn;  // of B relative to A, at the origin (m, rad)
    Vec3 wayA;       // m: how far A's turn alone moved its point at the origin
    bool isFar = false, isVeryFar = false;
};
FrameMotion motionSince(const ContactFrame& frame, const SolverBody& a, const SolverBody& b);
Real separationNow(const ContactConstraint& constraint, const ContactFrame& frame, const FrameMotion& since, int point);
// Only where anchorsTurn().
void shiftFrame(const ContactConstraint& constraint, const FrameMotion& since, const SolverBody& a, const SolverBody& b,
                ContactFrame& frame);

// The anchor turned by the shortest turn that takes one axis to another (unit vectors), unless they nearly oppose each other.
Vec3 swing(const Vec3& anchor, const Vec3& from, const Vec3& to);

}  // namespace sunder::dynamics
