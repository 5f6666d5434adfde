// The facts that all bounds on motion rest on, against the motion of points of turning bodies.
#include "world/pair/motion_bounds.h"

#include <gtest/gtest.h>

#include "support/random_points.h"

namespace sunder::world {
namespace {

// The chord is a shortcut for the angle: never less than it, and near it where it is small.
TEST(MotionBounds, NoPointMovesFartherThanTheAngleTimesItsRadius) {
    testing::RandomPoints random(3);
    for (int i = 0; i < 1000; ++i) {
        const Real angle = random.between(0, Real(3.14));
        const Quat p = quatFromRotationVector(random.onSphere() * random.between(0, 3));
        Quat q = quatFromRotationVector(random.onSphere() * angle) * p;
        if (i % 2)  // the same orientation
            q = {-q.x, -q.y, -q.z, -q.w};
        const Vec3 point = random.onSphere();
        EXPECT_GE(dynamics::angleBetween(p, q), angle * Real(0.999));
        EXPECT_GE(dynamics::angleBetween(p, q) + Real(1e-6), length(rotate(q, point) - rotate(p, point)));
        if (angle < Real(0.5)) {
            EXPECT_NEAR(dynamics::smallAngleBetween(p, q), angle, angle * angle * angle / 90 + Real(2e-6));
        }
    }
}

TEST(MotionBounds, NoPointIsFasterThanTheFastest) {
    testing::RandomPoints random(4);
    for (int i = 0; i < 1000; ++i) {
        const Vec3 velocity = random.onSphere() * random.between(0, 5), spin = random.onSphere() * random.between(0, 9);
        const Real radius = random.between(0, 2);
        const Vec3 point = random.onSphere() * radius;
        EXPECT_LE(length(velocity + cross(spin, point)),
                  dynamics::fastestPoint(velocity, spin, radius) * Real(1.00001) + Real(1e-6));
    }
}

// One blow at time s: the way is straight, a corner where the blow fell, and straight again.
TEST(MotionBounds, ABentWayHasItsBendWhereABlowFell) {
    const Real dt = Real(1) / 30, s = dt / 4;
    const Vec3 before{10, 0, 0}, after{-2, 5, 0}, blow = before * s, end = blow + after * (dt - s);
    const BentWay way = bentWay(before, after, end, dt);
    EXPECT_NEAR(way.time, s, 1e-6);
    EXPECT_NEAR(length(way.bend - blow), 0, 1e-5);
    EXPECT_NEAR(length(way.afterBend - blow), 0, 1e-5);
    EXPECT_NEAR(lengthOf(way, end), length(blow) + length(end - blow), 1e-5);
}

}  // namespace
}  // namespace sunder::world
