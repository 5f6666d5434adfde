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
// As they are stored.
struct WideContact : ContactBlock<wide::Lanes, wide::LaneMask> {};
using StoredPoint = BlockPoint<wide::Lanes>;
using StoredAnchors = BlockAnchors<wide::Lanes>;
using StoredRare = BlockRare<wide::Lanes, wide::LaneMask>;

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

}  // namespace sunder::dynamics
