// A powered ragdoll: springs in its joints hold a pose, follow another one, and let go.
#include <sunder/sunder.h>

#include <cmath>
#include <cstdio>

using namespace sunder;

namespace {

Quat turnAboutZ(Real angle) { return {0, 0, std::sin(angle / 2), std::cos(angle / 2)}; }

// An arm along x (side 1 or -1) on a cone_twist whose axis is x, whose axle is y, and so whose third axis is z.
JointId addArm(World& world, BodyId torso, Real side, BodyId& arm) {
    arm = world.addBody({.shape = Capsule{0.05f, 0.25f},
                         .position = {side * 0.5f, 1.5f, 0},
                         .orientation = turnAboutZ(1.5707963f),
                         .mass = Real(4)});
    return world.addJoint({.type = JointType::ConeTwist,
                           .a = torso,
                           .b = arm,
                           .anchor = {side * 0.2f, 1.5f, 0},
                           .axis = {side, 0, 0},
                           .axle = {0, 1, 0},
                           .limits = Interval{-0.6f, 0.6f},
                           .cone = 1.f,    // forwards and back, about the axle
                           .coneZ = 1.5f,  // up and down, about the third axis
                           .springStiffness = 400,
                           .springDamping = 25});
}

}  // namespace

int main() {
    World world;
    const BodyId torso = world.addBody({.shape = Capsule{0.15f, 0.25f}, .position = {0, 1.3f, 0}, .mass = Real(30)});
    world.addJoint({.type = JointType::Fixed, .b = torso, .anchor = {0, 1.3f, 0}});  // stands where it is
    BodyId arms[2];
    const JointId shoulders[2] = {addArm(world, torso, 1, arms[0]), addArm(world, torso, -1, arms[1])};
    const auto run = [&](Real seconds) {
        for (int i = 0; i < int(seconds * 60 + 0.5f); ++i)
            world.step(1.f / 60);
    };
    const auto height = [&](int i) { return world.position(arms[i]).y; };

    run(2);  // stretched out: they droop by m g r / k = 4 * 9.81 * 0.3 / 400 = 0.03 rad
    const bool holds = std::fabs(height(0) - 1.5f) < 0.02f && std::fabs(height(1) - 1.5f) < 0.02f;

    // Arms up by one radian: about the third axis, which points to z on one side and to -z on the other.
    for (const JointId shoulder : shoulders)
        world.setSpringRotation(shoulder, turnAboutZ(1));
    run(2);
    const Real raised = 1.5f + 0.3f * std::sin(1.f);
    const bool follows = std::fabs(height(0) - raised) < 0.03f && std::fabs(height(1) - raised) < 0.03f;

    for (const JointId shoulder : shoulders) {  // unconscious
        JointDef limp = world.joint(shoulder);
        limp.springStiffness = limp.springDamping = 0;
        limp.springRotation = {};
        limp.friction = 1;
        world.changeJoint(shoulder, limp);
    }
    run(4);
    const bool falls = height(0) < 1.25f && height(1) < 1.25f;
    std::printf("ragdoll: holds %d, follows %d, falls %d; arms at %.2f and %.2f m\n", holds, follows, falls,
                double(height(0)), double(height(1)));
    return holds && follows && falls ? 0 : 1;
}
