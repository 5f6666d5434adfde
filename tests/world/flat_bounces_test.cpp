// A body that falls flat flies up as it came down: what hits at once bounces at once, be it the corners of a face, the feet of
// a table or the tiles of a floor. Solved one after the other, they set it spinning: the second bounce of a cube was a tenth as
// high as it should be.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sunder/sunder.h"

namespace sunder {
namespace {

struct Falling {
    std::string name;
    Shape shape;
    Real height = Real(0.3);  // m: of its middle, when it lies
    Quat orientation{};
};

std::vector<Falling> fallingShapes() {
    const Real turn = std::sqrt(Real(0.5));
    Hull prism;
    for (int i = 0; i < 8; ++i)
        for (const Real y : {Real(-0.3), Real(0.3)})
            prism.points.push_back({Real(0.4 * std::cos(i * 0.785398)), y, Real(0.4 * std::sin(i * 0.785398))});
    const Box foot{{Real(0.1), Real(0.3), Real(0.1)}};
    Compound table{{{Box{{Real(0.5), Real(0.05), Real(0.5)}}, {0, Real(0.25), 0}}}};
    for (const Real x : {Real(-0.4), Real(0.4)})
        for (const Real z : {Real(-0.4), Real(0.4)})
            table.children.push_back({foot, {x, 0, z}});
    const Sphere end{Real(0.2)};
    return {{"cube", Box{{Real(0.3), Real(0.3), Real(0.3)}}},
            {"brick", Box{{Real(0.6), Real(0.3), Real(0.1)}}},
            {"lying capsule", Capsule{Real(0.2), Real(0.4)}, Real(0.2), Quat{0, 0, turn, turn}},
            {"can", Cylinder{Real(0.3), Real(0.3)}},
            {"disc", Cylinder{Real(0.3), Real(0.1)}, Real(0.1)},
            {"prism", prism},
            {"table", table},
            {"dumbbell", Compound{{{end, {Real(-0.5), 0, 0}}, {end, {Real(0.5), 0, 0}}}}, Real(0.2)}};
}

enum class Ground { Box, Mesh, Tiles, HeavyBody };

void addGround(World& world, Ground ground) {
    const Real top = Real(-0.5);
    if (ground == Ground::Box || ground == Ground::HeavyBody)
        world.addBody({.shape = Box{{20, Real(0.5), 20}}, .motion = Motion::Static, .position = {0, top, 0}});
    if (ground == Ground::Mesh) {
        HeightField field{.columns = 41, .spacing = Real(0.25)};
        field.heights.assign(41 * 41, 0);
        world.addBody({.shape = field, .motion = Motion::Static});
    }
    if (ground == Ground::Tiles)
        for (int i = -3; i < 3; ++i)
            for (int j = -3; j < 3; ++j)
                world.addBody({.shape = Box{{Real(0.5), Real(0.5), Real(0.5)}},
                               .motion = Motion::Static,
                               .position = {Real(i) + Real(0.5), top, Real(j) + Real(0.5)}});
    if (ground == Ground::HeavyBody)
        world.addBody({.shape = Box{{3, Real(0.5), 3}}, .position = {0, Real(0.5), 0}, .material = {.density = 1e5}});
}

// The heights above the ground of the first bounces of a body that falls by 2 m.
std::vector<double> bounces(const Falling& falling, Ground ground, Real restitution, double rate, std::size_t count) {
    World world;
    addGround(world, ground);
    const Real lowest = falling.height + (ground == Ground::HeavyBody ? 1 : 0);
    const BodyId body = world.addBody({.shape = falling.shape,
                                       .position = {Real(0.02), lowest + 2, Real(0.03)},
                                       .orientation = falling.orientation,
                                       .material = {.restitution = restitution}});
    std::vector<double> heights;
    double last = 10;
    bool rises = false;
    for (int i = 0; i < int(6 * rate) && heights.size() < count; ++i) {
        world.step(Real(1 / rate));
        const double y = double(world.position(body).y);
        rises = rises || y > last + 1e-5;
        if (rises && y < last) {
            heights.push_back(last - double(lowest));
            rises = false;
        }
        last = y;
    }
    return heights;
}

void expectBounces(Ground ground, std::size_t count) {
    for (const Falling& falling : fallingShapes())
        for (const double restitution : {0.5, 0.8, 0.95})
            for (const double rate : {30.0, 60.0, 240.0}) {
                SCOPED_TRACE(::testing::Message() << falling.name << ", e = " << restitution << ", " << rate << " Hz");
                const std::vector<double> heights = bounces(falling, ground, Real(restitution), rate, count);
                ASSERT_EQ(heights.size(), count);
                double wanted = 2;
                for (const double height : heights) {
                    wanted *= restitution * restitution;
                    // The top of the way lies between two steps.
                    EXPECT_NEAR(height, wanted, 0.01 * wanted + 9.81 / 8 / (rate * rate) + 0.002);
                }
            }
}

TEST(FlatBounces, OnABox) { expectBounces(Ground::Box, 2); }
TEST(FlatBounces, OnAMesh) { expectBounces(Ground::Mesh, 2); }
TEST(FlatBounces, OnABodyAThousandTimesAsHeavy) { expectBounces(Ground::HeavyBody, 2); }
TEST(FlatBounces, OnTiles) { expectBounces(Ground::Tiles, 2); }

// What a body loses in a bounce does not depend on how many threads share the others' bounces.
TEST(FlatBounces, AreTheSameOnAnyThreads) {
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 4}) {
        World world(WorldDef{.threads = threads});
        addGround(world, Ground::Tiles);
        const std::vector<Falling> shapes = fallingShapes();
        for (int i = 0; i < 64; ++i)
            world.addBody({.shape = shapes[std::size_t(i) % shapes.size()].shape,
                           .position = {Real(i % 4) - Real(1.5), 1 + Real(0.3) * Real(i), Real(i / 4 % 4) - Real(1.5)},
                           .material = {.restitution = Real(0.6)}});
        for (int i = 0; i < 180; ++i)
            world.step(Real(1) / 60);
        hashes.push_back(world.hash());
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace sunder
