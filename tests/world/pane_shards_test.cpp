// The shards of a pane, which are far thinner than they go in a step, come to lie on each other and not in each other.
#include <gtest/gtest.h>

#include "sunder/world.h"

namespace sunder {
namespace {

struct End {
    int shards = 0;
    double deepest = 0;  // m
};

End breakPane(Real rate, Real speed) {
    World world;
    Material stone, glass, iron;
    stone.friction = iron.friction = glass.friction = Real(0.5);
    glass.density = 2500;
    glass.fractureImpulse = 20;
    iron.density = 7800;
    world.addBody(
        {.shape = Box{{200, Real(0.5), 200}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}, .material = stone});
    FractureDef fracture;
    fracture.method = Prescored{.pattern = buildPattern({.kind = RadialPattern{}})};
    world.addBody({.shape = Box{{Real(0.5), Real(0.5), Real(0.005)}},
                   .position = {0, Real(0.501), 0},
                   .material = glass,
                   .fracture = fracture});
    const BodyId ball = world.addBody({.shape = Sphere{Real(0.04)},
                                       .position = {Real(0.1), Real(0.6), Real(0.5)},
                                       .velocity = {0, 0, -speed},
                                       .material = iron});
    for (int i = 0; i < int(10 * rate); ++i) {
        world.step(1 / rate);
        if (i == int(rate))
            world.removeBody(ball);  // it would roll on for ever
    }
    const WorldStats stats = world.stats();
    return {stats.pieces, stats.maxPenetration};
}

// By less than a cell of their grid (6.7 mm). Without collideTangled they lay up to 58 mm in the ground, pushed by others that
// they crossed.
TEST(PaneShards, LieOnEachOther) {
    for (const Real rate : {30, 60})
        for (const Real speed : {3, 10, 25}) {
            const End end = breakPane(rate, speed);
            EXPECT_GT(end.shards, 20) << rate << " Hz, " << speed << " m/s";
            EXPECT_LT(end.deepest, 0.0067) << rate << " Hz, " << speed << " m/s";
        }
}

}  // namespace
}  // namespace sunder
