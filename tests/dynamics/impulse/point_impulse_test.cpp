// The impulse with friction at one point against the closed forms of [GBF03].
#include "dynamics/impulse/point_impulse.h"

#include <gtest/gtest.h>

#include "support/random_points.h"

namespace sunder::dynamics {
namespace {

struct Hit {
    SolverBody a, b;
    ImpulseSite site;
};

Hit randomHit(testing::RandomPoints& random) {
    Hit hit;
    for (SolverBody* body : {&hit.a, &hit.b}) {
        const Real inverseMass = random.between(0.2, 2);
        body->inverseMass = {inverseMass, inverseMass, inverseMass};
        body->inverseInertia =
            rotateDiagonal(toMatrix(random.rotation()), {random.between(1, 3), random.between(1, 3), random.between(1, 3)});
        body->velocity = random.inBox(3);
        body->angularVelocity = random.inBox(3);
    }
    hit.site.N = random.onSphere();
    hit.site.armA = random.inBox(1);
    hit.site.armB = random.inBox(1);
    hit.site.K = pointResponse(hit.a, hit.site.armA, hit.b, hit.site.armB);
    return hit;
}

Vec3 relative(const Hit& hit) { return velocityAt(hit.a, hit.site.armA) - velocityAt(hit.b, hit.site.armB); }

// A unit impulse along each axis changes u by the columns of K: its definition.
TEST(PointImpulse, ResponseIsTheVelocityChangeOfAUnitImpulse) {
    testing::RandomPoints random(1);
    for (int i = 0; i < 100; ++i) {
        const Hit hit = randomHit(random);
        const Vec3 j = random.onSphere();
        Hit pushed = hit;
        applyImpulse(pushed.a, j, hit.site.armA);
        applyImpulse(pushed.b, -j, hit.site.armB);
        const Vec3 change = relative(pushed) - relative(hit);
        EXPECT_LT(length(change - hit.site.K * j), 2e-5 * (1 + length(change)));  // rounding of float
    }
}

TEST(PointImpulse, StickingStopsTheSlipAndSlidingObeysThePrintedFormula) {
    testing::RandomPoints random(2);
    const Real e = Real(0.6), mu = Real(0.4);
    int sticking = 0, sliding = 0;
    for (int i = 0; i < 2000; ++i) {
        Hit hit = randomHit(random);
        const Vec3 u = relative(hit);
        const Real un = dot(u, hit.site.N);
        if (un > Real(-0.1))
            continue;
        hit.site.goal = -e * un;
        const Vec3 slip = u - hit.site.N * un;
        const Vec3 stick = solve(hit.site.K, hit.site.N * (-e * un) - u);
        const Real jn = dot(stick, hit.site.N);
        const bool sticks = jn > 0 && length(stick - hit.site.N * jn) <= mu * jn;
        const Vec3 T = slip / length(slip);
        const Real denominator = dot(hit.site.N, hit.site.K * (hit.site.N - T * mu));
        solvePoint(hit.site, mu, {}, hit.a, hit.b);
        if (sticks) {
            ++sticking;
            EXPECT_LT(length(relative(hit) - hit.site.N * (-e * un)), 1e-4 * (1 + length(u)));
            continue;
        }
        if (denominator < Real(0.2) * dot(hit.site.N, hit.site.K * hit.site.N))
            continue;  // near jamming the formula has no useful solution
        ++sliding;
        const Real slidingImpulse = -(1 + e) * un / denominator;
        EXPECT_LT(length(hit.site.impulse - (hit.site.N - T * mu) * slidingImpulse), 1e-4 * (1 + slidingImpulse));
        EXPECT_NEAR(dot(relative(hit), hit.site.N), -e * un, 1e-4 * (1 + length(u)));
    }
    EXPECT_GT(sticking, 50);
    EXPECT_GT(sliding, 300);
}

TEST(PointImpulse, NothingPullsAndAPushGivenTooEarlyIsTakenBack) {
    testing::RandomPoints random(3);
    for (int i = 0; i < 200; ++i) {
        Hit hit = randomHit(random);
        const Vec3 u = relative(hit);
        if (dot(u, hit.site.N) < 0)
            hit.site.N = -hit.site.N;  // parting
        const SolverBody before = hit.a;
        solvePoint(hit.site, Real(0.5), {}, hit.a, hit.b);
        EXPECT_TRUE(hit.site.impulse == Vec3{});
        EXPECT_TRUE(hit.a.velocity == before.velocity);
        hit.site.impulse = hit.site.N * Real(0.01);  // small: it must all go
        solvePoint(hit.site, 0, {}, hit.a, hit.b);
        EXPECT_GE(dot(hit.site.impulse, hit.site.N), 0);
        EXPECT_LT(dot(hit.site.impulse, hit.site.N), Real(0.01));
    }
}

// A body with locked axes has a singular response; friction along the locked axis must stay within the cone and finite.
TEST(PointImpulse, LockedAxesStayFinite) {
    Hit hit;
    hit.a.inverseMass = {1, 1, 0};
    hit.a.velocity = {1, -2, 0};
    hit.b.velocity = {0, 0, 3};  // a moving floor under the locked axis
    hit.site.N = {0, 1, 0};
    hit.site.K = pointResponse(hit.a, {}, hit.b, {});
    solvePoint(hit.site, Real(0.5), {}, hit.a, hit.b);
    EXPECT_TRUE(isFinite(hit.a.velocity));
    EXPECT_NEAR(hit.a.velocity.y, 0, 1e-4);
    EXPECT_EQ(hit.a.velocity.z, 0);
    EXPECT_LE(length(hit.site.impulse - hit.site.N * dot(hit.site.impulse, hit.site.N)),
              Real(0.5) * dot(hit.site.impulse, hit.site.N) * Real(1.0001));
}

}  // namespace
}  // namespace sunder::dynamics
