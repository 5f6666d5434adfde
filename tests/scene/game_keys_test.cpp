// Keys for games: driven joints, frames on each side, steering, thresholds of sleep, height fields; read, written and read
// again.
#include <gtest/gtest.h>

#include <algorithm>

#include "scene/scene_for_tests.h"
#include "scene/temporary_folder.h"
#include "sunder/scene/render.h"
#include "sunder/world.h"

namespace sunder {
namespace {

std::string jointScene(const std::string& joint) {
    return sceneWithBodies(ball(R"("name": "p")") + "," + ball(R"("name": "q", "position": [2, 0, 0])"),
                           R"("joints": [{ "a": "p", "b": "q", )" + joint + " }],");
}

JointDef jointOf(const std::string& joint) {
    const Scene scene = sceneOf(jointScene(joint));
    if (scene.joints.size() != 1)
        return {};
    // What is written is the same joint.
    const Scene again = sceneOf(writeScene(scene));
    EXPECT_EQ(writeScene(again), writeScene(scene));
    return again.joints.at(0).def;
}

TEST(GameKeys, DrivenTurns) {
    const JointDef def = jointOf(R"("type": "cone_twist", "axis": [1, 0, 0], "axle": [0, 1, 0], "axis_b": [0, 1, 0],
        "axle_b": [0, 0, 1], "cone": 0.8, "cone_z": 0.3, "spring_frequency": 4, "spring_damping_ratio": 1,
        "spring_rotation": [0, 0, 0.6, 0.8], "spring_strength": 50)");
    EXPECT_EQ(def.axisB, (Vec3{0, 1, 0}));
    EXPECT_EQ(def.axleB, (Vec3{0, 0, 1}));
    EXPECT_EQ(def.coneZ, Real(0.3));
    EXPECT_EQ(def.springRotation, (Quat{0, 0, Real(0.6), Real(0.8)}));
    EXPECT_EQ(def.springStrength, Real(50));
    const JointDef motor = jointOf(R"("type": "ball", "motor_velocity": [0, 2, 0], "motor_strength": 5)");
    EXPECT_EQ(motor.motorVelocity, (Vec3{0, 2, 0}));
}

TEST(GameKeys, Drives) {
    const JointDef def =
        jointOf(R"("type": "six_dof", "axis": [1, 0, 0], "axle": [0, 1, 0], "free_axes": ["x", "rz"], "drives": [
        { "axes": ["x"], "stiffness": 50, "damping": 5, "rest": 0.1 }, { "axes": ["rz"], "speed": 2, "strength": 9 } ])");
    ASSERT_EQ(def.drives.size(), 2u);
    EXPECT_EQ(def.drives[0].axes, kLockX);
    EXPECT_EQ(def.drives[0].rest, Real(0.1));
    EXPECT_EQ(def.drives[1].axes, kLockRz);
    EXPECT_EQ(def.drives[1].strength, Real(9));
}

TEST(GameKeys, Steering) {
    const JointDef def = jointOf(R"("type": "wheel", "axis": [0, 1, 0], "axle": [1, 0, 0], "steering": 0.3,
        "steering_limits": [-0.5, 0.5], "steering_frequency": 4, "steering_damping_ratio": 1, "steering_strength": 300)");
    EXPECT_EQ(def.steering, Real(0.3));
    EXPECT_EQ(def.steeringLimits, (Interval{Real(-0.5), Real(0.5)}));
    EXPECT_EQ(def.steeringStrength, Real(300));
}

TEST(GameKeys, ProblemsNameTheirPath) {
    const std::pair<const char*, const char*> bad[] = {
        {R"("type": "six_dof", "drives": [{ "stiffness": 1 }])", "joints[0].drives[0].axes: is missing"},
        {R"("type": "six_dof", "drives": [{ "axes": ["w"], "stiffness": 1 }])", "joints[0].drives[0].axes[0]: \"w\""},
        {R"("type": "six_dof", "drives": [{ "axes": ["x"], "stifness": 1 }])", "joints[0].drives[0].stifness: "},
        {R"("type": "six_dof", "drives": [{ "axes": ["x"] }])", "joints[0].drives[0].strength: is missing"},
        {R"("type": "ball", "spring_rotation": [0, 0, 0, 2])", "joints[0].spring_rotation: "},
        {R"("type": "hinge", "steering": 1)", "joints[0].steering: a hinge joint has none"},
    };
    for (const auto& [joint, problem] : bad)
        EXPECT_NE(problemsOf(parseScene(jointScene(joint))).find(problem), std::string::npos)
            << problemsOf(parseScene(jointScene(joint)));
}

TEST(GameKeys, SleepAndDebris) {
    const Scene scene = sceneOf(sceneWithBodies(ball(R"("sleep_factor": 3)"), R"("sleep_speed": 0.02, "most_debris": 50,)"));
    EXPECT_EQ(scene.world.sleepSpeed, Real(0.02));
    EXPECT_EQ(scene.world.mostDebris, 50);
    EXPECT_EQ(scene.bodies[0].sleepFactor, 3);
    EXPECT_NE(problemsOf(parseScene(sceneWithBodies(ball(), R"("sleep_speed": 0,)"))).find("sleep_speed: 0 is not allowed"),
              std::string::npos);
}

TEST(GameKeys, PiecesInMetres) {
    const Scene scene = sceneOf(sceneWithBodies(ball(R"("fracture": { "pattern": "p", "threshold": 5, "piece_size": 0.2 })"),
                                                R"("patterns": { "p": { "type": "voronoi", "pieces": 100, "nodes": 17 } },)"));
    EXPECT_EQ(std::get<Prescored>(scene.bodies[0].fracture->method).pieceSize, Real(0.2));
    EXPECT_NE(writeScene(scene).find("\"piece_size\": 0.2"), std::string::npos);
}

std::string ground(const std::string& more) {
    return sceneWithBodies(R"({ "motion": "static", "shape": { "type": "height_field", )" + more + " } }");
}

TEST(GameKeys, HeightFieldsFromLists) {
    const Scene scene = sceneOf(ground(R"("columns": 2, "spacing": 0.5, "heights": [1, 2, 3, 4, 5, 6], "holes": [1])"));
    const std::string written = writeScene(scene);
    EXPECT_EQ(writeScene(sceneOf(written)), written);
    EXPECT_NE(written.find("\"height_field\""), std::string::npos);
    World world;
    world.addBody(scene.bodies[0]);
    const auto hit = world.castRay({WorldPoint(0.2, 10, -0.3), {0, -20, 0}});
    ASSERT_TRUE(hit.has_value());
    EXPECT_FALSE(world.castRay({WorldPoint(0, 10, 0.3), {0, -20, 0}}).has_value());
}

// 0, 32768, 65535 and 65535 as 16-bit numbers.
TEST(GameKeys, HeightFieldsFromFiles) {
    TemporaryFolder folder;
    folder.write("ground.raw", std::string("\0\0\0\x80\xff\xff\xff\xff", 8));
    const auto scene = [&](const std::string& more) {
        return loadScene(folder.write("scene.json", ground(R"("file": "ground.raw", "spacing": 1, "columns": 2)" + more)));
    };
    const SceneResult good = scene(R"(, "low": -10, "high": 10)");
    ASSERT_TRUE(good) << problemsOf(good);
    World world;
    world.addBody(good.scene->bodies[0]);
    const auto hit = world.castRay({WorldPoint(0.4999, 50, -0.4999), {0, -100, 0}});
    ASSERT_TRUE(hit.has_value());
    EXPECT_NEAR(50 - 100 * double(hit->fraction), 0, 0.01);
    EXPECT_NE(problemsOf(scene(R"(, "heights": [1])")).find("either heights (a list) or file"), std::string::npos);
    EXPECT_NE(problemsOf(scene(R"(, "holes": [9])")).find("shape.holes[0]: 9 is not allowed (0 to 0)"), std::string::npos);
    folder.write("ground.raw", std::string(5, 'x'));
    EXPECT_NE(problemsOf(scene("")).find("has 5 bytes"), std::string::npos);
    EXPECT_NE(problemsOf(parseScene(ground(R"("file": "none.raw", "spacing": 1, "columns": 2)"))).find("no such file"),
              std::string::npos);
}

// A picture knows its width, and 16-bit gray is height to a 65535th.
TEST(GameKeys, HeightFieldsFromPictures) {
    TemporaryFolder folder;
    Image image{3, 2, std::vector<std::uint8_t>(3 * 2 * 3, 51)};  // a fifth of the way up
    std::fill_n(image.rgb.begin() + 2 * 3, 3, std::uint8_t(255));
    writePng(image, (folder / "ground.png").string());
    const auto scene = [&](const std::string& more) {
        return loadScene(
            folder.write("scene.json", ground(R"("file": "ground.png", "spacing": 1, "low": -10, "high": 10)" + more)));
    };
    const SceneResult good = scene("");
    ASSERT_TRUE(good) << problemsOf(good);
    World world;
    world.addBody(good.scene->bodies[0]);
    for (const auto& [x, height] : {std::pair(-0.5, -6.0), {0.001, -6.0}, {0.5, 2.0}}) {
        const auto hit = world.castRay({WorldPoint(x, 50, -0.4999), {0, -100, 0}});
        ASSERT_TRUE(hit.has_value()) << x;
        EXPECT_NEAR(50 - 100 * double(hit->fraction), height, 0.02) << x;
    }
    EXPECT_TRUE(scene(R"(, "columns": 3)"));
    EXPECT_NE(problemsOf(scene(R"(, "columns": 4)"))
                  .find("shape.columns: 4 is not allowed (it may be left out, \"ground.png\" has 3)"),
              std::string::npos)
        << problemsOf(scene(R"(, "columns": 4)"));
    folder.write("ground.png", std::string("\x89PNG\r\n\x1a\n and so on"));
    EXPECT_NE(problemsOf(scene("")).find("is a damaged PNG"), std::string::npos);
}

}  // namespace
}  // namespace sunder
