// Springs and motors of joints that leave turns free, of six_dof directions and of steered wheels, against closed forms.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "scenes/ragdolls.h"
#include "support/at_rates.h"

namespace sunder {
namespace {

using scenes::kPi;
using scenes::turnAbout;
using scenes::vec;

WorldDef weightless() {
    WorldDef def;
    def.gravity = {};
    def.sleeping = false;
    return def;
}

double substepOf(Real dt) { return double(dt) / std::ceil(double(dt) * double(FrameRateOptions{}.substepRate) - 0.01); }

// An oscillator I t'' = -k t - d t', as implicit steps take it.
struct Oscillator {
    double inertia, k, d, angle, speed = 0;
    void run(double h, double seconds) {
        for (int i = 0; i < int(std::lround(seconds / h)); ++i) {
            speed = (speed - h * k / inertia * angle) / (1 + h * d / inertia + h * h * k / inertia);
            angle += h * speed;
        }
    }
};

double angleOf(const Quat& q) {
    const double s = std::sqrt(double(q.x) * q.x + double(q.y) * q.y + double(q.z) * q.z);
    return 2 * std::atan2(s, std::fabs(double(q.w)));
}
Quat conjugateOf(const Quat& q) { return {-q.x, -q.y, -q.z, q.w}; }
// How far a joint is from where its spring pulls to.
double offTarget(const World& world, JointId joint) {
    return angleOf(scenes::product(world.jointState(joint).rotation, conjugateOf(world.joint(joint).springRotation)));
}

double energyOf(const World& world) {
    const WorldStats stats = world.stats();
    return stats.kineticEnergy + stats.potentialEnergy + stats.elasticEnergy;
}

class JointDrives : public AtRate {};
INSTANTIATE_TEST_SUITE_P(, JointDrives, testing::Values(30.0, 60.0, 120.0, 240.0));

// A ball on a point in its middle: 0.4 m r^2, the same about every axis. `isFree`: on another that is free to turn as well,
// which bundles solve; else on the world.
World springWorld(JointType type, bool isFree, const Quat& target, double k, double d, JointId& joint) {
    World world(weightless());
    const BodyId a = isFree ? world.addBody({.shape = Sphere{Real(0.3)}, .mass = Real(4)}) : BodyId{};
    const BodyId b = world.addBody({.shape = Sphere{Real(0.5)}, .mass = Real(2)});
    joint = world.addJoint({.type = type,
                            .a = a,
                            .b = b,
                            .axis = {1, 0, 0},
                            .axle = {0, 1, 0},
                            .springStiffness = Real(k),
                            .springDamping = Real(d),
                            .springRotation = target});
    return world;
}

TEST_P(JointDrives, TurnSpringsFollowTheOscillator) {
    const double inertiaB = 0.4 * 2 * 0.25, inertiaA = 0.4 * 4 * 0.09, k = 20, d = 0.2;
    for (const JointType type : {JointType::Ball, JointType::ConeTwist})
        for (const bool isFree : {false, true})
            for (const Vec3& axis : {vec(1, 0, 0), vec(0, 0.6, 0.8), vec(0.48, -0.6, 0.64)}) {
                JointId joint;
                const double inertia = isFree ? inertiaA * inertiaB / (inertiaA + inertiaB) : inertiaB, start = 1.2;
                World world =
                    springWorld(type, isFree, turnAbout(double(axis.x), double(axis.y), double(axis.z), start), k, d, joint);
                EXPECT_NEAR(world.jointState(joint).elasticEnergy, k * start * start / 2, 1e-3);
                Oscillator expected{inertia, k, d, start};
                for (int i = 0; i < int(rate()); ++i) {
                    world.step(dt());
                    expected.run(substepOf(dt()), double(dt()));
                    EXPECT_NEAR(offTarget(world, joint), std::fabs(expected.angle), 2e-3) << "frame " << i;
                }
                const double h = substepOf(dt()), decay = std::exp(-(d / (2 * inertia) + k / inertia * h / 2));
                EXPECT_LT(std::fabs(expected.angle), start * decay * 1.05);  // the oscillator itself, in one second
            }
}

// About each axis of the joint a box swings with the frequency and the damping ratio that are asked for.
TEST_P(JointDrives, FrequenciesAreThoseAskedForAboutEveryAxis) {
    const double frequency = 1.5, ratio = 0.1;
    for (const Vec3& axis : {vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)}) {
        World world(weightless());
        const BodyId box = world.addBody({.shape = Box{vec(0.5, 0.3, 0.1)}, .mass = Real(3)});
        const JointId joint =
            world.addJoint({.b = box,
                            .axis = {1, 0, 0},
                            .axle = {0, 1, 0},
                            .springFrequency = Real(frequency),
                            .springDampingRatio = Real(ratio),
                            .springRotation = turnAbout(double(axis.x), double(axis.y), double(axis.z), 0.4)});
        const double omega = 2 * kPi * frequency;
        Oscillator expected{1, omega * omega, 2 * ratio * omega, 0.4};
        for (int i = 0; i < int(2 * rate()); ++i) {
            world.step(dt());
            expected.run(substepOf(dt()), double(dt()));
            EXPECT_NEAR(offTarget(world, joint), std::fabs(expected.angle), 2e-3) << "frame " << i;
        }
        // The continuous oscillator: implicit steps damp by omega h / 2 more.
        const double envelope = 0.4 * std::exp(-(ratio + omega * substepOf(dt()) / 2) * omega * 2);
        EXPECT_LT(std::fabs(expected.angle), envelope * 1.1);
    }
}

// k angle = m g L cos(angle) for an arm that hangs on a spring.
TEST_P(JointDrives, SpringsDroopByTheTorqueOverTheirStiffness) {
    for (const double k : {60.0, 200.0, 2000.0}) {
        World world({.sleeping = false});
        const BodyId arm = world.addBody({.shape = Box{vec(0.5, 0.1, 0.1)}, .position = vec(0.5, 0, 0), .mass = Real(4)});
        const JointId joint = world.addJoint({.b = arm,
                                              .axis = {1, 0, 0},
                                              .axle = {0, 1, 0},
                                              .springStiffness = Real(k),
                                              .springDamping = Real(0.2 * std::sqrt(k))});
        world.setDamping(arm, 0, 3);
        run(world, 12);
        double angle = 0;
        for (int i = 0; i < 100; ++i)
            angle = 4 * 9.81 * 0.5 * std::cos(angle) / k * 0.5 + angle * 0.5;
        EXPECT_NEAR(offTarget(world, joint), angle, 1e-3 + 1e-3 * angle) << k;
    }
}

TEST_P(JointDrives, TurnMotorsPushWithTheirStrengthAndReachTheirSpeed) {
    for (const JointType type : {JointType::Ball, JointType::ConeTwist})
        for (const bool isFree : {false, true}) {
            World world(weightless());
            const BodyId a = isFree ? world.addBody({.shape = Sphere{Real(2)}, .mass = Real(1000)}) : BodyId{};
            const BodyId b = world.addBody({.shape = Sphere{Real(0.5)}, .mass = Real(2)});
            const JointId joint = world.addJoint({.type = type,
                                                  .a = a,
                                                  .b = b,
                                                  .axis = {1, 0, 0},
                                                  .axle = {0, 1, 0},
                                                  .motorVelocity = vec(0, 0, 6),
                                                  .motorStrength = Real(0.4)});
            run(world, 1);  // 0.4 N m on 0.2 kg m^2
            EXPECT_NEAR(world.angularVelocity(b).z, 2, 0.01);
            EXPECT_NEAR(world.jointState(joint).torque.z, 0.4, 0.004);
            run(world, 3);
            EXPECT_NEAR(world.angularVelocity(b).z - (isFree ? world.angularVelocity(a).z : Real(0)), 6, 0.01);
            EXPECT_NEAR(world.jointState(joint).torque.z, 0, 0.01);
            // A load beyond its strength turns it back.
            for (int i = 0; i < int(rate()); ++i) {
                world.addTorque(b, vec(0, 0, -1));
                world.step(dt());
            }
            EXPECT_NEAR(world.angularVelocity(b).z, 6 - 3, 0.05);
        }
}

TEST_P(JointDrives, SpringsPullNoHarderThanTheirStrength) {
    World world(weightless());
    const BodyId b = world.addBody({.shape = Sphere{Real(0.5)}, .mass = Real(2)});
    const JointId joint = world.addJoint({.b = b,
                                          .axis = {1, 0, 0},
                                          .axle = {0, 1, 0},
                                          .springStiffness = 1000,
                                          .springDamping = 50,
                                          .springRotation = turnAbout(0, 1, 0, 2.5),
                                          .springStrength = Real(0.4)});
    run(world, 1);
    EXPECT_NEAR(world.angularVelocity(b).y, 2, 0.02);
    EXPECT_NEAR(world.jointState(joint).torque.y, 0.4, 0.004);
}

// However stiff or damped, nothing gains energy, turning about an arm and thrown about. Where the spring is so stiff that the
// rounding of an angle is worth joules, that is said of the motion alone.
TEST_P(JointDrives, AnyStiffnessIsStable) {
    for (const JointType type : {JointType::Ball, JointType::ConeTwist, JointType::SixDof})
        for (const double k : {1e-2, 1.0, 1e2, 1e4, 1e6, 1e9})
            for (const double d : {0.0, 1e-2, 10.0, 1e6}) {
                World world(weightless());
                JointDef def{
                    .type = type,
                    .a = world.addBody({.shape = Box{vec(0.2, 0.5, 0.1)}, .mass = Real(1)}),
                    .b = world.addBody({.shape = Box{vec(0.4, 0.1, 0.2)}, .position = vec(0.5, 0.6, 0), .mass = Real(3)}),
                    .anchor = vec(0.1, 0.5, 0),
                    .axis = {1, 0, 0},
                    .axle = {0, 1, 0}};
                if (type == JointType::SixDof) {
                    def.freeAxes = kLockRx | kLockRy | kLockRz;
                    def.drives = {{.axes = kLockRx | kLockRy | kLockRz, .stiffness = Real(k), .damping = Real(d)}};
                } else {
                    def.springStiffness = Real(k);
                    def.springDamping = Real(d);
                }
                world.addJoint(def);
                world.setAngularVelocity(def.b, vec(3, -5, 4));
                world.setAngularVelocity(def.a, vec(-2, 1, 6));
                const double before = energyOf(world);
                double worst = 0, fastest = 0;
                for (int i = 0; i < int(2 * rate()); ++i) {
                    world.step(dt());
                    worst = std::fmax(worst, energyOf(world) / before);
                    fastest = std::fmax(fastest, world.stats().kineticEnergy / before);
                }
                EXPECT_LT(fastest, 1.01) << int(type) << " k " << k << " d " << d;
                EXPECT_TRUE(worst < 1.01 || k > 1e4) << worst << " of " << int(type) << " k " << k << " d " << d;
            }
}

// Each direction has a spring of its own: a weight on three of them, and a turn about the third axis.
TEST_P(JointDrives, SixDofDirectionsAreDrivenByThemselves) {
    World world({.gravity = vec(1, -9.81, 2), .sleeping = false});
    const BodyId box = world.addBody({.shape = Box{vec(0.2, 0.2, 0.2)}, .mass = Real(2)});
    JointDef def{.type = JointType::SixDof, .b = box, .axis = {1, 0, 0}, .axle = {0, 1, 0}};
    def.freeAxes = 63;
    def.drives = {{.axes = kLockX, .stiffness = 50, .damping = 10, .rest = Real(0.5)},
                  {.axes = kLockY, .stiffness = 400, .damping = 20},
                  {.axes = kLockZ, .speed = Real(0.25), .strength = 100},
                  {.axes = kLockRx | kLockRy, .frequency = 3, .dampingRatio = 1},
                  {.axes = kLockRz, .stiffness = 5, .damping = 1, .rest = Real(0.7)}};
    const JointId joint = world.addJoint(def);
    run(world, 10);
    const Vec3 p = world.position(box);
    EXPECT_NEAR(p.x, 0.5 + 2.0 * 1 / 50, 1e-3);
    EXPECT_NEAR(p.y, -2 * 9.81 / 400, 1e-3);
    EXPECT_NEAR(world.velocity(box).z, 0.25, 1e-3);  // against a weight of 4 N
    EXPECT_NEAR(world.jointState(joint).angle, 0.7, 2e-3);
    EXPECT_NEAR(world.orientation(box).z, std::sin(0.35), 1e-3);
    EXPECT_NEAR(world.jointState(joint).force.z, -4, 0.05);
}

// A damper that seeks a speed drags with damping times what is missing.
TEST_P(JointDrives, DampersSeekTheirSpeed) {
    World world(weightless());
    const BodyId box = world.addBody({.shape = Sphere{Real(0.2)}, .mass = Real(2)});
    JointDef def{.type = JointType::SixDof, .b = box, .axis = {1, 0, 0}, .axle = {0, 1, 0}};
    def.freeAxes = 63;
    def.drives = {{.axes = kLockX, .damping = 4, .speed = 3}};
    world.addJoint(def);
    run(world, 0.5);
    EXPECT_NEAR(world.velocity(box).x, 3 * (1 - std::exp(-1.0)), 0.01);
}

// rad: how far the axis of B leans about the axle and the third axis of the joint, which are y and z here.
std::array<double, 2> swingOf(const Quat& q) {
    const double x = 1 - 2 * (double(q.y) * q.y + double(q.z) * q.z), y = 2 * (double(q.x) * q.y + double(q.w) * q.z),
                 z = 2 * (double(q.x) * q.z - double(q.w) * q.y), sine = std::hypot(y, z);
    const double angle = std::atan2(sine, x);
    return sine > 0 ? std::array{-angle * z / sine, angle * y / sine} : std::array{0.0, 0.0};
}

// Thrown in any direction, it swings to the oval and no farther; pushed there it stays.
TEST_P(JointDrives, SwingsUpToAnOvalCone) {
    for (const auto& [a, b] : {std::pair(0.9, 0.3), std::pair(0.25, 1.2), std::pair(0.6, 0.6)})
        for (int i = 0; i < 12; ++i) {
            const double phi = i * kPi / 6 + 0.1;
            World world(weightless());
            const BodyId arm = world.addBody(
                {.shape = Box{vec(0.4, 0.1, 0.1)}, .position = vec(0.4, 0, 0), .mass = Real(1), .angularDamping = 6});
            const JointId joint = world.addJoint({.type = JointType::ConeTwist,
                                                  .b = arm,
                                                  .axis = {1, 0, 0},
                                                  .axle = {0, 1, 0},
                                                  .limits = Interval{Real(-0.2), Real(0.2)},
                                                  .cone = Real(a),
                                                  .coneZ = Real(b)});
            double farthest = 0;
            for (int frame = 0; frame < int(6 * rate()); ++frame) {
                world.addTorque(arm, vec(0, 2 * std::cos(phi), 2 * std::sin(phi)));
                world.step(dt());
                const auto [sy, sz] = swingOf(world.jointState(joint).rotation);
                const double share = std::hypot(sy / a, sz / b), angle = std::hypot(sy, sz);
                if (share > 1)
                    farthest = std::fmax(farthest, angle * (1 - 1 / share));
            }
            EXPECT_LT(farthest, 0.1) << a << " " << b << " direction " << phi;
            const auto [sy, sz] = swingOf(world.jointState(joint).rotation);
            EXPECT_NEAR(std::hypot(sy / a, sz / b), 1, 0.03) << a << " " << b << " direction " << phi;
        }
}

TEST_P(JointDrives, OvalConesAddNoEnergy) {
    for (int i = 0; i < 8; ++i) {
        World world(weightless());
        const BodyId arm = world.addBody({.shape = Box{vec(0.4, 0.1, 0.1)}, .position = vec(0.4, 0, 0), .mass = Real(1)});
        world.addJoint({.type = JointType::ConeTwist,
                        .b = arm,
                        .axis = {1, 0, 0},
                        .axle = {0, 1, 0},
                        .cone = Real(1.4),
                        .coneZ = Real(0.4)});
        world.setAngularVelocity(arm, vec(2 - i, 5 * std::cos(i * 0.8), 5 * std::sin(i * 0.8)));
        run(world, 0.05);
        double last = world.stats().kineticEnergy;
        for (int frame = 0; frame < int(3 * rate()); ++frame) {
            world.step(dt());
            EXPECT_LT(world.stats().kineticEnergy, last * 1.002) << i;
            last = world.stats().kineticEnergy;
        }
    }
}

// A frame on each side: B is drawn to where the two coincide, and angles count from there.
TEST_P(JointDrives, FramesOfBothBodiesAreDrawnTogether) {
    World world(weightless());
    const BodyId door = world.addBody({.shape = Box{vec(0.5, 1, 0.05)}, .position = vec(0.5, 0, 0), .mass = Real(10)});
    const JointId hinge = world.addJoint({.type = JointType::Hinge,
                                          .b = door,
                                          .anchorB = Vec3(vec(0, 0, 0)),
                                          .axis = {0, 1, 0},
                                          .axle = {1, 0, 0},
                                          .axisB = vec(0.2, 1, 0.1),
                                          .axleB = vec(0, 0, 1)});
    run(world, 3);
    const JointState state = world.jointState(hinge);
    EXPECT_LT(state.angularError, 1e-3);
    EXPECT_LT(state.error, 1e-3);
    // Its z axis is the axle: a quarter turn about y takes x to -z.
    EXPECT_NEAR(state.angle, -kPi / 2, 0.15);
    JointDef limited = world.joint(hinge);
    limited.limits = Interval{Real(-0.5), Real(0.5)};
    world.changeJoint(hinge, limited);
    run(world, 3);
    EXPECT_NEAR(world.jointState(hinge).angle, -0.5, 0.02);
    EXPECT_EQ(world.joint(hinge).axisB, Vec3(vec(0.2, 1, 0.1)));
}

TEST_P(JointDrives, WheelsAreSteered) {
    World world(weightless());
    const BodyId wheel =
        world.addBody({.shape = Cylinder{Real(0.3), Real(0.1)}, .orientation = turnAbout(0, 0, 1, kPi / 2), .mass = Real(10)});
    JointDef def{.type = JointType::Wheel,
                 .b = wheel,
                 .axis = {0, 1, 0},
                 .axle = {1, 0, 0},
                 .springFrequency = 2,
                 .springDampingRatio = Real(0.7),
                 .motorSpeed = 5,
                 .motorStrength = 20};
    const JointId joint = world.addJoint(def);
    run(world, 1);
    EXPECT_NEAR(world.angularVelocity(wheel).x, 5, 0.01);
    world.setSteering(joint, Real(0.6));  // held there
    run(world, 2);
    EXPECT_NEAR(world.jointState(joint).steering, 0.6, 1e-3);
    // About +y, x turns towards -z.
    EXPECT_NEAR(world.angularVelocity(wheel).x, 5 * std::cos(0.6), 0.02);
    EXPECT_NEAR(world.angularVelocity(wheel).z, -5 * std::sin(0.6), 0.02);
    def.steeringFrequency = 3;
    def.steeringDampingRatio = 1;
    def.steering = Real(-0.5);
    def.steeringLimits = Interval{Real(-0.3), Real(0.3)};
    world.changeJoint(joint, def);
    run(world, 3);
    EXPECT_NEAR(world.jointState(joint).steering, -0.3, 0.01);
    EXPECT_LT(world.jointState(joint).error, 1e-3);
}

// The steering spring is an oscillator about the axis, and caps its torque.
TEST_P(JointDrives, SteeringSpringsFollowTheOscillator) {
    World world(weightless());
    const BodyId wheel = world.addBody({.shape = Sphere{Real(0.5)}, .mass = Real(2)});
    const JointId joint = world.addJoint({.type = JointType::Wheel,
                                          .b = wheel,
                                          .axis = {0, 1, 0},
                                          .axle = {1, 0, 0},
                                          .steering = Real(0.5),
                                          .steeringStiffness = 10,
                                          .steeringDamping = Real(0.3)});
    Oscillator expected{0.4 * 2 * 0.25, 10, 0.3, -0.5};
    for (int i = 0; i < int(rate()); ++i) {
        world.step(dt());
        expected.run(substepOf(dt()), double(dt()));
        EXPECT_NEAR(world.jointState(joint).steering, 0.5 + expected.angle, 2e-3);
    }
}

// A motor at the end of its strength moves what stands on the ground as it does in the air: a winch lifts, a wheel drives.
TEST_P(JointDrives, MotorsAtTheirStrengthMoveWhatStandsOnTheGround) {
    World world({.sleeping = false});
    world.addBody({.shape = Box{vec(50, 0.5, 50)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
    const BodyId load = world.addBody({.shape = Box{vec(0.4, 0.4, 0.4)}, .position = vec(5, 0.4, 0), .mass = Real(300)});
    const BodyId cart = world.addBody({.shape = Box{vec(0.3, 0.1, 0.3)}, .position = vec(-5, 0.5, 0), .mass = Real(80)});
    const BodyId wheel = world.addBody(
        {.shape = Sphere{Real(0.5)}, .position = vec(-5, 0.5, 0), .material = {.rollingFriction = Real(0)}, .mass = Real(20)});
    world.setLockedAxes(cart, kLockRx | kLockRy | kLockRz);
    JointDef hinge{.type = JointType::Hinge, .a = cart, .b = wheel, .anchor = vec(-5, 0.5, 0), .axis = {0, 0, 1}};
    const JointId motor = world.addJoint(hinge);
    run(world, 0.5);
    world.addJoint({.type = JointType::Distance,
                    .b = load,
                    .anchor = vec(5, 6, 0),
                    .anchorB = vec(5, 0.8, 0),
                    .motorSpeed = -50,
                    .motorStrength = 4000});
    hinge.motorSpeed = -1000;
    hinge.motorStrength = 50;
    world.changeJoint(motor, hinge);
    run(world, 0.5);
    EXPECT_NEAR(world.velocity(load).y, (4000 / 300.0 - 9.81) * 0.5, 0.05);
    // M N m on the wheel: a (m + I / r^2) = M / r, with 100 kg and I = 0.4 m r^2.
    EXPECT_NEAR(world.velocity(cart).x, 100.0 / 108 * 0.5, 0.02);
}

// Eleven capsules whose springs keep their pose, standing free in the air and hung up by the pelvis.
TEST_P(JointDrives, PoweredRagdollsHoldTheirPose) {
    for (const bool hangs : {false, true}) {
        scenes::JointScene scene{WorldDef{.sleeping = false}};
        scenes::addRagdoll(scene, vec(0, 3, 0), turnAbout(1, 0, 0, 0.9), {.springFrequency = 30, .turnFrequency = 30});
        if (hangs)
            scene.world.addJoint(
                {.type = JointType::Fixed, .b = scene.bodies[0], .anchor = scene.world.position(scene.bodies[0])});
        for (const JointId id : scene.joints)
            if (scene.world.joint(id).type == JointType::ConeTwist)
                scene.world.setSpringRotation(id, turnAbout(0, 1, 0, 0.25));
        for (int i = 0; i < int(2 * rate()); ++i) {
            scene.world.step(dt());
            if (!hangs && i == int(0.7 * rate()))
                break;  // before it lands nowhere
        }
        double worst = 0;
        for (const JointId id : scene.joints)
            if (scene.world.joint(id).type == JointType::ConeTwist)
                worst = std::fmax(worst, offTarget(scene.world, id));
        EXPECT_LT(worst, hangs ? 0.2 : 0.05) << hangs;
        EXPECT_LT(scene.worstError(), 0.003);
    }
}

TEST(JointDriveDefinitions, NameWhatIsWrong) {
    const auto problemsOf = [](const JointDef& def) {
        std::string all;
        for (const std::string& problem : validate(def))
            all += problem + "\n";
        return all;
    };
    JointDef six{.type = JointType::SixDof};
    six.drives = {
        {.axes = 0, .stiffness = 1}, {.axes = kLockX, .stiffness = 1}, {.axes = kLockX, .strength = 1}, {.axes = kLockY}};
    const std::string drives = problemsOf(six);
    EXPECT_NE(drives.find("drives[0].axes"), std::string::npos);
    EXPECT_NE(drives.find("drives[2].axes"), std::string::npos);
    EXPECT_NE(drives.find("drives[3].strength"), std::string::npos);
    six.drives = {{.axes = 200, .stiffness = -1}};
    EXPECT_NE(problemsOf(six).find("drives[0].stiffness: -1"), std::string::npos);
    EXPECT_NE(problemsOf({.type = JointType::Ball, .springRest = 1}).find("spring_rest"), std::string::npos);
    EXPECT_NE(problemsOf({.type = JointType::Hinge, .springRotation = {1, 0, 0, 0}}).find("spring_rotation"),
              std::string::npos);
    EXPECT_NE(problemsOf({.type = JointType::Hinge, .motorVelocity = {1, 0, 0}}).find("motor_velocity"), std::string::npos);
    EXPECT_NE(problemsOf({.type = JointType::Ball, .motorStrength = 1, .friction = 1}).find("friction"), std::string::npos);
    EXPECT_NE(problemsOf({.type = JointType::ConeTwist, .coneZ = Real(0.3)}).find("cone_z"), std::string::npos);
    EXPECT_NE(problemsOf({.type = JointType::Hinge, .steering = Real(0.3)}).find("steering"), std::string::npos);
    EXPECT_NE(problemsOf({.type = JointType::Hinge, .axisB = Vec3{}}).find("axis_b"), std::string::npos);
    EXPECT_NE(problemsOf({.type = JointType::Hinge, .axleB = Vec3{0, 2, 0}}).find("axle_b"), std::string::npos);
    World world;
    const JointId hinge = world.addJoint({.type = JointType::Hinge, .b = world.addBody({})});
    EXPECT_THROW(world.setSpringRotation(hinge, {1, 0, 0, 0}), Error);
    EXPECT_THROW(world.setSteering(hinge, 1), Error);
}

}  // namespace
}  // namespace sunder
