// Ragdolls of eleven capsules, with cones, twists and hinges at their limits, that fall on stairs or in heaps.
#pragma once

#include "scenes/joint_nets.h"
#include "scenes/mechanics.h"

namespace sunder::scenes {

// Bones of a person of 1.8 m and 75 kg; a ragdoll stands with its feet at y = 0 and looks along z.
struct Bone {
    Vec3 center;
    double radius, halfHeight;
    double mass;
    bool isLevel = false;  // its capsule lies along x
};
inline const std::vector<Bone>& bones() {
    static const std::vector<Bone> all{
        {vec(0, 0.95, 0), 0.11, 0.08, 11, true},  // pelvis
        {vec(0, 1.28, 0), 0.15, 0.13, 26},        // chest
        {vec(0, 1.68, 0), 0.10, 0.03, 5},         // head
        {vec(-0.22, 1.30, 0), 0.05, 0.10, 2.5},   // upper arms
        {vec(0.22, 1.30, 0), 0.05, 0.10, 2.5},    //
        {vec(-0.22, 0.99, 0), 0.04, 0.10, 2},     // forearms
        {vec(0.22, 0.99, 0), 0.04, 0.10, 2},      //
        {vec(-0.1, 0.66, 0), 0.075, 0.13, 7.5},   // thighs
        {vec(0.1, 0.66, 0), 0.075, 0.13, 7.5},    //
        {vec(-0.1, 0.24, 0), 0.055, 0.15, 4.5},   // shins
        {vec(0.1, 0.24, 0), 0.055, 0.15, 4.5},    //
    };
    return all;
}

struct RagdollJoint {
    int a, b;
    Vec3 anchor;
    double cone = 0;                         // rad; 0: a hinge about x
    Interval limits{Real(-0.5), Real(0.5)};  // rad
};
inline const std::vector<RagdollJoint>& ragdollJoints() {
    static const std::vector<RagdollJoint> all{
        {0, 1, vec(0, 1.08, 0), 0.5},
        {1, 2, vec(0, 1.56, 0), 0.6},
        {1, 3, vec(-0.22, 1.44, 0), 1.2},
        {1, 4, vec(0.22, 1.44, 0), 1.2},
        {3, 5, vec(-0.22, 1.15, 0), 0, {Real(-2.2), Real(0.05)}},
        {4, 6, vec(0.22, 1.15, 0), 0, {Real(-2.2), Real(0.05)}},
        {0, 7, vec(-0.1, 0.87, 0), 0.9},
        {0, 8, vec(0.1, 0.87, 0), 0.9},
        {7, 9, vec(-0.1, 0.45, 0), 0, {Real(-0.05), Real(2.2)}},
        {8, 10, vec(0.1, 0.45, 0), 0, {Real(-0.05), Real(2.2)}},
    };
    return all;
}

struct RagdollStyle {
    double size = 1;             // times 1.8 m
    double heavyLimbs = 1;       // times the masses of shins and forearms
    double friction = -1;        // N m in the joints; below 0: what joints have that are given none
    double springFrequency = 0;  // Hz, hinges only
    double turnFrequency = 0;    // Hz, of the springs that hold the pose of the others
    double oval = 0;             // the cones' swing about the third axis over that about the axle; 0: round ones
};

inline Quat product(const Quat& a, const Quat& b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// Its feet's middle at `feet`, turned about its pelvis.
inline void addRagdoll(JointScene& scene, const Vec3& feet, const Quat& turn, const RagdollStyle& style,
                       const Vec3& velocity = {}) {
    const std::size_t first = scene.bodies.size();
    const Axes axes = axesOf(turn);
    const Vector pelvis = toVector(bones()[0].center);
    const auto placed = [&](const Vec3& at) {
        const Vector p = toVector(feet) + (axes.toWorld(toVector(at) - pelvis) + pelvis) * style.size;
        return vec(p.x, p.y, p.z);
    };
    const auto turned = [&](const Vec3& direction) {
        const Vector d = axes.toWorld(toVector(direction));
        return vec(d.x, d.y, d.z);
    };
    for (std::size_t i = 0; i < bones().size(); ++i) {
        const Bone& bone = bones()[i];
        const bool isLimb = i == 5 || i == 6 || i >= 9;
        BodyDef def{.shape = Capsule{Real(bone.radius * style.size), Real(bone.halfHeight * style.size)},
                    .position = placed(bone.center),
                    .orientation = bone.isLevel ? product(turn, turnAbout(0, 0, 1, kPi / 2)) : turn,
                    .velocity = velocity,
                    .mass = Real(bone.mass * style.size * style.size * style.size * (isLimb ? style.heavyLimbs : 1))};
        scene.bodies.push_back(scene.world.addBody(def));
    }
    for (const RagdollJoint& joint : ragdollJoints()) {
        JointDef def{.type = joint.cone > 0 ? JointType::ConeTwist : JointType::Hinge,
                     .a = scene.bodies[first + std::size_t(joint.a)],
                     .b = scene.bodies[first + std::size_t(joint.b)],
                     .anchor = placed(joint.anchor),
                     .axis = turned(joint.cone > 0 ? vec(0, 1, 0) : vec(1, 0, 0)),
                     .limits = joint.limits};
        if (joint.cone > 0)
            def.cone = Real(joint.cone);
        if (joint.cone > 0 && style.oval > 0)
            def.coneZ = Real(joint.cone * style.oval);
        def.springFrequency = Real(joint.cone > 0 ? style.turnFrequency : style.springFrequency);
        if (def.springFrequency > 0)
            def.springDampingRatio = 1;
        if (style.friction >= 0)
            def.friction = Real(style.friction);
        scene.joints.push_back(scene.world.addJoint(def));
    }
}

// How far a swing is beyond its cone, rad; less than 0 within it.
inline double beyondCone(const JointDef& def, const JointState& state) {
    if (!def.coneZ)
        return double(state.swing - *def.cone);
    const Quat& q = state.rotation;
    const double y = 2 * (q.x * q.y + q.w * q.z), z = 2 * (q.x * q.z - q.w * q.y), sine = std::hypot(y, z);
    const double share =
        sine > 0 ? double(state.swing) * std::hypot(z / *def.cone, y / *def.coneZ) / sine : 0;  // 1 on the cone
    return share > 0 ? double(state.swing) * (1 - 1 / share) : -double(*def.cone);
}

// How far the worst angle is beyond its limits, rad.
inline double beyondLimits(const JointScene& scene) {
    double worst = 0;
    for (const JointId id : scene.joints) {
        const JointDef& def = scene.world.joint(id);
        const JointState state = scene.world.jointState(id);
        if (def.cone)
            worst = std::fmax(worst, beyondCone(def, state));
        if (def.limits)
            worst = std::fmax(worst, std::fmax(double(def.limits->low - state.angle), double(state.angle - def.limits->high)));
    }
    return worst;
}

// Ragdolls over stairs of `steps` steps that lead down along z into a trough; they tumble down and lie in heaps.
inline JointScene ragdollsOnStairs(const WorldDef& def, int count, std::uint64_t seed, const RagdollStyle& style = {}) {
    constexpr double kRise = 0.25, kRun = 0.5, kHalfWidth = 12;
    constexpr int kSteps = 24;
    JointScene scene(def);
    const auto addFixed = [&](const Vec3& half, const Vec3& at) {
        scene.world.addBody({.shape = Box{half}, .motion = Motion::Static, .position = at});
    };
    for (int i = 0; i < kSteps; ++i)
        addFixed(vec(kHalfWidth, kRise / 2, kRun), vec(0, (kSteps - i - 0.5) * kRise, i * kRun));
    addFixed(vec(kHalfWidth, 0.5, 20), vec(0, -0.5, 8));
    addFixed(vec(kHalfWidth, 2, 0.5), vec(0, 2, kSteps * kRun + 8));
    for (const double side : {-1.0, 1.0})
        addFixed(vec(0.5, 8, 20), vec(side * (kHalfWidth + 0.5), 8, 8));
    Random random(seed);
    const int perRow = 10;
    for (int i = 0; i < count; ++i) {
        const double x = (i % perRow - (perRow - 1) / 2.0) * 2.2 + random.between(-0.2, 0.2);
        const int row = i / perRow % 5, layer = i / (5 * perRow);
        const double z = 0.5 + row * 2.2;
        const double y = kSteps * kRise + 0.5 + layer * 2.4 - z / kRun * kRise * 0.9;
        addRagdoll(scene, vec(x, y, z), random.rotation(), style, vec(0, 0, random.between(0, 3)));
    }
    return scene;
}

}  // namespace sunder::scenes
