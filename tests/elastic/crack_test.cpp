// Cracks that grow through tetrahedra: what they free, and what the parts weigh.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/random.h"
#include "elastic/crack/crack_regions.h"
#include "elastic/crack/grow_cracks.h"
#include "elastic/crack/virtual_nodes.h"
#include "geometry/level_set/solid_distance.h"
#include "geometry/tets/stuff_tets.h"
#include "math/quat.h"

namespace sunder::elastic {
namespace {

UncutMesh boxOf(const Vec3& halfExtents, double latticeCell) {
    const geometry::FieldResult field = geometry::distanceOfShape(
        Box{halfExtents}, geometry::Resolution{Real(latticeCell / geometry::kFieldCellsPerLatticeCell), {}});
    EXPECT_EQ(field.error, "");
    geometry::TetResult tets = geometry::stuffTets(field.field);
    EXPECT_EQ(tets.error, "");
    return uncut(std::move(tets.mesh));
}

std::uint32_t tetAt(const UncutMesh& solid, const Vec3& point) {
    std::uint32_t best = 0;
    for (std::uint32_t tet = 1; tet < solid.mesh.tets.size(); ++tet)
        if (length(middleOf(solid.mesh, tet) - point) < length(middleOf(solid.mesh, best) - point))
            best = tet;
    return best;
}

double volumeOf(const UncutMesh& solid) {
    double sum = 0;
    for (std::uint32_t tet = 0; tet < solid.mesh.tets.size(); ++tet)
        sum += geometry::volumeOf(solid.mesh, tet);
    return sum;
}

double sumOf(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

// Pulled along this direction everywhere, by 1 Pa.
template <class Direction>
std::vector<PrincipalStress> tensions(const UncutMesh& solid, Direction&& direction) {
    std::vector<PrincipalStress> all;
    for (std::uint32_t tet = 0; tet < solid.mesh.tets.size(); ++tet)
        all.push_back(PrincipalStress{1.0, toDouble(direction(middleOf(solid.mesh, tet)))});
    return all;
}

std::vector<Resistance> weak(const UncutMesh& solid) {
    return std::vector<Resistance>(solid.mesh.tets.size(), {Real(0.5), Real(0.5)});
}

TEST(Crack, APlaneHalvesABoxExactly) {
    const UncutMesh solid = boxOf({Real(0.5), Real(0.3), Real(0.3)}, 0.11);
    CrackState state = noCracks(solid);
    const auto pulled = tensions(solid, [](const Vec3&) { return Vec3{1, 0, 0}; });
    const std::uint32_t start = tetAt(solid, {Real(0.07), 0, 0});
    const double at = double(middleOf(solid.mesh, start).x);
    const std::uint16_t crack = startCrack(solid, state, start, {1, 0, 0});
    runCrack(solid, state, crack, pulled, weak(solid), {});
    const CrackedMesh cut = cutMesh(solid, state);
    ASSERT_EQ(cut.pieceVolumes.size(), 2u);
    // Linear tetrahedra hold a plane exactly, but where it passes within a hundredth of an edge from a node.
    const double whole = volumeOf(solid), larger = std::max(cut.pieceVolumes[0], cut.pieceVolumes[1]);
    EXPECT_NEAR(larger / whole, 0.5 + at, 2e-3);
    EXPECT_NEAR(sumOf(cut.pieceVolumes), whole, 1e-12 * whole);
}

TEST(Crack, StraightOnPartsWhatItRunsThroughAndIsShortenedAgain) {
    const UncutMesh solid = boxOf({Real(0.5), Real(0.3), Real(0.3)}, 0.11);
    CrackState state = noCracks(solid);
    const std::uint16_t crack = startCrack(solid, state, tetAt(solid, {Real(0.07), 0, 0}), {1, 0, 0});
    const std::vector<std::size_t> sizes = extendCrack(solid, state, crack, 100, 100000);
    ASSERT_GT(sizes.size(), 2u);
    EXPECT_EQ(pieceCount(solid, state), 2u);
    EXPECT_EQ(pieceCount(solid, state), cutMesh(solid, state).pieceVolumes.size());
    shorten(state, crack, sizes[0]);
    EXPECT_EQ(state.cracks[crack].tets.size(), sizes[0]);
    EXPECT_EQ(std::count_if(state.ofTet.begin(), state.ofTet.end(), [](const auto& here) { return !here.empty(); }),
              std::ptrdiff_t(sizes[0]));
    EXPECT_EQ(pieceCount(solid, state), 1u);
}

TEST(Crack, RoundABallFreesIt) {
    const Real radius = Real(0.3);
    const UncutMesh solid = boxOf({Real(0.5), Real(0.5), Real(0.5)}, 0.12);
    for (const double degrees : {0.0, 5.0, 10.0}) {
        int freed = 0;
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            core::Random random(seed);
            const auto vector = [&] {
                return normalizeOr(Vec3{Real(random.between(-1, 1)), Real(random.between(-1, 1)), Real(random.between(-1, 1))},
                                   Vec3{1, 0, 0});
            };
            const Vec3 from = vector();
            const auto pulled = tensions(solid, [&](const Vec3& at) {
                const Real angle = Real(degrees * random.unit() * 3.141592653589793 / 180);
                return rotate(quatFromRotationVector(vector() * angle), normalizeOr(at, Vec3{1, 0, 0}));
            });
            CrackState state = noCracks(solid);
            const std::uint32_t start = tetAt(solid, from * radius);
            const double through = double(length(middleOf(solid.mesh, start)));
            const double exact = 4.0 / 3 * 3.141592653589793 * through * through * through;
            const std::uint16_t crack = startCrack(solid, state, start, normalizeOr(middleOf(solid.mesh, start), {1, 0, 0}));
            runCrack(solid, state, crack, pulled, weak(solid), {});
            const CrackedMesh cut = cutMesh(solid, state);
            EXPECT_NEAR(sumOf(cut.pieceVolumes), volumeOf(solid), 1e-12);
            double ball = 0;
            for (std::size_t piece = 0; piece < cut.pieceVolumes.size(); ++piece)
                if (piece != cut.pieceOf[cut.elementOf(tetAt(solid, {Real(0.48), Real(0.48), Real(0.48)}), 0)])
                    ball += cut.pieceVolumes[piece];
            freed += cut.pieceVolumes.size() >= 2 && std::fabs(ball / exact - 1) < 0.15;
        }
        EXPECT_EQ(freed, 6) << degrees << " degrees";
    }
}

// From any tetrahedron the way leads to the one that the tree finds, inside the solid and outside.
TEST(Crack, ATetrahedronIsFoundFromAnyOther) {
    const UncutMesh solid = boxOf({Real(0.5), Real(0.3), Real(0.3)}, 0.11);
    const TetFinder finder(solid);
    core::Random random(1);
    std::uint32_t before = 0;
    for (int i = 0; i < 2000; ++i) {
        const Vec3d point{random.between(-0.6, 0.6), random.between(-0.4, 0.4), random.between(-0.4, 0.4)};
        const std::uint32_t found = finder.find(solid, point);
        const auto anywhere = std::uint32_t(random.unit() * double(solid.mesh.tets.size()));
        EXPECT_EQ(finder.findFrom(solid, anywhere, point), found);
        EXPECT_EQ(finder.findFrom(solid, before, point), found);
        before = found;
    }
}

// Labels of the pieces on a grid: the same bits by one thread and by several.
TEST(Crack, RegionsAreTheSameForAnyNumberOfThreads) {
    const UncutMesh solid = boxOf({Real(0.5), Real(0.3), Real(0.3)}, 0.11);
    CrackState state = noCracks(solid);
    const std::uint16_t crack = startCrack(solid, state, tetAt(solid, {Real(0.07), 0, 0}), {1, 0, 0});
    extendCrack(solid, state, crack, 100, 100000);
    const CrackedMesh cut = cutMesh(solid, state);
    ASSERT_EQ(cut.pieceVolumes.size(), 2u);
    const TetFinder finder(solid);
    geometry::Grid grid;
    grid.cell = Real(0.03);
    grid.nodes = {37, 23, 24};
    grid.origin = {Real(-0.54), Real(-0.33), Real(-0.345)};
    const auto patternBy = [&](TaskRunner* runner) {
        CrackRegions regions(solid, state, cut, finder, 5 * double(grid.cell));
        return geometry::buildPattern(grid, regions, false, runner).pattern;
    };
    const geometry::Pattern alone = patternBy(nullptr);
    EXPECT_EQ(alone.regionCount, 2u);
    for (const int threads : {2, 3}) {
        const auto runner = makeTaskRunner(threads);
        const geometry::Pattern several = patternBy(runner.get());
        EXPECT_EQ(several.labels, alone.labels);
        EXPECT_EQ(several.distances, alone.distances);
    }
    // Nodes on either side of the crack, which lies at the middle of the tetrahedron that it began in.
    const double at = double(middleOf(solid.mesh, state.cracks[crack].tets[0]).x);
    const auto labelAt = [&](double x) {
        return alone.labels[grid.index(int(std::lround((x - double(grid.origin.x)) / double(grid.cell))), 11, 11)];
    };
    EXPECT_EQ(labelAt(-0.45), labelAt(at - 0.06));
    EXPECT_NE(labelAt(at - 0.06), labelAt(at + 0.06));
    EXPECT_EQ(labelAt(0.45), labelAt(at + 0.06));
}

// A crack that comes to an older one ends there: beyond the free surface it would have to start anew. Together they part the
// box in three.
TEST(Crack, EndsAtAnOlderOne) {
    const UncutMesh solid = boxOf({Real(0.5), Real(0.3), Real(0.3)}, 0.11);
    CrackState state = noCracks(solid);
    const auto alongX = tensions(solid, [](const Vec3&) { return Vec3{1, 0, 0}; });
    const auto alongZ = tensions(solid, [](const Vec3&) { return Vec3{0, 0, 1}; });
    const std::uint32_t start = tetAt(solid, {});
    const Real at = middleOf(solid.mesh, start).x;
    runCrack(solid, state, startCrack(solid, state, start, {1, 0, 0}), alongX, weak(solid), {});
    const std::uint16_t second = startCrack(solid, state, tetAt(solid, {Real(0.3), 0, 0}), {0, 0, 1});
    runCrack(solid, state, second, alongZ, weak(solid), {});
    for (const std::uint32_t tet : state.cracks[second].tets)
        EXPECT_GT(middleOf(solid.mesh, tet).x, at - Real(0.11));
    EXPECT_EQ(cutMesh(solid, state).pieceVolumes.size(), 3u);
}

// A bar that is pulled a little beyond its strength everywhere cracks once: the crack unloads the rest. Pulled far beyond it,
// tensions at some distance stay above the strength whatever the first crack does, and several start at once.
TEST(Crack, UnloadsWhatIsBeside) {
    const UncutMesh solid = boxOf({1, Real(0.2), Real(0.2)}, 0.1);
    const auto pulled = tensions(solid, [](const Vec3&) { return Vec3{1, 0, 0}; });
    const auto startedAt = [&](Real strength) {
        CrackState state = noCracks(solid);
        const std::vector<Resistance> resistance(solid.mesh.tets.size(), {strength, strength / 2});
        return growCracks(solid, state, pulled, resistance, {}, {}).started;
    };
    // Cracks of 0.28 m half length: at the far end, 2 m away at most, d / sqrt(d^2 + a^2) = 0.99.
    EXPECT_EQ(startedAt(Real(0.995)), 1u);
    EXPECT_GE(startedAt(Real(0.1)), 4u);
}

// Of two grains the boundary lies where their energies are equal; it is weaker than the rest, and the sign of the distance to
// it says which grain a point is in.
TEST(Crack, BoundariesOfGrainsAreWeaker) {
    const UncutMesh solid = boxOf({Real(0.5), Real(0.3), Real(0.3)}, 0.11);
    GrainOptions options;
    options.count = 5;
    options.strength = Real(0.4);
    const Grains grains(solid, {{Real(-0.5), Real(-0.3), Real(-0.3)}, {Real(0.5), Real(0.3), Real(0.3)}}, options);
    const std::vector<Resistance> resistance = resistanceOf(solid, 1000, 0, 1, grains);
    std::size_t boundaries = 0;
    for (std::uint32_t tet = 0; tet < solid.mesh.tets.size(); ++tet) {
        const bool isBoundary = grains.isBoundary(solid, tet);
        boundaries += isBoundary;
        EXPECT_EQ(resistance[tet].start, isBoundary ? Real(400) : Real(1000));
        EXPECT_EQ(grains.boundaryIn(solid, tet).has_value(), isBoundary);
    }
    EXPECT_GT(boundaries, 0u);
    EXPECT_LT(boundaries, solid.mesh.tets.size() / 2);
}

}  // namespace
}  // namespace sunder::elastic
