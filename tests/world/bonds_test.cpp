// Bonded bodies: one rigid body while they hold, parts along the bonds that do not.
#include "sunder/bonds.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/vec3.h"
#include "sunder/world.h"
#include "support/at_rates.h"

namespace sunder {
namespace {

constexpr double kSide = 0.2, kDensity = 2000, kGravity = 9.81;

WorldDef weightless() {
    WorldDef def;
    def.gravity = {};
    return def;
}

// n cubes along x, centred on the origin.
Compound row(int n) {
    Compound compound;
    for (int i = 0; i < n; ++i)
        compound.children.push_back({Box{{Real(0.1), Real(0.1), Real(0.1)}}, {Real(kSide * (i - 0.5 * (n - 1))), 0, 0}, {}});
    return compound;
}

BodyDef bonded(const Compound& compound, const BondsDef& bonds) {
    BodyDef def;
    def.shape = compound;
    def.material.density = Real(kDensity);
    def.bonds = bonds;
    return def;
}

BondsDef strengthOf(double all) {
    BondsDef bonds;
    bonds.strength.tension = bonds.strength.shear = bonds.strength.compression = bonds.strength.bending = Real(all);
    return bonds;
}

class Bonds : public AtRate {};
INSTANTIATE_TEST_SUITE_P(, Bonds, testing::Values(30.0, 60.0, 240.0));

// While nothing breaks it moves as the compound without bonds does, to the bit.
TEST_P(Bonds, MovesAsOneBody) {
    std::uint64_t poses[2];
    for (const bool isBonded : {false, true}) {
        World world;
        world.addBody({.shape = Box{{5, Real(0.5), 5}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
        BodyDef def = bonded(row(6), {});
        def.position = {0, 2, 0};
        def.orientation = {Real(0.1), 0, Real(0.3), Real(0.9)};
        def.angularVelocity = {1, 2, 3};
        if (!isBonded)
            def.bonds.reset();
        const BodyId body = world.addBody(def);
        run(world, 1.5);
        ASSERT_TRUE(world.isValid(body));
        const Vec3 p = world.position(body);
        poses[isBonded] = std::uint64_t(double(p.x) * 1e9) ^ std::uint64_t(double(p.y) * 1e12) << 1;
        EXPECT_EQ(world.stats().bonds, isBonded ? 5 : 0);
    }
    EXPECT_EQ(poses[0], poses[1]);
}

// A cantilever of n cubes bends its root by w a n^2 / 2 with w the weight of one: stress 6 M / s^3. It breaks there alone.
TEST_P(Bonds, CantileverBreaksAtItsRootUnderItsWeight) {
    const int n = 6;
    const double weight = kDensity * std::pow(kSide, 3) * kGravity;
    const double moment = weight * 0.1 * (n - 1) * (n - 1), stress = 6 * moment / std::pow(kSide, 3);
    for (const double strength : {1.1 * stress, 0.9 * stress}) {
        World world;
        BondsDef bonds = strengthOf(1e9);
        bonds.strength.bending = Real(strength);
        bonds.anchored = {0};
        BodyDef def = bonded(row(n), bonds);
        def.motion = Motion::Static;
        const BodyId body = world.addBody(def);
        std::vector<BondEvent> first;
        for (int i = 0; i < int(rate()) && first.empty(); ++i) {
            world.step(dt());
            first.assign(world.bondEvents().begin(), world.bondEvents().end());
        }
        EXPECT_EQ(world.isValid(body), strength > stress);
        if (strength > stress) {
            EXPECT_TRUE(first.empty());
            continue;
        }
        ASSERT_EQ(first.size(), 1u);
        EXPECT_EQ(first[0].bond, 0u);
        EXPECT_FALSE(first[0].isImpact);
        EXPECT_NEAR(length(first[0].torque), moment, 1e-3 * moment);
        ASSERT_EQ(world.bodies().size(), 2u);
        EXPECT_EQ(world.motion(world.bodies()[0]), Motion::Static);
        EXPECT_EQ(world.motion(world.bodies()[1]), Motion::Dynamic);
        run(world, 0.5);
        const double time = 0.5 + double(dt());  // the step in which it broke was done again, without the bond
        EXPECT_NEAR(world.centerOfMass(world.bodies()[1]).y, -0.5 * kGravity * time * time, 0.01);
    }
}

// Bond i of a cantilever of n cubes bears the weight of those beyond it.
TEST_P(Bonds, LoadsOfACantileverAreTheWeightsBeyond) {
    const int n = 6;
    const double weight = kDensity * std::pow(kSide, 3) * kGravity;
    World world;
    BondsDef bonds = strengthOf(1e9);
    bonds.anchored = {0};
    BodyDef def = bonded(row(n), bonds);
    def.motion = Motion::Static;
    const BodyId body = world.addBody(def);
    run(world, 0.5);
    const std::vector<BondLoad> loads = world.bondLoads(body);
    ASSERT_EQ(loads.size(), std::size_t(n - 1));
    for (int i = 0; i < n - 1; ++i) {
        const double beyond = weight * (n - 1 - i);
        EXPECT_NEAR(length(loads[i].force), beyond, 1e-3 * beyond);
        // Their centre is half of their length from the bond; the edge of a square face bears 6 M / s^3.
        const double moment = beyond * 0.5 * kSide * (n - 1 - i);
        EXPECT_NEAR(length(loads[i].torque), moment, 1e-3 * moment);
        EXPECT_NEAR(loads[i].share, 6 * moment / std::pow(kSide, 3) / 1e9, 1e-3 * loads[i].share);
    }
}

// A projectile of momentum p stops at a plate that one bond holds: the bond bears the impulse p, whatever mass and speed.
TEST_P(Bonds, BlowsBreakByTheirImpulse) {
    for (const double mass : {0.5, 2.0, 10.0})
        for (const double impulse : {7.0, 44.0}) {
            World world(weightless());
            BondsDef bonds = strengthOf(20 / (kSide * kSide * 0.05));  // 20 N s
            bonds.strength.bending = Real(1e12);
            bonds.anchored = {0};
            BodyDef def = bonded(row(2), bonds);
            def.motion = Motion::Static;
            const BodyId body = world.addBody(def);
            BodyDef ball;
            ball.shape = Sphere{Real(0.1)};
            ball.mass = Real(mass);
            ball.position = {Real(0.1), Real(0.2 + 0.003 + 0.02 * impulse / mass), 0};
            ball.velocity = {0, Real(-impulse / mass), 0};
            world.addBody(ball);
            run(world, 0.3);
            EXPECT_EQ(world.isValid(body), impulse < 20) << mass << " kg, " << impulse << " N s";
        }
}

// An impulse given by a call acts on the piece at its point. Of a body whose one half is fixed the bond bears all of it, of a
// free one of two equal halves it bears half; the limit is 20 N s of impulse through the bond.
TEST_P(Bonds, ImpulsesOfCallsBreakAsBlowsDo) {
    for (const bool isFixed : {true, false})
        for (const double impulse : {7.0, 44.0}) {
            World world(weightless());
            BondsDef bonds = strengthOf(20 / (kSide * kSide * 0.05));  // 20 N s
            bonds.strength.bending = Real(1e12);
            if (isFixed)
                bonds.anchored = {0};
            BodyDef def = bonded(row(2), bonds);
            def.motion = isFixed ? Motion::Static : Motion::Dynamic;
            const BodyId body = world.addBody(def);
            run(world, 0.2);
            // Pulled along the row, at the middle of the end face.
            world.addImpulseAt(body, {Real(impulse), 0, 0}, {Real(0.2), 0, 0});
            run(world, 0.3);
            EXPECT_EQ(world.isValid(body), impulse < 20) << impulse << " N s, fixed: " << isFixed;
            // The piece that comes off takes the impulse with it: nothing of it is left to the other, and none is lost.
            const double mass = kDensity * std::pow(kSide, 3);
            if (impulse > 20)
                for (const BodyId part : world.bodies())
                    EXPECT_NEAR(world.velocity(part).x, world.centerOfMass(part).x > 0 ? impulse / mass : 0, 1e-4);
            else
                EXPECT_NEAR(world.velocity(body).x, isFixed ? 0 : impulse / (2 * mass), 1e-4);
        }
}

// A force given in every step is a load: it breaks where it is more than the strength bears, at once or not at all.
TEST_P(Bonds, ForcesOfCallsAreLoads) {
    const double limit = 1e4 * kSide * kSide;  // N through the bond
    for (const double share : {0.9, 1.1}) {
        World world(weightless());
        BondsDef bonds = strengthOf(1e4);
        bonds.strength.bending = Real(1e12);
        bonds.anchored = {0};
        BodyDef def = bonded(row(2), bonds);
        def.motion = Motion::Static;
        const BodyId body = world.addBody(def);
        for (int i = 0; i < int(rate()) && world.isValid(body); ++i) {
            world.addForceAt(body, {Real(share * limit), 0, 0}, {Real(0.1), 0, 0});
            world.step(dt());
        }
        EXPECT_EQ(world.isValid(body), share < 1) << share;
    }
}

// Explosions load the pieces near them most: a free row bends, and a fixed one loses what is not anchored.
TEST_P(Bonds, ExplosionsBreakBonds) {
    for (const double impulse : {40.0, 40000.0}) {
        World world(weightless());
        BondsDef bonds = strengthOf(2e5);
        bonds.anchored = {0};
        BodyDef def = bonded(row(5), bonds);
        def.motion = Motion::Static;
        const BodyId body = world.addBody(def);
        run(world, 0.2);
        world.explode({Real(0.4), Real(-0.6), 0}, Real(impulse), 3);
        run(world, 0.2);
        EXPECT_EQ(world.isValid(body), impulse < 1000) << impulse;
    }
}

// Parts have the mass, the momentum and the angular momentum of the whole.
TEST_P(Bonds, PartsKeepMassAndMomenta) {
    WorldDef settings = weightless();
    settings.rewinds = 0;
    World world(settings);
    BondsDef bonds = strengthOf(2e5);
    bonds.alpha = 1;
    BodyDef def = bonded(row(7), bonds);
    def.velocity = {1, 2, 3};
    def.angularVelocity = {0, Real(0.1), 60};
    world.addBody(def);
    const WorldStats before = world.stats();
    world.step(dt());
    run(world, 0.2);  // the spin tears it apart: m w^2 r
    const WorldStats after = world.stats();
    EXPECT_GT(after.pieces, 1);
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(after.linearMomentum[i], before.linearMomentum[i], 1e-5 * 500);
        EXPECT_NEAR(after.angularMomentum[i], before.angularMomentum[i], 1e-4 * before.angularMomentum[2]);
    }
}

// The same bonds break first at every rate: a beam held at both ends is struck in the middle. Its moment falls from the ends to
// nothing at the quarters and rises again: by symmetry eight bonds bear the whole of it or just half, which is the mark at
// which bonds break together with the worst.
TEST(BondsAtRates, FirstBreakIsTheSame) {
    std::vector<std::vector<std::uint32_t>> sets;
    for (const double rate : {30.0, 60.0, 240.0}) {
        World world;
        BondsDef bonds = strengthOf(1.5e5);
        bonds.anchored = {0, 10};
        BodyDef def = bonded(row(11), bonds);
        def.motion = Motion::Static;
        world.addBody(def);
        BodyDef ball;
        ball.shape = Sphere{Real(0.15)};
        ball.mass = 40;
        ball.position = {0, 1, 0};
        ball.velocity = {0, -10, 0};
        world.addBody(ball);
        std::vector<std::uint32_t> set;
        for (int i = 0; i < int(rate) && set.empty(); ++i) {
            world.step(Real(1 / rate));
            for (const BondEvent& event : world.bondEvents())
                set.push_back(event.bond);
        }
        EXPECT_EQ(set, (std::vector<std::uint32_t>{0, 1, 3, 4, 5, 6, 8, 9}));
        sets.push_back(set);
    }
    EXPECT_EQ(sets[0], sets[1]);
    EXPECT_EQ(sets[0], sets[2]);
}

// Joints go on holding the part that they were fixed to.
TEST(BondedJoints, GoWithTheirPart) {
    World world;
    BondsDef bonds = strengthOf(1e9);
    bonds.strength.tension = 2000;  // of 3 cubes of 157 N on 0.04 m^2 the uppermost bond bears 7848 Pa
    Compound column;
    for (int i = 0; i < 4; ++i)
        column.children.push_back({Box{{Real(0.1), Real(0.1), Real(0.1)}}, {0, Real(-kSide * i), 0}, {}});
    const BodyId body = world.addBody(bonded(column, bonds));
    const JointId joint = world.addJoint({.type = JointType::Ball, .b = body, .anchor = {0, Real(0.1), 0}});
    for (int i = 0; i < 60; ++i)
        world.step(Real(1) / 60);
    EXPECT_FALSE(world.isValid(body));
    ASSERT_TRUE(world.isValidJoint(joint));
    const BodyId holder = world.joint(joint).b;
    ASSERT_TRUE(world.isValid(holder));
    EXPECT_LT(world.jointState(joint).error, 1e-3);
    EXPECT_NEAR(world.centerOfMass(holder).y, 0, 0.02);
    EXPECT_EQ(world.parent(holder), body);
}

// Snapshots in the middle of a break, threads, and a step done again.
TEST(BondedState, SameFutureAfterRestoreAndForAnyThreads) {
    const auto build = [](int threads) {
        WorldDef def;
        def.threads = threads;
        World world(def);
        world.addBody({.shape = Box{{5, Real(0.5), 5}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
        Compound wall;
        for (int y = 0; y < 6; ++y)
            for (int x = 0; x < 8; ++x)
                wall.children.push_back({Box{{Real(0.1), Real(0.1), Real(0.1)}}, {Real(0.2 * x), Real(0.1 + 0.2 * y), 0}, {}});
        BondsDef bonds = strengthOf(3e5);
        bonds.alpha = 1;
        world.addBody(bonded(wall, bonds));
        BodyDef ball;
        ball.shape = Sphere{Real(0.2)};
        ball.mass = 60;
        ball.position = {Real(0.7), Real(0.6), 3};
        ball.velocity = {0, 0, -15};
        world.addBody(ball);
        return world;
    };
    World one = build(1), four = build(4), other;
    int rewinds = 0, pieces = 0;
    for (int i = 0; i < 40; ++i) {
        one.step(Real(1) / 60);
        four.step(Real(1) / 60);
        ASSERT_EQ(one.hash(), four.hash()) << i;
        rewinds += one.stats().rewinds;
        pieces = one.stats().pieces;
        if (i == 8)
            other.restore(one.snapshot());
        if (i > 8) {
            other.step(Real(1) / 60);
            ASSERT_EQ(one.hash(), other.hash()) << i;
        }
    }
    EXPECT_GT(pieces, 3);
    EXPECT_GT(rewinds, 0);
    EXPECT_LE(rewinds, 2 * 40);
}

// What calls have given and no step has taken yet is part of the state.
TEST(BondedState, GivenImpulsesAreKeptBySnapshots) {
    World world(weightless());
    BondsDef bonds = strengthOf(20 / (kSide * kSide * 0.05));
    bonds.strength.bending = Real(1e12);
    const BodyId body = world.addBody(bonded(row(2), bonds));
    for (int i = 0; i < 6; ++i)
        world.step(Real(1) / 60);
    const std::uint64_t before = world.hash();
    world.addImpulseAt(body, {44, 0, 0}, {Real(0.2), 0, 0});
    EXPECT_NE(world.hash(), before);
    World other;
    other.restore(world.snapshot());
    EXPECT_EQ(other.hash(), world.hash());
    for (int i = 0; i < 6; ++i) {
        world.step(Real(1) / 60);
        other.step(Real(1) / 60);
        ASSERT_EQ(other.hash(), world.hash()) << i;
    }
    EXPECT_FALSE(other.isValid(body));
}

// A wall at rest is solved for its loads a few times, and then no more.
TEST(BondedState, LoadsAreSolvedOnlyWhenTheyChange) {
    WorldDef def;
    def.sleeping = false;
    World world(def);
    world.addBody({.shape = Box{{5, Real(0.5), 5}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
    Compound wall;
    for (int y = 0; y < 10; ++y)
        for (int x = 0; x < 10; ++x)
            wall.children.push_back({Box{{Real(0.1), Real(0.1), Real(0.1)}}, {Real(0.2 * x), Real(0.1 + 0.2 * y), 0}, {}});
    const BodyId body = world.addBody(bonded(wall, {}));
    int solves = 0, late = 0;
    for (int i = 0; i < 300; ++i) {
        world.step(Real(1) / 60);
        (i < 150 ? solves : late) += world.stats().loadSolves;
    }
    EXPECT_GT(solves, 0);
    EXPECT_EQ(late, 0);
    ASSERT_TRUE(world.isValid(body));
    EXPECT_NEAR(world.position(body).y, 0, 1e-3);
}

// J that the root of a cantilever stores when it breaks under its weight; `change` acts on the world before the first step.
template <class Change>
double energyAtBreak(const Material& material, const BondsDef& given, Change&& change) {
    World world;
    BondsDef bonds = given;
    bonds.strength = strengthOf(1e9).strength;
    bonds.strength.bending = Real(1e5);
    bonds.anchored = {0};
    BodyDef def = bonded(row(6), bonds);
    def.motion = Motion::Static;
    def.material = material;
    change(world, world.addBody(def));
    for (int i = 0; i < 60; ++i) {
        world.step(Real(1) / 60);
        if (!world.bondEvents().empty())
            return world.bondEvents()[0].storedEnergy;
    }
    return 0;
}
double energyAtBreak(const Material& material, const BondsDef& given) {
    return energyAtBreak(material, given, [](World&, BodyId) {});
}

// The second has four times the stiffness of the first.
std::pair<Material, Material> softAndStiff() {
    Material soft;
    soft.density = Real(kDensity);
    Material stiff = soft;
    stiff.young = 4 * soft.young;
    return {soft, stiff};
}

// At the same load a spring of four times the stiffness stores a quarter of the energy. 1e-4: loads are rounded to float.
TEST(BondedMaterial, StiffnessIsTheMaterials) {
    const auto [soft, stiff] = softAndStiff();
    const double energy = energyAtBreak(soft, {});
    ASSERT_GT(energy, 0);
    EXPECT_NEAR(energyAtBreak(stiff, {}), energy / 4, 1e-4 * energy);
    // The root bears a shear force, of stiffness E / 2 (1 + poisson), beside its moment: a larger ratio stores more.
    Material slack = soft;
    slack.poisson = Real(0.45);
    EXPECT_GT(energyAtBreak(slack, {}), energy * (1 + 1e-3));
}

TEST(BondedMaterial, BondsMayGiveAnotherStiffness) {
    Material material;
    material.density = Real(kDensity);
    BondsDef stiff;
    stiff.young = 4 * material.young;
    stiff.poisson = material.poisson;
    const double energy = energyAtBreak(material, {});
    EXPECT_NEAR(energyAtBreak(material, stiff), energy / 4, 1e-4 * energy);
    material.young *= 100;  // does not matter then
    material.poisson = 0;
    EXPECT_NEAR(energyAtBreak(material, stiff), energy / 4, 1e-4 * energy);
}

TEST(BondedMaterial, AnotherMaterialChangesTheStiffness) {
    const auto [soft, stiff] = softAndStiff();
    const double energy = energyAtBreak(soft, {});
    const auto harden = [&hard = stiff](World& world, BodyId body) {
        world.setMaterial(body, hard);
        EXPECT_EQ(world.material(body).young, hard.young);
    };
    EXPECT_NEAR(energyAtBreak(soft, {}, harden), energy / 4, 1e-4 * energy);
    // A snapshot keeps both what the bonds give and what the material gives.
    const auto restore = [&](World& world, BodyId body) {
        world.setMaterial(body, stiff);
        World other;
        other.restore(world.snapshot());
        world.setMaterial(body, soft);
        EXPECT_NE(other.hash(), world.hash());
        world.restore(other.snapshot());
        EXPECT_EQ(other.hash(), world.hash());
    };
    EXPECT_NEAR(energyAtBreak(soft, {}, restore), energy / 4, 1e-4 * energy);
}

TEST(BondedInput, IsRefusedWithItsPath) {
    const auto expect = [](const BodyDef& def, const std::string& text) {
        std::string all;
        for (const std::string& message : validate(def))
            all += message + "\n";
        EXPECT_NE(all.find(text), std::string::npos) << all;
    };
    expect(bonded(row(3), strengthOf(-1)), "bonds.strength.tension: -1");
    BodyDef box = bonded(row(3), {});
    box.shape = Box{};
    expect(box, "bonds: only a compound");
    BodyDef kinematic = bonded(row(3), {});
    kinematic.motion = Motion::Kinematic;
    expect(kinematic, "bonds: a kinematic body");
    BodyDef fixed = bonded(row(3), {});
    fixed.motion = Motion::Static;
    expect(fixed, "bonds.anchored: a static body needs");
    Compound apart = row(3);
    apart.children[2].position.x += 1;
    expect(bonded(apart, {}), "no bonds join piece 2");
    BondsDef wrong;
    wrong.bonds.push_back({.a = 0, .b = 7, .point = {}, .normal = {1, 0, 0}, .area = 1});
    expect(bonded(row(3), wrong), "bonds.list[0].b: 7 is not allowed (0 to 2)");
    wrong.bonds[0] = {.a = 1, .b = 1, .point = {}, .normal = {1, 0, 0}, .area = 1};
    expect(bonded(row(3), wrong), "bonds.list[0].b: is the same piece");
    wrong.bonds[0] = {.a = 0, .b = 1, .point = {}, .normal = {}, .area = 1};
    expect(bonded(row(3), wrong), "bonds.list[0].normal");
}

}  // namespace
}  // namespace sunder
