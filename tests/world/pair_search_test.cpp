// How far two bodies look for each other in a step.
#include "world/pair/pair_search.h"

#include <gtest/gtest.h>

#include "collision/built_shape.h"
#include "support/level_sets.h"
#include "support/random_points.h"

namespace sunder::world {
namespace {

constexpr Real kStep = Real(1) / 30, kCell = Real(0.01);
const Vec3 kGravity{0, Real(-9.81), 0};

Body bodyOf(const SharedShape& shape, const Vec3& velocity) {
    Body body;
    body.motion = Motion::Dynamic;
    body.shape = shape;
    body.velocity = velocity;
    return body;
}

// Pieces at rest do not go where they would fall: they look for what touches them, a third of a cell, or for a quarter of a
// step's fall, and not for the 5.5 mm of the whole, which in rubble is full of others. What falls looks as far as it comes.
TEST(PairSearch, PiecesAtRestLookHardlyFartherThanTheyTouch) {
    const SharedShape shape = buildShape(testing::levelSetOf(Sphere{Real(0.1)}, double(kCell)));
    const Real fall = Real(0.5) * length(kGravity) * kStep * kStep;
    const Body still = bodyOf(shape, {}), falling = bodyOf(shape, {0, -2, 0});
    const Flight a = flightOf(still, kGravity, kStep), b = flightOf(falling, kGravity, kStep);
    EXPECT_LE(reachOf(a, a, kStep).reach, max(Real(0.3) * kCell, Real(0.26) * fall));
    EXPECT_GE(reachOf(a, b, kStep).reach, 2 * kStep + fall);
}

// Whoever is told apart by the quick bound would be by the reach itself.
TEST(PairSearch, QuickBoundIsNoLessThanTheReach) {
    testing::RandomPoints random(7);
    const SharedShape shapes[] = {buildShape(testing::levelSetOf(Box{{Real(0.1), Real(0.02), Real(0.06)}}, double(kCell))),
                                  buildShape(Sphere{Real(0.3)})};
    for (int i = 0; i < 400; ++i) {
        Body bodies[2];
        for (int k = 0; k < 2; ++k) {
            bodies[k] = bodyOf(shapes[(i >> k) % 2], random.onSphere() * random.between(0, 5));
            bodies[k].angularVelocity = random.onSphere() * random.between(0, 20);
            bodies[k].center = WorldPoint{} + random.onSphere();
        }
        const Flight a = flightOf(bodies[0], kGravity, kStep), b = flightOf(bodies[1], kGravity, kStep);
        EXPECT_GE(mostReach(a, b, kStep), reachOf(a, b, kStep).reach * (1 - 4 * kEpsilon)) << i;
    }
}

}  // namespace
}  // namespace sunder::world
