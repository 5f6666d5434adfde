// The contact solver eight manifolds at a time. Manifolds of one colour share no moving body, so each lane of a block does
// exactly what soft_contact.h does for one manifold, with the same bits.
//
//   constraints  --pack-->  blocks of eight, colour by colour  --kernels, every substep-->  --unpack-->  constraints
//
// Separations and arms are found anew from the bodies' positions by every kernel; of the arms the last ones are kept, because
// the moments of the impulses change with them. What does not fit eight at a time (bounces) is done by the scalar form on the
// constraint itself.
#pragma once

#include <span>

#include "core/scratch_memory.h"
#include "dynamics/contact/soft_contact.h"
#include "dynamics/joints/ball_joint.h"
#include "math/wide.h"

namespace sunder::dynamics {

struct WideAnchors {
    wide::WideVec3 a, b;
};

struct WidePoint {
    wide::Wide x, y, z;     // m along the tangents and the normal from the frame's origin
    wide::Wide separation;  // m when the frame was laid
    wide::Wide normalMass;
    wide::Wide normalImpulse, tangentImpulse1, tangentImpulse2;
    wide::Wide totalNormalImpulse, totalTangentImpulse1, totalTangentImpulse2;
};

// How the anchors of one side follow their bodies; only the common kind, Turns, needs none of it.
struct WideFrame {
    wide::Mask turns, swings;
    wide::WideVec3 axis, startAxis;
};

// What few contacts need.
struct WideRare {
    wide::Wide spinningFriction, rollingFriction, spinningImpulse, rollingImpulse1, rollingImpulse2;
    wide::WideVec3 surfaceVelocity;
    WideFrame frameA, frameB;
};

struct alignas(64) WideContact {
    // Memory of its own, see WideBlocks.
    WidePoint* points;
    WideAnchors* anchors;  // as points
    WideRare* rare;        // null where no lane needs any of it

    std::uint32_t bodyA[wide::kLanes], bodyB[wide::kLanes];
    std::uint32_t constraint[wide::kLanes];  // where each lane came from
    std::uint32_t movesA, movesB;            // bits of the lanes whose bodies feel impulses
    std::int32_t lanes;                      // in use
    std::int32_t pointCount;                 // the most that a lane has
    bool allTurn;                            // every anchor turns with its body
    bool hasRotationalFriction;
    bool drives;  // a surface moves along itself
    bool hasRestitution;
    wide::WideVec3 normal, tangent1;
    wide::Wide count;  // of points; zero where there is no manifold
    // See ContactFrame.
    wide::WideVec3 armA, armB;
    wide::WideSym3 alongResponse, acrossResponse;
    wide::WideVec3 coupling1, coupling2, couplingSpin;
    wide::WideVec3 offsetThen, turnedThenA, turnedThenB;
    wide::Wide slack;
    wide::Mask young;    // see kYoung
    wide::Mask bounces;  // in this substep
    wide::Wide friction;
    // For laying the frame anew.
    wide::WideVec3 centerOffset;
    wide::Wide inverseCount, pointOnB;
};

// What a block takes beside itself: as many points as the lane with most of them, and the rare part where a lane needs it.
struct BlockNeeds {
    std::uint8_t points = 0;
    bool isRare = false;
};

// All blocks of a step, in one piece of memory: first what every pass reads.
struct WideBlocks {
    std::span<WideContact> all;
    ScratchMemory memory;

    void layOut(std::span<const BlockNeeds> needs);
};

// Distances along the normal and arms once the step is over.
struct WideSeparations {
    wide::Wide points[collision::kMaxManifoldPoints];
    wide::WideVec3 armA[collision::kMaxManifoldPoints], armB[collision::kMaxManifoldPoints];
};

// One instruction set's kernels. All give the same bits.
struct WideKernels {
    // Effective masses where the bodies are now; then the impulses that the manifolds have act.
    void (*start)(WideContact* blocks, int count, SolverBody* bodies);
    void (*push)(WideContact* blocks, int count, SolverBody* bodies, const ContactSettings& settings, PointOrder order);
    // Arms and separations where the bodies are now.
    void (*measure)(const WideContact& block, const SolverBody* bodies, WideSeparations& separations);
    // integratePosition, and beginSubstep of the next substep if asked to, for those of eight bodies whose bit is set
    // (integrate/wide_substep.h).
    void (*moveEight)(SolverBody* bodies, const SolverBodyConstants* constants, std::uint32_t lanes, Real h, bool alsoBegin);
    BallKernels balls;
};
// The best that this machine can run.
const WideKernels& wideKernels();

// Fills a block that has its memory with constraints[index[0]] .. constraints[index[count - 1]], count <= 8.
void pack(WideContact& block, std::span<const ContactConstraint> constraints, const std::uint32_t* index, int count,
          std::span<const SolverBodyConstants> bodies);
// Impulses, arms and separations into the constraints once the step is over.
void unpack(const WideContact& block, const WideSeparations& separations, std::span<ContactConstraint> constraints);
// All that the scalar form needs to go on with one manifold within a substep, and back.
void unpackLane(const WideContact& block, int lane, ContactConstraint& constraint);
void repackLane(WideContact& block, int lane, const ContactConstraint& constraint);

}  // namespace sunder::dynamics
