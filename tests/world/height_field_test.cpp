// Height fields: the same ground as the mesh of their triangles, to the bit, and what only they have.
#include <gtest/gtest.h>

#include <cmath>

#include "scenes/piles.h"
#include "support/hashes.h"
#include "support/random_calls.h"

namespace sunder {
namespace {

using scenes::vec;

// Hills of 1.5 m over 12 m.
HeightField hills(std::uint32_t columns = 25, std::uint32_t rows = 33) {
    HeightField field{.columns = columns, .spacing = Real(0.5)};
    for (std::uint32_t z = 0; z < rows; ++z)
        for (std::uint32_t x = 0; x < columns; ++x)
            field.heights.push_back(Real(0.8 * std::sin(0.9 * x * 0.5) * std::cos(0.7 * z * 0.5) + 0.2 * std::sin(2.3 * x)));
    return field;
}

double heightAt(const World& world, double x, double z) {
    const auto hit = world.castRay({WorldPoint(x, 20, z), vec(0, -40, 0)});
    return hit ? 20 - 40 * double(hit->fraction) : -1e9;
}

// Heights lie where they are said to: rows along x, of increasing z, the middle in the body's frame.
TEST(HeightFields, LieWhereTheirSamplesAre) {
    World world;
    HeightField field{.columns = 3, .spacing = 2, .heights = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}};
    world.addBody({.shape = field, .motion = Motion::Static, .position = vec(10, 1, 0)});
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 3; ++column) {
            const double x = 10 + 2 * (column - 1) * 0.999, z = 2 * (row - 1.5) * 0.999;
            EXPECT_NEAR(heightAt(world, x, z), 1 + 3 * row + column, 0.02);
        }
    EXPECT_EQ(heightAt(world, 12.1, 0), -1e9);
    const Mesh mesh = meshOf(field);
    EXPECT_EQ(mesh.vertices.size(), 12u);
    EXPECT_EQ(mesh.triangles.size(), 12u);
}

// All shapes fall on it, roll and come to rest, as on the mesh.
TEST(HeightFields, AreTheSameGroundAsTheirMesh) {
    const auto worldOn = [](const Shape& ground) {
        World world;
        world.addBody({.shape = ground, .motion = Motion::Static});
        support::RandomCalls random(world, 5);
        for (std::uint32_t i = 0; i < 40; ++i)
            world.addBody({.shape = random.solid(i % 6),
                           .position = vec(double(i % 8) - 3.5, 2 + 0.6 * (i / 8), double(i % 5) - 2),
                           .orientation = random.rotation()});
        LevelSet block{.parts = {{Box{vec(0.3, 0.3, 0.3)}, {}, {}}}, .cell = Real(0.1)};
        world.addBody({.shape = block, .position = vec(0, 5.5, 0)});
        return world;
    };
    World field = worldOn(hills()), mesh = worldOn(meshOf(hills()));
    for (int i = 0; i < 90; ++i) {
        field.step(support::kStep);
        mesh.step(support::kStep);
        ASSERT_EQ(field.hash(), mesh.hash()) << "step " << i;
    }
    int onGround = 0;
    for (const BodyId id : field.bodies())
        onGround += field.motion(id) == Motion::Dynamic && field.position(id).y > -2;
    EXPECT_GT(onGround, 30);
}

TEST(HeightFields, AnswerQueriesAsTheirMeshDoes) {
    World field, mesh;
    field.addBody({.shape = hills(), .motion = Motion::Static});
    mesh.addBody({.shape = meshOf(hills()), .motion = Motion::Static});
    support::RandomCalls random(field, 11);
    int hits = 0;
    for (int i = 0; i < 200; ++i) {
        const Vec3 from = random.vector(6), way = random.vector(10);
        const Ray ray{WorldPoint(from.x, from.y + 3, from.z), way};
        const auto a = field.castRay(ray), b = mesh.castRay(ray);
        ASSERT_EQ(a.has_value(), b.has_value());
        hits += a.has_value();
        if (a) {
            EXPECT_EQ(a->fraction, b->fraction);
            EXPECT_EQ(a->normal, b->normal);
        }
        const ShapeCast cast{{Capsule{Real(0.2), Real(0.3)}, ray.origin, {}}, way};
        const auto c = field.castShape(cast), d = mesh.castShape(cast);
        ASSERT_EQ(c.has_value(), d.has_value());
        if (c) {
            EXPECT_EQ(c->fraction, d->fraction);
        }
        const auto e = field.closestPoint(ray.origin, 5), f = mesh.closestPoint(ray.origin, 5);
        ASSERT_EQ(e.has_value(), f.has_value());
        if (e) {
            EXPECT_EQ(e->distance, f->distance);
        }
    }
    EXPECT_GT(hits, 20);
}

TEST(HeightFields, HaveHoles) {
    World world;
    HeightField field{.columns = 5, .spacing = 1, .heights = std::vector<Real>(25, 0)};
    field.holes = {5, 6, 9, 10};  // x from -1 to 1, z from -1 to 1, but for the last row
    world.addBody({.shape = field, .motion = Motion::Static});
    const BodyId falls = world.addBody({.shape = Sphere{Real(0.2)}, .position = vec(-0.5, 1, -0.5)});
    const BodyId stays = world.addBody({.shape = Sphere{Real(0.2)}, .position = vec(1.5, 1, 1.5)});
    for (int i = 0; i < 60; ++i)
        world.step(support::kStep);
    EXPECT_LT(world.position(falls).y, -5);
    EXPECT_NEAR(world.position(stays).y, 0.2, 5e-3);
}

TEST(HeightFields, AreKeptBySnapshots) {
    World world;
    world.addBody({.shape = hills(), .motion = Motion::Static});
    world.addBody({.position = vec(0, 3, 0)});
    for (int i = 0; i < 10; ++i)
        world.step(support::kStep);
    World other;
    other.restore(world.snapshot());
    EXPECT_EQ(support::hashesOf(other, 30), support::hashesOf(world, 30));
    EXPECT_EQ(std::get<HeightField>(other.shape(other.bodies()[0])).heights, hills().heights);
}

TEST(HeightFields, NameWhatIsWrong) {
    const auto problemsOf = [](const HeightField& field) {
        std::string all;
        for (const std::string& problem : validate(Shape(field)))
            all += problem + "\n";
        return all;
    };
    EXPECT_EQ(problemsOf(hills()), "");
    EXPECT_EQ(problemsOf({}), "columns: 0 is not allowed (2 to 65536)\n");
    EXPECT_EQ(problemsOf({.columns = 3, .heights = {1, 2, 3, 4}}),
              "heights: 4 heights is not allowed (whole rows of 3, 2 rows or more)\n");
    EXPECT_EQ(problemsOf({.columns = 2, .heights = {1, 2, 3, 4}, .holes = {1}}), "holes[0]: 1 is not allowed (0 to 0)\n");
    EXPECT_NE(problemsOf({.columns = 2, .spacing = -1, .heights = {1, 2, 3, 4}}).find("spacing: -1"), std::string::npos);
    EXPECT_NE(problemsOf({.columns = 2, .heights = {1, 2, 3, std::nanf("")}}).find("heights[3]"), std::string::npos);
    World world;
    EXPECT_THROW(world.addBody({.shape = hills()}), Error);  // dynamic
    const BodyId box = world.addBody({});
    EXPECT_THROW(world.setShape(box, hills()), Error);
    Compound compound;
    compound.children.push_back({hills(), {}, {}});
    EXPECT_THROW(world.addBody({.shape = compound, .motion = Motion::Static}), Error);
    EXPECT_THROW(world.castShape({{hills(), WorldPoint(), {}}, vec(1, 0, 0)}), Error);
}

}  // namespace
}  // namespace sunder
