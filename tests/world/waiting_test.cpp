// Contacts that bear nothing wait until one of their bodies has come a way (dynamics/contact/waiting.h). What waits must be there
// when it is needed.
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

// A blow runs through a row of boxes at rest, none of which is foreseen to move, and reaches a wall within the step.
TEST(Waiting, ABlowThroughARowMeetsTheWallBehindIt) {
    WorldDef def;
    def.gravity = {};
    World world(def);
    constexpr int kBoxes = 5;
    addBox(world, Motion::Dynamic, Real(-0.005) - 11 * kHalf, 10 * kHalf, 1);  // comes from the left, ten times as heavy
    std::vector<BodyId> row;
    for (int i = 0; i < kBoxes; ++i)
        row.push_back(addBox(world, Motion::Dynamic, Real(i) * (2 * kHalf + kGap), kHalf, 0));
    const Real wall = Real(kBoxes) * (2 * kHalf + kGap) - kHalf;  // its face
    addBox(world, Motion::Static, wall + 1, 1, 0);
    for (int i = 0; i < 200; ++i)  // with few fast bodies among many the step is not divided (step_parts.h)
        addBox(world, Motion::Dynamic, 0, kHalf, 0, Real(5 + i));
    Real farthest = -1;  // of the last box, from the wall
    for (int i = 0; i < 6; ++i) {
        world.step(Real(1) / 30);
        printf("%g manifolds %d parts %d\n", double(world.position(row.back()).x + kHalf - wall), world.stats().manifolds, 0);
        farthest = std::max(farthest, world.position(row.back()).x + kHalf - wall);
    }
    EXPECT_GT(farthest, Real(-0.5) * kGap) << "nothing came";
    EXPECT_LT(farthest, 1e-3);
}

}  // namespace
}  // namespace sunder
