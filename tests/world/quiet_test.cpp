// Pairs that are passed over, against the test that they are spared.
#include "world/pair/quiet.h"

#include <gtest/gtest.h>

#include "collision/built_shape.h"
#include "support/level_sets.h"
#include "support/random_points.h"
#include "world/pair/pair_search.h"

namespace sunder::world {
namespace {

constexpr Real kStep = Real(1) / 30, kCell = Real(0.01);
const Vec3 kGravity{0, Real(-9.81), 0};

struct Mover {
    Body body;
    Travel travel;
    Flight flight;
    Real speed = 0;

    Mover(const SharedShape& shape, testing::RandomPoints& random) {
        body.motion = Motion::Dynamic;
        body.shape = shape;
        body.center = WorldPoint{} + random.inBox(Real(0.3));
        body.orientation = random.rotation();
        const Real slow = random.between(0, 1);
        speed = slow * slow * slow;
    }
    void move(testing::RandomPoints& random, std::uint64_t stamp) {
        body.center = body.center + body.velocity * kStep;
        body.orientation = quatFromRotationVector(body.angularVelocity * kStep) * body.orientation;
        body.velocity = random.onSphere() * speed;
        body.angularVelocity = random.onSphere() * (5 * speed);
        flight = flightOf(body, kGravity, kStep);
        travel.follow(flight, stamp, kStep);
    }
};

// A shortcut must not be seen: what it passes over, the full test leaves as it is.
TEST(Quiet, WhatIsPassedOverWouldHaveBeenLeftAsItIs) {
    testing::RandomPoints random(11);
    const SharedShape shapes[] = {buildShape(testing::levelSetOf(Box{{Real(0.1), Real(0.02), Real(0.06)}}, double(kCell))),
                                  buildShape(testing::levelSetOf(Sphere{Real(0.06)}, double(kCell)))};
    int quiet = 0, far = 0, loud = 0;
    for (int i = 0; i < 600; ++i) {
        Mover a(shapes[i % 2], random), b(shapes[i / 2 % 2], random);
        a.move(random, 1);
        b.move(random, 1);
        SeenPair seen;
        Recycling(a.flight, b.flight).remember(seen);
        seen.reach = Real(0.01);
        seen.distance = random.between(0, 0.1);
        const bool ofBalls = i % 3 == 0;
        if (ofBalls)
            beFar(a.flight, b.flight, a.travel, b.travel, seen);
        else
            beQuiet(a.flight, b.flight, a.travel, b.travel, seen.distance, seen);
        for (std::uint64_t stamp = 2; stamp < 30; ++stamp) {
            a.move(random, stamp);
            b.move(random, stamp);
            if (!isQuiet(a.travel, b.travel, seen, stamp, kStep)) {
                ++loud;
                continue;
            }
            if (areFar(a.flight, b.flight, mostReach(a.flight, b.flight, kStep))) {
                ++far;
                continue;
            }
            ASSERT_FALSE(ofBalls);
            ++quiet;
            const Reach reach = reachOf(a.flight, b.flight, kStep);
            EXPECT_FALSE(isFarPair(a.flight, b.flight, kStep));
            EXPECT_TRUE(mayKeep(a.flight, b.flight, reach, kStep, Recycling(a.flight, b.flight), seen, {}));
        }
    }
    EXPECT_GT(quiet, 300);
    EXPECT_GT(far, 500);
    EXPECT_GT(loud, 500);
}

// Another body in the slot of one that is gone, or one that slept, has no flight of this step.
TEST(Quiet, NotWithoutAFlightOfThisStep) {
    testing::RandomPoints random(3);
    const SharedShape shape = buildShape(testing::levelSetOf(Sphere{Real(0.06)}, double(kCell)));
    Mover a(shape, random), b(shape, random);
    a.speed = b.speed = 0;
    a.move(random, 1);
    b.move(random, 1);
    SeenPair seen;
    seen.reach = 0;
    EXPECT_FALSE(isQuiet(a.travel, b.travel, seen, 1, kStep));
    beQuiet(a.flight, b.flight, a.travel, b.travel, 1, seen);
    EXPECT_TRUE(isQuiet(a.travel, b.travel, seen, 1, kStep));
    EXPECT_FALSE(isQuiet(a.travel, b.travel, seen, 2, kStep));
}

}  // namespace
}  // namespace sunder::world
