// A clamped beam under a dead load at its end against the elastica, with and without smoothed strains.
#include <gtest/gtest.h>

#include <cmath>

#include "deformable/step/tet_stress.h"
#include "solid_for_tests.h"

namespace sunder::deformable {

namespace {

constexpr Real kCell = Real(0.02), kYoung = Real(1e8), kSmoothing = Real(0.55);

// Deflection of the end over the length, for a load P L^2 / (E I) across the beam.
double deflection(std::array<int, 3> cells, Real smoothing, double load, Real young = kYoung, Real dt = Real(1) / 30) {
    FleshMaterial material = materialOf(young);
    material.smoothing = smoothing;
    material.massDamping = 20;  // so that it comes to rest
    const Vec3 half{kCell / 2 * Real(cells[0]), kCell / 2 * Real(cells[1]), kCell / 2 * Real(cells[2])};
    TestSolid beam(boxOfTets(half, cells), material);
    beam.pinWhere([&](const Vec3& p) { return p.x < -half.x + kCell / 4; });
    const double length = 2 * double(half.x), side = 2 * double(half.y);
    const double stiffness = double(young) * 2 * double(half.z) * side * side * side / 12;  // E I
    const double force = load * stiffness / (length * length);
    // Spread over the end by area: nodes at its rim bear half, at its corners a quarter.
    std::vector<NodeLoad> shares;
    for (std::uint32_t i = 0; i < beam.positions.size(); ++i) {
        const Vec3& p = beam.model->mesh.vertices[i];
        if (p.x < half.x - kCell / 4)
            continue;
        const auto rim = [](Real x, Real most) { return std::fabs(double(x)) > double(most) - 1e-4 ? 0.5 : 1.0; };
        const double share = rim(p.y, half.y) * rim(p.z, half.z) / double(cells[1] * cells[2]);
        shares.push_back({i, {0, Real(-force * share), 0}});
    }
    TestIsland island;
    island.solids = {&beam};
    constexpr int kRamp = 40, kSteps = 120;
    for (int step = 1; step <= kSteps; ++step) {
        island.island.solids.resize(1);
        island.island.solids[0].forces = shares;
        for (NodeLoad& given : island.island.solids[0].forces)
            given.force *= std::min(Real(1), Real(step) / Real(kRamp));
        island.step(dt);
    }
    double sum = 0;
    for (const NodeLoad& share : shares)
        sum -= (beam.place(share.node).y - double(beam.model->mesh.vertices[share.node].y)) / double(shares.size());
    return sum / length;
}

}  // namespace

// Tip deflections of the elastica (elliptic integrals). 6,000 tetrahedra, four cells across. The tolerance is that of the bar;
// seen: 0.4 %.
TEST(DeformableBending, SmoothedStrainsFollowTheElastica) {
    constexpr struct { double load, deflection; } kElastica[] = {{1, 0.30172}, {2, 0.49346}, {5, 0.71379}, {10, 0.81061}};
    for (const auto& [load, expected] : kElastica)
        EXPECT_NEAR(deflection({75, 4, 4}, kSmoothing, load), expected, 0.05 * expected) << "load " << load;
}

// A stiff beam in long steps: its load stiffens it against bending more than twice over, and a step that does not know of that
// throws it about until nothing of it is finite. Deflections are those of constant strains, which are stiffer than the
// elastica.
TEST(DeformableBending, StiffBeamsRestInLongSteps) {
    EXPECT_NEAR(deflection({75, 4, 4}, 0, 5, Real(1e9), Real(1) / 20), 0.6935, 0.01);
    EXPECT_NEAR(deflection({75, 4, 4}, 0, 2, Real(1e9), Real(1) / 10), 0.4613, 0.01);
}

// Constant strains lock: the coarser the mesh, the more. Smoothed ones are far nearer to the elastica on every mesh.
TEST(DeformableBending, ConstantStrainsAreTooStiff) {
    constexpr double kElastica = 0.30172;
    const double coarse = deflection({40, 2, 2}, 0, 1), fine = deflection({60, 4, 4}, 0, 1);
    EXPECT_LT(coarse, 0.8 * kElastica);
    EXPECT_LT(coarse, fine);
    EXPECT_LT(fine, 0.95 * kElastica);
    EXPECT_NEAR(deflection({40, 2, 2}, kSmoothing, 1), kElastica, 0.08 * kElastica);
}

// A strain that is the same everywhere is its own mean.
TEST(DeformableBending, SmoothingLeavesUniformStrainAsItIs) {
    TestSolid box(boxOfTets({Real(0.3), Real(0.2), Real(0.2)}, {3, 2, 2}), materialOf(Real(1e6)));
    for (Vec3& p : box.positions)
        p = {p.x * Real(1.05) + p.y * Real(0.02), p.y * Real(0.98), p.z + p.x * Real(0.01)};
    std::vector<Four> positions;
    for (const Vec3& p : box.positions)
        positions.push_back(toFour(p));
    ElementSettings element;
    element.lame = lameOf(box.model->material.elastic);
    element.worldFromBody = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const auto tasks = makeSerialRunner();
    SolidMatrix matrix;
    deformElements(*tasks, *box.model, positions.data(), element, box.memory.usesQr, box.memory.plastic, matrix);
    const std::vector<TetRecord> before = matrix.records;
    smoothForces(*tasks, *box.model, 1, matrix);
    double largest = 0, difference = 0;
    for (std::size_t t = 0; t < before.size(); ++t)
        for (int k = 0; k < 4; ++k) {
            largest = std::max(largest, double(length(toVec3(before[t].force[k]))));
            difference = std::max(difference, double(length(toVec3(before[t].force[k] - matrix.records[t].force[k]))));
        }
    EXPECT_GT(largest, 10);
    EXPECT_LT(difference, 1e-3 * largest);
}

}  // namespace sunder::deformable
