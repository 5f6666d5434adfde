// A crane: a boom that a motor turns, and a winch that takes in rope until the load hangs high.
#include <sunder/sunder.h>

#include <cmath>
#include <cstdio>

using namespace sunder;

int main() {
    World world;
    world.addBody({.shape = Box{{20, 0.5f, 20}}, .motion = Motion::Static, .position = {0, -0.5f, 0}});
    const BodyId boom = world.addBody({.shape = Box{{3, 0.15f, 0.15f}}, .position = {2, 6, 0}, .mass = Real(400)});
    const JointId turntable = world.addJoint({.type = JointType::Hinge,
                                              .b = boom,
                                              .anchor = {0, 6, 0},
                                              .axis = {0, 1, 0},
                                              .motorStrength = 20000});  // speed 0: it holds
    const BodyId load = world.addBody({.shape = Box{{0.4f, 0.4f, 0.4f}}, .position = {5, 0.4f, 0}, .mass = Real(300)});
    world.setDamping(load, 0.3f, 0.5f);
    // The rope: its length may lie between 1 m and what it is now; the winch is its motor.
    JointDef rope{.type = JointType::Distance, .a = boom, .b = load, .anchor = {5, 5.85f, 0}, .anchorB = Vec3{5, 0.8f, 0}};
    rope.limits = Interval{1, 5.05f};
    const JointId winch = world.addJoint(rope);
    const auto run = [&](Real seconds) {
        for (int i = 0; i < int(seconds * 60 + 0.5f); ++i)
            world.step(1.f / 60);
    };
    run(0.5f);
    const Real before = world.position(load).y;
    rope.motorSpeed = -1;       // m/s: shorter
    rope.motorStrength = 5000;  // N, of which the load takes 2943
    world.changeJoint(winch, rope);
    run(3);
    rope.motorSpeed = 0;  // the brake
    world.changeJoint(winch, rope);
    run(1);
    const Real lifted = world.position(load).y - before;

    world.setMotorSpeed(turntable, 0.4f);
    run(3.14159265f / 2 / 0.4f);
    world.setMotorSpeed(turntable, 0);
    run(8);  // the load swings out
    const Vec3 at = world.position(load);
    std::printf("crane: lifted by %.2f m, turned by %.2f rad, load at (%.2f, %.2f, %.2f)\n", double(lifted),
                double(world.jointState(turntable).angle), double(at.x), double(at.y), double(at.z));
    const bool isTurned = std::fabs(world.jointState(turntable).angle - 1.5707963f) < 0.05f;
    return std::fabs(lifted - 3) < 0.1f && isTurned && std::fabs(at.x) < 0.7f && std::fabs(at.z + 5) < 0.7f ? 0 : 1;
}
