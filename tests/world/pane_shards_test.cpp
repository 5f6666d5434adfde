// The shards of a pane, which are far thinner than they go in a step, come to lie on each other and not in each other.
#include <gtest/gtest.h>

#include "sunder/world.h"

namespace sunder {
namespace {

struct End {
    int shards = 0;
    double deepest = 0;  // m
};

struct Hit {
    Real x = 0, y = 0;  // m: where the ball comes, beside the middle of the pane, and above the ground
};

End breakPane(Real thickness, Hit hit, Real speed) {
    constexpr Real kRate = 30;
    World world;
    Material stone, glass, iron;
    stone.friction = iron.friction = glass.friction = Real(0.5);
    glass.density = 2500;
    glass.fractureImpulse = 2000 * thickness;
    iron.density = 7800;
    world.addBody(
        {.shape = Box{{200, Real(0.5), 200}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}, .material = stone});
    FractureDef fracture;
    fracture.method = Prescored{.pattern = buildPattern({.kind = RadialPattern{}})};
    world.addBody({.shape = Box{{Real(0.5), Real(0.5), thickness / 2}},
                   .position = {0, Real(0.501), 0},
                   .material = glass,
                   .fracture = fracture});
    const BodyId ball = world.addBody(
        {.shape = Sphere{Real(0.04)}, .position = {hit.x, hit.y, Real(0.5)}, .velocity = {0, 0, -speed}, .material = iron});
    for (int i = 0; i < int(10 * kRate); ++i) {
        world.step(1 / kRate);
        if (i == int(kRate))
            world.removeBody(ball);  // it would roll on for ever
    }
    const WorldStats stats = world.stats();
    return {stats.pieces, stats.maxPenetration};
}

// By less than a cell of the grid of the thicker (6.7 mm) but for one, and none by two: docs/level-sets.md has 56 panes, of
// which the worst has 9.4 mm. Without collideTangled 5 of these 16 lay up to 42 mm in the ground, pushed by others that they
// crossed.
TEST(PaneShards, LieOnEachOther) {
    constexpr double kCell = 0.0067;
    int sunk = 0;
    for (const Real thickness : {Real(0.005), Real(0.01)})
        for (const Hit hit : {Hit{Real(0.1), Real(0.6)}, Hit{Real(-0.2), Real(0.3)}})
            for (const Real speed : {Real(3), Real(10), Real(25), Real(40)}) {
                const End end = breakPane(thickness, hit, speed);
                EXPECT_GT(end.shards, 20) << thickness << " m at " << hit.x << ", " << speed << " m/s";
                EXPECT_LT(end.deepest, 2 * kCell) << thickness << " m at " << hit.x << ", " << speed << " m/s";
                sunk += end.deepest > kCell;
            }
    EXPECT_LE(sunk, 1);
}

}  // namespace
}  // namespace sunder
