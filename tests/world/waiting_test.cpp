// Contacts that bear nothing wait until one of their bodies has come a way (dynamics/contact/schedule/waiting.h). What waits
// must be there when it is needed.
#include <gtest/gtest.h>

#include <algorithm>

#include "sunder/sunder.h"

namespace sunder {
namespace {

constexpr Real kHalf = Real(0.1), kGap = Real(1.5e-3);

BodyId addBox(World& world, Motion motion, Real x, Real halfX, Real speed, Real y = 0) {
    BodyDef def;
    def.motion = motion;
    def.shape = Box{{halfX, kHalf, kHalf}};
    def.position = {x, y, 0};
    def.velocity = {speed, 0, 0};
    def.material.friction = 0;
    def.material.restitution = 0;
    return world.addBody(def);
}

// A blow runs through a row of boxes at rest, none of which is foreseen to move, to a wall, most of it within one step.
TEST(Waiting, ABlowRunsThroughARowAtRest) {
    WorldDef def;
    def.gravity = {};
    World world(def);
    constexpr int kBoxes = 5;
    addBox(world, Motion::Dynamic, Real(-0.005) - 11 * kHalf, 10 * kHalf, 1);  // comes from the left, ten times as heavy
    std::vector<BodyId> row;
    for (int i = 0; i <= kBoxes; ++i)
        row.push_back(addBox(world, i < kBoxes ? Motion::Dynamic : Motion::Static, Real(i) * (2 * kHalf + kGap), kHalf, 0));
    for (int i = 0; i < 200; ++i)  // with few fast bodies among many the step is not divided (step_parts.h)
        addBox(world, Motion::Dynamic, 0, kHalf, 0, Real(5 + i));
    Real deepest = 0;
    for (int step = 0; step < 6; ++step) {
        world.step(Real(1) / 30);
        for (int i = 0; i < kBoxes; ++i)
            deepest = std::max(deepest, 2 * kHalf - (world.position(row[i + 1]).x - world.position(row[i]).x));
    }
    EXPECT_GT(world.position(row[kBoxes - 1]).x, Real(kBoxes - 1) * (2 * kHalf + kGap)) << "the last one was not reached";
    EXPECT_LT(deepest, 6e-3);  // 25 mm where nothing wakes
}

}  // namespace
}  // namespace sunder
