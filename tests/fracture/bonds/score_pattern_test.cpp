// Solids scored by patterns into bonded pieces, against cuts whose areas are known.
#include <gtest/gtest.h>

#include <cmath>

#include "collision/built_shape.h"
#include "geometry/level_set/level_set_mass.h"
#include "sunder/definitions.h"
#include "sunder/scored_solid.h"
#include "support/level_sets.h"

namespace sunder {
namespace {

constexpr double kX = 0.44, kY = 0.17, kZ = 0.15;  // m: half a box

ScoredPatternDef boxBy(const PatternKind& kind, double cell = 0.02) {
    PatternDef pattern;
    pattern.kind = kind;
    pattern.nodes = 17;  // what is scored beforehand is not taken from the samples
    ScoredPatternDef def;
    def.shape = Box{{Real(kX), Real(kY), Real(kZ)}};
    def.cell = Real(cell);
    def.scale = 2;
    def.pattern = buildPattern(pattern);
    return def;
}

// Plates of 0.2 m across x, in the middle of the box.
ScoredPatternDef slabs(double cell = 0.02) { return boxBy(SlabPattern{Real(0.1), {1, 0, 0}, 0, 0}, cell); }

// Bricks of 0.25 x 0.125 m, seen along z; through the whole depth.
ScoredPatternDef bricks(double bond, double cell = 0.02) {
    ScoredPatternDef def = boxBy(BrickPattern{{Real(0.125), 1, Real(0.0625)}, Real(bond)}, cell);
    def.normal = {0, 0, 1};
    return def;
}

const SampledSolid& solidOf(const CompoundChild& child) { return *std::get<LevelSet>(child.shape).sampled; }

// Whether bonds a to b in ascending order, once each, hold all pieces together.
void expectConnected(const ScoredPattern& scored) {
    const std::size_t count = scored.pieces.children.size();
    std::vector<std::uint32_t> root(count);
    for (std::uint32_t i = 0; i < count; ++i)
        root[i] = i;
    for (std::size_t i = 0; i < scored.bonds.size(); ++i) {
        const Bond& bond = scored.bonds[i];
        ASSERT_LT(bond.a, bond.b);
        ASSERT_LT(bond.b, count);
        EXPECT_GT(bond.area, 0);
        EXPECT_NEAR(length(bond.normal), 1, 1e-5);
        EXPECT_TRUE(i == 0 || std::pair(scored.bonds[i - 1].a, scored.bonds[i - 1].b) < std::pair(bond.a, bond.b));
        const std::uint32_t from = root[bond.b], to = root[bond.a];
        for (std::uint32_t& piece : root)
            piece = piece == from ? to : piece;
    }
    for (const std::uint32_t piece : root)
        EXPECT_EQ(piece, root[0]);
}

TEST(ScoredPattern, VolumesAddUpToTheParents) {
    for (const ScoredPatternDef& def : {slabs(), bricks(0.5), boxBy(VoronoiPattern{})}) {
        const ScoredPattern scored = scoreByPattern(def);
        ASSERT_GE(scored.pieces.children.size(), 5u);
        double masses = 0, fields = 0;
        for (const CompoundChild& child : scored.pieces.children) {
            const SampledSolid& solid = solidOf(child);
            masses += solid.mass.volume;
            fields += geometry::massOfFractions(solid.field.grid, geometry::solidFractions(solid.field)).volume;
        }
        EXPECT_NEAR(masses, scored.volume, 1e-6 * scored.volume);
        EXPECT_NEAR(scored.volume, 8 * kX * kY * kZ, 3e-3 * scored.volume);  // of the box on its grid
        // As each piece's own level set has it: edges are rounded, by more where there are more of them.
        EXPECT_NEAR(fields, scored.volume, 0.03 * scored.volume);
        expectConnected(scored);
        // The whole is the level set it was made of.
        LevelSet whole = sunder::testing::levelSetOf(def.shape, double(def.cell));
        const geometry::MassProperties one = buildShape(whole)->massProperties,
                                       many = buildShape(scored.pieces)->massProperties;
        EXPECT_NEAR(many.volume, one.volume, 1e-6 * one.volume);
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_NEAR(many.center[i], one.center[i], 1e-6);
            EXPECT_NEAR(many.inertia[i], one.inertia[i], 1e-5 * one.inertia[i]);
        }
    }
}

// Every cut is the rectangle 2 ky x 2 kz: area, place, normal and second moments, better by the square of the cell.
TEST(ScoredPattern, SlabsShareTheSectionOfTheBox) {
    const double area = 4 * kY * kZ;
    for (const double cell : {0.04, 0.02}) {
        const ScoredPattern scored = scoreByPattern(slabs(cell));
        ASSERT_EQ(scored.pieces.children.size(), 5u);
        ASSERT_EQ(scored.bonds.size(), 4u);
        // The rim is a chord of the surface in each cell, so that corners are cut off: a quarter of a cell squared each.
        const double tolerance = cell * cell / area;
        for (std::uint32_t i = 0; i < 4; ++i) {
            const Bond& bond = scored.bonds[i];
            EXPECT_EQ(bond.a, i);
            EXPECT_EQ(bond.b, i + 1);
            EXPECT_NEAR(bond.area, area, tolerance * area) << cell;
            EXPECT_NEAR(bond.point.x, -0.3 + 0.2 * i, 1e-5);
            EXPECT_NEAR(bond.point.y, 0, 0.02 * cell);
            EXPECT_NEAR(bond.point.z, 0, 0.02 * cell);
            EXPECT_NEAR(bond.normal.x, 1, 1e-6);
            EXPECT_NEAR(bond.secondMoments.x, 0, 1e-8);
            EXPECT_NEAR(bond.secondMoments.y, area * kY * kY / 3, 3 * tolerance * area * kY * kY / 3);
            EXPECT_NEAR(bond.secondMoments.z, area * kZ * kZ / 3, 3 * tolerance * area * kZ * kZ / 3);
        }
    }
}

// Running bond: beds of half a brick, heads of one course. Lines where three bricks meet, one at
// each end, are known to a quarter of a cell.
TEST(ScoredPattern, BricksShareBedsAndHeads) {
    for (const double cell : {0.03, 0.02, 0.015}) {
        const ScoredPattern scored = scoreByPattern(bricks(0.5, cell));
        ASSERT_EQ(scored.pieces.children.size(), 13u);  // 4, 5 and 4
        EXPECT_EQ(scored.bonds.size(), 10u + 2 * 8);
        for (const Bond& bond : scored.bonds) {
            const bool isHead = std::fabs(bond.normal.x) > Real(0.9);
            EXPECT_GT(isHead ? bond.normal.x : bond.normal.y, Real(0.99));  // pieces ascend along x, then y
            // Heads are 0.125 m high in the middle and 0.1075 m else; beds 0.125 m long, 0.065 m at the ends.
            const double exact = isHead ? (std::fabs(bond.point.y) < 0.03 ? 0.125 : kY - 0.0625)
                                        : (std::fabs(bond.point.x) > 0.375 ? kX - 0.375 : 0.125);
            EXPECT_NEAR(bond.area / (2 * kZ), exact, 0.5 * cell) << cell << ": " << bond.a << " " << bond.b;
        }
        expectConnected(scored);
    }
}

// Borders that pass through the nodes of the grid are found once, neither in none of the cells beside them nor in both.
TEST(ScoredPattern, CutsThroughNodesAreFoundOnce) {
    for (const double cell : {1.0 / 32, 0.025, 0.02}) {
        ScoredPatternDef def = boxBy(BrickPattern{{Real(0.2), 1, Real(0.15)}, Real(0.5)}, cell);
        def.shape = Box{{Real(0.38), Real(0.05), Real(0.2)}};
        def.scale = 1;
        const ScoredPattern scored = scoreByPattern(def);
        ASSERT_EQ(scored.pieces.children.size(), 13u);
        EXPECT_EQ(scored.bonds.size(), 26u) << cell;
        for (const Bond& bond : scored.bonds) {
            const bool isMiddle = std::fabs(bond.normal.x) > Real(0.9) && std::fabs(bond.point.z) < Real(0.04);
            const double bed = std::fabs(bond.point.x) > Real(0.3) ? 0.08 : 0.1;
            const double exact = std::fabs(bond.normal.x) < Real(0.9) ? bed : isMiddle ? 0.15 : 0.125;
            EXPECT_NEAR(bond.area / 0.1, exact, cell) << cell << ": " << bond.a << " " << bond.b;
        }
    }
}

// Stack bond: four bricks meet in each edge, and those across from each other share nothing.
TEST(ScoredPattern, PiecesThatMeetInAnEdgeAreNotBonded) {
    const ScoredPattern scored = scoreByPattern(bricks(0));
    ASSERT_EQ(scored.pieces.children.size(), 15u);    // 5 x 3
    EXPECT_EQ(scored.bonds.size(), 3u * 4 + 2u * 5);  // heads and beds
    for (const Bond& bond : scored.bonds)
        EXPECT_TRUE(bond.b == bond.a + 1 || bond.b == bond.a + 5) << bond.a << " " << bond.b;
}

// Hollow, not convex, and turned: what is cut need not be a box, nor the cut straight.
TEST(ScoredPattern, AnyShapeAndAnyPattern) {
    PatternDef pattern;
    pattern.kind = RadialPattern{};
    pattern.roughness = {Real(0.01), Real(0.1), 2};
    pattern.nodes = 17;
    ScoredPatternDef def;
    def.shape = sunder::testing::bunny(0.1);
    def.cell = Real(0.045);
    def.center = {0, Real(0.5), 0};
    def.normal = {1, 2, 3};
    def.pattern = buildPattern(pattern);
    def.smallest = Real(1e-4);
    const ScoredPattern scored = scoreByPattern(def), again = scoreByPattern(def);
    ASSERT_GT(scored.pieces.children.size(), 6u);
    expectConnected(scored);
    for (std::size_t i = 0; i < scored.bonds.size(); ++i)
        EXPECT_EQ(scored.bonds[i].point, again.bonds[i].point);
    def.mostPieces = 4;
    EXPECT_EQ(scoreByPattern(def).pieces.children.size(), 4u);
    // A level set that was built already has its own cells.
    ScoredPatternDef built = slabs();
    built.shape = buildShape(sunder::testing::levelSetOf(built.shape, 0.02));
    built.cell = 0;
    EXPECT_EQ(scoreByPattern(built).bonds[2].area, scoreByPattern(slabs()).bonds[2].area);
}

TEST(ScoredPattern, WrongNumbersAreNamed) {
    const auto messageOf = [](const auto& change) -> std::string {
        ScoredPatternDef def = slabs();
        change(def);
        try {
            scoreByPattern(def);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    using Def = ScoredPatternDef;
    const auto startsWith = [](const std::string& text, const char* start) { return text.find(start) == 0; };
    EXPECT_PRED2(startsWith, messageOf([](Def& d) { d.cell = 0; }), "cell: 0 is not allowed (above 0 m)");
    EXPECT_PRED2(startsWith, messageOf([](Def& d) { d.cell = -1; }), "cell: -1 is not allowed");
    EXPECT_PRED2(startsWith, messageOf([](Def& d) { d.cell = 3; }), "cell: ");
    EXPECT_PRED2(startsWith, messageOf([](Def& d) { d.pattern = nullptr; }), "pattern: null is not allowed");
    EXPECT_PRED2(startsWith, messageOf([](Def& d) { d.center = {100, 0, 0}; }), "scale: 2 m is not allowed");
    EXPECT_PRED2(startsWith, messageOf([](Def& d) { d.center = {0, Real(NAN), 0}; }), "center: [0, ");
    EXPECT_PRED2(startsWith, messageOf([](Def& d) { d.normal = {}; }), "normal: [0, 0, 0] is not allowed");
    EXPECT_PRED2(startsWith, messageOf([](Def& d) { d.scale = Real(0.2); }), "scale: 0.2 m is not allowed (the pattern covers");
    EXPECT_PRED2(startsWith, messageOf([](Def& d) { d.smallest = -1; }), "smallest: -1 is not allowed");
    EXPECT_PRED2(startsWith, messageOf([](Def& d) { d.mostPieces = 1; }), "mostPieces: 1 is not allowed (2 to 1000)");
    EXPECT_PRED2(startsWith, messageOf([](Def& d) { d.shape = Sphere{-1}; }), "shape.radius: -1 is not allowed");
    EXPECT_PRED2(startsWith, messageOf([](Def& d) { d.shape = Mesh{}; }), "shape.triangles: 0 triangles");
    EXPECT_PRED2(startsWith, messageOf([](Def& d) { d.scale = 20; }), "pattern: does not divide the shape");
}

}  // namespace
}  // namespace sunder
