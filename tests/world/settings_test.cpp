// Settings of a world that change between its steps.
#include <gtest/gtest.h>

#include "sunder/sunder.h"

namespace sunder {
namespace {

constexpr Real kStep = Real(1) / 30;

void populate(World& world) {
    world.addBody({.shape = Box{{10, Real(0.5), 10}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
    for (int i = 0; i < 6; ++i)
        world.addBody({.shape = Box{{Real(0.3), Real(0.3), Real(0.3)}},
                       .position = {Real(0.05) * Real(i), Real(0.3) + Real(0.7) * Real(i), 0},
                       .angularVelocity = {0, Real(i), 1}});
}

void run(World& world, int steps) {
    for (int i = 0; i < steps; ++i)
        world.step(kStep);
}

TEST(Settings, ThatWereTakenOverActAsThoseItWasMadeWith) {
    WorldDef def;
    def.gravity = {1, -5, 0};
    def.frameRate.substepRate = 400;
    def.restitutionThreshold = Real(0.2);
    for (const Stepper stepper : {Stepper::FrameRate, Stepper::Impulse, Stepper::Damped}) {
        def.stepper = stepper;
        World made(def), changed;
        changed.setSettings(def);
        populate(made);
        populate(changed);
        EXPECT_EQ(made.hash(), changed.hash());
        run(made, 40);
        run(changed, 40);
        EXPECT_EQ(made.hash(), changed.hash());
    }
}

TEST(Settings, WakeWhatSleepsAndMayForbidIt) {
    World world;
    populate(world);
    run(world, 300);
    ASSERT_EQ(world.stats().awake, 0);
    WorldDef def = world.settings();
    def.sleeping = false;
    world.setSettings(def);
    EXPECT_EQ(world.stats().asleep, 0);
    run(world, 60);
    EXPECT_EQ(world.stats().awake, 6);
}

// A stack that was solved by one stepper stands when the other takes it over.
TEST(Settings, AStackOutlivesTheChangeOfItsStepper) {
    World world;
    world.addBody({.shape = Box{{10, Real(0.5), 10}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
    std::vector<BodyId> cubes;
    for (int i = 0; i < 4; ++i)
        cubes.push_back(
            world.addBody({.shape = Box{{Real(0.5), Real(0.5), Real(0.5)}}, .position = {0, Real(0.5) + Real(i), 0}}));
    for (const Stepper stepper : {Stepper::Impulse, Stepper::FrameRate, Stepper::Impulse, Stepper::FrameRate}) {
        WorldDef def = world.settings();
        def.stepper = stepper;
        world.setSettings(def);
        run(world, 30);
        for (int i = 0; i < 4; ++i) {
            const Vec3 position = world.position(cubes[std::size_t(i)]);
            // Contacts may sink by a few millimetres each.
            EXPECT_NEAR(position.y, 0.5 + i, 0.03);
            EXPECT_NEAR(position.x, 0, 0.01);
        }
    }
}

TEST(Settings, ThatMakeNoSenseChangeNothing) {
    World world;
    const BodyId cube = world.addBody({});
    const std::uint64_t hash = world.hash();
    WorldDef bad = world.settings();
    bad.sleepTime = -1;
    EXPECT_THROW(world.setSettings(bad), Error);
    EXPECT_EQ(world.hash(), hash);
    world.addJoint({.type = JointType::Ball, .b = cube, .anchor = {0, 1, 0}});
    WorldDef impulse = world.settings();
    impulse.stepper = Stepper::Impulse;
    world.setSettings(impulse);
    for (int i = 0; i < 30; ++i)
        world.step(kStep);
    EXPECT_NEAR(world.jointState(world.joints()[0]).error, 0, 1e-3);
}

TEST(Settings, AStepperThatCannotSolveWhatIsThereIsRefused) {
    const auto errorOf = [](World& world) -> std::string {
        WorldDef damped = world.settings();
        damped.stepper = Stepper::Damped;
        try {
            world.setSettings(damped);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    World jointed, bonded, plain;
    jointed.addJoint({.type = JointType::Ball, .b = jointed.addBody({}), .anchor = {0, 1, 0}});
    EXPECT_EQ(errorOf(jointed), "stepper: joints need frame_rate or impulse, and this world has some");
    BodyDef bricks;
    bricks.shape = Compound{{{Box{}, {}, {}}, {Box{}, {1, 0, 0}, {}}}};
    bricks.bonds.emplace().bonds.push_back({.a = 0, .b = 1, .point = {Real(0.5), 0, 0}, .normal = {1, 0, 0}, .area = 1});
    bonded.addBody(bricks);
    EXPECT_EQ(errorOf(bonded), "stepper: bonds need frame_rate or impulse, and this world has some");
    plain.addBody({});
    EXPECT_EQ(errorOf(plain), "");
}

}  // namespace
}  // namespace sunder
