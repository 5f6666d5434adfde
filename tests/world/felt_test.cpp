// What bodies feel in a step: contacts and the blows that continuous collision finds count alike towards breaking.
#include <gtest/gtest.h>

#include "sunder/sunder.h"

namespace sunder {
namespace {

constexpr Real kStep = Real(1) / 30;

FractureDef brittle(Real threshold) {
    FractureDef def;
    def.method = Prescored{.pattern = buildPattern({.kind = VoronoiPattern{.pieces = 12, .density = {}}, .nodes = 33})};
    def.threshold = threshold;
    def.cell = Real(0.1);
    def.generations = 1;
    return def;
}

// A ball that comes back from a wall strikes a plate within the same step: only continuous collision sees that.
struct Ricochet {
    World world{WorldDef{.gravity = {}}};
    BodyId plate, ball;
    Ricochet() {
        world.addBody(
            {.shape = Box{{Real(0.5), 2, 2}}, .motion = Motion::Static, .position = {2, 0, 0}, .material = {.restitution = 1}});
        ball = world.addBody({.shape = Sphere{Real(0.2)}, .velocity = {100, 0, 0}, .material = {.density = 4000}});
    }
    void addPlate(BodyDef def) {
        def.position = {Real(-0.5), 0, 0};
        plate = world.addBody(def);
    }
};

TEST(Felt, ABlowWithinTheStepBreaksAPrescoredBody) {
    for (const double threshold : {100.0, 1e7}) {
        Ricochet scene;
        scene.addPlate({.shape = Box{{Real(0.2), 1, 1}}, .fracture = brittle(Real(threshold))});
        scene.world.step(kStep);
        EXPECT_EQ(scene.world.isValid(scene.plate), threshold > 1e6);
        EXPECT_EQ(scene.world.breakEvents().size(), threshold > 1e6 ? 0u : 1u);
        scene.world.step(kStep);
        EXPECT_LT(scene.world.velocity(scene.ball).x, 0)
            << "the ball goes on through what broke, or was stopped by what did not";
    }
}

TEST(Felt, TheBlowIsFeltWhereItFell) {
    Ricochet scene;
    scene.addPlate({.shape = Box{{Real(0.2), 1, 1}}, .fracture = brittle(100)});
    scene.world.step(kStep);
    ASSERT_EQ(scene.world.breakEvents().size(), 1u);
    const BreakEvent& event = scene.world.breakEvents().front();
    EXPECT_NEAR(event.point.x, -0.3, 0.05);
    EXPECT_NEAR(event.point.y, 0, 0.05);
    EXPECT_NEAR(event.normal.x, 1, 1e-3);
    EXPECT_GT(event.impulse, 100);
}

TEST(Felt, ABlowWithinTheStepBreaksBonds) {
    for (const double strength : {1e3, 1e12}) {
        Ricochet scene;
        Compound bricks;
        for (int i = 0; i < 5; ++i)
            bricks.children.push_back({Box{{Real(0.2), Real(0.2), Real(0.5)}}, {0, Real(0.4 * (i - 2)), 0}});
        BodyDef def{.shape = bricks};
        def.bonds.emplace();
        def.bonds->strength.tension = def.bonds->strength.shear = Real(strength);
        scene.addPlate(def);
        for (int i = 0; i < 3; ++i)
            scene.world.step(kStep);
        EXPECT_EQ(scene.world.isValid(scene.plate), strength > 1e6);
    }
}

}  // namespace
}  // namespace sunder
