// Bodies that land with an edge or an end first, at one look per frame. They rock onto what lies beside the first contact
// within the step, and the points found there must stop them.
#include <gtest/gtest.h>

#include <algorithm>

#include "scenes/parts.h"

namespace sunder {
namespace {

using scenes::vec;

constexpr double kRate = 30;
constexpr double kDegree = scenes::kPi / 180;

// How far the lowest point of an upright cylinder, turned, lies below y = 0.
double depthOfCylinder(const World& world, BodyId id, double radius, double halfHeight) {
    const Quat q = world.orientation(id);
    const double axisY = 1 - 2 * (double(q.x) * q.x + double(q.z) * q.z);
    return halfHeight * std::abs(axisY) + radius * std::sqrt(std::max(0.0, 1 - axisY * axisY)) - world.position(id).y;
}

// The deepest overlap of all steps of one second, over drops from many heights: where in a step they land is chance.
double deepestLanding(double degrees) {
    constexpr double kRadius = 0.2, kHalfHeight = 0.18;
    double deepest = 0;
    for (int i = 0; i < 16; ++i) {
        World world;
        world.addBody({.shape = Box{vec(5, 0.5, 5)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
        const BodyId id = world.addBody({.shape = Cylinder{Real(kRadius), Real(kHalfHeight)},
                                         .position = vec(0, 1 + 0.05 * i, 0),
                                         .orientation = scenes::turnAbout(0, 0, 1, degrees * kDegree)});
        for (int step = 0; step < int(kRate); ++step) {
            world.step(Real(1 / kRate));
            deepest = std::max(deepest, depthOfCylinder(world, id, kRadius, kHalfHeight));
        }
    }
    return deepest;
}

TEST(Landing, CylinderOnItsRimDoesNotSinkIn) {
    // Without points beside the rim: 110, 67 and 65 mm. A drop of 1.75 m moves 190 mm in the last step.
    for (const double degrees : {10.0, 20.0, 30.0})
        EXPECT_LT(deepestLanding(degrees), 0.012) << degrees << " degrees";
}

struct Line {
    Vec3 middle, half;
};

Line lineOf(const World& world, BodyId id, double halfHeight) {
    const Quat q = world.orientation(id);
    return {world.position(id), vec(halfHeight * 2 * (double(q.x) * q.y - double(q.w) * q.z),
                                    halfHeight * (1 - 2 * (double(q.x) * q.x + double(q.z) * q.z)),
                                    halfHeight * 2 * (double(q.y) * q.z + double(q.w) * q.x))};
}

double distance(const Line& a, const Line& b) {
    double least = 1e300;
    constexpr int kSamples = 60;
    for (int i = -kSamples; i <= kSamples; ++i)
        for (int j = -kSamples; j <= kSamples; ++j) {
            const double s = double(i) / kSamples, t = double(j) / kSamples;
            const double x = a.middle.x + s * a.half.x - b.middle.x - t * b.half.x;
            const double y = a.middle.y + s * a.half.y - b.middle.y - t * b.half.y;
            const double z = a.middle.z + s * a.half.z - b.middle.z - t * b.half.z;
            least = std::min(least, x * x + y * y + z * z);
        }
    return std::sqrt(least);
}

TEST(Landing, CapsuleOnCapsuleDoesNotSinkIn) {
    constexpr double kRadius = 0.15, kHalfHeight = 0.25;
    const Quat lying = scenes::turnAbout(0, 0, 1, 90 * kDegree), tilted = scenes::turnAbout(0, 0, 1, 65 * kDegree);
    double deepest = 0;
    for (int i = 0; i < 16; ++i) {
        World world;
        const BodyId fixed =
            world.addBody({.shape = Capsule{Real(kRadius), Real(kHalfHeight)}, .motion = Motion::Static, .orientation = lying});
        const BodyId id = world.addBody({.shape = Capsule{Real(kRadius), Real(kHalfHeight)},
                                         .position = vec(0.02, 1 + 0.05 * i, 0.01),
                                         .orientation = tilted});
        for (int step = 0; step < int(kRate); ++step) {
            world.step(Real(1 / kRate));
            deepest =
                std::max(deepest, 2 * kRadius - distance(lineOf(world, fixed, kHalfHeight), lineOf(world, id, kHalfHeight)));
        }
    }
    // With the one point of the end that touches first: 115 mm.
    EXPECT_LT(deepest, 0.012);
}

// Boxes that touch fall together at 5.2 m/s, and nothing bounces: their centre of mass should not go up again. One pass per
// substep leaves a part of a blow that runs through the stack, up to 0.92 m/s here; a fifth of the speed is allowed. Where
// blows were carried on, each substep twice as much, it was half of the speed.
TEST(Landing, StackThatFellStaysDown) {
    for (const int count : {2, 4, 6, 8}) {
        World world;
        world.addBody({.shape = Box{{5, Real(0.5), 5}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
        std::vector<BodyId> boxes;
        for (int i = 0; i < count; ++i)
            boxes.push_back(world.addBody(
                {.shape = Box{{Real(0.3), Real(0.1), Real(0.3)}}, .position = {0, Real(1.55) + Real(0.2) * Real(i), 0}}));
        double fastest = 0;
        for (int i = 0; i < 30; ++i) {
            world.step(Real(1) / 30);
            double sum = 0;
            for (const BodyId box : boxes)
                sum += double(world.velocity(box).y);
            fastest = std::max(fastest, sum / count);
        }
        EXPECT_LT(fastest, 0.2 * 5.2) << count << " boxes";
    }
}

}  // namespace
}  // namespace sunder
