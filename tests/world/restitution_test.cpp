// Impacts: what bounces, how high, and what comes to rest. At 30 and at 60 Hz.
#include <gtest/gtest.h>

#include <algorithm>

#include "scenes/parts.h"
#include "support/at_rates.h"

namespace sunder {
namespace {

using scenes::vec;

class Restitution : public AtRate {};
INSTANTIATE_TEST_SUITE_P(Rates, Restitution, ::testing::Values(30.0, 60.0));

constexpr double kRadius = 0.25;

struct Drop {
    World world;
    BodyId ball;
    double height() const { return double(world.position(ball).y) - kRadius; }  // of the ball's lowest point
};

Drop drop(double height, double restitution) {
    Drop result{World(), {}};
    const Material material{.restitution = Real(restitution)};
    result.world.addBody(
        {.shape = Box{vec(20, 0.5, 20)}, .motion = Motion::Static, .position = vec(0, -0.5, 0), .material = material});
    result.ball =
        result.world.addBody({.shape = Sphere{Real(kRadius)}, .position = vec(0, height + kRadius, 0), .material = material});
    return result;
}

// The top of the parabola through three samples at equal times; 0 where the ball does not come up again.
double reboundHeight(Drop& scene, Real dt, double seconds) {
    std::vector<double> heights;
    for (double time = 0; time < seconds; time += double(dt)) {
        scene.world.step(dt);
        heights.push_back(scene.height());
    }
    const auto lowest = std::min_element(heights.begin(), heights.end());
    // The first dip: after it heights rise up to the apex.
    auto at = heights.begin();
    while (at + 1 != heights.end() && *(at + 1) <= *at)
        ++at;
    if (at + 1 == heights.end())
        return *lowest;
    while (at + 1 != heights.end() && *(at + 1) > *at)
        ++at;
    if (at == heights.begin() || at + 1 == heights.end())
        return *at;
    const double before = *(at - 1), top = *at, after = *(at + 1), bend = before - 2 * top + after;
    return bend < 0 ? top - (after - before) * (after - before) / (8 * bend) : top;
}

// Fact 5, to 1e-3 of the drop.
TEST_P(Restitution, PerfectBallReturnsToItsHeight) {
    for (const double height : {1.0, 2.37, 3.0}) {
        Drop scene = drop(height, 1);
        EXPECT_NEAR(reboundHeight(scene, dt(), 2.2), height, height * 1e-3) << "from " << height << " m";
    }
}

// Fact 6: to .05 of the drop.
TEST_P(Restitution, ReboundsToTheSquareOfRestitution) {
    for (const double height : {3.0, 2.71, 3.17})
        for (const double e : {0.3, 0.5, 0.8, 0.95}) {
            Drop scene = drop(height, e);
            EXPECT_NEAR(reboundHeight(scene, dt(), 2.2), e * e * height, 0.05 * height)
                << "e " << e << " from " << height << " m";
        }
}

TEST_P(Restitution, NoReboundWithoutRestitution) {
    for (const double height : {3.0, 2.71, 3.17}) {
        Drop scene = drop(height, 0);
        EXPECT_LT(reboundHeight(scene, dt(), 2.2), 0.02 * height) << "from " << height << " m";
    }
}

// Fact 7: v1' = ((m1 - m2) v1 + 2 m2 v2) / (m1 + m2), and so on; here also for e = 0.5, by the general formula.
TEST_P(Restitution, HeadOnBallsByTheCollisionFormula) {
    const double m1 = 1, m2 = 2, v1 = 3, v2 = -1;
    for (const double e : {1.0, 0.5, 0.0}) {
        World world({.gravity = {}});
        const Material material{.restitution = Real(e)};
        const BodyId a = world.addBody({.shape = Sphere{},
                                        .position = vec(-1.03, 0, 0),
                                        .velocity = vec(v1, 0, 0),
                                        .material = material,
                                        .mass = Real(m1)});
        const BodyId b = world.addBody({.shape = Sphere{},
                                        .position = vec(1.03, 0, 0),
                                        .velocity = vec(v2, 0, 0),
                                        .material = material,
                                        .mass = Real(m2)});
        for (int i = 0; i < int(rate()); ++i)
            world.step(dt());
        const double common = (m1 * v1 + m2 * v2) / (m1 + m2);
        EXPECT_NEAR(world.velocity(a).x, common - e * (v1 - v2) * m2 / (m1 + m2), 1e-3 * (v1 - v2)) << "e " << e;
        EXPECT_NEAR(world.velocity(b).x, common + e * (v1 - v2) * m1 / (m1 + m2), 1e-3 * (v1 - v2)) << "e " << e;
        EXPECT_NEAR(world.velocity(a).y, 0, 1e-4);
        EXPECT_NEAR(world.velocity(a).z, 0, 1e-4);
    }
}

// Fact 8.
TEST_P(Restitution, BallComesToRestOnTheSurface) {
    Drop scene = drop(1, 0);
    for (int i = 0; i < int(2 * rate()); ++i)
        scene.world.step(dt());
    for (int i = 0; i < int(rate()); ++i) {
        scene.world.step(dt());
        const Vec3 v = scene.world.velocity(scene.ball);
        EXPECT_LT(std::sqrt(double(v.x) * v.x + double(v.y) * v.y + double(v.z) * v.z), 1e-3);
        EXPECT_NEAR(scene.height(), 0, 1e-3);
    }
}

// The larger restitution of the two counts.
TEST_P(Restitution, ContactUsesTheLargerRestitution) {
    World world;
    world.addBody({.shape = Box{vec(20, 0.5, 20)},
                   .motion = Motion::Static,
                   .position = vec(0, -0.5, 0),
                   .material = {.restitution = Real(0.8)}});
    const BodyId ball = world.addBody({.shape = Sphere{Real(kRadius)}, .position = vec(0, 1 + kRadius, 0)});
    double fastest = 0;
    for (int i = 0; i < int(rate()); ++i) {
        world.step(dt());
        fastest = std::max(fastest, double(world.velocity(ball).y));
    }
    // Sampled at the end of a step, up to g dt after the impact.
    const double exact = 0.8 * std::sqrt(2 * scenes::kGravity * 1);
    EXPECT_LT(fastest, exact * 1.03);
    EXPECT_GT(fastest, exact * 0.97 - scenes::kGravity / rate());
}

}  // namespace
}  // namespace sunder
