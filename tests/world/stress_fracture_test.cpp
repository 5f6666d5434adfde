// Bodies that crack by stress: when, into what, and the same at every rate, number of threads and after a restore.
#include <gtest/gtest.h>

#include <cmath>

#include "sunder/world.h"

namespace sunder {
namespace {

Material stone() {
    Material material;
    material.density = 2400;
    material.young = Real(3e10);
    material.poisson = Real(0.2);
    material.strength = Real(3e6);
    material.toughness = 60;
    return material;
}

Material steel() {
    Material material;
    material.density = 7800;
    material.young = Real(2e11);
    material.poisson = Real(0.3);
    return material;
}

FractureDef byStress(int elements = 4000) {
    FractureDef fracture;
    Stressed method;
    method.elements = elements;
    fracture.method = method;
    return fracture;
}

// A slab on two rails, and a ball that falls onto its middle from a height.
struct Slab {
    World world;
    BodyId slab, ball;

    explicit Slab(Real height, int threads = 1, const FractureDef& fracture = byStress()) : world(settings(threads)) {
        for (const Real x : {Real(-0.45), Real(0.45)})
            world.addBody({.shape = Box{{Real(0.05), Real(0.1), Real(0.3)}},
                           .motion = Motion::Static,
                           .position = {x, Real(0.1), 0},
                           .material = stone()});
        slab = world.addBody({.shape = Box{{Real(0.5), Real(0.05), Real(0.25)}},
                              .position = {0, Real(0.25), 0},
                              .material = stone(),
                              .fracture = fracture});
        ball =
            world.addBody({.shape = Sphere{Real(0.08)}, .position = {Real(0.02), Real(0.38) + height, 0}, .material = steel()});
    }
    static WorldDef settings(int threads) {
        WorldDef def;
        def.threads = threads;
        return def;
    }
    // Whether the slab breaks within a second.
    bool breaks(Real rate) {
        for (int i = 0; i < int(rate); ++i) {
            world.step(1 / rate);
            if (!world.breakEvents().empty())
                return true;
        }
        return false;
    }
};

double massOf(const World& world) {
    double sum = 0;
    for (const BodyId body : world.bodies())
        sum += double(world.mass(body));
    return sum;
}

TEST(StressFracture, ASlabBearsItsWeightAndBreaksUnderAHardBlow) {
    EXPECT_FALSE(Slab(Real(0.001)).breaks(60));
    Slab struck(2);
    const double before = massOf(struck.world);
    ASSERT_TRUE(struck.breaks(60));
    const BreakEvent event = struck.world.breakEvents()[0];
    EXPECT_EQ(event.body, struck.slab);
    EXPECT_GE(event.pieces.size(), 2u);
    EXPECT_GT(event.stress, Real(3e6));
    EXPECT_NEAR(massOf(struck.world), before, 1e-4 * before);
}

}  // namespace
}  // namespace sunder
