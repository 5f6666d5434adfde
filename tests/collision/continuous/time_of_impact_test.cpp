// Times of impact against brute force: the separation of the shapes at many times, by the narrow phase.
#include "collision/continuous/time_of_impact.h"

#include <gtest/gtest.h>

#include "collision/continuous/advancement.h"
#include "collision/narrow_phase/collide.h"
#include "collision/narrow_phase/core/gjk.h"
#include "collision/shapes_for_tests.h"
#include "math/trigonometry.h"
#include "support/mesh_builder.h"

namespace sunder::collision {
namespace {

using testing::RandomPoints;
using Status = TimeOfImpact::Status;

Pose poseAt(const MovingShape& moving, Real time) {
    const Quat turn = quatFromRotationVector(moving.angularVelocity * time);
    const Vec3 arm = moving.pose.position - moving.center;
    return {moving.center + moving.velocity * time + rotate(turn, arm), turn * moving.pose.orientation};
}

// Smallest separation of the surfaces; `far` where they are further apart.
Real separationAt(const MovingShape& a, const MovingShape& b, Real time, Real far) {
    ManifoldList manifolds;
    collide(a.shape, poseAt(a, time), b.shape, poseAt(b, time), far, manifolds);
    Real least = far;
    for (const ContactManifold& manifold : manifolds)
        for (int i = 0; i < manifold.count; ++i)
            least = min(least, manifold.points[i].separation);
    return least;
}

MovingShape randomMotion(RandomPoints& random, const BuiltShape& shape, const Vec3& position, const Vec3& velocity) {
    // One number after the other: compilers choose the order of operands, and the shapes would differ between machines.
    const Vec3 center = position + random.inBox(0.3);
    const Quat orientation = random.rotation();
    const Real spin = random.between(0, 12);
    return {shape, {position, orientation}, center, velocity, random.inBox(1) * spin};
}

// Never later than the first touch seen by the samples, and near when it says they meet.
void expectAgreesWithSamples(const MovingShape& a, const MovingShape& b, Real separation, Real tolerance,
                             const std::string& what, int& meets) {
    constexpr int kSamples = 400;
    constexpr Real kRounding = Real(2e-5);  // of float coordinates of a few metres, turned twice
    const TimeOfImpact impact = findTimeOfImpact(a, b, 1, separation, tolerance);
    const Real end = impact.status == Status::Apart ? Real(1) : impact.time;
    for (int i = 0; i <= kSamples; ++i) {
        const Real time = Real(i) / kSamples;
        if (time >= end && impact.status != Status::Apart)
            break;
        ASSERT_GT(separationAt(a, b, time, 1), separation - kRounding) << what << " missed at " << time << ", said " << end;
    }
    if (impact.status == Status::Apart)
        return;
    ++meets;
    ASSERT_LE(separationAt(a, b, impact.time, 1), separation + tolerance + kRounding) << what << " at " << impact.time;
    if (impact.status == Status::Meets) {
        ASSERT_NEAR(length(impact.normal), 1, 1e-5);
        ASSERT_NEAR(dot(impact.onB - impact.onA, impact.normal), length(impact.onB - impact.onA), kRounding);
    }
}

TEST(TimeOfImpact, AgreesWithSamplesForConvexPairs) {
    RandomPoints random(11);
    int meets = 0, pairs = 0;
    for (const ShapeType typeA : testing::kConvexTypes)
        for (const ShapeType typeB : testing::kConvexTypes)
            for (int i = 0; i < 16; ++i) {
                const SharedShape a = testing::randomShape(random, typeA, 0.02, 0.5);
                const SharedShape b = testing::randomShape(random, typeB, 0.02, 0.5);
                const Vec3 start = random.onSphere() * 3;
                const Real share = random.between(1, 2);
                const Vec3 way = (random.inBox(0.7) - start) * share;
                const MovingShape movingA = randomMotion(random, *a, {}, random.inBox(0.5));
                const MovingShape movingB = randomMotion(random, *b, start, way);
                const std::string what =
                    std::string(testing::nameOf(typeA)) + " " + testing::nameOf(typeB) + " " + std::to_string(i);
                expectAgreesWithSamples(movingA, movingB, Real(0.01), Real(1e-3), what, meets);
                ++pairs;
            }
    EXPECT_GT(meets, pairs / 5) << "too few pairs meet for the test to say much";
    EXPECT_LT(meets, 4 * pairs / 5);
}

TEST(TimeOfImpact, AgreesWithSamplesForCompounds) {
    RandomPoints random(12);
    int meets = 0;
    for (int i = 0; i < 40; ++i) {
        const SharedShape a = testing::randomCompound(random), b = testing::randomCompound(random);
        const Vec3 start = random.onSphere() * 3;
        const MovingShape movingA = randomMotion(random, *a, {}, random.inBox(0.5));
        const MovingShape movingB = randomMotion(random, *b, start, (random.inBox(0.7) - start) * 2);
        expectAgreesWithSamples(movingA, movingB, Real(0.01), Real(1e-3), std::to_string(i), meets);
    }
    EXPECT_GT(meets, 8);
}

TEST(TimeOfImpact, AgreesWithSamplesForMeshes) {
    RandomPoints random(13);
    const SharedShape mesh = buildShape(testing::gridMesh(12, 4, [](Real x, Real z) { return Real(0.2) * (x * x - z); }));
    int meets = 0;
    for (int i = 0; i < 60; ++i) {
        const SharedShape b = testing::randomShape(random, testing::kConvexTypes[i % 5], 0.02, 0.4);
        const Vec3 start = Vec3{0, 3, 0} + random.inBox(1.2);
        const MovingShape ground{*mesh, {}, {}, random.inBox(0.3), random.inBox(i % 2)};
        const MovingShape falling = randomMotion(random, *b, start, Vec3{0, -4, 0} + random.inBox(2));
        expectAgreesWithSamples(ground, falling, Real(0.01), Real(1e-3), std::to_string(i), meets);
        const TimeOfImpact there = findTimeOfImpact(ground, falling, 1, Real(0.01), Real(1e-3));
        const TimeOfImpact back = findTimeOfImpact(falling, ground, 1, Real(0.01), Real(1e-3));
        ASSERT_EQ(there.status, back.status);
        ASSERT_NEAR(there.time, back.time, 1e-4);
    }
    EXPECT_GT(meets, 20);
}

// A ball of diameter 0.1 at 200 m/s flies 6.7 m in a thirtieth of a second; the wall is 0.05 thick: t = gap / speed.
TEST(TimeOfImpact, FastBallMeetsThinWall) {
    const SharedShape ball = buildShape(Sphere{Real(0.05)}), wall = buildShape(Box{{Real(0.025), 2, 2}});
    for (int i = 0; i < 16; ++i) {
        const Real gap = Real(0.4) * Real(i) + Real(0.01);
        const MovingShape a{
            *ball, {{-gap - Real(0.075), Real(0.1), 0}, {}}, {-gap - Real(0.075), Real(0.1), 0}, {200, 0, 0}, {}};
        const TimeOfImpact impact = findTimeOfImpact(a, {*wall, {}, {}, {}, {}}, Real(1) / 30, 0, Real(1e-5));
        ASSERT_EQ(impact.status, Status::Meets) << i;
        EXPECT_NEAR(impact.time, gap / 200, 1e-6);
        EXPECT_NEAR(impact.normal.x, 1, 1e-6);
    }
}

// A blade of 2 m and 5 cm turns by 2 rad within the step; the near face reaches a post of radius rho, at distance r and angle
// phi, when r sin(phi - w t) = half width + rho.
TEST(TimeOfImpact, SpinningBladeMeetsPost) {
    const Real halfWidth = Real(0.025), rho = Real(0.01), r = Real(0.8), rate = 60;
    const SharedShape blade = buildShape(Box{{1, halfWidth, halfWidth}});
    const SharedShape post = buildShape(Capsule{rho, Real(0.5)});
    const Quat alongZ{std::sqrt(Real(0.5)), 0, 0, std::sqrt(Real(0.5))};
    for (int i = 0; i < 16; ++i) {
        const Real phi = Real(0.2) + Real(0.1) * Real(i);
        const SinCos at = sinCos(phi);
        const MovingShape turning{*blade, {}, {}, {}, {0, 0, rate}};
        const MovingShape standing{*post, {{r * at.cos, r * at.sin, 0}, alongZ}, {}, {}, {}};
        const TimeOfImpact impact = findTimeOfImpact(turning, standing, Real(1) / 30, 0, Real(1e-5));
        ASSERT_EQ(impact.status, Status::Meets) << i;
        const double expected = (phi - std::asin((double(halfWidth) + rho) / r)) / rate;
        EXPECT_NEAR(impact.time, expected, 1e-6) << i;
    }
    // Beyond the blade's tips nothing is met.
    const MovingShape beyond{*post, {{Real(1.02), 0, 0}, alongZ}, {}, {}, {}};
    EXPECT_EQ(findTimeOfImpact({*blade, {}, {}, {}, {0, 0, rate}}, beyond, Real(1) / 30, 0, Real(1e-5)).status, Status::Apart);
}

// A ball that fits through a gap passes it, however fast: clearance 1 mm on each side.
TEST(TimeOfImpact, BallThroughGapMeetsNothing) {
    const SharedShape ball = buildShape(Sphere{Real(0.05)}), wall = buildShape(Box{{Real(0.025), 1, 1}});
    const MovingShape a{*ball, {{-3, 0, 0}, {}}, {-3, 0, 0}, {200, 0, 0}, {0, 0, 50}};
    for (const int side : {-1, 1}) {
        const MovingShape b{*wall, {{0, Real(side) * Real(1.051), 0}, {}}, {}, {}, {}};
        EXPECT_EQ(findTimeOfImpact(a, b, Real(1) / 30, 0, Real(1e-4)).status, Status::Apart);
    }
}

// A search that may pause never says more than one that may not: nothing happens before the time at which it paused, where it
// did not pause it found the same, and gone on with until it does not pause it ends at the same meeting.
TEST(TimeOfImpact, PausedSearchesGoOnToTheSameMeeting) {
    constexpr Real kTolerance = Real(1e-4);
    RandomPoints random(31);
    const SharedShape shapes[] = {
        buildShape(Box{{Real(0.3), Real(0.2), Real(0.4)}}), buildShape(Capsule{Real(0.2), Real(0.3)}),
        buildShape(Compound{{{Box{{Real(0.4), Real(0.1), Real(0.1)}}, {}}, {Sphere{Real(0.2)}, {0, Real(0.3), 0}}}})};
    int paused = 0, meets = 0;
    for (int i = 0; i < 300; ++i) {
        const MovingShape a = randomMotion(random, *shapes[i % 3], {}, {});
        const MovingShape b = randomMotion(random, *shapes[i / 3 % 3], {Real(1.5), 0, 0}, {random.between(-3, 0), 0, 0});
        const TimeOfImpact whole = findTimeOfImpact(a, b, 1, 0, kTolerance);
        const Real end = whole.status == Status::Apart ? Real(1) : whole.time;
        for (Real pause = 0; pause < 2; pause += Real(0.05)) {
            const TimeOfImpact found = findTimeOfImpact(a, b, 1, 0, kTolerance, pause);
            if (found.status == Status::Paused) {
                ++paused;
                ASSERT_GT(found.time, pause) << i;
                ASSERT_LE(found.time, end + Real(1e-4)) << i << " paused at " << pause;
            } else {
                ASSERT_EQ(found.status, whole.status) << i << " paused at " << pause;
                ASSERT_EQ(found.time, whole.time) << i << " paused at " << pause;
            }
        }
        meets += whole.status == Status::Meets;
    }
    EXPECT_GT(paused, 100);
    EXPECT_GT(meets, 100);
}

TEST(TimeOfImpact, TellsTouchingFromMeeting) {
    const SharedShape box = buildShape(Box{{Real(0.5), Real(0.5), Real(0.5)}});
    const MovingShape a{*box, {}, {}, {}, {}};
    const auto at = [&](Real x, Real speed) { return MovingShape{*box, {{x, 0, 0}, {}}, {x, 0, 0}, {speed, 0, 0}, {}}; };
    EXPECT_EQ(findTimeOfImpact(a, at(Real(0.9), 0), 1, 0, Real(1e-4)).status, Status::Touching);
    EXPECT_EQ(findTimeOfImpact(a, at(Real(1.005), 5), 1, Real(0.01), Real(1e-4)).status, Status::Touching);
    EXPECT_EQ(findTimeOfImpact(a, at(2, 1), 1, 0, Real(1e-4)).status, Status::Apart);
    EXPECT_EQ(findTimeOfImpact(a, at(2, -2), Real(0.4), 0, Real(1e-4)).status, Status::Apart);
    const TimeOfImpact impact = findTimeOfImpact(a, at(2, -2), 1, 0, Real(1e-4));
    EXPECT_EQ(impact.status, Status::Meets);
    EXPECT_NEAR(impact.time, Real(0.5), 1e-4);
}

// A spin about its own axis does not bring a shaft nearer: a drill 1 mm from a wall at 10,000 rad/s.
TEST(TimeOfImpact, SpinAboutTheOwnAxisIsFree) {
    const SharedShape drill = buildShape(Cylinder{Real(0.05), 1}), wall = buildShape(Box{{1, Real(0.1), 1}});
    const MovingShape a{*drill, {{0, Real(1.101), 0}, {}}, {0, Real(1.101), 0}, {}, {0, 10000, 0}};
    EXPECT_EQ(findTimeOfImpact(a, {*wall, {}, {}, {}, {}}, Real(1) / 30, 0, Real(1e-4)).status, Status::Apart);
}

// The price: without turning the search is Newton's method on a convex function; with it the bound on the closing speed is
// loose, and still a few dozen looks at most.
TEST(TimeOfImpact, TakesFewLooks) {
    RandomPoints random(14);
    int most = 0, mostTurning = 0;
    long total = 0, totalTurning = 0;
    constexpr int kPairs = 2000;
    for (int i = 0; i < kPairs; ++i) {
        const SharedShape a = testing::randomShape(random, testing::kConvexTypes[i % 5], 0.02, 0.5);
        const SharedShape b = testing::randomShape(random, testing::kConvexTypes[i / 5 % 5], 0.02, 0.5);
        const ConvexCore coreA(*a), coreB(*b);
        const Vec3 start = random.onSphere() * 3;
        const Vec3d velocity = toDouble((random.inBox(0.7) - start) * 2);
        const Placement placeA = toPlacement({{}, random.rotation()}), placeB = toPlacement({start, random.rotation()});
        const Vec3d spinA = toDouble(random.inBox(6)), spinB = toDouble(random.inBox(6));
        const int looks =
            findMeeting({coreA, placeA, {}, {}, {}}, {coreB, placeB, toDouble(start), velocity, {}}, 1, 0, 1e-4).looks;
        const int turning = findMeeting(withExtent({coreA, placeA, {}, {}, spinA}),
                                        withExtent({coreB, placeB, toDouble(start), velocity, spinB}), 1, 0, 1e-4)
                                .looks;
        most = std::max(most, looks);
        mostTurning = std::max(mostTurning, turning);
        total += looks;
        totalTurning += turning;
    }
    EXPECT_LE(most, 20);
    EXPECT_LE(mostTurning, 60);  // the search gives up after 64
    EXPECT_LT(double(total) / kPairs, 4);
    EXPECT_LT(double(totalTurning) / kPairs, 6);
    RecordProperty("looks", most);
    RecordProperty("looksTurning", mostTurning);
}

// A direction to start from saves looks and changes nothing else, whether it parts the two or is any other one.
TEST(TimeOfImpact, AKnownAxisLeadsToTheSameMeeting) {
    RandomPoints random(15);
    constexpr double kTolerance = 1e-4;
    int same = 0;
    long looks = 0, looksFromAxis = 0;
    for (int i = 0; i < 2000; ++i) {
        const SharedShape a = testing::randomShape(random, testing::kConvexTypes[i % 5], 0.02, 0.5);
        const SharedShape b = testing::randomShape(random, testing::kConvexTypes[i / 5 % 5], 0.02, 0.5);
        const ConvexCore coreA(*a), coreB(*b);
        const Vec3 start = random.onSphere() * 2;
        const Placement placeA = toPlacement({{}, random.rotation()}), placeB = toPlacement({start, random.rotation()});
        const Vec3d velocity = toDouble((random.inBox(0.7) - start) * 2);
        const Vec3d spinA = toDouble(random.inBox(6)), spinB = toDouble(random.inBox(6));
        const CoreMotion motionA = withExtent({coreA, placeA, {}, {}, spinA});
        const CoreMotion motionB = withExtent({coreB, placeB, toDouble(start), velocity, spinB});
        const Meeting found = findMeeting(motionA, motionB, 1, 0, kTolerance);
        Vec3d parting = toDouble(normalizeOr(start, {1, 0, 0})), any = toDouble(random.onSphere());
        looks += found.looks;
        for (Vec3d* axis : {&parting, &any}) {
            const Meeting again = findMeeting(motionA, motionB, 1, 0, kTolerance, double(kInfinity), axis);
            if (found.status == Meeting::Status::Meets && again.status == Meeting::Status::Meets) {
                EXPECT_NEAR(again.time, found.time, 0.05) << i;  // s: grazing bodies are near each other for so long
            }
            looksFromAxis += axis == &parting ? again.looks : 0;
            same += found.status == again.status;
        }
    }
    EXPECT_GT(same, 3990);  // of 4000: two that pass within the tolerance of each other may meet or not
    EXPECT_LT(looksFromAxis, looks);
}

// A ball and a triangle need no search for their closest points. What they have in its place must meet when the search says so.
TEST(TimeOfImpact, BallsMeetTrianglesAsOtherShapesDo) {
    RandomPoints random(7);
    constexpr double kRadius = 0.2, kTolerance = 1e-4;
    const SharedShape ball = buildShape(Sphere{Real(kRadius)});
    int met = 0;
    for (int i = 0; i < 500; ++i) {
        const Vec3 corners[3] = {random.inBox(1), random.inBox(1), random.inBox(1)};
        const ConvexCore triangle(corners), core(*ball);
        Placement start;
        start.origin = toDouble(random.inBox(2));
        const CoreMotion still{triangle, {}, {}, {}, {}};
        const CoreMotion moving =
            withExtent({core, start, start.origin, -start.origin * 2 + toDouble(random.inBox(1)), toDouble(random.inBox(20))});
        const auto gapAt = [&](double time) {
            Placement placed;
            placed.origin = start.origin + moving.velocity * time;
            const ClosestPoints closest = findClosestPoints({triangle, {}}, {core, placed}, 100);
            return (closest.status == ClosestPoints::Status::Apart ? closest.distance : 0) - core.rounding;
        };
        const Meeting meeting = findMeeting(still, moving, 1, 0, kTolerance),
                      turned = findMeeting(moving, still, 1, 0, kTolerance);
        EXPECT_EQ(meeting.status, turned.status);
        EXPECT_NEAR(meeting.time, turned.time, 1e-9);
        const bool isApart = meeting.status == Meeting::Status::Apart;
        for (double time = 0; time < (isApart ? 1 : meeting.time); time += 0.01)
            ASSERT_GT(gapAt(time), 0) << i;
        if (meeting.status != Meeting::Status::Meets)
            continue;
        ++met;
        EXPECT_LT(gapAt(meeting.time), 2 * kTolerance) << i;
        EXPECT_NEAR(length(meeting.onB - meeting.onA), gapAt(meeting.time), 1e-9);
        EXPECT_GT(dot(meeting.normal, start.origin + moving.velocity * meeting.time - meeting.onA), 0);
        EXPECT_LT(length(meeting.onA - turned.onB), 1e-9);
    }
    EXPECT_GT(met, 50);
}

}  // namespace
}  // namespace sunder::collision
