// The step of a deformable solid: rest, rigid motion, momentum, statics, modes, spin, abuse.
#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "deformable/solid_for_tests.h"

namespace sunder::deformable {
namespace {

// Nothing moves by more than rounding where nothing acts.
TEST(DeformableStep, ABodyAtRestStaysAtRest) {
    TestSolid cube(boxOfTets({1, 1, 1}, {4, 4, 4}), materialOf(Real(1e6)));
    TestIsland island;
    island.solids = {&cube};
    for (int i = 0; i < 60; ++i)
        island.step(Real(1) / 60);
    for (std::size_t i = 0; i < cube.positions.size(); ++i)
        EXPECT_LT(length(cube.positions[i] - cube.model->mesh.vertices[i]), 1e-5);
    EXPECT_NEAR(double(length(cube.motion.velocity)), 0, 1e-7);
}

TEST(DeformableStep, ItFallsAndTurnsAsARigidBodyDoes) {
    TestSolid cube(boxOfTets({1, 1, 1}, {3, 3, 3}), materialOf(Real(1e7)));
    TestIsland island;
    island.gravity = {0, Real(-9.81), 0};
    island.solids = {&cube};
    cube.motion.angularVelocity = {0, 2, 0};
    for (int i = 0; i < 60; ++i)
        island.step(Real(1) / 60);
    EXPECT_NEAR(double(cube.motion.velocity.y), -9.81, 1e-4);
    // Backward Euler falls by g dt^2 n (n + 1) / 2.
    EXPECT_NEAR(cube.motion.center.y, -9.81 / 3600 * 60 * 61 / 2, 1e-3);
    const Vec3 x = rotate(cube.motion.worldFromBody, {1, 0, 0});
    EXPECT_NEAR(double(x.x), std::cos(2.0), 2e-3);
    EXPECT_NEAR(double(x.z), -std::sin(2.0), 2e-3);
}

// A body squeezed by 20 % and let go: what it does inside changes neither momentum.
TEST(DeformableStep, FreeFlightKeepsBothMomenta) {
    TestSolid cube(boxOfTets({1, Real(0.5), Real(0.7)}, {4, 3, 3}), materialOf(Real(1e5)));
    TestIsland island;
    island.solids = {&cube};
    cube.motion.velocity = {1, 2, 3};
    cube.motion.angularVelocity = {1, Real(-0.5), 2};
    for (Vec3& p : cube.positions)
        p = {p.x * Real(1.2), p.y * Real(0.9), p.z * Real(0.9)};
    const Vec3 p0 = cube.momentum(), l0 = cube.angularMomentum();
    for (int i = 0; i < 120; ++i)
        island.step(Real(1) / 60);
    EXPECT_LT(length(cube.momentum() - p0), 1e-4 * length(p0));
    EXPECT_LT(length(cube.angularMomentum() - l0), 1e-3 * length(l0));
    // It still spins: the centrifugal strain rho w^2 R^2 / E is a few percent.
    EXPECT_NEAR(cube.volume(), 8 * 0.5 * 0.7, 0.06);
}

// Backward Euler multiplies the energy of a mode by 1 / (1 + (w dt)^2) per step. A bar of no transverse contraction between two
// rigid ends would need a mesh as fine; a single tetrahedron's breathing mode is exact: w^2 = a(3 lambda + 2 mu) / (rho h^2).
TEST(DeformableStep, AModeLosesTheEnergyThatBackwardEulerTakes) {
    geometry::TetMesh tet;
    tet.vertices = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    tet.tets = {{0, 1, 2, 3}};
    if (geometry::volumeOf(tet, 0) < 0)
        std::swap(tet.tets[0][2], tet.tets[0][3]);
    TestSolid solid(tet, materialOf(Real(1e5), Real(0.25)));
    TestIsland island;
    island.settings().tolerance = Real(1e-6);
    island.solids = {&solid};
    const Real dt = Real(1) / 240;
    const double lambda = 1e5 * 0.25 / (1.25 * 0.5), mu = 1e5 / 2.5;
    // Energy of a stretch s: V (9 lambda / 2 + 3 mu) s^2; kinetic: 1/2 sum m |X|^2 s'^2 with |X|^2 = 3.
    const double volume = geometry::volumeOf(solid.model->mesh, 0), mass = 1000 * volume;
    const double omega2 = volume * (9 * lambda + 6 * mu) / (mass * 3);
    const double s0 = 1e-3;
    for (Vec3& p : solid.positions)
        p = p * Real(1 + s0);
    const auto energy = [&] {
        const double s = std::sqrt(double(lengthSquared(solid.positions[0])) / 3) - 1;
        return 0.5 * mass * 3 * omega2 * s * s + solid.kineticEnergy();
    };
    island.step(dt);
    const double first = energy();
    for (int i = 0; i < 20; ++i)
        island.step(dt);
    const double expected = std::pow(1 + omega2 * double(dt) * double(dt), -20);
    EXPECT_NEAR(energy() / first / expected, 1, 5e-3);
}

// A bar pulled by its own weight: the end sinks by rho g L^2 / (2 E) where it does not contract sideways.
TEST(DeformableStep, AHangingBarStretchesByItsWeight) {
    TestSolid bar(boxOfTets({Real(0.1), 1, Real(0.1)}, {2, 20, 2}), materialOf(Real(1e6), 0));
    TestIsland island;
    island.gravity = {0, Real(-9.81), 0};
    island.solids = {&bar};
    bar.pinWhere([](const Vec3& p) { return p.y > Real(0.999); });
    for (int i = 0; i < 400; ++i)
        island.step(Real(1) / 30);
    const double sunk = -1 - bar.place(bar.nearest({0, -1, 0})).y;
    EXPECT_NEAR(sunk, 1000 * 9.81 * 4 / (2 * 1e6), 0.02 * 0.01962);
}

// 20 rad/s at 30 Hz is 38 degrees a step. Centrifugal stress at the middle of a plate: about rho w^2 R^2 / 2, a strain of 2e-7.
// With frozen rotations it grows by a third.
TEST(DeformableStep, ASpinningPlateDoesNotInflate) {
    TestSolid plate(boxOfTets({1, Real(0.1), 1}, {10, 1, 10}), materialOf(Real(1e9)));
    TestIsland island;
    island.solids = {&plate};
    plate.motion.angularVelocity = {0, 20, 0};
    const double before = plate.volume();
    const Vec3 l0 = plate.angularMomentum();
    for (int i = 0; i < 300; ++i)
        island.step(Real(1) / 30);
    EXPECT_NEAR(plate.volume() / before, 1, 0.005);
    EXPECT_LT(length(plate.angularMomentum() - l0), 0.005 * length(l0));
    // Stretch of the rim: rho w^2 R^3 / E of the order of 4e-4.
    const Real rim =
        length(plate.positions[plate.nearest({1, 0, 0})]) / length(plate.model->mesh.vertices[plate.nearest({1, 0, 0})]);
    EXPECT_GT(rim, 1);
    EXPECT_LT(rim, 1 + 1e-3);
}

// Pulled to 1.2 times its length for a second and let go: what is beyond the yield of 2 % stays, up to the cap of 10 %.
TEST(DeformableStep, ABarStretchedBeyondItsYieldStaysLonger) {
    for (const bool flows : {false, true}) {
        FleshMaterial material = materialOf(Real(1e6), Real(0.3));
        if (flows) {
            material.yieldStrain = Real(0.02);
            material.creepRate = 10;
            material.largestPlastic = Real(0.1);
        }
        TestSolid bar(boxOfTets({1, Real(0.2), Real(0.2)}, {10, 2, 2}), material);
        TestIsland island;
        island.solids = {&bar};
        bar.pinWhere([](const Vec3& p) { return std::fabs(p.x) > Real(0.999); });
        for (Pin& pin : bar.pins)
            pin.target.x *= 1.2;
        for (int i = 0; i < 30; ++i)
            island.step(Real(1) / 30);
        bar.pins.clear();
        for (int i = 0; i < 120; ++i)
            island.step(Real(1) / 30);
        const double length = bar.place(bar.nearest({1, 0, 0})).x - bar.place(bar.nearest({-1, 0, 0})).x;
        if (flows) {
            EXPECT_GT(length, 2.1);
            EXPECT_LT(length, 2.2);
        } else {
            EXPECT_NEAR(length, 2, 1e-3);
        }
    }
}

// A block that is held in a shape of its own volume flows until its elastic strain is the yield's, and springs back by that.
// Uniaxial: logarithmic plastic strain ln(1.5) less that of the elastic stretch s, s (1 + e1) with a deviator of size y there.
// Multiplicative plasticity keeps the volume; additive loses 1 - (1 + p) (1 - p / 2)^2.
TEST(DeformableStep, WhatFlowsFarKeepsItsVolumeWithMultiplicativePlasticity) {
    const double yield = 0.02, stretch = 1.5;
    for (const Plasticity plasticity : {Plasticity::Multiplicative, Plasticity::Additive}) {
        FleshMaterial material = materialOf(Real(1e6), Real(0.3));
        material.yieldStrain = Real(yield);
        material.creepRate = 20;
        material.largestPlastic = 2;
        material.plasticity = plasticity;
        material.stiffnessDamping = Real(0.02);
        TestSolid block(boxOfTets({Real(0.5), Real(0.5), Real(0.5)}, {2, 2, 2}), material);
        TestIsland island;
        island.solids = {&block};
        const auto held = [&](double along) {
            for (Pin& pin : block.pins) {
                const Vec3& p = block.model->mesh.vertices[pin.node];
                const double across = 1 / std::sqrt(along);
                pin.target = {p.x * along, p.y * across, p.z * across};
            }
        };
        block.pinWhere([](const Vec3&) { return true; });
        for (int i = 0; i < 120; ++i) {
            held(1 + (stretch - 1) * std::min(1.0, i / 30.0));
            island.step(Real(1) / 60);
        }
        block.pins.clear();
        for (int i = 0; i < 240; ++i)
            island.step(Real(1) / 60);
        const double volume = block.volume();
        const auto extent = [&](const Vec3& axis) {
            return length(block.place(block.nearest(axis)) - block.place(block.nearest(-axis)));
        };
        const double longer = double(extent({1, 0, 0}));
        if (plasticity == Plasticity::Multiplicative) {
            EXPECT_NEAR(volume, 1, 1e-3);
            // The elastic part of the volume-keeping stretch while it is held: (1 + e)(1 + f)^2 = 1 with |dev| = y.
            const double e1 = yield * std::sqrt(2.0 / 3);
            EXPECT_NEAR(longer, stretch / (1 + e1), 2e-3);
            EXPECT_NEAR(double(extent({0, 1, 0})), std::sqrt((1 + e1) / stretch), 2e-3);
        } else {
            EXPECT_LT(volume, 0.9);
        }
    }
}

// Sheared across the direction in which it has flown, a solid is in balance with its elastic forces: they turn nothing. Those
// of additive plasticity do, by percents of their size times their arm.
TEST(DeformableStep, ForcesOfMultiplicativePlasticityTurnNothing) {
    for (const Plasticity plasticity : {Plasticity::Multiplicative, Plasticity::Additive}) {
        FleshMaterial material = materialOf(Real(1e5), Real(0.3));
        material.yieldStrain = Real(0.02);
        material.creepRate = 40;
        material.largestPlastic = 1;
        material.plasticity = plasticity;
        TestSolid block(boxOfTets({1, Real(0.5), Real(0.5)}, {4, 2, 2}), material);
        TestIsland island;
        island.solids = {&block};
        block.pinWhere([](const Vec3&) { return true; });
        for (Pin& pin : block.pins)
            pin.target = {pin.target.x * 1.4, pin.target.y / std::sqrt(1.4), pin.target.z / std::sqrt(1.4)};
        for (int i = 0; i < 60; ++i)
            island.step(Real(1) / 60);
        std::vector<Four> places;
        for (const Vec3& p : block.positions)
            places.push_back(toFour({p.x, p.y + Real(0.2) * p.x, p.z}));
        ElementSettings element;
        element.lame = lameOf(material.elastic);
        element.worldFromBody = toMatrix(Quat{0, 0, 0, 1});
        element.yieldStrain = material.yieldStrain;
        element.largestPlastic = material.largestPlastic;
        element.plasticity = plasticity;
        SolidMatrix matrix;
        deformElements(*island.tasks, *block.model, places.data(), element, block.memory.usesQr, block.memory.plastic, matrix);
        Vec3 torque;
        double size = 0;
        for (std::uint32_t i = 0; i < places.size(); ++i) {
            const Vec3 turns = cross(toVec3(places[i]), toVec3(elasticForce(*block.model, matrix, i)));
            torque += turns;
            size += double(length(turns));
        }
        if (plasticity == Plasticity::Multiplicative)
            EXPECT_LT(double(length(torque)), 1e-4 * size);
        else
            EXPECT_GT(double(length(torque)), 1e-2 * size);
    }
}

// Held at twice its length it flows up to the cap and no further: brought back to 1.1 times its length it stays as long as
// that, where a solid without a cap would be pressed back from nearly twice.
TEST(DeformableStep, MultiplicativeFlowEndsAtItsCap) {
    FleshMaterial material = materialOf(Real(1e6), Real(0.3));
    material.yieldStrain = Real(0.02);
    material.creepRate = 20;
    material.largestPlastic = Real(0.1);
    material.plasticity = Plasticity::Multiplicative;
    material.stiffnessDamping = Real(0.05);
    TestSolid block(boxOfTets({Real(0.5), Real(0.5), Real(0.5)}, {2, 2, 2}), material);
    TestIsland island;
    island.solids = {&block};
    block.pinWhere([](const Vec3&) { return true; });
    for (int i = 0; i < 240; ++i) {
        const double along = i < 120 ? 2.0 : std::max(1.1, 2 - (i - 120) / 60.0), across = 1 / std::sqrt(along);
        for (Pin& pin : block.pins) {
            const Vec3& p = block.model->mesh.vertices[pin.node];
            pin.target = {p.x * along, p.y * across, p.z * across};
        }
        island.step(Real(1) / 60);
    }
    block.pins.clear();
    for (int i = 0; i < 240; ++i)
        island.step(Real(1) / 60);
    // h (1, -1/2, -1/2) with sinh^2 h + 2 sinh^2 (h / 2) = 0.1^2.
    const double longer = double(length(block.place(block.nearest({1, 0, 0})) - block.place(block.nearest({-1, 0, 0}))));
    EXPECT_NEAR(std::log(longer), 0.1 / std::sqrt(1.5), 2e-3);
}

// A sliver would have the stiffness of its height. Clamped, it is as soft as others, and still feels no rigid motion.
TEST(DeformableStep, ASliverIsClampedAndFeelsNoRotation) {
    geometry::TetMesh sliver;
    sliver.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {Real(0.3), Real(0.3), Real(0.02)}};
    sliver.tets = {{0, 1, 2, 3}};
    TestSolid solid(sliver, materialOf(Real(1e6)));
    EXPECT_EQ(solid.model->clampedTets, 1u);
    TestIsland island;
    island.solids = {&solid};
    const Quat turn = quatFromRotationVector({1, Real(0.5), Real(-0.7)});
    for (Vec3& p : solid.positions)
        p = solid.model->center + rotate(turn, p - solid.model->center);
    island.step(Real(1) / 60);
    for (const Vec3& v : solid.velocities)
        EXPECT_LT(length(v), 1e-3);
}

TEST(DeformableStep, BadMeshesAreRefusedByNumber) {
    geometry::TetMesh mesh = boxOfTets({1, 1, 1}, {1, 1, 1});
    std::swap(mesh.tets[2][0], mesh.tets[2][1]);
    EXPECT_NE(buildSolid(mesh, materialOf(Real(1e6))).error.find("tetrahedron 2"), std::string::npos);
    mesh = boxOfTets({1, 1, 1}, {1, 1, 1});
    mesh.tets[3][1] = 99;
    EXPECT_NE(buildSolid(mesh, materialOf(Real(1e6))).error.find("node 99"), std::string::npos);
    mesh = boxOfTets({1, 1, 1}, {1, 1, 1});
    mesh.vertices.push_back({5, 5, 5});
    EXPECT_NE(buildSolid(mesh, materialOf(Real(1e6))).error.find("node 8"), std::string::npos);
    EXPECT_FALSE(buildSolid({}, materialOf(Real(1e6))).error.empty());
}

TEST(DeformableStep, AnyNumberOfThreadsGivesTheSameBits) {
    std::vector<Vec3> results[2];
    for (int run = 0; run < 2; ++run) {
        TestSolid beam(boxOfTets({2, Real(0.5), Real(0.5)}, {32, 8, 8}), materialOf(Real(1e6)));
        TestIsland island;
        if (run == 1)
            island.tasks = makeTaskRunner(3);
        island.gravity = {0, Real(-9.81), 0};
        island.solids = {&beam};
        beam.pinWhere([](const Vec3& p) { return p.x < Real(-1.999); });
        for (int i = 0; i < 5; ++i)
            island.step(Real(1) / 30);
        results[run] = beam.positions;
    }
    EXPECT_EQ(results[0], results[1]);
}

// Teleported, mirrored, flattened and shaken: everything comes back, nothing is ever not finite.
TEST(DeformableStep, AHundredAbusesAreSurvived) {
    core::Random random(7);
    for (int abuse = 0; abuse < 100; ++abuse) {
        TestSolid cube(boxOfTets({Real(0.5), Real(0.5), Real(0.5)}, {3, 3, 3}), materialOf(abuse % 2 ? Real(1e5) : Real(1e7)));
        TestIsland island;
        island.solids = {&cube};
        const auto any = [&] { return Real(2 * random.unit() - 1); };
        for (std::size_t i = 0; i < cube.positions.size(); ++i) {
            Vec3& p = cube.positions[i];
            switch (abuse % 5) {
                case 0: p = {any(), any(), any()}; break;
                case 1: p.x = -p.x; break;
                case 2: p.y = 0; break;
                case 3: p = {}; break;
                default:
                    if (i % 7 == 0)
                        p += Vec3{any(), any(), any()} * 5;
                    cube.velocities[i] = Vec3{any(), any(), any()} * 20;
            }
        }
        const Real dt = abuse % 3 == 0 ? Real(0.1) : Real(1) / 30;
        for (int i = 0; i < 150; ++i) {
            island.step(dt);
            ASSERT_TRUE(cube.isFinite()) << "abuse " << abuse << ", step " << i;
        }
        EXPECT_EQ(cube.invertedTets(), 0u) << "abuse " << abuse;
        EXPECT_NEAR(cube.volume(), 1, 0.02) << "abuse " << abuse;
    }
}

}  // namespace
}  // namespace sunder::deformable
