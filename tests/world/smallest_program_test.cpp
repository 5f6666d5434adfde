// The smallest program of the documentation, as it stands there, but for main and printf.
#include <gtest/gtest.h>

#include <sunder/sunder.h>

TEST(SmallestProgram, DropsABallOnAFloor) {
    sunder::World world({.gravity = {0, -9.81f, 0}});
    world.addBody({.shape = sunder::Box{{20, 0.5f, 20}}, .motion = sunder::Motion::Static});
    const sunder::BodyId ball = world.addBody({.shape = sunder::Sphere{0.4f}, .position = {0, 5, 0}});
    for (int frame = 0; frame < 60; ++frame)
        world.step(1.0f / 30);
    EXPECT_NEAR(world.position(ball).y, 0.5 + 0.4, 1e-3);
}
