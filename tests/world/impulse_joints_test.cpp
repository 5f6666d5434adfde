// Joints under the stepper `impulse` [Li18] 3.2 to 3.5, in the step of [Su09].
#include <gtest/gtest.h>

#include <cmath>

#include "math/vec3.h"
#include "sunder/world.h"
#include "support/at_rates.h"

namespace sunder {
namespace {

constexpr double kGravity = 9.81;

WorldDef impulseWorld(bool hasGravity = true) {
    WorldDef def;
    def.stepper = Stepper::Impulse;
    if (!hasGravity)
        def.gravity = {};
    return def;
}

BodyDef ballAt(double x, double y, double mass) {
    return {.shape = Sphere{Real(0.1)}, .position = {Real(x), Real(y), 0}, .mass = Real(mass)};
}

BodyId addBox(World& world, double x, double mass = 2) {
    return world.addBody({.shape = Box{{Real(0.2), Real(0.2), Real(0.2)}}, .position = {Real(x), 0, 0}, .mass = Real(mass)});
}

double energyOf(const World& world) {
    const WorldStats stats = world.stats();
    return stats.kineticEnergy + stats.potentialEnergy;
}

class ImpulseJoints : public AtRate {};
INSTANTIATE_TEST_SUITE_P(, ImpulseJoints, testing::Values(30.0, 60.0, 240.0));

// A compound pendulum swings with T = 2 pi sqrt(I / (m g l)) (1 + a^2 / 16), keeps its amplitude without the guard, and its
// anchor stays where it is. The step is symplectic, so that the period is right to the order (w dt)^2 / 24.
TEST_P(ImpulseJoints, PendulumKeepsItsPeriodAndItsSwing) {
    WorldDef def = impulseWorld();
    def.impulse.energyGuard = false;
    World world(def);
    const double l = 1, angle = 0.4, inertia = l * l + 0.4 * 0.1 * 0.1;
    const BodyId ball = world.addBody(ballAt(l * std::sin(angle), -l * std::cos(angle), 1));
    const JointId joint = world.addJoint({.type = JointType::Ball, .b = ball, .anchor = {}});
    int crossings = 0;
    double last = 0, first = 0, time = 0, highest = 0, gap = 0;
    const double start = energyOf(world);
    double largest = start;
    for (int i = 0; i < int(20 * rate()); ++i) {
        const double before = world.position(ball).x;
        world.step(dt());
        time += 1 / rate();
        const double now = world.position(ball).x;
        if (before > 0 && now <= 0) {
            last = time - now / (now - before) / rate();
            if (crossings++ == 0)
                first = last;
        }
        if (i > int(17 * rate()))
            highest = std::max(highest, std::fabs(now));
        gap = std::max(gap, double(world.jointState(joint).error));
        largest = std::max(largest, energyOf(world));
    }
    const double period = 2 * 3.14159265358979 * std::sqrt(inertia / (kGravity * l)) * (1 + angle * angle / 16);
    EXPECT_NEAR((last - first) / (crossings - 1), period, 3e-3 * period);
    EXPECT_NEAR(highest, l * std::sin(angle), 0.01 * l);
    EXPECT_LT(gap, 1e-4);
    EXPECT_LT(largest - start, 0.02 * kGravity * l * (1 - std::cos(angle)));
}

// A blow on one of two bodies that are fixed to each other acts on both within its step. Contact and joint are solved in turn,
// so that a tenth of the mass in front leaves 0.05 % of the common speed; where contact alone passes the blow on, 0.4 %.
TEST_P(ImpulseJoints, BlowActsOnAllThatIsJoined) {
    WorldDef def = impulseWorld(false);
    def.impulse.energyGuard = false;
    World world(def);
    const BodyId front = addBox(world, 0, 1), back = addBox(world, 0.5, 9);
    world.addJoint({.type = JointType::Fixed, .a = front, .b = back, .anchor = {Real(0.25), 0, 0}});
    const double speed = 3;
    BodyDef ball = ballAt(-0.3 - 0.5 * speed / rate(), 0, 2);
    ball.velocity = {Real(speed), 0, 0};
    const BodyId striker = world.addBody(ball);
    world.step(dt());
    const double common = speed * 2 / 12;
    EXPECT_NEAR(world.velocity(striker).x, common, 1.5e-3 * common);
    EXPECT_NEAR(world.velocity(front).x, common, 1.5e-3 * common);
    EXPECT_NEAR(world.velocity(back).x, common, 1.5e-3 * common);
}

// A chain of 20 links with a weight 50 times as heavy as one of them: every joint bears what hangs below it.
TEST_P(ImpulseJoints, ChainBearsWhatHangsOnIt) {
    World world(impulseWorld());
    std::vector<JointId> joints;
    BodyId above;
    for (int i = 0; i < 20; ++i) {
        const BodyId link = world.addBody(ballAt(0, -0.5 * i - 0.25, i == 19 ? 50 : 1));
        JointDef def{.type = JointType::Ball, .b = link, .anchor = {0, Real(-0.5 * i), 0}};
        if (i > 0)
            def.a = above;
        joints.push_back(world.addJoint(def));
        above = link;
    }
    run(world, 3);
    for (int i = 0; i < 20; ++i) {
        const JointState state = world.jointState(joints[std::size_t(i)]);
        EXPECT_NEAR(state.force.y, (69 - i) * kGravity, 0.005 * 69 * kGravity) << i;
        EXPECT_LT(state.error, 1e-4) << i;
    }
    EXPECT_NEAR(world.position(above).y, -9.75, 1e-3);
}

// A weight on a damped spring comes to rest at m g / k.
TEST_P(ImpulseJoints, SpringCarriesAWeight) {
    World world(impulseWorld());
    const BodyId weight = addBox(world, 0, 2);
    const JointId joint = world.addJoint({.type = JointType::Ball, .b = weight, .stiffness = Real(2000), .damping = Real(60)});
    run(world, 4);
    EXPECT_NEAR(world.position(weight).y, -2 * kGravity / 2000, 1e-4);
    EXPECT_NEAR(world.jointState(joint).force.y, 2 * kGravity, 0.05);
    EXPECT_LT(length(world.velocity(weight)), 1e-3);
}

TEST_P(ImpulseJoints, MotorTurnsAndLimitStops) {
    World world(impulseWorld());
    const BodyId arm = addBox(world, 0, 1);
    JointDef hinge{.type = JointType::Hinge, .b = arm, .anchor = {}, .axis = {0, 0, 1}, .limits = Interval{Real(-1), Real(1)}};
    hinge.motorSpeed = 2;
    hinge.motorStrength = 50;
    world.addJoint(hinge);
    run(world, 0.25);
    EXPECT_NEAR(std::fabs(world.angularVelocity(arm).z), 2, 0.02);
    run(world, 1.5);
    EXPECT_NEAR(std::fabs(2 * std::atan2(world.orientation(arm).z, world.orientation(arm).w)), 1, 0.02);
    EXPECT_NEAR(world.angularVelocity(arm).z, 0, 0.02);
}

// A ball strikes one of two boxes that a joint makes one: all three go on with their common momentum.
TEST_P(ImpulseJoints, BlowGoesThroughARigidJoint) {
    World world(impulseWorld(false));
    const BodyId near = addBox(world, 0), far = addBox(world, 0.4);
    world.addJoint({.type = JointType::Fixed, .a = near, .b = far, .anchor = {Real(0.2), 0, 0}});
    BodyDef ball = ballAt(-0.8, 0, 4);
    ball.velocity = {6, 0, 0};
    const BodyId striker = world.addBody(ball);
    run(world, 0.5);
    for (const BodyId body : {near, far, striker})
        EXPECT_NEAR(world.velocity(body).x, 24.0 / 8, 0.01);
    EXPECT_NEAR(world.stats().linearMomentum[0], 24, 1e-4);
}

// With a limit of 20 N s a tap of 7 N s does not break, a blow of 44 N s does, whatever mass, speed and rate; and the ball
// goes on in the step of the blow as if the joint had not been there.
TEST_P(ImpulseJoints, BlowsBreakByTheirImpulse) {
    for (const JointType type : {JointType::Fixed, JointType::Hinge})
        for (const double mass : {2.0, 12.0})
            for (const double impulse : {7.0, 44.0}) {
                World world(impulseWorld(false));
                const BodyId target = addBox(world, 0);
                const JointId joint = world.addJoint({.type = type, .b = target, .axis = {1, 0, 0}, .breakImpulse = Real(20)});
                BodyDef ball = ballAt(-0.35 - 0.1 * impulse / mass, 0, mass);  // it meets the box after 0.1 s
                ball.velocity = {Real(impulse / mass), 0, 0};
                world.addBody(ball);
                run(world, 0.4);
                EXPECT_EQ(world.isValidJoint(joint), impulse < 20) << int(type) << ", " << mass << " kg, " << impulse << " N s";
                if (impulse > 20) {
                    EXPECT_NEAR(world.stats().linearMomentum[0], 44, 0.01);
                }
            }
}

TEST_P(ImpulseJoints, LoadsAreNoBlows) {
    World world(impulseWorld());
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

// Kinematic bodies that go apart pull a chain straight, and it breaks once [Li18] 4. While it holds, all joints pull alike. Its
// light links would throw themselves about at 30 Hz but for raiseInertia.
TEST_P(ImpulseJoints, ChainThatIsPulledApartBreaksOnce) {
    World world(impulseWorld());
    std::vector<BodyId> bodies;
    for (int i = 0; i < 10; ++i) {
        BodyDef def = ballAt(0.3 * i, 0, 1);
        if (i == 0 || i == 9) {
            def.motion = Motion::Kinematic;
            def.velocity = {Real(i == 0 ? -0.2 : 0.2), 0, 0};
        }
        bodies.push_back(world.addBody(def));
    }
    for (int i = 0; i + 1 < 10; ++i) {
        JointDef def{.type = JointType::Ball, .a = bodies[std::size_t(i)], .b = bodies[std::size_t(i) + 1]};
        def.anchor = {Real(0.3 * i + 0.15), 0, 0};
        def.stiffness = Real(2e4);
        def.breakForce = Real(300);
        def.breakInterval = Real(0.3);
        def.alpha = 1;
        world.addJoint(def);
    }
    int broken = 0;
    for (int i = 0; i < int(2 * rate()); ++i) {
        world.step(Real(1 / rate()));
        broken += int(world.jointEvents().size());
        for (const JointId joint : world.joints())
            if (broken == 0) {
                EXPECT_LT(world.jointState(joint).error, 0.03) << i;  // 15 mm are 300 N
            }
    }
    EXPECT_EQ(broken, 1);
    for (const BodyId body : bodies)
        EXPECT_LT(length(world.velocity(body)), 15);
}

TEST(ImpulseJointsDeterminism, ThreadsAndRestoresDoNotChangeTheHash) {
    const auto fill = [](World& world) {
        BodyId last;
        for (int i = 0; i < 8; ++i) {
            const BodyId link = world.addBody(ballAt(0.3 * i, 0, 1));
            JointDef def{.type = i % 2 ? JointType::Ball : JointType::Hinge,
                         .b = link,
                         .anchor = {Real(0.3 * i - 0.15), 0, 0},
                         .axis = {0, 0, 1}};
            if (i > 0)
                def.a = last;
            def.breakForce = Real(200);
            world.addJoint(def);
            last = link;
        }
    };
    WorldDef two = impulseWorld();
    two.threads = 2;
    World a(impulseWorld()), b(two);
    fill(a);
    fill(b);
    World c;
    for (int i = 0; i < 60; ++i) {
        a.step(Real(1) / 30);
        b.step(Real(1) / 30);
        ASSERT_EQ(a.hash(), b.hash()) << i;
        if (i == 20)
            c.restore(a.snapshot());
        if (i > 20) {
            c.step(Real(1) / 30);
            ASSERT_EQ(a.hash(), c.hash()) << i;
        }
    }
}

}  // namespace
}  // namespace sunder
