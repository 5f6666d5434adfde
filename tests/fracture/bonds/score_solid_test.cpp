// Meshes scored into bonded pieces: what a bonded body is given.
#include "sunder/scored_solid.h"

#include <gtest/gtest.h>

#include <cmath>

#include "collision/built_shape.h"
#include "geometry/mass_properties.h"
#include "sunder/definitions.h"
#include "support/level_sets.h"

namespace sunder {
namespace {

ScoredSolidDef hollowBunny() {
    ScoredSolidDef def;
    def.mesh = sunder::testing::bunny(0.1);
    def.cell = Real(0.06);
    def.thickness = Real(0.1);
    def.seed = 3;
    return def;
}

TEST(ScoredSolid, HollowBunnyInTenPieces) {
    const ScoredSolid bunny = scoreSolid(hollowBunny());
    ASSERT_EQ(bunny.pieces.children.size(), 10u);
    EXPECT_GE(bunny.smallestDihedral, 10.7);
    EXPECT_LE(bunny.largestDihedral, 164.8);
    // A shell: less than the whole, more than nothing.
    const Mesh mesh = sunder::testing::bunny(0.1);
    const double whole = geometry::meshMass(mesh.vertices, mesh.triangles).volume;
    EXPECT_LT(bunny.volume, 0.85 * whole);
    EXPECT_GT(bunny.volume, 0.4 * whole);
    // As level sets the pieces have the volume of their tetrahedra, and none of it twice.
    const SharedShape shape = buildShape(bunny.pieces);
    EXPECT_NEAR(shape->massProperties.volume, bunny.volume, 0.03 * bunny.volume);
    for (const BuiltShape::Child& child : shape->children)
        EXPECT_NEAR(length(child.shape->localBounds.low + child.shape->localBounds.high), 0,
                    length(child.shape->localBounds.high - child.shape->localBounds.low));  // about its own centre
    // Bonds hold all pieces together.
    std::vector<std::uint32_t> root(10);
    for (std::uint32_t i = 0; i < 10; ++i)
        root[i] = i;
    for (const Bond& bond : bunny.bonds) {
        ASSERT_LT(bond.a, bond.b);
        ASSERT_LT(bond.b, 10u);
        EXPECT_GT(bond.area, 0);
        EXPECT_NEAR(length(bond.normal), 1, 1e-5);
        const std::uint32_t from = root[bond.b], to = root[bond.a];
        for (std::uint32_t& piece : root)
            piece = piece == from ? to : piece;
    }
    for (const std::uint32_t piece : root)
        EXPECT_EQ(piece, root[0]);
}

TEST(ScoredSolid, TheSameEveryTimeAndAnotherForAnotherSeed) {
    const ScoredSolid one = scoreSolid(hollowBunny()), two = scoreSolid(hollowBunny());
    ScoredSolidDef def = hollowBunny();
    def.seed = 4;
    const ScoredSolid other = scoreSolid(def);
    ASSERT_EQ(one.bonds.size(), two.bonds.size());
    for (std::size_t i = 0; i < one.bonds.size(); ++i)
        EXPECT_EQ(one.bonds[i].point, two.bonds[i].point);
    EXPECT_FALSE(other.bonds[0].point == one.bonds[0].point);
    EXPECT_EQ(other.volume, one.volume);
}

TEST(ScoredSolid, WrongNumbersAreNamed) {
    const auto messageOf = [](const ScoredSolidDef& def) -> std::string {
        try {
            scoreSolid(def);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    ScoredSolidDef def = hollowBunny();
    def.cell = 0;
    EXPECT_EQ(messageOf(def).find("cell: "), 0u);
    def = hollowBunny();
    def.thickness = Real(0.05);
    EXPECT_EQ(messageOf(def).find("thickness: "), 0u);
    def = hollowBunny();
    def.pieces = 0;
    EXPECT_EQ(messageOf(def).find("pieces: 0 is not allowed"), 0u);
    def = hollowBunny();
    def.mesh = {};
    EXPECT_EQ(messageOf(def).find("mesh: "), 0u);
}

}  // namespace
}  // namespace sunder
