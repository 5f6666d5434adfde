// The contact solver kLanes manifolds at a time. Manifolds of one colour share no moving body, so each lane of a block does
// exactly what soft_contact.h does for one manifold, with the same bits.
//
//   constraints  --pack-->  blocks of kLanes, colour by colour  --kernels, every substep-->  --unpack-->  constraints
//
// Separations and arms are found anew from the bodies' positions by every kernel; of the arms the last ones are kept, because
// the moments of the impulses change with them. What does not fit into this (bounces) is done by the scalar form on the
// constraint itself.
#pragma once

#include <span>

#include "core/scratch_memory.h"
#include "dynamics/contact/contact_link.h"
#include "dynamics/contact/soft_contact.h"
#include "dynamics/integrate/wide_substep.h"
#include "dynamics/joints/ball_joint.h"
#include "math/lanes.h"

namespace sunder::dynamics {

// Number and Flag are Lanes and LaneMask, or in the kernels what their instruction set computes with (math/wide.h).
template <class Number>
struct BlockAnchors {
    wide::Vec3Of<Number> a, b;
};

template <class Number>
struct BlockPoint {
    Number x, y, z;     // m along the tangents and the normal from the frame's origin
    Number separation;  // m when the frame was laid
    Number normalMass;
    Number normalImpulse, tangentImpulse1, tangentImpulse2;
    Number totalNormalImpulse, totalTangentImpulse1, totalTangentImpulse2;
};

// How the anchors of one side follow their bodies; only the common kind, Turns, needs none of it.
template <class Number, class Flag>
struct BlockFrame {
    Flag turns, swings;
    wide::Vec3Of<Number> axis, startAxis;
};

// What few contacts need.
template <class Number, class Flag>
struct BlockRare {
    Number spinningFriction, rollingFriction, spinningImpulse, rollingImpulse1, rollingImpulse2;
    wide::Vec3Of<Number> surfaceVelocity;
    BlockFrame<Number, Flag> frameA, frameB;
};

template <class Number, class Flag>
struct alignas(64) ContactBlock {
    // Memory of its own, see WideBlocks.
    BlockPoint<Number>* points;
    BlockAnchors<Number>* anchors;  // as points
    BlockRare<Number, Flag>* rare;  // null where no lane needs any of it

    std::uint32_t bodyA[wide::kLanes], bodyB[wide::kLanes];
    std::uint32_t constraint[wide::kLanes];  // where each lane came from
    std::uint32_t movesA, movesB;            // bits of the lanes whose bodies feel impulses
    std::int32_t lanes;                      // in use
    std::int32_t pointCount;                 // the most that a lane has
    bool allTurn;                            // every anchor turns with its body
    bool hasRotationalFriction;
    bool drives;  // a surface moves along itself
    bool hasRestitution;
    wide::Vec3Of<Number> normal, tangent1;
    Number count;  // of points; zero where there is no manifold
    // See ContactFrame.
    wide::Vec3Of<Number> armA, armB;
    wide::Sym3Of<Number> alongResponse, acrossResponse;
    wide::Vec3Of<Number> coupling1, coupling2, couplingSpin;
    wide::Vec3Of<Number> offsetThen, turnedThenA, turnedThenB;
    Number slack;
    Flag young;    // see kYoung
    Flag bounces;  // in this substep
    Number friction;
    // For laying the frame anew.
    wide::Vec3Of<Number> centerOffset;
    Number inverseCount, pointOnB;
};
struct WideContact : ContactBlock<wide::Lanes, wide::LaneMask> {};

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

// One instruction set's kernels. All give the same bits.
struct WideKernels {
    // Normals, anchors and impulses from the constraints of the lanes into a block that knows their numbers of points.
    void (*gather)(WideContact& block, const ContactConstraint* constraints);
    // Effective masses where the bodies are now; then the impulses that the manifolds have act.
    void (*start)(WideContact* blocks, int count, SolverBody* bodies);
    void (*push)(WideContact* blocks, int count, SolverBody* bodies, const ContactSettings& settings, PointOrder order);
    // Once the step is over, of every point into its constraint: arms and separation where the bodies are now, and impulses.
    // Gives the bits of the lanes that were pushed in any substep.
    std::uint32_t (*finish)(const WideContact& block, const SolverBody* bodies, ContactConstraint* constraints);
    // integratePosition, and beginSubstep of the next substep if asked to, for those of kLanes bodies whose bit is set and that
    // are under load and slow (integrate/wide_substep.h).
    MovedLanes (*move)(SolverBody* bodies, const SolverBodyConstants* constants, const BodyWay* ways, std::uint32_t lanes,
                       Real h, bool alsoBegin);
    BallKernels balls;
};
// The best that this machine can run.
const WideKernels& wideKernels();

// What a block is made of. Links say in few bytes what would otherwise be read from constraints all over the memory, one
// waiting for the other.
struct PackSource {
    std::span<const ContactConstraint> constraints;
    std::span<const ContactLink> links;      // of the constraints
    std::span<const std::uint8_t> isMoving;  // by body: it feels impulses
};
// Fills a block that has its memory with constraints[index[0]] .. constraints[index[count - 1]], count <= kLanes.
void pack(WideContact& block, const PackSource& from, const std::uint32_t* index, int count, const WideKernels& kernels);
// Contacts that wake within the step (waiting.h) take the lanes of a spare block, which has memory for all points, one by one.
void beginSpare(WideContact& block);
void addLane(WideContact& block, std::uint32_t index, const PackSource& from);
// Tells the memory that the constraints of the block will be asked for soon.
void fetchConstraints(const WideContact& block, std::span<const ContactConstraint> constraints);
// Into the constraints once the step is over. Gives the bits of the lanes that were pushed in any substep.
std::uint32_t unpack(const WideContact& block, std::span<const SolverBody> bodies, std::span<ContactConstraint> constraints,
                     const WideKernels& kernels);
// All that the scalar form needs to go on with one manifold within a substep, and back.
void unpackLane(const WideContact& block, int lane, ContactConstraint& constraint);
void repackLane(WideContact& block, int lane, const ContactConstraint& constraint);

}  // namespace sunder::dynamics
