// Joints that break, and the energy that comes back [Li18] 3.4 to 3.6.
#include <gtest/gtest.h>

#include <cmath>

#include "sunder/world.h"
#include "support/at_rates.h"

namespace sunder {
namespace {

WorldDef weightless() {
    WorldDef def;
    def.gravity = {};
    return def;
}

BodyId addBox(World& world, double x, double mass = 2) {
    return world.addBody({.shape = Box{{Real(0.2), Real(0.2), Real(0.2)}}, .position = {Real(x), 0, 0}, .mass = Real(mass)});
}

class Energised : public AtRate {};
INSTANTIATE_TEST_SUITE_P(, Energised, testing::Values(30.0, 60.0, 240.0));

// With a limit of 20 N s a tap of 7 N s does not break, a blow of 44 N s does, whatever mass, speed and rate.
TEST_P(Energised, BlowsBreakByTheirImpulse) {
    for (const JointType type : {JointType::Fixed, JointType::Hinge})
        for (const double mass : {0.5, 2.0, 12.0})
            for (const double gap : {0.001, 0.5})
                for (const double impulse : {7.0, 44.0}) {
                    World world(weightless());
                    const BodyId target = addBox(world, 0);
                    JointDef def{.type = type, .b = target, .axis = {1, 0, 0}, .breakImpulse = Real(20)};
                    const JointId joint = world.addJoint(def);
                    BodyDef ball{.shape = Sphere{Real(0.1)}, .position = {Real(-0.3 - gap), 0, 0}, .mass = Real(mass)};
                    ball.velocity = {Real(impulse / mass), 0, 0};
                    world.addBody(ball);
                    run(world, gap * mass / impulse + 0.3);
                    EXPECT_EQ(world.isValidJoint(joint), impulse < 20)
                        << int(type) << ", " << mass << " kg, " << gap << " m, " << impulse << " N s";
                }
}

// A load of 100 N beside the tap changes nothing, and is no blow as the world begins.
TEST_P(Energised, LoadsAreNoBlows) {
    World world;
    const BodyId weight = addBox(world, 0, 60);  // 589 N: 20 N s in 1/30 s
    const JointId joint = world.addJoint({.type = JointType::Fixed, .b = weight, .breakImpulse = Real(15)});
    run(world, 1);
    EXPECT_TRUE(world.isValidJoint(joint));
    world.addImpulse(weight, {0, Real(-7), 0});
    run(world, 0.5);
    EXPECT_TRUE(world.isValidJoint(joint));
    world.addImpulse(weight, {0, Real(-44), 0});
    run(world, 0.5);
    EXPECT_FALSE(world.isValidJoint(joint));
}

// A tap that the joint bears does not add to its load.
TEST_P(Energised, TapDoesNotBreakByForce) {
    World world;
    const BodyId weight = addBox(world, 0, 10);  // 98 N
    const JointId joint =
        world.addJoint({.type = JointType::Fixed, .b = weight, .breakForce = Real(120), .breakImpulse = Real(20)});
    run(world, 1);
    world.addImpulse(weight, {0, Real(-7), 0});
    run(world, 1);
    EXPECT_TRUE(world.isValidJoint(joint));
    for (int i = 0; i < int(rate()) && world.isValidJoint(joint); ++i) {
        world.addForce(weight, {0, Real(-30), 0});
        world.step(dt());
    }
    EXPECT_FALSE(world.isValidJoint(joint));
}

// phi k phi / 2 = lambda^2 / (2 h^2 k) for an undamped joint: a weight that swings on it.
TEST_P(Energised, ErrorAndMultiplierGiveTheSameEnergy) {
    World world;
    const BodyId weight = addBox(world, 0);
    const double k = 2000;
    const JointId joint = world.addJoint({.type = JointType::Ball, .b = weight, .stiffness = Real(k), .damping = Real(60)});
    run(world, 3);  // until it hangs still
    const JointState state = world.jointState(joint);
    const double force = std::sqrt(double(state.force.x) * state.force.x + double(state.force.y) * state.force.y);
    EXPECT_NEAR(force * force / (2 * k), state.elasticEnergy, 0.01 * state.elasticEnergy);
    EXPECT_NEAR(state.elasticEnergy, std::pow(2 * 9.81, 2) / (2 * k), 0.01 * state.elasticEnergy);
}

// Two weights pulled apart on a spring of k: alpha E comes back as motion, to 1e-4, and both momenta stay.
TEST_P(Energised, AlphaOfTheEnergyComesBack) {
    for (const double alpha : {0.0, 0.5, 1.0, 1.5, 2.0}) {
        WorldDef settings = weightless();
        settings.rewinds = 0;
        World world(settings);
        const BodyId a = addBox(world, -0.3), b = addBox(world, 0.3, 5);
        JointDef def{.type = JointType::Fixed, .a = a, .b = b, .stiffness = Real(1e5), .damping = Real(500)};
        def.breakForce = Real(200);
        def.breakImpulse = Real(1e6);
        def.alpha = Real(alpha);
        const JointId joint = world.addJoint(def);
        double energy = 0, stored = 0;
        for (int i = 0; i < int(4 * rate()) && world.isValidJoint(joint); ++i) {
            // Equal and opposite forces that grow slowly, so that the bodies are at rest against each other as it breaks.
            const double pull = std::min(202.0, 100.0 * i / rate());
            world.addForce(a, {Real(-pull), 0, 0});
            world.addForce(b, {Real(pull), 0, 0});
            world.step(dt());
            energy = world.stats().releasedEnergy;
            stored = world.stats().storedEnergy;
        }
        ASSERT_FALSE(world.isValidJoint(joint));
        ASSERT_EQ(world.jointEvents().size(), 1u);
        EXPECT_FALSE(world.jointEvents()[0].isImpact);
        EXPECT_NEAR(world.jointEvents()[0].storedEnergy, stored, 1e-9);
        EXPECT_NEAR(stored, 201.0 * 201 / (2 * 1e5), 0.01 * stored);  // it breaks between 200 and 202 N
        EXPECT_NEAR(energy, alpha * stored, 1e-4 * stored);
        const WorldStats stats = world.stats();
        EXPECT_NEAR(stats.linearMomentum[0], 0, 1e-5);
        EXPECT_NEAR(stats.angularMomentum[2], 0, 1e-5);
    }
}

// alpha = 0 is a plain break, bit for bit, whatever the form.
TEST(EnergisedState, NoAlphaIsAPlainBreak) {
    std::vector<Vec3> motions[2];
    for (const bool isPaper : {false, true}) {
        WorldDef settings;
        settings.release.form = isPaper ? ReleaseForm::Paper : ReleaseForm::Pair;
        settings.release.outward = isPaper ? Real(1) : Real(0);
        World world(settings);
        const BodyId a = addBox(world, 0), b = addBox(world, 0.5);
        world.addJoint({.type = JointType::Fixed, .a = a});
        const JointId joint = world.addJoint({.type = JointType::Fixed, .a = a, .b = b, .breakForce = Real(10)});
        for (int i = 0; i < 60; ++i)
            world.step(Real(1) / 60);
        EXPECT_FALSE(world.isValidJoint(joint));
        for (const BodyId body : {a, b})
            for (const Vec3& v : {world.position(body), world.velocity(body), world.angularVelocity(body)})
                motions[isPaper].push_back(v);
    }
    EXPECT_EQ(motions[0], motions[1]);
}

// A taut chain has the same load everywhere: one joint breaks, the others wait for their time.
TEST(EnergisedState, BreakIntervalLetsOneJointGoAtATime) {
    for (const double interval : {0.0, 0.3}) {
        World world(weightless());
        std::vector<BodyId> links;
        for (int i = 0; i < 8; ++i)
            links.push_back(addBox(world, 0.5 * i));
        for (int i = 0; i + 1 < 8; ++i) {
            JointDef def{.type = JointType::Ball, .a = links[std::size_t(i)], .b = links[std::size_t(i) + 1]};
            def.anchor = {Real(0.5 * i + 0.25), 0, 0};
            def.breakForce = Real(100);
            def.breakInterval = Real(interval);
            world.addJoint(def);
        }
        int first = 0;
        for (int i = 0; i < 60 && first == 0; ++i) {
            world.addForce(links[0], {-500, 0, 0});
            world.addForce(links[7], {500, 0, 0});
            world.step(Real(1) / 60);
            first = int(world.jointEvents().size());
        }
        if (interval > 0)
            EXPECT_EQ(first, 1);
        else
            EXPECT_GT(first, 1);
    }
}

// Released in parts: the same energy in the end, from bodies at rest against each other, and restored in between.
TEST(EnergisedState, ReleaseOverSomeTime) {
    WorldDef settings = weightless();
    settings.release.time = Real(0.1);
    World world(settings), other;
    const BodyId a = addBox(world, -0.3), b = addBox(world, 0.3);
    JointDef def{.type = JointType::Fixed, .a = a, .b = b, .breakImpulse = Real(5)};
    def.alpha = 1;
    world.addJoint(def);
    world.addImpulse(b, {20, 0, 0});
    double stored = 0, released = 0;
    int parts = 0;
    for (int i = 0; i < 30; ++i) {
        world.step(Real(1) / 60);
        stored += world.stats().storedEnergy;
        released += world.stats().releasedEnergy;
        parts += world.stats().releasedEnergy > 0;
        if (i == 3)
            other.restore(world.snapshot());
        if (i > 3) {
            other.step(Real(1) / 60);
            ASSERT_EQ(world.hash(), other.hash()) << i;
        }
    }
    EXPECT_GT(stored, 0);
    EXPECT_EQ(parts, 6);
    EXPECT_NEAR(released, stored, 1e-4 * stored);
    EXPECT_NEAR(world.stats().linearMomentum[0], 20, 1e-4);
}

// The step is done again without what broke: the blow goes on to what is behind.
TEST(EnergisedState, RewindsAreCountedAndBounded) {
    for (const int rewinds : {0, 1, 3}) {
        WorldDef settings = weightless();
        settings.rewinds = rewinds;
        World world(settings);
        const BodyId a = addBox(world, 0);
        world.addJoint({.type = JointType::Fixed, .b = a, .breakImpulse = Real(5)});
        for (int i = 0; i < 3; ++i)  // what was at work before is known
            world.step(Real(1) / 60);
        world.addImpulse(a, {40, 0, 0});
        world.step(Real(1) / 60);
        EXPECT_EQ(world.stats().rewinds, rewinds > 0 ? 1 : 0);
        EXPECT_EQ(world.stats().joints, 0);
        EXPECT_EQ(world.stats().breaks, 1);
        // Without the joint the blow has set it going; with it, it was stopped first.
        EXPECT_NEAR(world.velocity(a).x, rewinds > 0 ? 20 : 0, 0.01);
    }
}

}  // namespace
}  // namespace sunder
