// A contact manifold as the solver sees it. It persists: the impulses of one step are the first guess of the next.
#pragma once

#include <cstdint>

#include "collision/narrow_phase/manifold/manifold.h"
#include "dynamics/body/solver_body.h"

namespace sunder::dynamics {

struct ConstraintPoint {
    // Set once per step, see AnchorFrame.
    Vec3 anchorA, anchorB;
    std::uint32_t feature = 0;

    // Brought up to date from substep to substep.
    Vec3 armA, armB;  // from both centres to one common world point, so that the pair gains no angular momentum
    Real separation = 0;

    // Impulses of the current substep (N s), and their sums over the step.
    Real normalImpulse = 0;
    Real tangentImpulse1 = 0, tangentImpulse2 = 0;
    Real totalNormalImpulse = 0;
    Real totalTangentImpulse1 = 0, totalTangentImpulse2 = 0;
    Real bounceVelocity = 0;  // m/s: separation speed that restitution asks for in this substep
};

// A point that bears no load rubs nothing. Solvers pass over points without load, or work them out in vain where others of
// their block bear one: friction left on such a point would count in one case and not in the other.
inline void dropFrictionWithoutLoad(ConstraintPoint& point) {
    if (!(point.normalImpulse > 0))
        point.tangentImpulse1 = point.tangentImpulse2 = 0;
}

// How an anchor moves while its body turns.
enum class AnchorMotion : std::uint8_t {
    Turns,   // with the body
    Swings,  // with the axis of a capsule or cylinder: rolling about that axis moves no contact point
    Stays,   // in world axes: a ball's contact point always faces the other body
};

// An anchor that turns is a point of the principal frame. The others are surface points relative to the middle of their ball,
// capsule or cylinder, in world axes; this part may be a child of a compound, or lie beside the centre of mass.
struct AnchorFrame {
    AnchorMotion motion = AnchorMotion::Turns;
    Vec3 center;     // Swings, Stays: the middle of the part, in the principal frame
    Vec3 axis;       // Swings: in the principal frame
    Vec3 startAxis;  // Swings: in world axes at the start of the step
};

// From the centre of mass to an anchor, at the start of the step. The fixed body has no orientation.
inline Vec3 armAtStart(const AnchorFrame& frame, const Quat& orientation, const Vec3& anchor) {
    return frame.motion == AnchorMotion::Turns ? rotate(orientation, anchor) : rotate(orientation, frame.center) + anchor;
}

// Which manifold of its two bodies it is.
struct ManifoldId {
    std::uint32_t key = 0;                 // persists from step to step
    std::uint32_t childA = 0, childB = 0;  // of compounds: which child touches
};

// What the materials and surfaces of both bodies make of a contact. Those who make the contact and the host's filter write it.
struct ContactMaterial {
    Vec3 surfaceVelocity;  // of B's surface relative to A's, in the tangent plane (m/s): friction drives the slip towards it
    Real friction = 0, restitution = 0, rollingFriction = 0, spinningFriction = 0;
};

// Angular impulses of the current substep on B (N m s), against rolling about both tangents and spinning about the normal.
struct AngularImpulses {
    Real rolling1 = 0, rolling2 = 0, spinning = 0;
};

// Whether a point of a manifold hits hard enough for restitution.
enum class Hits : std::uint8_t {
    No,
    Soon,  // in the substep after the coming one; it bounces if another manifold of its bodies hits in the coming one
    Now,
};

// Found anew in every substep.
struct SubstepFlags {
    std::uint8_t activePoints = 0;  // bits of the points that carry load or may touch in the coming substep
    Hits hits = Hits::No;
};

struct ContactConstraint {
    std::uint32_t bodyA = kFixedBody, bodyB = kFixedBody;  // indices of SolverBody
    ManifoldId id;
    std::int32_t count = 0;
    std::int32_t clamped = 0;  // substeps in which the energy clamp scaled the impulses
    std::int32_t age = 0;      // steps since the manifold appeared
    SubstepFlags substep;
    bool isFirm = false;              // of a structure that stands (steady_islands.h)
    bool isFlat = false;              // both surfaces consist of flat faces
    Vec3 normal, tangent1, tangent2;  // normal from A to B
    AnchorFrame frameA, frameB;
    Vec3 centerOffset;          // centre of B less centre of A at the start of the step
    Real pointOnB = Real(0.5);  // where the common point lies: 0 moves with A's surface, 1 with B's
    ContactMaterial material;
    AngularImpulses angular;
    ConstraintPoint points[collision::kMaxManifoldPoints];
};

// Whether the contact points of both bodies turn with them, as those of boxes and hulls do.
inline bool anchorsTurn(const ContactConstraint& constraint) {
    return constraint.frameA.motion == AnchorMotion::Turns && constraint.frameB.motion == AnchorMotion::Turns;
}

// What the next step inherits from a manifold.
struct KeptPoint {
    Vec3 anchorA, anchorB;
    std::uint32_t feature;
    Real separation;
    Real normalImpulse, tangentImpulse1, tangentImpulse2;
};

struct KeptManifold {
    ManifoldId id;
    std::int32_t count, age;
    bool isFirm;
    Vec3 normal, tangent1, tangent2;
    AngularImpulses angular;
    AnchorFrame frameA, frameB;
    KeptPoint points[collision::kMaxManifoldPoints];
};

// Copies the fields that a ContactConstraint and a KeptManifold have in common.
template <class From, class To>
void copyKept(const From& from, To& to) {
    to.id = from.id;
    to.count = from.count;
    to.age = from.age;
    to.isFirm = from.isFirm;
    to.normal = from.normal;
    to.tangent1 = from.tangent1;
    to.tangent2 = from.tangent2;
    to.angular = from.angular;
    for (int i = 0; i < from.count; ++i) {
        const auto& point = from.points[i];
        auto& copied = to.points[i];
        copied.anchorA = point.anchorA;
        copied.anchorB = point.anchorB;
        copied.feature = point.feature;
        copied.separation = point.separation;
        copied.normalImpulse = point.normalImpulse;
        copied.tangentImpulse1 = point.tangentImpulse1;
        copied.tangentImpulse2 = point.tangentImpulse2;
    }
}

inline void keep(const ContactConstraint& from, KeptManifold& to) {
    copyKept(from, to);
    to.frameA = from.frameA;
    to.frameB = from.frameB;
}

// Restores the manifold as it was kept. The caller fills in the fields that belong to the pair and to the current step. All
// anchors turn with their bodies.
inline void resume(const KeptManifold& from, ContactConstraint& to) {
    to = {};
    copyKept(from, to);
}

inline Vec3 relativeVelocity(const SolverBody& a, const SolverBody& b, const ConstraintPoint& point) {
    return velocityAt(b, point.armB) - velocityAt(a, point.armA);
}

// The impulse (N s) that the point gave body B in the current substep.
inline Vec3 impulseOf(const ContactConstraint& constraint, const ConstraintPoint& point) {
    return constraint.normal * point.normalImpulse + constraint.tangent1 * point.tangentImpulse1 +
           constraint.tangent2 * point.tangentImpulse2;
}

}  // namespace sunder::dynamics
