// Level sets as children of compounds: pieces of a body that collide as they were cut.
#include <gtest/gtest.h>

#include <cmath>

#include "collision/built_shape.h"
#include "collision/level_set/sampled_solid.h"
#include "sunder/sunder.h"
#include "support/level_sets.h"

namespace sunder {
namespace {

// A box of 1 x 0.5 x 0.5 m in two halves, left and right.
Compound halves() {
    Compound compound;
    for (const double x : {-0.25, 0.25})
        compound.children.push_back(
            {sunder::testing::levelSetOf(Box{{Real(0.25), Real(0.25), Real(0.25)}}, 0.05), {Real(x), 0, 0}, {}});
    return compound;
}

TEST(CompoundLevelSet, HasTheMassOfItsParts) {
    const SharedShape shape = buildShape(halves());
    ASSERT_EQ(shape->children.size(), 2u);
    EXPECT_TRUE(shape->hasLevelSet);
    // Two boxes, each as the level set knows it: edges of a cell of 0.05 on 0.5 m.
    EXPECT_NEAR(shape->massProperties.volume, 2 * shape->children[0].shape->massProperties.volume, 1e-6);
    EXPECT_NEAR(shape->massProperties.volume, 0.25, 0.01);
    const geometry::MassProperties& half = shape->children[0].shape->massProperties;
    EXPECT_NEAR(shape->massProperties.inertia[0], 2 * half.inertia[0], 1e-6);
    EXPECT_NEAR(shape->massProperties.inertia[1], 2 * (half.inertia[1] + half.volume * 0.0625), 1e-6);  // parallel axes
    // The definition keeps what was sampled, to be drawn and stored.
    for (const CompoundChild& child : std::get<Compound>(shape->definition).children)
        EXPECT_NE(std::get<LevelSet>(child.shape).sampled, nullptr);
}

TEST(CompoundLevelSet, LevelSetsInsideLevelSetsAreRefused) {
    LevelSet outer;
    outer.cell = Real(0.05);
    outer.parts.push_back({halves(), {}, {}});
    try {
        buildShape(outer);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(
            std::string(error.what()).find("parts[0].shape.children[0].shape.type: a level set inside another is not allowed"),
            0u)
            << error.what();
    }
    outer.parts[0].shape = buildShape(halves());
    EXPECT_THROW(buildShape(outer), Error);
}

struct Scene {
    World world;
    BodyId bar, ball;

    explicit Scene(int threads = 1) : world(settings(threads)) {
        world.addBody({.shape = Box{{Real(5), Real(0.5), Real(5)}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
        bar = world.addBody({.shape = halves(), .position = {0, Real(0.6), 0}});
        ball = world.addBody({.shape = Sphere{Real(0.1)}, .position = {Real(0.3), Real(1.2), 0}});
    }
    static WorldDef settings(int threads) {
        WorldDef def;
        def.threads = threads;
        return def;
    }
};

TEST(CompoundLevelSet, FallsRestsAndBearsABall) {
    Scene scene;
    for (int i = 0; i < 180; ++i)
        scene.world.step(Real(1) / 60);
    EXPECT_NEAR(scene.world.position(scene.bar).y, 0.25, 0.01);
    EXPECT_NEAR(std::fabs(scene.world.orientation(scene.bar).w), 1, 1e-3);
    EXPECT_LT(length(scene.world.velocity(scene.bar)), Real(0.01));
    EXPECT_NEAR(scene.world.position(scene.ball).y, 0.6, 0.02);  // on the bar, or beside it if it had rolled off
}

TEST(CompoundLevelSet, RaysAndMovingShapesMeetItWhereTheBoxWouldBeMet) {
    Scene scene;
    const auto ray = scene.world.castRay({.origin = {Real(0.2), Real(0.6), Real(2)}, .displacement = {0, 0, Real(-4)}});
    ASSERT_TRUE(ray);
    EXPECT_EQ(ray->body, scene.bar);
    EXPECT_NEAR(ray->fraction, (2 - 0.25) / 4, 0.005);
    EXPECT_EQ(ray->child, 1u);
}

TEST(CompoundLevelSet, TheSameBitsForThreadsAndAfterRestore) {
    Scene one(1), four(4);
    std::vector<std::byte> saved;
    for (int i = 0; i < 90; ++i) {
        if (i == 30)
            saved = one.world.snapshot();
        one.world.step(Real(1) / 60);
        four.world.step(Real(1) / 60);
        ASSERT_EQ(one.world.hash(), four.world.hash()) << i;
    }
    World restored;
    restored.restore(saved);
    for (int i = 30; i < 90; ++i)
        restored.step(Real(1) / 60);
    EXPECT_EQ(restored.hash(), one.world.hash());
}

}  // namespace
}  // namespace sunder
