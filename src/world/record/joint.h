// The full record of a joint. Frames are kept in the users' frames of the bodies, so that they survive a change of shape or
// mass; the world's own is the frame of a null handle.
#pragma once

#include "dynamics/joints/row/joint_constraint.h"
#include "fracture/bonds/load_window.h"
#include "sunder/joints.h"

namespace sunder::world {

inline constexpr std::uint32_t kWorldSlot = 0xffffffffu;

// What every step reads comes first: a net has many thousands of them.
struct Joint {
    bool alive = false;
    // Follows from def, and is found when it is needed:
    bool known = false;
    bool isPlainBall = false, fitsBundle = false, isActive = false, mayBreak = false;
    std::uint8_t capacity = 0, turnRows = 0;
    std::uint32_t bodyA = 0, bodyB = 0;  // slots, kWorldSlot for the world
    std::uint32_t generation = 0;
    std::uint64_t serial = 0;           // counts all joints ever added
    Pose frameA, frameB;                // body from joint
    dynamics::JointImpulses impulse{};  // of the last substep
    Vec3 force, torque;                 // N, N m on B, mean over the last step
    dynamics::JointSpec spec;           // follows from def, too
    JointDef def;
    fracture::LoadWindow window;  // of joints that may break; world axes, on B about its anchor
    double nextBreakTime = 0;     // s, of the world's clock: it does not break before
};

// Where a step finds the anchors of a joint that is a plain ball: in the principal frames, and from A's centre to B's. With its
// impulse that is all that such a joint is solved from: records of joints are large, and one look at each is enough.
struct JointEnds {
    Vec3 anchorA, anchorB, offset, impulse;
};

}  // namespace sunder::world
