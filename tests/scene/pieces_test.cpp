// Walls and arches that a scene makes in one line hang together, and what is wrong with bonds is said with its path.
#include <gtest/gtest.h>

#include "collision/built_shape.h"
#include "scene/scene_for_tests.h"
#include "sunder/bonds.h"
#include "sunder/scene/runner.h"

namespace sunder {
namespace {

const Compound& piecesOf(const BodyDef& body) { return std::get<Compound>(std::get<SharedShape>(body.shape)->definition); }

TEST(BondedScenes, WallInRunningBond) {
    const Scene scene = sceneOf(sceneWithBodies(
        R"({ "shape": { "type": "brick_wall", "count": [4, 3], "size": [0.2, 0.1, 0.1] }, "bonds": { "alpha": 0.5 } })"));
    const Compound& wall = piecesOf(scene.bodies[0]);
    ASSERT_EQ(wall.children.size(), 4u + 5u + 4u);
    EXPECT_NEAR(std::get<SharedShape>(scene.bodies[0].shape)->massProperties.volume, 12 * 0.002, 1e-6);
    // In rows 3 + 4 + 3; between rows each brick lies on two or three: 8 halves on either side of the middle row.
    EXPECT_EQ(findBonds(wall).size(), 3u + 4u + 3u + 8u + 8u);
    EXPECT_EQ(scene.bodies[0].bonds->alpha, Real(0.5));
    SceneRunner runner(scene);
    EXPECT_EQ(runner.world().stats().bonds, 26);
}

TEST(BondedScenes, ArchOfStones) {
    const Scene scene = sceneOf(sceneWithBodies(
        R"({ "motion": "static", "shape": { "type": "arch", "stones": 9, "radius": 1, "thickness": 0.3, "depth": 0.4 },
             "bonds": { "anchored": [0, 8] } })"));
    const std::vector<Bond> bonds = findBonds(piecesOf(scene.bodies[0]));
    ASSERT_EQ(bonds.size(), 8u);
    for (const Bond& bond : bonds)
        EXPECT_NEAR(bond.area, 0.3 * 0.4, 1e-4);
}

TEST(BondedScenes, BadBondsAreRefusedWithTheirPath) {
    const auto expect = [](const std::string& body, const std::string& text) {
        const std::string problems = problemsOf(parseScene(sceneWithBodies(body)));
        EXPECT_NE(problems.find(text), std::string::npos) << problems;
    };
    const std::string wall = R"("shape": { "type": "brick_wall", "count": [2, 2], "size": [0.2, 0.1, 0.1] })";
    expect("{ " + wall + R"(, "bonds": { "strength": { "shear": -1 } } })", "bodies[0].bonds.strength.shear");
    expect("{ " + wall + R"(, "bonds": { "anchored": [0] } })", "bodies[0].bonds.anchored");
    expect(
        "{ " + wall + R"(, "bonds": { "list": [ { "a": 0, "b": 9, "point": [0, 0, 0], "normal": [1, 0, 0], "area": 1 } ] } })",
        "bodies[0].bonds.list[0].b");
    expect(R"({ "shape": { "type": "brick_wall", "count": [2, 2], "size": [0.2, 0.1, 0.1], "sise": 1 } })", "sise");
    expect(ball(R"("bonds": {})"), "bodies[0].bonds");
}

}  // namespace
}  // namespace sunder
