// The full record of a joint. Its frames are relative to the body frames of the user, so that they survive a change of shape or
// mass; on the side of a null handle they are relative to the world.
#pragma once

#include "dynamics/joints/row/joint_constraint.h"
#include "fracture/bonds/load_window.h"
#include "sunder/joints.h"

namespace sunder::world {

inline constexpr std::uint32_t kWorldSlot = 0xffffffffu;  // in place of a body's slot: that side is the world

// Derived from a joint's definition when they are needed (exchange/joint_sides).
struct JointTraits {
    bool known = false;  // they have been derived since the definition changed
    bool isPlainBall = false, fitsBundle = false, isActive = false, mayBreak = false;
    std::uint8_t capacity = 0, turnRows = 0;
};

// The fields that every step reads come first, for the cache: a net has many thousands of joints.
struct Joint {
    bool alive = false;
    JointTraits traits;
    std::uint32_t bodyA = 0, bodyB = 0;  // slots, kWorldSlot for the world
    std::uint32_t generation = 0;
    std::uint64_t serial = 0;           // counts all joints ever added
    Pose frameA, frameB;                // body from joint
    dynamics::JointImpulses impulse{};  // of the last substep
    Vec3 force, torque;                 // N, N m on B, mean over the last step
    dynamics::JointSpec spec;           // derived from def, too
    JointDef def;
    fracture::LoadWindow window;  // of the load, for joints that may break: world axes, on B about its anchor
    double nextBreakTime = 0;     // s, of the world's clock: it does not break earlier
    Real flowed = 0;              // m: how far its points have parted for good (breaking/energy/joint_flow.h)
};

// All that a plain ball joint is solved from: its anchors in the principal frames, the offset of the centres, and its impulse.
// Copied once per step, because the records of joints are large and reading them again would cost cache misses.
struct JointEnds {
    Vec3 anchorA, anchorB, offset, impulse;
};

}  // namespace sunder::world
