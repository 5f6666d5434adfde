// A block of kLanes manifolds side by side, and the memory of all blocks of a step.
#pragma once

#include <cstdint>
#include <span>

#include "core/scratch_memory.h"
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

// How the anchors of one side follow their body; not needed for the common kind, AnchorMotion::Turns.
template <class Number, class Flag>
struct BlockFrame {
    Flag turns, swings;
    wide::Vec3Of<Number> center, axis, startAxis;
};

// Fields that only rare contacts need (ContactLink::isRare).
template <class Number, class Flag>
struct BlockRare {
    Number spinningFriction, rollingFriction, spinningImpulse, rollingImpulse1, rollingImpulse2;
    wide::Vec3Of<Number> surfaceVelocity;
    BlockFrame<Number, Flag> frameA, frameB;
};

template <class Number, class Flag>
struct alignas(64) ContactBlock {
    // Memory outside the block, see WideBlocks.
    BlockPoint<Number>* points;
    BlockAnchors<Number>* anchors;  // one entry per entry of points
    BlockRare<Number, Flag>* rare;  // null where no lane is rare

    std::uint32_t bodyA[wide::kLanes], bodyB[wide::kLanes];
    std::uint32_t constraint[wide::kLanes];  // where each lane came from
    std::uint32_t movesA, movesB;            // bits of the lanes whose bodies feel impulses
    std::int32_t lanes;                      // in use
    std::int32_t pointCount;                 // the largest of any lane
    bool allTurn;                            // every anchor turns with its body
    bool hasRotationalFriction;
    bool drives;  // a lane has a surface that moves along itself
    bool hasRestitution;
    wide::Vec3Of<Number> normal, tangent1;
    Number count;  // of points; zero in a lane without a manifold
    // See ContactFrame.
    wide::Vec3Of<Number> armA, armB;
    wide::Sym3Of<Number> alongResponse, acrossResponse;
    wide::Vec3Of<Number> coupling1, coupling2, couplingSpin;
    wide::Vec3Of<Number> offsetThen, turnedThenA, turnedThenB;
    Number slack;
    Flag young;    // see kYoung
    Flag firm;     // see ContactConstraint::isFirm
    Flag bounces;  // in this substep
    Number friction;
    // What laying the frame anew needs.
    wide::Vec3Of<Number> centerOffset;
    Number pointOnB;
};
// The block as it is stored in memory.
struct WideContact : ContactBlock<wide::Lanes, wide::LaneMask> {};
using StoredPoint = BlockPoint<wide::Lanes>;
using StoredAnchors = BlockAnchors<wide::Lanes>;
using StoredRare = BlockRare<wide::Lanes, wide::LaneMask>;

// Memory that a block needs besides itself: points for the lane that has most, and the rare fields where a lane needs them.
struct BlockNeeds {
    std::uint8_t points = 0;
    bool isRare = false;
};

// All blocks of a step in one piece of memory; what every pass reads comes first.
struct WideBlocks {
    std::span<WideContact> all;
    ScratchMemory memory;

    void layOut(std::span<const BlockNeeds> needs);
};

}  // namespace sunder::dynamics
