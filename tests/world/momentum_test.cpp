// Without outer forces momentum stays; contact never makes energy.
#include <gtest/gtest.h>

#include <algorithm>

#include "scenes/free_space.h"
#include "scenes/mechanics.h"
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
