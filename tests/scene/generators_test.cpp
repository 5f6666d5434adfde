// Every generator places as many bodies as it says, where it says, and always the same ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "collision/built_shape.h"
#include "scene/scene_for_tests.h"
#include "sunder/scene/mesh_files.h"

namespace sunder {
namespace {

// Positions are sums of a few products, rounded once or twice near 20 m.
constexpr Real kTolerance = sizeof(Real) == 8 ? Real(1e-12) : Real(4e-6);

const std::string kBrick =
    R"("body": { "shape": { "type": "box", "half_extents": [0.2, 0.1, 0.15] }, "position": [0, 0.1, 0] })";

const BuiltShape& shapeOf(const BodyDef& body) { return *std::get<SharedShape>(body.shape); }

void expectNear(const Vec3& a, const Vec3& b) {
    EXPECT_NEAR(a.x, b.x, kTolerance);
    EXPECT_NEAR(a.y, b.y, kTolerance);
    EXPECT_NEAR(a.z, b.z, kTolerance);
}

// Volume of the boxes' union equals the sum of their volumes where none overlap; here: no two overlap by more than rounding.
void expectNoOverlap(const std::vector<BodyDef>& bodies) {
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const Vec3 a = shapeOf(bodies[i]).halfExtents, b = shapeOf(bodies[j]).halfExtents;
            const Real dx = std::fabs(bodies[i].position.x - bodies[j].position.x) - a.x - b.x;
            const Real dy = std::fabs(bodies[i].position.y - bodies[j].position.y) - a.y - b.y;
            const Real dz = std::fabs(bodies[i].position.z - bodies[j].position.z) - a.z - b.z;
            EXPECT_GE(std::max({dx, dy, dz}), -kTolerance) << bodies[i].name << " " << bodies[j].name;
        }
}

TEST(Generators, RepeatFillsAGridInLayersFromBelow) {
    const Scene scene = sceneOf(sceneWithBodies(R"({ "repeat": { "count": [2, 3, 4], "spacing": [1, 2, 3] }, "body": )" +
                                                ball("\"name\": \"b\", \"position\": [5, 0, 0]") + " }"));
    ASSERT_EQ(scene.bodies.size(), 24u);
    EXPECT_EQ(scene.bodies[0].name, "b_0");
    EXPECT_EQ(scene.bodies[23].name, "b_23");
    expectNear(scene.bodies[0].position, {5, 0, 0});
    expectNear(scene.bodies[1].position, {6, 0, 0});
    expectNear(scene.bodies[2].position, {5, 0, 3});
    expectNear(scene.bodies[8].position, {5, 2, 0});
    expectNear(scene.bodies[23].position, {6, 4, 9});
    EXPECT_EQ(&shapeOf(scene.bodies[0]), &shapeOf(scene.bodies[23]));
}

TEST(Generators, RepeatInALineTakesTheSpacingAsOneVector) {
    const Scene line =
        sceneOf(sceneWithBodies(R"({ "repeat": { "count": 3, "spacing": [1, 2, 3] }, "body": )" + ball() + " }"));
    ASSERT_EQ(line.bodies.size(), 3u);
    expectNear(line.bodies[2].position, {2, 4, 6});
    const Scene row = sceneOf(sceneWithBodies(R"({ "repeat": { "count": 3, "spacing": 2 }, "body": )" + ball() + " }"));
    expectNear(row.bodies[2].position, {4, 0, 0});
}

TEST(Generators, JitterIsBoundedSeededAndTheSameEverywhere) {
    const auto make = [](int seed) {
        return sceneOf(
            sceneWithBodies(R"({ "repeat": { "count": [10, 10, 10], "spacing": 1, "jitter": [0.05, 0, 0.1], "seed": )" +
                            std::to_string(seed) + R"( }, "body": )" + ball() + " }"));
    };
    const Scene a = make(7), b = make(7), c = make(8);
    Real most = 0;
    bool differs = false;
    for (int i = 0; i < 1000; ++i) {
        EXPECT_EQ(a.bodies[i].position, b.bodies[i].position);
        differs = differs || a.bodies[i].position != c.bodies[i].position;
        const Real dx = a.bodies[i].position.x - Real(i % 10), dz = a.bodies[i].position.z - Real(i / 10 % 10);
        EXPECT_LE(std::fabs(dx), Real(0.05) + kTolerance);
        EXPECT_LE(std::fabs(dz), Real(0.1) + kTolerance);
        EXPECT_EQ(a.bodies[i].position.y, Real(i / 100));
        most = std::max(most, std::fabs(dx));
    }
    EXPECT_TRUE(differs);
    EXPECT_GT(most, Real(0.045));
    // The stream is part of the format: scenes must not change between versions.
    EXPECT_NEAR(a.bodies[0].position.x, 0.00037020377, 1e-9);
}

TEST(Generators, PyramidRowsTouchAndShrinkByOne) {
    const Scene scene = sceneOf(sceneWithBodies(
        R"({ "pyramid": { "base": 20, "spacing": 1.05 }, "name": "cube",
             "body": { "shape": { "type": "box", "half_extents": [0.5, 0.5, 0.5] }, "position": [0, 0.5, 0] } })"));
    ASSERT_EQ(scene.bodies.size(), 210u);
    expectNear(scene.bodies[0].position, {Real(-9.975), Real(0.5), 0});
    expectNear(scene.bodies[19].position, {Real(9.975), Real(0.5), 0});
    expectNear(scene.bodies[20].position, {Real(-9.45), Real(1.5), 0});
    expectNear(scene.bodies[209].position, {0, Real(19.5), 0});
    EXPECT_EQ(scene.bodies[209].name, "cube_209");
}

TEST(Generators, PyramidOfLyingCapsulesTakesTheirTurnedSize) {
    const Scene scene = sceneOf(sceneWithBodies(
        R"({ "pyramid": { "base": 3 }, "body": { "shape": { "type": "capsule", "radius": 0.2, "half_height": 1 },
             "rotation_degrees": { "axis": [1, 0, 0], "angle": 90 } } })"));
    EXPECT_NEAR(scene.bodies[1].position.x - scene.bodies[0].position.x, 0.4, 1e-5);
    EXPECT_NEAR(scene.bodies[5].position.y, 0.8, 1e-5);
}

TEST(Generators, RunningBondEndsFlushWithHalfBricks) {
    const Scene scene = sceneOf(sceneWithBodies(R"({ "wall": { "count": [8, 6], "bond": "running" }, )" + kBrick + "}"));
    ASSERT_EQ(scene.bodies.size(), 3u * 8 + 3u * 9);
    expectNoOverlap(scene.bodies);
    // Each row is 8 bricks of 0.4 m long, centred; each starts 0.2 m above the one below.
    Real low[6], high[6];
    std::fill(low, low + 6, Real(9));
    std::fill(high, high + 6, Real(-9));
    for (const BodyDef& body : scene.bodies) {
        const int row = static_cast<int>(std::lround((double(body.position.y) - 0.1) / 0.2));
        EXPECT_NEAR(body.position.y, 0.1 + 0.2 * row, kTolerance);
        low[row] = std::min(low[row], body.position.x - shapeOf(body).halfExtents.x);
        high[row] = std::max(high[row], body.position.x + shapeOf(body).halfExtents.x);
    }
    for (int row = 0; row < 6; ++row) {
        EXPECT_NEAR(low[row], -1.6, kTolerance);
        EXPECT_NEAR(high[row], 1.6, kTolerance);
    }
}

TEST(Generators, WallVariantsDoNotOverlap) {
    for (const char* settings :
         {R"("bond": "stack")", R"("ends": "ragged")", R"("gap": 0.01)", R"("gap": 0.02, "ends": "ragged")"}) {
        const Scene scene =
            sceneOf(sceneWithBodies(std::string(R"({ "wall": { "count": [4, 5], )") + settings + "}, " + kBrick + "}"));
        EXPECT_GE(scene.bodies.size(), 20u);
        expectNoOverlap(scene.bodies);
        double centre = 0;
        for (const BodyDef& body : scene.bodies)
            centre += body.position.x * shapeOf(body).halfExtents.x;
        // Ragged: three rows lean one way, two the other, by a quarter brick.
        EXPECT_NEAR(centre / double(scene.bodies.size()), 0, 0.005) << settings;
    }
}

TEST(Generators, HalfBricksWeighHalf) {
    const Scene scene = sceneOf(sceneWithBodies(
        R"({ "wall": { "count": [2, 2] }, "body": { "mass": 3, "shape": { "type": "box", "half_extents": [0.2, 0.1, 0.15] } } })"));
    double total = 0;
    for (const BodyDef& body : scene.bodies)
        total += *body.mass;
    EXPECT_NEAR(total, 12, 1e-5);
}

TEST(Generators, StackLeansByItsShift) {
    const Scene scene = sceneOf(sceneWithBodies(
        R"({ "stack": { "count": 10, "shift": [0.125, 0, 0] },
             "body": { "shape": { "type": "box", "half_extents": [0.5, 0.5, 0.5] }, "position": [0, 0.5, 0] } })"));
    ASSERT_EQ(scene.bodies.size(), 10u);
    expectNear(scene.bodies[9].position, {Real(1.125), Real(9.5), 0});
    const Scene spaced = sceneOf(sceneWithBodies(R"({ "stack": { "count": 3, "spacing": 2 }, "body": )" + ball() + " }"));
    expectNear(spaced.bodies[2].position, {0, 4, 0});
    EXPECT_EQ(spaced.bodies[2].name, "stack_2");
}

TEST(Generators, PileVariesSizesAndSpinsWithinItsBounds) {
    const std::string text = sceneWithBodies(
        R"({ "pile": { "count": [10, 10, 10], "spacing": 0.6, "first": 0.5, "jitter": [0.02, 0, 0.02], "size_jitter": 0.05, "spin": 3, "seed": 1 },
             "body": { "shape": { "type": "box", "half_extents": [0.25, 0.25, 0.25] } } })");
    const Scene scene = sceneOf(text), again = sceneOf(text);
    ASSERT_EQ(scene.bodies.size(), 1000u);
    Real lowest = 1, highest = 0, fastest = 0;
    for (std::size_t i = 0; i < 1000; ++i) {
        const BodyDef& body = scene.bodies[i];
        EXPECT_EQ(body.angularVelocity, again.bodies[i].angularVelocity);
        EXPECT_EQ(shapeOf(body).halfExtents, shapeOf(again.bodies[i]).halfExtents);
        for (const Real half : {shapeOf(body).halfExtents.x, shapeOf(body).halfExtents.y, shapeOf(body).halfExtents.z}) {
            lowest = std::min(lowest, half);
            highest = std::max(highest, half);
        }
        for (const Real spin : {body.angularVelocity.x, body.angularVelocity.y, body.angularVelocity.z})
            fastest = std::max(fastest, std::fabs(spin));
        EXPECT_LE(std::fabs(body.position.x), Real(2.72) + kTolerance);
        EXPECT_NEAR(body.position.y, 0.5 + 0.6 * double(i / 100), kTolerance);
    }
    // The largest of 3000 even draws is within a hundredth of its bound but for one chance in 1e13.
    EXPECT_NEAR(lowest, 0.2375, 0.0003);
    EXPECT_NEAR(highest, 0.2625, 0.0003);
    EXPECT_NEAR(fastest, 3, 0.03);
}

TEST(Generators, PileChoosesAmongBodies) {
    const Scene scene = sceneOf(sceneWithBodies(
        R"({ "pile": { "count": [10, 5, 10], "spacing": 1, "turn": true, "size_jitter": 0.1, "seed": 2 }, "bodies": [
             { "name": "ball", "shape": { "type": "sphere", "radius": 0.3 } },
             { "name": "pill", "shape": { "type": "capsule", "radius": 0.2, "half_height": 0.1 } },
             { "name": "can", "shape": { "type": "cylinder", "radius": 0.2, "half_height": 0.1 } },
             { "name": "rock", "shape": { "type": "hull", "random": { "count": 12, "radius": 0.3 } } },
             { "name": "cross", "shape": { "type": "compound", "children": [
                 { "shape": { "type": "box", "half_extents": [0.3, 0.1, 0.1] } },
                 { "shape": { "type": "box", "half_extents": [0.1, 0.3, 0.1] } } ] } } ] })"));
    ASSERT_EQ(scene.bodies.size(), 500u);
    std::set<std::string> kinds;
    std::set<Real> hullVolumes;
    for (const BodyDef& body : scene.bodies) {
        kinds.insert(body.name.substr(0, body.name.find('_')));
        const Quat q = body.orientation;
        EXPECT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-6);
        if (shapeOf(body).type == ShapeType::Hull)
            hullVolumes.insert(shapeOf(body).localBounds.high.x);
    }
    EXPECT_EQ(kinds.size(), 5u);
    // Every hull of a pile is another one.
    EXPECT_GT(hullVolumes.size(), 50u);
}

TEST(Generators, PitIsOpenAboveAndClosedElsewhere) {
    const std::string pit = R"({ "pit": { "width": [7, 5], "height": 4, "thickness": 0.5 }, "position": [1, 2, 3] })";
    const Scene scene = sceneOf(sceneWithBodies(pit));
    ASSERT_EQ(scene.bodies.size(), 5u);
    expectNoOverlap(scene.bodies);
    EXPECT_EQ(scene.bodies[0].name, "pit_0");
    EXPECT_NEAR(scene.bodies[0].position.y + shapeOf(scene.bodies[0]).halfExtents.y, 2, kTolerance);
    EXPECT_NEAR(scene.bodies[1].position.x + shapeOf(scene.bodies[1]).halfExtents.x, 1 - 3.5, kTolerance);
    EXPECT_NEAR(scene.bodies[2].position.x - shapeOf(scene.bodies[2]).halfExtents.x, 1 + 3.5, kTolerance);
    EXPECT_NEAR(scene.bodies[3].position.z + shapeOf(scene.bodies[3]).halfExtents.z, 3 - 2.5, kTolerance);
    EXPECT_NEAR(scene.bodies[4].position.z - shapeOf(scene.bodies[4]).halfExtents.z, 3 + 2.5, kTolerance);
    for (const BodyDef& body : scene.bodies)
        EXPECT_EQ(body.motion, Motion::Static);
}

TEST(Generators, MeshPitIsAClosedSolidThatFacesOutwards) {
    const Scene scene =
        sceneOf(sceneWithBodies(R"({ "pit": { "width": [7, 5], "height": 4, "thickness": 0.5, "mesh": true } })"));
    ASSERT_EQ(scene.bodies.size(), 1u);
    const Mesh& mesh = std::get<Mesh>(shapeOf(scene.bodies[0]).definition);
    const MeshReport report = checkClosed(mesh);
    EXPECT_TRUE(report.isClosed());
    EXPECT_FALSE(report.insideOut);
    // Volume of the solid: outer box less inner box, by the sum of signed tetrahedra.
    double volume = 0;
    for (const auto& t : mesh.triangles) {
        const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
        volume +=
            (double(a.x) * (double(b.y) * c.z - double(b.z) * c.y) + double(a.y) * (double(b.z) * c.x - double(b.x) * c.z) +
             double(a.z) * (double(b.x) * c.y - double(b.y) * c.x)) /
            6;
    }
    EXPECT_NEAR(volume, 8 * 6 * 4.5 - 7 * 5 * 4, 1e-6);
}

TEST(Generators, PlacementTurnsTheWholeSet) {
    const Scene scene = sceneOf(sceneWithBodies(
        R"({ "repeat": { "count": 2, "spacing": 1 }, "position": [0, 3, 0], "rotation_degrees": { "axis": [0, 1, 0], "angle": 90 },
             "body": )" +
        ball("\"position\": [2, 0, 0], \"velocity\": [1, 0, 0]") + " }"));
    expectNear(scene.bodies[1].position, {0, 3, -3});
    expectNear(scene.bodies[1].velocity, {0, 0, -1});
}

struct Bad {
    const char* body;
    const char* problem;
};

TEST(Generators, BadSettingsAreNamed) {
    const std::string text = ball();
    const Bad table[] = {
        {R"({ "repeat": { "count": 0, "spacing": 1 }, "body": BALL })",
         "scene: bodies[0].repeat.count: 0 is not allowed (a whole number: 1 to 200000)"},
        {R"({ "repeat": { "count": [1, 2], "spacing": 1 }, "body": BALL })",
         "scene: bodies[0].repeat.count: [1,2] is not allowed (3 numbers"},
        {R"({ "repeat": { "count": 2 }, "body": BALL })", "scene: bodies[0].repeat.spacing: is missing"},
        {R"({ "repeat": { "count": 2, "spacing": 1, "jiter": 2 }, "body": BALL })",
         "scene: bodies[0].repeat.jiter: unknown key \"jiter\"; did you mean \"jitter\"?"},
        {R"({ "repeat": { "count": 2, "spacing": 1, "seed": -1 }, "body": BALL })",
         "scene: bodies[0].repeat.seed: -1 is not allowed"},
        {R"({ "repeat": { "count": 2, "spacing": 1 } })", "scene: bodies[0].body: is missing"},
        {R"({ "repeat": { "count": 2, "spacing": 1 }, "body": BALL, "colour": 1 })", "scene: bodies[0].colour: unknown key"},
        {R"({ "repeat": { "count": 2, "spacing": 1 }, "body": { "shape": { "type": "sphere", "radius": -1 } } })",
         "scene: bodies[0].body.shape.radius: -1 is not allowed"},
        {R"({ "repeat": { "count": [1000, 1000, 1000], "spacing": 1 }, "body": BALL })",
         "scene: bodies[0].repeat: too many bodies: 1000000000 more than the 0 before (at most 200000 in a scene)"},
        {R"({ "repeat": { "count": [200000, 200000, 200000], "spacing": 1 }, "body": BALL })",
         "scene: bodies[0].repeat: too many bodies"},
        {R"({ "pyramid": { "base": 700 }, "body": BALL })", "scene: bodies[0].pyramid: too many bodies"},
        {R"({ "stack": { "count": 200001 }, "body": BALL })", "scene: bodies[0].stack.count: 200001 is not allowed"},
        {R"({ "wall": { "count": 8 }, "body": BALL })", "scene: bodies[0].wall.count: 8 is not allowed (2 numbers"},
        {R"({ "wall": { "count": [8, 6], "bond": "flemish" }, "body": BALL })",
         "scene: bodies[0].wall.bond: unknown bond \"flemish\""},
        {R"({ "pile": { "count": 8, "spacing": 1, "size_jitter": 1 }, "body": BALL })",
         "scene: bodies[0].pile.size_jitter: 1 is not allowed (0 to 0.9)"},
        {R"({ "pile": { "count": 8, "spacing": 1 }, "bodies": [] })", "scene: bodies[0].bodies: [] is not allowed"},
        {R"({ "pile": { "count": 8, "spacing": 1 }, "body": BALL, "bodies": [BALL] })",
         "scene: bodies[0].body: is given besides bodies"},
        {R"({ "stack": { "count": 8 }, "bodies": [BALL] })", "scene: bodies[0].bodies: unknown key"},
        {R"({ "pit": { "width": 7 } })", "scene: bodies[0].pit.height: is missing"},
        {R"({ "pit": { "width": 7, "height": 0 } })", "scene: bodies[0].pit.height: 0 is not allowed"},
        {R"({ "pit": { "width": 7, "height": 1 }, "body": BALL })", "scene: bodies[0].body: unknown key \"body\""},
        {R"({ "pit": { "width": 7, "height": 1 }, "material": "mud" })", "scene: bodies[0].material: unknown material \"mud\""},
        {R"({ "stack": { "count": 2 }, "pit": { "width": 7, "height": 1 }, "body": BALL })",
         "scene: bodies[0].pit: is given besides stack"},
        {R"({ "piramid": { "base": 2 }, "body": BALL })",
         "scene: bodies[0].piramid: unknown generator \"piramid\"; did you mean \"pyramid\"?"},
        {R"({ "stack": { "count": 2 }, "name": "a", "body": BALL }, { "stack": { "count": 2 }, "name": "b", "orientation": [0, 0, 0, 3], "body": BALL })",
         "scene: bodies[1].orientation: [0,0,0,3] is not allowed"},
    };
    for (const Bad& bad : table) {
        std::string body = bad.body;
        for (std::size_t at; (at = body.find("BALL")) != std::string::npos;)
            body.replace(at, 4, text);
        const SceneResult result = parseScene(sceneWithBodies(body));
        EXPECT_FALSE(result) << bad.body;
        ASSERT_FALSE(result.problems.empty()) << bad.body;
        EXPECT_EQ(result.problems[0].text().rfind(bad.problem, 0), 0u) << problemsOf(result) << bad.problem;
    }
}

TEST(Generators, NumberedNamesMayNotCollide) {
    const SceneResult result = parseScene(
        sceneWithBodies(ball("\"name\": \"b_1\"") + R"(, { "stack": { "count": 2 }, "name": "b", "body": )" + ball() + " }"));
    ASSERT_EQ(result.problems.size(), 1u);
    EXPECT_EQ(result.problems[0].text(), "scene: bodies[1]: \"b_1\" is taken by bodies[0].name (names are unique)");
}

}  // namespace
}  // namespace sunder
