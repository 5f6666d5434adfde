// What spins fast, or is set spinning by a blow, lands on whichever corners come down within the step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sunder/world.h"
#include "support/random_points.h"

namespace sunder {
namespace {

// m: how far the lowest corner of a box is above the ground.
double lowest(const World& world, BodyId box, const Vec3& half) {
    const Quat q = world.orientation(box);
    const double x = 2 * (double(q.x) * q.y + double(q.z) * q.w), y = 1 - 2 * (double(q.x) * q.x + double(q.z) * q.z),
                 z = 2 * (double(q.y) * q.z - double(q.x) * q.w);
    return double(world.position(box).y) - double(half.x) * std::fabs(x) - double(half.y) * std::fabs(y) -
           double(half.z) * std::fabs(z);
}

// m: how deep a box that falls 1 m and spins gets into the ground.
double sinks(const Vec3& half, Real rate, Real spin, testing::RandomPoints& random) {
    World world;
    world.addBody({.shape = Box{{200, Real(0.5), 200}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
    const BodyId box = world.addBody({.shape = Box{half},
                                      .position = {0, 1, 0},
                                      .orientation = random.rotation(),
                                      .velocity = random.inBox(2),
                                      .angularVelocity = random.onSphere() * spin});
    double deepest = 0;
    for (int i = 0; i < int(2 * rate); ++i) {
        world.step(1 / rate);
        deepest = std::max(deepest, -lowest(world, box, half));
    }
    return deepest;
}

// Half extents of a cube, a brick, a plank, a card and a rod, 1800 throws. Where only the corners counted that were near at the
// moment of the search, 66 sank in by more than half their thickness, and .79 mm in the mean; now 11, and .25 mm.
TEST(TurnedContacts, WhatSpinsDoesNotSinkIn) {
    const Vec3 shapes[] = {{Real(0.05), Real(0.05), Real(0.05)},
                           {Real(0.1), Real(0.05), Real(0.03)},
                           {Real(0.25), Real(0.05), Real(0.01)},
                           {Real(0.1), Real(0.07), Real(0.002)},
                           {Real(0.2), Real(0.004), Real(0.004)}};
    constexpr int kThrows = 20;
    int runs = 0, sunk = 0;
    double sum = 0;
    for (const std::uint64_t seed : {1, 2, 3})
        for (const Vec3& half : shapes) {
            testing::RandomPoints random(seed);
            for (const Real rate : {Real(30), Real(60)})
                for (const Real spin : {Real(5), Real(15), Real(40)})
                    for (int i = 0; i < kThrows; ++i) {
                        const double depth = sinks(half, rate, spin, random);
                        ++runs;
                        sunk += depth > double(half.z);
                        sum += depth;
                    }
        }
    EXPECT_LE(sunk, runs / 60);
    EXPECT_LT(sum / runs, 0.0004);
}

}  // namespace
}  // namespace sunder
