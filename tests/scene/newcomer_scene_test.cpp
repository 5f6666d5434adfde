// Scene files in which a body that breaks has nothing but its pattern and its material.
#include <gtest/gtest.h>

#include "scene/scene_for_tests.h"
#include "sunder/world.h"

namespace sunder {
namespace {

struct Thing {
    const char *name, *shape, *material, *pattern;
    double height;       // m, of its centre
    double mass, speed;  // kg, m/s: of the ball
};

class NewcomerScene : public testing::TestWithParam<Thing> {};
INSTANTIATE_TEST_SUITE_P(
    , NewcomerScene,
    testing::Values(Thing{"pane", R"({ "type": "box", "half_extents": [0.5, 0.375, 0.005] })",
                          R"({ "density": 2500, "fracture_impulse": 50 })", R"({ "type": "radial" })", 0.375, 10, 20},
                    Thing{"wall", R"({ "type": "box", "half_extents": [1.5, 1, 0.1] })",
                          R"({ "density": 2400, "fracture_impulse": 2000 })", R"({ "type": "voronoi" })", 1, 2000, 20},
                    Thing{"barrel", R"({ "type": "cylinder", "radius": 0.3, "half_height": 0.45 })",
                          R"({ "density": 700, "fracture_impulse": 250 })", R"({ "type": "wood" })", 0.45, 200, 15}),
    [](const auto& kind) { return std::string(kind.param.name); });

TEST_P(NewcomerScene, BreaksIntoFewerThan200Pieces) {
    const Thing& thing = GetParam();
    const std::string text = std::string(R"({ "sunder": 1, "materials": { "solid": )") + thing.material +
                             R"( }, "patterns": { "cracks": )" + thing.pattern + R"( }, "bodies": [
            { "motion": "static", "shape": { "type": "box", "half_extents": [20, 0.5, 20] }, "position": [0, -0.5, 0] },
            { "material": "solid", "shape": )" +
                             thing.shape + R"(, "position": [0, )" + std::to_string(thing.height) +
                             R"(, 0], "fracture": { "pattern": "cracks" } },
            { "shape": { "type": "sphere", "radius": 0.2 }, "mass": )" +
                             std::to_string(thing.mass) + R"(, "position": [0, )" + std::to_string(thing.height) +
                             R"(, 1.2], "velocity": [0, 0, )" + std::to_string(-thing.speed) + R"(] }] })";
    const Scene scene = sceneOf(text);
    World world(scene.world);
    for (const BodyDef& body : scene.bodies)
        world.addBody(body);
    for (int i = 0; i < 40; ++i)
        world.step(Real(1) / 60);
    EXPECT_GT(world.stats().pieces, 5);
    EXPECT_LT(world.stats().pieces, 200);
}

}  // namespace
}  // namespace sunder
