// What every stepper must do: stand, keep energy, and heed the options that all have [Egan03] 4.2 to 4.4.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "scenes/mechanics.h"
#include "scenes/piles.h"
#include "scenes/stacks.h"
#include "sunder/describe.h"

namespace sunder {
namespace {

class EveryStepper : public ::testing::TestWithParam<std::tuple<Stepper, int>> {
protected:
    WorldDef def(bool sleeping = false) const {
        WorldDef def;
        def.stepper = std::get<0>(GetParam());
        def.sleeping = sleeping;
        return def;
    }
    int rate() const { return std::get<1>(GetParam()); }
    void run(World& world, double seconds) const {
        for (int i = 0; i < static_cast<int>(std::lround(seconds * rate())); ++i)
            world.step(Real(1) / Real(rate()));
    }
};

INSTANTIATE_TEST_SUITE_P(All, EveryStepper,
                         ::testing::Combine(::testing::Values(Stepper::FrameRate, Stepper::Impulse, Stepper::Damped,
                                                              Stepper::Timewarp, Stepper::TimewarpSafer),
                                            ::testing::Values(30, 60)),
                         [](const auto& tested) {
                             for (const EnumName<Stepper>& stepper : enumNames(Stepper{}))
                                 if (stepper.value == std::get<0>(tested.param))
                                     return std::string(stepper.name) + "_" + std::to_string(std::get<1>(tested.param)) + "Hz";
                             return std::string();
                         });

BodyDef boxAt(const Vec3& position, Real half = Real(0.5)) {
    BodyDef def;
    def.shape = Box{{half, half, half}};
    def.position = position;
    return def;
}

TEST_P(EveryStepper, FiveBoxesStand) {
    scenes::BoxScene stack = scenes::stackOfCubes(def(), 5);
    run(stack.world, 4);
    const Vec3 top = stack.world.position(stack.moving.back().id);
    EXPECT_NEAR(top.y, 4.5, 0.01);
    EXPECT_LT(std::hypot(double(top.x), double(top.z)), 0.01);
}

// Steps may take energy, but give none beyond rounding; nothing leaves the pit through its floor or walls.
TEST_P(EveryStepper, APileKeepsItsEnergy) {
    scenes::BoxScene pile = scenes::boxPile(def(true), 3, 2.2);
    const double start = scenes::mechanicsOf(pile).energy();
    double last = start, rise = 0;
    for (int i = 0; i < 2 * rate(); ++i) {
        pile.world.step(Real(1) / Real(rate()));
        const double energy = scenes::mechanicsOf(pile).energy();
        rise = std::max(rise, energy - last);
        last = energy;
    }
    EXPECT_LE(rise, 1e-4 * start);
    EXPECT_LE(last, start);
    for (const scenes::BoxRecord& box : pile.moving)
        EXPECT_GT(pile.world.position(box.id).y, 0);
}

// [Egan03] 4.3: two boxes of restitution 0.9 stick below the threshold and bounce above it.
TEST_P(EveryStepper, SlowCollisionsAreSticky) {
    for (const Real speed : {Real(0.4), Real(1)}) {
        WorldDef world = def();
        world.gravity = {};
        world.restitutionThreshold = Real(0.6);
        World pair(world);
        BodyDef a = boxAt({Real(-0.6), 0, 0}), b = boxAt({Real(0.6), 0, 0});
        a.velocity = {speed, 0, 0};
        a.material.restitution = b.material.restitution = Real(0.9);
        const BodyId first = pair.addBody(a), second = pair.addBody(b);
        run(pair, 1.5);
        const double parting = double(pair.velocity(second).x - pair.velocity(first).x);
        if (speed < world.restitutionThreshold)
            EXPECT_NEAR(parting, 0, 0.02 * double(speed));
        else
            EXPECT_GT(parting, 0.8 * double(speed));  // faces meet at four corners: `frame_rate` parts with 0.845 of 0.9
    }
}

// [Egan03] 4.2: without friction the impulse lies along the tilted normal, within the named cone. It is equal and opposite at
// one point, so both momenta stay, and no energy comes of it.
TEST_P(EveryStepper, FastCollisionsScatterWithinACone) {
    const double degrees = 5;
    const auto outcome = [&](std::uint64_t seed, Real speed) {
        WorldDef world = def();
        world.gravity = {};
        world.scatter = {.speed = speed, .degrees = Real(degrees), .seed = seed};
        World pair(world);
        BodyDef a = boxAt({Real(-1.5), 0, 0}), b = boxAt({Real(1.5), 0, 0});
        a.velocity = {4, 0, 0};
        a.material.restitution = b.material.restitution = Real(0.9);
        a.material.friction = b.material.friction = 0;
        const BodyId first = pair.addBody(a);
        pair.addBody(b);
        const WorldStats before = pair.stats();
        run(pair, 1);
        const WorldStats after = pair.stats();
        EXPECT_LE(after.kineticEnergy, before.kineticEnergy * (1 + 1e-6));
        const double p = before.linearMomentum[0];
        for (int k = 0; k < 3; ++k) {
            EXPECT_NEAR(after.linearMomentum[k], before.linearMomentum[k], 1e-5 * p);
            EXPECT_NEAR(after.angularMomentum[k], before.angularMomentum[k], 1e-4 * p);
        }
        return pair.velocity(first);
    };
    const Vec3 plain = outcome(1, 0), one = outcome(1, 1), again = outcome(1, 1), two = outcome(2, 1), slow = outcome(1, 5);
    EXPECT_NEAR(std::hypot(double(plain.y), double(plain.z)), 0, 1e-4);
    const double aside = std::hypot(double(one.y), double(one.z)), along = 4 - double(one.x);
    EXPECT_GT(aside, 1e-3);
    EXPECT_LE(aside, std::tan(degrees * 3.14159265 / 180) * along * 1.02);  // 2 %: boxes that turn touch again
    EXPECT_EQ(one, again);
    EXPECT_FALSE(one == two);
    EXPECT_EQ(plain, slow);  // slower than scatter.speed
}

// What falls slowly or rests is untouched: the same bits as without scatter.
TEST_P(EveryStepper, SlowCollisionsDoNotScatter) {
    Vec3 places[2];
    for (int k = 0; k < 2; ++k) {
        WorldDef world = def();
        world.scatter.speed = k == 0 ? Real(0) : Real(3);
        scenes::BoxScene stack = scenes::stackOfCubes(world, 3);
        run(stack.world, 1);
        places[k] = stack.world.position(stack.moving.back().id);
    }
    EXPECT_EQ(places[0], places[1]);
}

// Of three boxes on each other that overlapped by 30 mm each, 0.2 s ago.
struct Sunk {
    double below, lowest;  // m: how far the top box and the lowest one are below their places without overlaps
    double speed;          // m/s, the fastest vertical one
};
Sunk liftedStack(const WorldDef& def, int rate) {
    const Real overlap = Real(0.03);
    World stack(def);
    BodyDef floor = boxAt({0, -1, 0}, 1);
    floor.shape = Box{{10, 1, 10}};
    floor.motion = Motion::Static;
    stack.addBody(floor);
    std::vector<BodyId> boxes;
    for (int i = 0; i < 3; ++i)
        boxes.push_back(stack.addBody(boxAt({0, Real(0.5) + Real(i) * (1 - overlap), 0})));
    for (int i = 0; i < rate / 5; ++i)
        stack.step(Real(1) / Real(rate));
    double speed = 0;
    for (const BodyId& box : boxes)
        speed = std::max(speed, std::fabs(double(stack.velocity(box).y)));
    return {2.5 - double(stack.position(boxes[2]).y), 0.5 - double(stack.position(boxes[0]).y), speed};
}

WorldDef withLifting(WorldDef def, Real rate, bool isGuarded) {
    def.frameRate.liftRate = def.impulse.liftRate = def.damped.liftRate = def.timewarp.liftRate = rate;
    def.frameRate.energyGuard = def.impulse.energyGuard = def.damped.energyGuard = def.timewarp.energyGuard = isGuarded;
    return def;
}

// [Egan03] 4.4: overlaps open from the ground up, and nobody is given speed. Lifting adds potential energy, so the guard must
// be off: it grants what its own rule allows (docs/step.md 8), and the energy of a pile is then as safe as without lifting.
TEST_P(EveryStepper, LiftingOpensOverlaps) {
    const Sunk without = liftedStack(withLifting(def(), 0, false), rate()),
               with = liftedStack(withLifting(def(), 40, false), rate());
    EXPECT_LT(with.below, without.below / 2);
    EXPECT_LT(with.below, 0.01);  // of 0.06 at the start
    EXPECT_LT(with.lowest, 0.002);
    EXPECT_LE(with.speed, without.speed + 0.02);
    const Sunk guarded = liftedStack(withLifting(def(), 40, true), rate());
    EXPECT_LE(guarded.below, liftedStack(withLifting(def(), 0, true), rate()).below + 1e-4);
    EXPECT_LT(guarded.lowest, 0.002);
}

// Sideways it costs no energy. Two boxes that overlap at rest come apart, and their common centre stays.
TEST_P(EveryStepper, LiftingPartsWhatFloats) {
    double overlaps[2];
    for (int k = 0; k < 2; ++k) {
        WorldDef world = withLifting(def(), k == 0 ? Real(0) : Real(20), true);
        world.gravity = {};
        World pair(world);
        const BodyId a = pair.addBody(boxAt({Real(-0.49), 0, 0})), b = pair.addBody(boxAt({Real(0.49), 0, 0}));
        run(pair, 0.1);
        const Vec3 x = pair.position(a), y = pair.position(b);
        overlaps[k] = 1 - double(y.x - x.x);
        EXPECT_NEAR(double(x.x + y.x), 0, 1e-6);
        EXPECT_NEAR(double(pair.velocity(a).x + pair.velocity(b).x), 0, 1e-6);
    }
    EXPECT_LT(overlaps[1], 0.6 * overlaps[0]);
}

// A ball thrown at a wall breaks it: mass stays, energy does not rise, and the pieces come to lie. On any threads the same, and
// after a restore from before the blow.
TEST_P(EveryStepper, ABlowBreaksWhatItHits) {
    VoronoiPattern cells;
    cells.pieces = 20;
    PatternDef pattern;
    pattern.kind = cells;
    pattern.nodes = 33;
    FractureDef fracture;
    fracture.method = Prescored{.pattern = buildPattern(pattern)};
    fracture.threshold = 100;
    fracture.generations = 1;
    const auto make = [&](int threads) {
        WorldDef walled = def(true);
        walled.threads = threads;
        World world(walled);
        world.addBody({.shape = Box{{10, Real(0.5), 10}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
        world.addBody({.shape = Box{{1, Real(0.75), Real(0.15)}}, .position = {0, Real(0.75), 0}, .fracture = fracture});
        world.addBody({.shape = Sphere{Real(0.2)},
                       .position = {Real(0.1), Real(0.8), 1},
                       .velocity = {0, 0, -12},
                       .material = {.density = 4000}});
        return world;
    };
    const auto massOf = [](const World& world) {
        double mass = 0;
        for (const BodyId body : world.bodies())
            mass += double(world.mass(body));
        return mass;
    };
    const auto energyOf = [](const World& world) { return world.stats().kineticEnergy + world.stats().potentialEnergy; };
    World world = make(1), threaded = make(3);
    const double mass = massOf(world), start = energyOf(world);
    double last = start;
    const std::vector<std::byte> before = world.snapshot();
    std::size_t pieces = 0;
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < rate(); ++i) {
        world.step(Real(1) / Real(rate()));
        threaded.step(Real(1) / Real(rate()));
        hashes.push_back(world.hash());
        ASSERT_EQ(threaded.hash(), hashes.back()) << "step " << i;
        for (const BreakEvent& event : world.breakEvents())
            pieces += event.pieces.size();
        ASSERT_LE(energyOf(world), last + 1e-4 * start) << "step " << i;
        last = energyOf(world);
    }
    EXPECT_GT(pieces, 3u);
    EXPECT_NEAR(massOf(world), mass, 1e-4 * mass);
    for (const BodyId body : world.bodies())
        EXPECT_GT(world.position(body).y, -1);
    threaded.restore(before);
    for (int i = 0; i < rate(); ++i) {
        threaded.step(Real(1) / Real(rate()));
        ASSERT_EQ(threaded.hash(), hashes[std::size_t(i)]) << "restored, step " << i;
    }
}

}  // namespace
}  // namespace sunder
