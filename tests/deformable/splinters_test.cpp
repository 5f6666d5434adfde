// Splinters fill their solid, lie where they were made, and stay whole where tetrahedra come apart.
#include "deformable/drawn/splinters.h"

#include <gtest/gtest.h>

#include <cmath>

#include "deformable/tear/open_nodes.h"
#include "solid_for_tests.h"

namespace sunder::deformable {

namespace {

constexpr Vec3 kHalf{Real(0.6), Real(0.2), Real(0.1)}, kSize{Real(0.3), Real(0.07), Real(0.05)};

// By Gauss' theorem over the triangles; each is turned outwards, or this is not the volume.
double volumeOf(const std::vector<Vec3>& positions, const std::vector<std::array<std::uint32_t, 3>>& triangles) {
    double sum = 0;
    for (const auto& t : triangles)
        sum += double(dot(positions[t[0]], cross(positions[t[1]], positions[t[2]]))) / 6;
    return sum;
}

// m: to the nearest corner.
Real fromCorner(const Vec3& p, const Splinter& splinter) {
    Real least = 1;
    for (const Vec3& corner : splinter.corners)
        least = min(least, length(p - corner));
    return least;
}

SolidResult bar() { return buildSolid(boxOfTets(kHalf, {6, 2, 1}), materialOf(Real(1e6))); }

}  // namespace

TEST(Splinters, TheyFillTheSolidAndLieWhereTheyWereMade) {
    const SolidResult solid = bar();
    for (const bool isWood : {true, false}) {
        const std::vector<Splinter> made = isWood ? splintersOfWood(kHalf, kSize, 3) : splintersOfBrick(kHalf, kSize);
        EXPECT_GT(made.size(), 60u);
        const SplinterSkin skin = attachSplinters(*solid.model, made, ownersOf(*solid.model, made));
        const std::vector<Vec3> placed = skin.place(*solid.model, solid.model->mesh.vertices);
        EXPECT_NEAR(volumeOf(placed, skin.triangles), 8 * 0.6 * 0.2 * 0.1, 1e-5) << isWood;
        ASSERT_EQ(placed.size(), 24 * made.size());
        for (std::size_t i = 0; i < placed.size(); ++i)
            EXPECT_LT(fromCorner(placed[i], made[skin.splinterOf[i]]), Real(1e-5));
    }
}

TEST(Splinters, OfWoodAreRandomAndRepeatable) {
    const auto firstOf = [](std::uint64_t seed) { return splintersOfWood(kHalf, kSize, seed)[1].corners[1]; };
    EXPECT_EQ(firstOf(5), firstOf(5));
    EXPECT_NE(firstOf(5), firstOf(6));
}

// The bar comes apart across its middle. Splinters that lay across the crack go with the half that their middle lies in, whole.
TEST(Splinters, TheyStayWholeWhereTheSolidComesApart) {
    const SolidResult solid = bar();
    const SolidModel& model = *solid.model;
    std::vector<NodeTension> beyond;
    for (std::uint32_t i = 0; i < model.nodeCount(); ++i)
        if (std::fabs(double(model.mesh.vertices[i].x)) < 0.01)
            beyond.push_back({i, 1, {1, 0, 0}});
    const Torn torn = openNodes(model, model.mesh.vertices, beyond, {100, 1});
    ASSERT_EQ(torn.parts.size(), 2u);
    const std::vector<Splinter> made = splintersOfWood(kHalf, kSize, 3);
    const std::vector<std::uint32_t> owners = ownersOf(model, made);
    std::size_t found = 0, across = 0;
    for (const SolidPart& part : torn.parts) {
        const SolidResult half = buildSolid(part.mesh, model.material);
        std::vector<Splinter> own;
        std::vector<std::uint32_t> ownersInPart;
        for (std::size_t s = 0; s < made.size(); ++s)
            for (std::uint32_t t = 0; t < half.model->tetCount(); ++t)
                if (part.tetFrom[half.model->givenTet[t]] == owners[s]) {
                    own.push_back(made[s]);
                    ownersInPart.push_back(t);
                }
        found += own.size();
        const Vec3 away{Real(0.5), Real(0.1), 0};
        std::vector<Vec3> moved = half.model->mesh.vertices;
        for (Vec3& p : moved)
            p += away;
        const SplinterSkin skin = attachSplinters(*half.model, own, ownersInPart);
        const std::vector<Vec3> placed = skin.place(*half.model, moved);
        for (std::size_t i = 0; i < placed.size(); ++i)
            EXPECT_LT(fromCorner(placed[i] - away, own[skin.splinterOf[i]]), Real(1e-4));
        for (const Splinter& splinter : own)
            across += splinter.corners[0].x < Real(-0.02) && splinter.corners[1].x > Real(0.02);
    }
    EXPECT_EQ(found, made.size());
    EXPECT_GT(across, 0u);
}

}  // namespace sunder::deformable
