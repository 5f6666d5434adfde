// The full record of a joint. Frames are kept in the users' frames of the bodies, so that they survive a change of shape or
// mass; the world's own is the frame of a null handle.
#pragma once

#include "dynamics/joints/joint_constraint.h"
#include "sunder/joints.h"

namespace sunder::world {

struct Joint {
    bool alive = false;
    bool specKnown = false;  // spec follows from def, and is made when it is needed
    std::uint32_t generation = 0;
    std::uint64_t serial = 0;  // counts all joints ever added
    Pose frameA, frameB;       // body from joint
    dynamics::JointImpulses impulse{};  // of the last substep
    Vec3 force, torque;                 // N, N m on B, mean over the last step
    dynamics::JointSpec spec;
    JointDef def;
};

// What a body's inertia (kg m^2, principal axes) and mass (kg) must be at least to swing slowly enough between its joints.
struct JointLoad {
    Vec3 inertia;
    Real mass = 0;
};

}  // namespace sunder::world
