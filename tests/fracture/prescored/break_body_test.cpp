// Breaking level-set bodies: pieces are connected, disjoint and complete; mass, momentum and energy are the body's.
#include "fracture/prescored/break_body.h"

#include <algorithm>

#include "core/hash.h"
#include "fracture/prescored/broken_body.h"
#include "fracture/prescored/piece_mass.h"
#include "fracture/prescored/piece_solid.h"
#include "support/random_points.h"

namespace sunder::fracture {
namespace {

using geometry::Components;
using geometry::Connectivity;
using geometry::GridRange;
using geometry::LevelSet;
using namespace testing;
using sunder::testing::RandomPoints;

struct Scene {
    const char* name;
    Shape shape;
    PatternKind kind;
};

std::vector<Scene> scenes() {
    VoronoiPattern fine;
    fine.pieces = 120;
    return {{"wall, radial", Box{{Real(1.47), Real(0.17), Real(0.97)}}, RadialPattern{}},
            {"ball, cells", Sphere{Real(0.6)}, fine},
            {"cylinder, wood", Cylinder{Real(0.4), Real(0.8)}, WoodPattern{}},
            {"wall, bricks", Box{{Real(0.9), Real(0.17), Real(0.7)}}, BrickPattern{}},
            {"ball, shells", Sphere{Real(0.6)}, ShellPattern{}},
            {"capsule, slabs", Capsule{Real(0.3), Real(0.6)}, SlabPattern{}}};
}

// Offset of a piece's grid in its parent's.
geometry::Int3 offsetIn(const geometry::Grid& parent, const geometry::Grid& piece) {
    const Vec3 cells = (piece.origin - parent.origin) / parent.cell;
    const auto rounded = [](Real x) { return int(std::floor(x + Real(0.5))); };
    return {rounded(cells.x), rounded(cells.y), rounded(cells.z)};
}

template <class Stored>
void expectShareOut(const LevelSet<Stored>& field, const std::vector<Piece<Stored>>& pieces, std::uint32_t smallest) {
    std::vector<int> times(field.values.size());
    for (const Piece<Stored>& piece : pieces) {
        const geometry::Int3 offset = offsetIn(field.grid, piece.field.grid);
        const Components parts = geometry::solidComponents(piece.field, Connectivity::Face);
        EXPECT_EQ(parts.count(), 1u);
        EXPECT_GE(piece.nodeCount, smallest);
        std::uint32_t inside = 0;
        const auto [nx, ny, nz] = piece.field.grid.nodes;
        for (int z = 0; z < nz; ++z)
            for (int y = 0; y < ny; ++y)
                for (int x = 0; x < nx; ++x)
                    if (piece.field.isInside(piece.field.grid.index(x, y, z))) {
                        EXPECT_TRUE(x > 0 && y > 0 && z > 0 && x < nx - 1 && y < ny - 1 && z < nz - 1);
                        ++times[field.grid.index(x + offset.x, y + offset.y, z + offset.z)];
                        ++inside;
                    }
        EXPECT_EQ(inside, piece.nodeCount);
    }
    int wrong = 0;
    for (std::size_t node = 0; node < times.size(); ++node)
        wrong += times[node] != (field.isInside(node) ? 1 : 0);
    EXPECT_EQ(wrong, 0);
}

template <class Stored>
std::vector<MassProperties> massesOf(const std::vector<Piece<Stored>>& pieces) {
    std::vector<MassProperties> masses;
    for (const Piece<Stored>& piece : pieces)
        masses.push_back(piece.mass);
    return masses;
}

struct Momenta {
    Vec3d linear, angular;  // angular about the origin
    double energy = 0;
};

Momenta momentaOf(const MassProperties& mass, const Motion& motion) {
    const auto& I = mass.inertia;
    const Vec3d w = motion.angularVelocity, c{mass.center[0], mass.center[1], mass.center[2]};
    const Vec3d spin{I[0] * w.x + I[3] * w.y + I[4] * w.z, I[3] * w.x + I[1] * w.y + I[5] * w.z,
                     I[4] * w.x + I[5] * w.y + I[2] * w.z};
    const Vec3d p = motion.velocity * mass.volume;
    return {p, spin + cross(c, p), 0.5 * (dot(spin, w) + dot(p, motion.velocity))};
}

void expectAddUp(const MassProperties& whole, const std::vector<MassProperties>& parts, std::uint64_t seed) {
    RandomPoints random(seed);
    const Motion motion{toDouble(random.inBox(5)), toDouble(random.inBox(20))};
    const std::vector<Motion> motions = motionOfPieces(whole, motion, parts);
    const Momenta before = momentaOf(whole, motion);
    Momenta after;
    double volume = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Momenta part = momentaOf(parts[i], motions[i]);
        after.linear += part.linear;
        after.angular += part.angular;
        after.energy += part.energy;
        volume += parts[i].volume;
        EXPECT_GT(parts[i].volume, 0);
    }
    const MassProperties sum = geometry::combined(parts);
    const double size = whole.inertia[0] + whole.inertia[1] + whole.inertia[2];
    // The bar is 1e-5; sums in double reach 1e-12.
    EXPECT_NEAR(volume, whole.volume, 1e-10 * whole.volume);
    for (int i = 0; i < 6; ++i)
        EXPECT_NEAR(sum.inertia[i], whole.inertia[i], 1e-10 * size);
    for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(sum.center[i], whole.center[i], 1e-10);
    EXPECT_LT(length(after.linear - before.linear), 1e-10 * length(before.linear));
    EXPECT_LT(length(after.angular - before.angular), 1e-10 * length(before.angular));
    EXPECT_LE(after.energy, before.energy * (1 + 1e-12));
    EXPECT_GT(after.energy, before.energy * (1 - 1e-9));
}

TEST(BreakBody, PiecesAreConnectedDisjointAndComplete) {
    for (const Scene& scene : scenes()) {
        SCOPED_TRACE(scene.name);
        const LevelSet8 field = levelSetOf(scene.shape, kCell);
        const MassProperties mass = massOf(field);
        const Pattern pattern = patternOf(scene.kind);
        RandomPoints random(3);
        for (int i = 0; i < 3; ++i) {
            const Vec3 normal = random.onSphere();
            const auto pieces = breakGeneral(field, mass, pattern, {random.inBox(0.3), normal});
            EXPECT_GT(pieces.size(), 3u);
            expectShareOut(field, pieces, 8);
            expectAddUp(mass, massesOf(pieces), 7 + std::uint64_t(i));
        }
    }
}

// At the paper's resolutions, hit as in its figures, the level sets of the pieces together take less than three times the
// body's. (Long pieces across the grid take more: their boxes overlap.)
void expectLittleMemory(const Shape& shape, const Impact& impact) {
    const LevelSet8 field = levelSetOf(shape, Real(0.02));
    const auto pieces = breakGeneral(field, massOf(field), patternOf(RadialPattern{}), impact);
    EXPECT_GT(pieces.size(), 20u);
    std::size_t memory = 0;
    for (const auto& piece : pieces)
        memory += piece.field.memory() + piece.cutNodes.memory();
    EXPECT_LT(memory, 3 * field.memory());
}

TEST(BreakBody, MemoryOfThePieces) {
    const Real r = Real(0.52);
    expectLittleMemory(Box{{Real(1.47), Real(0.07), Real(0.97)}}, {{Real(0.1), Real(0.07), 0}, {Real(0.1), 1, Real(0.2)}});
    expectLittleMemory(Sphere{r}, {{0, r, 0}, {0, 1, 0}});
    expectLittleMemory(Cylinder{r, Real(1.02)}, {{0, Real(0.1), r}, {0, 0, 1}});
}

TEST(BreakBody, SixteenBitsToo) {
    const LevelSet16 field = levelSetOf<std::int16_t>(Cylinder{Real(0.4), Real(0.5)}, kCell);
    const Impact impact{{0, Real(0.5), 0}, {0, 1, 0}};
    const auto pieces = breakGeneral(field, massOf(field), patternOf(RadialPattern{}), impact);
    EXPECT_GT(pieces.size(), 10u);
    expectShareOut(field, pieces, 8);
    expectAddUp(massOf(field), massesOf(pieces), 5);
}

// Pieces break again, and their pieces, with sums as exact as the first.
TEST(BreakBody, PiecesBreakAgain) {
    const LevelSet8 field = levelSetOf(Box{{Real(0.8), Real(0.4), Real(0.6)}}, kCell);
    const MassProperties whole = massOf(field);
    VoronoiPattern few;
    few.pieces = 8;
    const Pattern pattern = patternOf(few);
    std::vector<Piece<std::int8_t>> parents = breakGeneral(field, whole, pattern, {{}, {0, 1, 0}});
    const std::unique_ptr<TaskRunner> runner = makeSerialRunner();
    for (int generation = 0; generation < 2; ++generation) {
        const auto largest = std::max_element(parents.begin(), parents.end(),
                                              [](const auto& a, const auto& b) { return a.nodeCount < b.nodeCount; });
        const Real scale = coveringScale(pattern, radiusOf(largest->field.grid));
        const PlacedPattern placed =
            placeGeneral(pattern, scale, largest->field.grid, {largest->parentFromPiece.position, {1, 0, 0}}, *runner);
        const auto pieces = breakBody<std::int8_t>({largest->field, largest->mass, &largest->cutNodes}, placed, {}, *runner);
        ASSERT_GT(pieces.size(), 2u);
        expectShareOut(largest->field, pieces, 8);
        expectAddUp(largest->mass, massesOf(pieces), 11);
        parents = pieces;
    }
}

// Where the user gave another inertia the pieces keep their geometry's, and motion still has no more energy.
TEST(BreakBody, GivenInertiaDoesNotMoveThePieces) {
    const LevelSet8 field = levelSetOf(Sphere{Real(0.5)}, kCell);
    MassProperties mass = massOf(field);
    mass.volume *= 2400;
    for (double& entry : mass.inertia)
        entry *= 2 * 2400;
    const auto pieces = breakGeneral(field, mass, patternOf(RadialPattern{}), {{0, Real(0.5), 0}, {0, 1, 0}});
    const std::vector<MassProperties> masses = massesOf(pieces);
    EXPECT_NEAR(geometry::combined(masses).volume, mass.volume, 1e-9 * mass.volume);
    const Motion motion{{1, 2, 3}, {3, -4, 5}};
    const Momenta before = momentaOf(mass, motion);
    Momenta after;
    const std::vector<Motion> motions = motionOfPieces(mass, motion, masses);
    for (std::size_t i = 0; i < masses.size(); ++i) {
        after.energy += momentaOf(masses[i], motions[i]).energy;
        after.linear += momentaOf(masses[i], motions[i]).linear;
    }
    EXPECT_LE(after.energy, before.energy * (1 + 1e-12));
    EXPECT_LT(length(after.linear - before.linear), 1e-9 * length(before.linear));
}

// The mass of a piece against what its own level set says: shared out by whole nodes and blunt at the edges, so off by the
// edges' share of the volume.
TEST(BreakBody, MassesAreThoseOfTheFields) {
    const LevelSet8 field = levelSetOf(Sphere{Real(0.6)}, Real(0.02));
    VoronoiPattern kind;
    kind.pieces = 20;
    const auto pieces = breakGeneral(field, massOf(field), patternOf(kind), {{0, Real(0.6), 0}, {0, 1, 0}});
    double squares = 0, count = 0;
    for (const auto& piece : pieces) {
        const MassProperties own = massOf(piece.field);
        if (piece.nodeCount < 1000)
            continue;
        EXPECT_NEAR(piece.mass.volume, own.volume, 0.05 * own.volume);
        for (int i = 0; i < 3; ++i)
            EXPECT_NEAR(piece.mass.center[i], own.center[i], 0.5 * 0.02);
        squares += (piece.mass.volume / own.volume - 1) * (piece.mass.volume / own.volume - 1);
        ++count;
        // The frame is the one in which the inertia is diagonal.
        const Mat3 R = toMatrix(piece.parentFromPiece.orientation);
        const Vec3 moments{Real(piece.moments[0]), Real(piece.moments[1]), Real(piece.moments[2])};
        const Sym3 back = rotateDiagonal(R, moments);
        const double size = piece.mass.inertia[0] + piece.mass.inertia[1] + piece.mass.inertia[2];
        EXPECT_NEAR(back.xx, piece.mass.inertia[0], 1e-5 * size);
        EXPECT_NEAR(back.xy, piece.mass.inertia[3], 1e-5 * size);
        EXPECT_NEAR(back.yz, piece.mass.inertia[5], 1e-5 * size);
    }
    EXPECT_GT(count, 5);
    EXPECT_LT(std::sqrt(squares / count), 0.04);
}

std::uint64_t hashOf(const std::vector<Piece<std::int8_t>>& pieces) {
    Hasher hasher;
    for (const Piece<std::int8_t>& piece : pieces) {
        for (const std::int8_t value : piece.field.values)
            hasher.add(std::uint64_t(value));
        for (const Vec3& p : piece.particles.positions)
            hasher.addBits(p);
        for (const Vec3& p : piece.surface.positions)
            hasher.addBits(p);
        hasher.addBits(piece.mass.volume);
        hasher.addBits(piece.moments);
        hasher.addBits(piece.parentFromPiece.position);
        hasher.addBits(piece.parentFromPiece.orientation);
    }
    return hasher.value();
}

TEST(BreakBody, SameBitsForAnyNumberOfThreads) {
    const LevelSet8 field = levelSetOf(Box{{Real(0.9), Real(0.17), Real(0.7)}}, kCell);
    const MassProperties mass = massOf(field);
    const Pattern pattern = patternOf(VoronoiPattern{});
    BreakOptions options;
    options.withSurfaces = true;
    const Impact impact{{Real(0.2), Real(0.17), 0}, {Real(0.6), Real(0.8), 0}};
    const std::uint64_t serial = hashOf(breakGeneral(field, mass, pattern, impact, options, 1));
    for (const int threads : {2, 3, 7})
        EXPECT_EQ(hashOf(breakGeneral(field, mass, pattern, impact, options, threads)), serial) << threads;
}

// Small ones may be left without particles: as solids they have the same ones all the same, and the others are as they were.
TEST(BreakBody, SmallPiecesNeedNoParticlesToBecomeSolids) {
    VoronoiPattern cells;
    cells.pieces = 12;
    const LevelSet16 field = levelSetOf<std::int16_t>(Box{{Real(1.2), Real(0.4), Real(0.4)}}, Real(0.02));
    const Pattern pattern = patternOf(cells);
    const Impact impact{{Real(0.6), Real(0.4), 0}, {0, 1, 0}};
    BreakOptions options;
    std::vector<Piece<std::int16_t>> all = breakGeneral(field, massOf(field), pattern, impact, options);
    options.noParticlesUpTo = collision::kMostOfSmallPiece;
    std::vector<Piece<std::int16_t>> some = breakGeneral(field, massOf(field), pattern, impact, options);
    ASSERT_EQ(all.size(), some.size());
    const SampledSolid parent;
    int small = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool isSmall = all[i].particles.size() <= collision::kMostOfSmallPiece;
        small += isSmall;
        EXPECT_EQ(some[i].particles.size(), isSmall ? 0 : all[i].particles.size());
        const auto a = solidOf(all[i], parent), b = solidOf(some[i], parent);
        EXPECT_GT(a->particles.size(), 0u);
        EXPECT_EQ(a->particles.cells, b->particles.cells);
        EXPECT_EQ(a->particles.features, b->particles.features);
        EXPECT_EQ(a->particles.positions, b->particles.positions);
        EXPECT_EQ(a->particles.normals, b->particles.normals);
    }
    EXPECT_GT(small, 0);
    EXPECT_LT(small, int(all.size()));
}

TEST(BreakBody, LimitsJoinPieces) {
    const LevelSet8 field = levelSetOf(Box{{Real(0.9), Real(0.3), Real(0.7)}}, kCell);
    const MassProperties mass = massOf(field);
    VoronoiPattern kind;
    kind.pieces = 300;
    kind.evenness = 0;
    const Pattern pattern = patternOf(kind, 1, 49);
    const Impact impact{{0, Real(0.3), 0}, {0, 1, 0}};
    const std::size_t all = breakGeneral(field, mass, pattern, impact).size();
    ASSERT_GT(all, 60u);
    BreakOptions options;
    options.limits.mostPieces = 20;
    const auto few = breakGeneral(field, mass, pattern, impact, options);
    EXPECT_EQ(few.size(), 20u);
    expectShareOut(field, few, 8);
    expectAddUp(mass, massesOf(few), 2);
    options = {};
    options.limits.smallestVolume = Real(0.02);
    const auto large = breakGeneral(field, mass, pattern, impact, options);
    EXPECT_LT(large.size(), all);
    expectShareOut(field, large, std::uint32_t(0.02 / 0.000064));
    // No wall is left where parts were joined: inside, values are distances to the surface, so that a node deeper than two
    // cells has neighbours deeper than one.
    int walls = 0;
    for (const auto& piece : few) {
        const auto [nx, ny, nz] = piece.field.grid.nodes;
        for (int z = 1; z + 1 < nz; ++z)
            for (int y = 1; y + 1 < ny; ++y)
                for (int x = 1; x + 1 < nx; ++x) {
                    const std::size_t at = piece.field.grid.index(x, y, z);
                    walls += piece.field.values[at] < -64 && piece.field.values[at + 1] > -28;
                }
    }
    EXPECT_EQ(walls, 0);
}

TEST(BreakBody, NoBorderMeansOnePiece) {
    const LevelSet8 field = levelSetOf(Sphere{Real(0.3)}, kCell);
    SlabPattern thick;
    thick.thickness = 4;
    thick.jitter = thick.tilt = 0;
    const auto pieces = breakGeneral(field, massOf(field), patternOf(thick), {{}, {0, 1, 0}});
    ASSERT_EQ(pieces.size(), 1u);
    EXPECT_EQ(pieces[0].nodeCount, geometry::solidComponents(field, Connectivity::Face).nodeCounts[0]);
}

}  // namespace
}  // namespace sunder::fracture
