// Heaps of anything come to rest and fall asleep, and then tell of no contacts. `sunder_bars --only heaps` tries larger ones.
#include "scenes/heaps.h"

#include <gtest/gtest.h>

namespace sunder {
namespace {

using scenes::HeapKindName;

constexpr double kMost = 14;  // s: some four of falling, and ten after that

class Heaps : public ::testing::TestWithParam<HeapKindName> {};

// Of six heaps one may hold a body that is jammed between others and turns in its place for ever: two of all 42 do.
constexpr int kMostJammed = 1;

TEST_P(Heaps, FallAsleep) {
    int awake = 0;
    std::string which;
    for (const double rate : {30, 60})
        for (const int seed : {1, 2, 3}) {
            scenes::Heap heap = scenes::heap({}, GetParam().kind, 60, std::uint64_t(seed));
            if (scenes::timeToRest(heap, rate, kMost) >= kMost) {
                ++awake;
                which += " " + std::to_string(int(rate)) + " Hz seed " + std::to_string(seed);
                continue;
            }
            for (int i = 0; i < 10; ++i) {
                heap.world.step(Real(1 / rate));
                EXPECT_TRUE(heap.world.contactEvents().empty());
            }
        }
    EXPECT_LE(awake, kMostJammed) << which;
}

INSTANTIATE_TEST_SUITE_P(Of, Heaps, ::testing::ValuesIn(scenes::kHeapKinds),
                         [](const ::testing::TestParamInfo<HeapKindName>& named) { return std::string(named.param.name); });

// A ball, a capsule and a cylinder that roll, and a ball that spins in its place, all come to rest on a floor; with a material
// that says 0 they roll on.
TEST(RoundThings, ComeToRestUnlessTheirMaterialSaysOtherwise) {
    for (const bool isPerfect : {false, true})
        for (const Shape& shape :
             {Shape{Sphere{Real(0.1)}}, Shape{Capsule{Real(0.1), Real(0.2)}}, Shape{Cylinder{Real(0.1), Real(0.2)}}}) {
            World world({.sleeping = false});
            world.addBody(
                {.shape = Box{scenes::vec(20, 0.5, 20)}, .motion = Motion::Static, .position = scenes::vec(0, -0.5, 0)});
            // Capsules and cylinders lie along z.
            BodyDef body{
                .shape = shape, .position = scenes::vec(0, 0.1, 0), .orientation = scenes::turnAbout(1, 0, 0, scenes::kPi / 2)};
            body.velocity = scenes::vec(0.5, 0, 0);
            body.angularVelocity = scenes::vec(0, 0, -5);
            if (isPerfect)
                body.material.rollingFriction = body.material.spinningFriction = Real(0);
            const BodyId id = world.addBody(body);
            for (int i = 0; i < 600; ++i)
                world.step(Real(1) / 60);
            const double speed = double(world.velocity(id).x);
            if (isPerfect)
                EXPECT_NEAR(speed, 0.5, 0.01);
            else
                EXPECT_NEAR(speed, 0, 1e-3);
        }
}

// The deceleration of a rolling ball whose material says nothing: c g / (1 + 2/5) with c a hundredth.
TEST(RoundThings, SlowDownByAHundredthOfTheirWeight) {
    for (const double rate : {30.0, 60.0, 240.0})
        for (const double radius : {0.02, 0.1, 1.0}) {
            World world({.sleeping = false});
            world.addBody(
                {.shape = Box{scenes::vec(50, 0.5, 50)}, .motion = Motion::Static, .position = scenes::vec(0, -0.5, 0)});
            BodyDef ball{.shape = Sphere{Real(radius)}, .position = scenes::vec(0, radius, 0)};
            ball.velocity = scenes::vec(2, 0, 0);
            ball.angularVelocity = scenes::vec(0, 0, -2 / radius);
            const BodyId id = world.addBody(ball);
            const int steps = int(4 * rate);
            for (int i = 0; i < steps; ++i)
                world.step(Real(1 / rate));
            const double expected = 2 - 0.01 * scenes::kGravity / 1.4 * 4;
            EXPECT_NEAR(double(world.velocity(id).x), expected, 0.02 * (2 - expected)) << rate << " Hz, " << radius << " m";
        }
}

}  // namespace
}  // namespace sunder
