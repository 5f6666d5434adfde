// A door: a ball throws it open, its limit stops it, and its closer, a weak spring, brings it back.
#include <sunder/sunder.h>

#include <cmath>
#include <cstdio>

using namespace sunder;

int main() {
    World world;
    const BodyId door = world.addBody({.shape = Box{{0.45f, 1, 0.03f}}, .position = {0.45f, 1, 0}, .mass = Real(20)});
    const JointId hinge = world.addJoint({.type = JointType::Hinge,
                                          .b = door,
                                          .anchor = {0, 1, 0},
                                          .axis = {0, 1, 0},
                                          .limits = Interval{0, 1.6f},  // it opens to one side only
                                          .springStiffness = 6,
                                          .springDamping = 6});
    const BodyId ball = world.addBody({.shape = Sphere{0.15f},
                                       .position = {0.7f, 1, 1},
                                       .velocity = {0, 0, -12},
                                       .mass = Real(8),
                                       .gravityFactor = 0});
    Real widest = 0, least = 0;
    for (int frame = 0; frame < 60 * 15; ++frame) {
        world.step(1.f / 60);
        const Real angle = world.jointState(hinge).angle;
        widest = std::fmax(widest, angle);
        least = std::fmin(least, angle);
        if (frame == 60)
            world.removeBody(ball);
    }
    const Real end = world.jointState(hinge).angle;
    std::printf("door: opened to %.2f rad (limit 1.6), now at %.3f\n", double(widest), double(end));
    return widest > 1.55f && widest < 1.65f && least > -0.05f && std::fabs(end) < 0.1f ? 0 : 1;
}
