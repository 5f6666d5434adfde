// Distances of solid shapes against closed forms and against each other.
#include "geometry/level_set/solid_distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "math/quat.h"
#include "support/random_points.h"

namespace sunder::geometry {
namespace {

// The nearest point of a dense sample of the surface is at most half the sample's spacing too far away.
void expectNearestOfSamples(const Shape& shape, std::span<const Vec3> samples, Real spacing) {
    const FieldResult result = distanceOfShape(shape, Resolution{Real(0.2), {}, kDefaultMaxNodes});
    ASSERT_EQ(result.error, "");
    const Grid& grid = result.field.grid;
    for (int z = 0; z < grid.nodes.z; ++z)
        for (int y = 0; y < grid.nodes.y; ++y)
            for (int x = 0; x < grid.nodes.x; ++x) {
                const Vec3 p = grid.position(x, y, z);
                Real nearest = kInfinity;
                for (const Vec3& s : samples)
                    nearest = min(nearest, length(p - s));
                const Real found = std::fabs(result.field.values[grid.index(x, y, z)]);
                EXPECT_LE(found, nearest + Real(1e-5));
                EXPECT_GE(found, std::sqrt(max(0, nearest * nearest - spacing * spacing)) - Real(1e-5));
            }
}

std::vector<Vec3> cylinderSamples(Real radius, Real halfHeight, Real spacing, bool isCapsule) {
    std::vector<Vec3> samples;
    const int around = int(2 * kPi * radius / spacing) + 1;
    const auto ring = [&](Real r, Real y) {
        for (int i = 0; i < around; ++i) {
            const double angle = 2 * double(kPi) * i / around;
            samples.push_back({r * Real(std::cos(angle)), y, r * Real(std::sin(angle))});
        }
    };
    for (int i = 0; i <= int(2 * halfHeight / spacing) + 1; ++i)
        ring(radius, min(halfHeight, -halfHeight + spacing * Real(i)));
    for (int i = 0; i <= int(radius * kPi / 2 / spacing) + 1; ++i) {
        const double t = std::min(1.0, double(spacing) * i / double(radius * kPi / 2));
        for (const Real side : {Real(1), Real(-1)}) {
            if (isCapsule)
                ring(radius * Real(std::cos(t * 1.5707963)), side * (halfHeight + radius * Real(std::sin(t * 1.5707963))));
            else
                ring(radius * Real(t), side * halfHeight);
        }
    }
    return samples;
}

TEST(SolidDistance, CylinderAndCapsuleAgreeWithDenseSamples) {
    const Real spacing = Real(0.02);
    expectNearestOfSamples(Cylinder{Real(0.4), Real(0.5)}, cylinderSamples(Real(0.4), Real(0.5), spacing, false), spacing);
    expectNearestOfSamples(Capsule{Real(0.4), Real(0.3)}, cylinderSamples(Real(0.4), Real(0.3), spacing, true), spacing);
}

TEST(SolidDistance, HullOfABoxIsTheBox) {
    const Vec3 half{Real(0.5), Real(0.3), Real(0.7)};
    Hull hull;
    for (int i = 0; i < 8; ++i)
        hull.points.push_back(
            multiply(half, {i & 1 ? Real(1) : Real(-1), i & 2 ? Real(1) : Real(-1), i & 4 ? Real(1) : Real(-1)}));
    const FieldResult box = distanceOfShape(Box{half}, Resolution{Real(0.1), {}, kDefaultMaxNodes});
    const FieldResult same = distanceOfShape(hull, box.field.grid);
    ASSERT_EQ(same.error, "");
    for (std::size_t node = 0; node < box.field.values.size(); ++node)
        EXPECT_NEAR(box.field.values[node], same.field.values[node], Real(1e-5));
}

TEST(SolidDistance, SphereIsExact) {
    const FieldResult result = distanceOfShape(Sphere{Real(0.5)}, Resolution{0, {20, 30, 40}, kDefaultMaxNodes});
    ASSERT_EQ(result.error, "");
    const Grid& grid = result.field.grid;
    EXPECT_EQ(grid.nodes, (Int3{20, 20, 20}));  // cubic cells: the tightest axis decides
    EXPECT_NEAR(result.field.values[grid.index(3, 4, 5)], length(grid.position(3, 4, 5)) - Real(0.5), Real(1e-6));
}

// Two overlapping boxes that make one: outside exact; inside by sweeping, first order, so within a cell.
TEST(SolidDistance, CompoundIsTheUnion) {
    Compound compound;
    compound.children.push_back({Box{{Real(0.4), Real(0.3), Real(0.3)}}, {Real(-0.2), 0, 0}, {}});
    compound.children.push_back({Box{{Real(0.4), Real(0.3), Real(0.3)}}, {Real(0.2), 0, 0}, {}});
    const FieldResult result = distanceOfShape(compound, Resolution{Real(0.03), {}, kDefaultMaxNodes});
    ASSERT_EQ(result.error, "");
    const FieldResult truth = distanceOfShape(Box{{Real(0.6), Real(0.3), Real(0.3)}}, result.field.grid);
    Real worst = 0;
    for (std::size_t node = 0; node < truth.field.values.size(); ++node) {
        const Real found = result.field.values[node], expected = truth.field.values[node];
        if (std::fabs(expected) > Real(1e-6)) {  // a node on the surface may be on either side by rounding
            EXPECT_EQ(found < 0, expected < 0);
        }
        if (expected >= 0) {
            EXPECT_NEAR(found, expected, Real(1e-5));
        }
        worst = max(worst, std::fabs(found - expected));
    }
    EXPECT_LT(worst, Real(0.03));
}

TEST(SolidDistance, PosesOfChildrenCount) {
    Compound compound;
    const Quat turn = quatFromRotationVector({0, 0, kPi / 2});
    compound.children.push_back({Capsule{Real(0.2), Real(0.5)}, {1, 2, 3}, turn});
    const FieldResult result = distanceOfShape(compound, Resolution{Real(0.05), {}, kDefaultMaxNodes});
    ASSERT_EQ(result.error, "");
    const LevelSet16 field = quantize<std::int16_t>(result.field);
    EXPECT_NEAR(sample(field, Vec3{Real(1.7), 2, 3}).distance, 0, 2 * field.step);
    EXPECT_NEAR(sample(field, Vec3{1, Real(2.2), 3}).distance, 0, Real(0.01));
    EXPECT_LT(sample(field, Vec3{Real(1.55), 2, 3}).distance, 0);
}

TEST(SolidDistance, WhatIsNoSolidIsRefused) {
    const Resolution resolution{Real(0.1), {}, kDefaultMaxNodes};
    EXPECT_NE(distanceOfShape(Compound{}, resolution).error, "");
    EXPECT_NE(distanceOfShape(Hull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, resolution).error, "");
    EXPECT_NE(distanceOfShape(Mesh{}, resolution).error.find("mesh"), std::string::npos);
    EXPECT_NE(distanceOfShape(SharedShape{}, resolution).error.find("shared"), std::string::npos);
}

}  // namespace
}  // namespace sunder::geometry
