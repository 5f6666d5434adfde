// Without outer forces momentum stays; contact never makes energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "scenes/free_space.h"
#include "scenes/mechanics.h"
#include "scenes/parts.h"
#include "scenes/piles.h"

namespace sunder {
namespace {

using scenes::Mechanics;
using scenes::mechanicsOf;

// Fact 16: of the sum of the bodies' magnitudes, linear to 1e-5 and angular to 1e-4.
TEST(Momentum, StaysWhenClustersCollide) {
    for (const double rate : {30.0, 60.0})
        for (const double restitution : {0.0, 0.5}) {
            SCOPED_TRACE(::testing::Message() << rate << " Hz, e " << restitution);
            scenes::BoxScene scene = scenes::collidingClusters({}, 3, {.restitution = Real(restitution)});
            const Mechanics start = mechanicsOf(scene);
            double rise = 0, last = start.kinetic;
            for (int i = 0; i < int(4 * rate); ++i) {
                scene.world.step(Real(1 / rate));
                const double now = mechanicsOf(scene).kinetic;
                rise = std::max(rise, now - last);
                last = now;
            }
            const Mechanics end = mechanicsOf(scene);
            EXPECT_LT(length(end.linear - start.linear), 1e-5 * start.linearSum);
            EXPECT_LT(length(end.angular - start.angular), 1e-4 * start.angularSum);
            EXPECT_LT(rise, 1e-5 * start.kinetic);  // rounding of 54 bodies' float velocities
            EXPECT_LT(end.kinetic, 0.9 * start.kinetic) << "they did not collide";
        }
}

struct Impact {
    Shape target = Box{};
    bool breaks = false;
    double speed = 0, rate = 0;
    std::uint64_t seed = 0;
};

struct MomentumError {
    double linear = 0, angular = 0;  // as shares of what the ball brings
};

// A ball strikes a free body off its centre; both may spin.
MomentumError errorOf(const Impact& impact) {
    core::Random random(impact.seed);
    const auto between = [&](double low, double high) { return random.between(low, high); };
    World world({.gravity = {}});
    const Material material{.density = Real(between(300, 8000)), .restitution = Real(0.4) * Real(impact.seed % 3)};
    BodyDef target{.shape = impact.target, .material = {.restitution = material.restitution}};
    const double distance = between(1.5, 4), y = between(-0.4, 0.4), z = between(-0.4, 0.4);
    BodyDef ball{.shape = Sphere{Real(between(0.1, 0.4))},
                 .position = scenes::vec(-distance, y, z),
                 .velocity = scenes::vec(impact.speed, 0, 0),
                 .material = material};
    if (impact.seed % 2 == 1) {
        target.angularVelocity = scenes::vec(between(-3, 3), between(-3, 3), between(-3, 3));
        ball.angularVelocity = scenes::vec(between(-20, 20), between(-20, 20), between(-20, 20));
    }
    if (impact.breaks) {
        static const SharedPattern pattern = buildPattern({.nodes = 65});
        target.fracture = FractureDef{.method = Prescored{.pattern = pattern}, .threshold = 1, .cell = Real(0.1)};
    }
    world.addBody(target);
    const double brought = double(world.mass(world.addBody(ball))) * impact.speed;
    const WorldStats before = world.stats();
    for (int i = 0; i < int(impact.rate * distance / impact.speed) + 4; ++i)
        world.step(Real(1 / impact.rate));
    const WorldStats after = world.stats();
    const auto difference = [](const double(&a)[3], const double(&b)[3]) {
        return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
    };
    return {difference(before.linearMomentum, after.linearMomentum) / brought,
            difference(before.angularMomentum, after.angularMomentum) / (brought * std::max(0.1, std::sqrt(y * y + z * z)))};
}

Shape randomHull() {
    core::Random random(5);
    Hull hull;
    for (int i = 0; i < 16; ++i) {
        const Vec3 p = scenes::vec(random.unit() - 0.5, random.unit() - 0.5, random.unit() - 0.5);
        const double size = std::sqrt(double(p.x * p.x + p.y * p.y + p.z * p.z));
        hull.points.push_back(scenes::vec(0.6 * double(p.x) / size, 0.5 * double(p.y) / size, 0.8 * double(p.z) / size));
    }
    return hull;
}

// The two go on from the place where they met, whichever way the blow was found.
TEST(Momentum, StaysAtFastImpacts) {
    const Shape levelSet = LevelSet{.parts = {{Box{scenes::vec(0.5, 0.4, 0.6)}}}, .cell = Real(0.1)};
    for (const Shape& shape : {Shape(Box{scenes::vec(0.5, 0.3, 0.8)}), randomHull(), levelSet})
        for (const double speed : {10.0, 30.0, 100.0, 200.0, 300.0})
            for (const double rate : {30.0, 60.0, 120.0})
                for (std::uint64_t seed = 0; seed < 8; ++seed) {
                    const MomentumError error = errorOf({shape, false, speed, rate, seed});
                    EXPECT_LT(error.linear, 1e-5) << shape.index() << " " << speed << " " << rate << " " << seed;
                    EXPECT_LT(error.angular, 1e-4) << shape.index() << " " << speed << " " << rate << " " << seed;
                }
}

// Pieces spin fast, and break again within the step.
TEST(Momentum, StaysAtFastImpactsThatBreak) {
    for (const double speed : {30.0, 300.0})
        for (const double rate : {30.0, 120.0})
            for (std::uint64_t seed = 0; seed < 3; ++seed) {
                const MomentumError error = errorOf({Box{scenes::vec(0.5, 0.3, 0.6)}, true, speed, rate, seed});
                EXPECT_LT(error.linear, 1e-5) << speed << " " << rate << " " << seed;
                EXPECT_LT(error.angular, 1e-4) << speed << " " << rate << " " << seed;
            }
}

TEST(Momentum, StatsAgreeWithPosesAndVelocities) {
    scenes::BoxScene scene = scenes::boxPile({}, 3, 2.2);
    for (int i = 0; i < 20; ++i)
        scene.world.step(Real(1) / 30);
    const Mechanics own = mechanicsOf(scene);
    const WorldStats stats = scene.world.stats();
    EXPECT_NEAR(stats.kineticEnergy, own.kinetic, 1e-4 * own.kinetic);
    EXPECT_NEAR(stats.potentialEnergy, own.potential, 1e-5 * own.potential);
    const double linear[3] = {own.linear.x, own.linear.y, own.linear.z},
                 angular[3] = {own.angular.x, own.angular.y, own.angular.z};
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(stats.linearMomentum[i], linear[i], 1e-5 * own.linearSum);
        EXPECT_NEAR(stats.angularMomentum[i], angular[i], 1e-5 * own.angularSum);
    }
    EXPECT_EQ(stats.step, 20u);
    EXPECT_NEAR(stats.time, 20.0 / 30, 1e-6);
    EXPECT_EQ(stats.bodies, 27 + 5);
    EXPECT_EQ(stats.awake, 27);
    EXPECT_GT(stats.contacts, 0);
    EXPECT_GE(stats.passesPerContact, 1);
}

// Total energy of a pile, heights from the floor: never above its start, and no step raises it, by more than 1e-4.
TEST(Energy, OfAPileNeverRises) {
    for (const double restitution : {0.0, 0.9})
        for (const double rate : {15.0, 30.0}) {
            SCOPED_TRACE(::testing::Message() << rate << " Hz, e " << restitution);
            scenes::BoxScene scene = scenes::boxPile({}, 5, 3.5, {.friction = 1, .restitution = Real(restitution)});
            const double start = mechanicsOf(scene).energy();
            double last = start, highest = 0, rise = 0;
            for (int i = 0; i < int(4 * rate); ++i) {
                scene.world.step(Real(1 / rate));
                const double now = mechanicsOf(scene).energy();
                highest = std::max(highest, now);
                rise = std::max(rise, now - last);
                last = now;
            }
            EXPECT_LT(highest, start * (1 + 1e-4));
            EXPECT_LT(rise, start * 1e-4);
        }
}

TEST(Energy, OfThinPlatesNeverRises) {
    for (const double rate : {15.0, 30.0}) {
        SCOPED_TRACE(rate);
        scenes::BoxScene scene = scenes::platePile({}, 3, 4, {.friction = 1, .restitution = Real(0.9)});
        const double start = mechanicsOf(scene).energy();
        double last = start, rise = 0;
        for (int i = 0; i < int(5 * rate); ++i) {
            scene.world.step(Real(1 / rate));
            const double now = mechanicsOf(scene).energy();
            rise = std::max(rise, now - last);
            last = now;
        }
        EXPECT_LT(rise, start * 1e-4);
    }
}

}  // namespace
}  // namespace sunder
