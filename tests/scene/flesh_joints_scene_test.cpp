// Joints of deformable bodies in scene files.
#include <gtest/gtest.h>

#include "scene/scene_for_tests.h"
#include "sunder/scene/runner.h"
#include "sunder/scene/scene.h"

namespace sunder {
namespace {

std::string sceneWith(const std::string& joint) {
    return sceneWithBodies(
        R"({ "name": "cube", "shape": { "type": "box", "half_extents": [0.2, 0.2, 0.2] }, "position": [0, 3, 0],
            "material": { "density": 1000, "young": 1e6 }, "deformable": { "cell": 0.1 } },
          { "name": "box", "shape": { "type": "box", "half_extents": [0.1, 0.1, 0.1] }, "position": [0, 2.65, 0], "mass": 10 })",
        R"("joints": [{ "type": "fixed", "b": "cube", "anchor": [0, 3.2, 0] }, )" + joint + "],");
}

TEST(SceneFleshJoints, HoldAndAreRefusedByPath) {
    const std::string ball = R"({ "name": "hook", "type": "ball", "a": "cube", "b": "box", "anchor": [0, 2.8, 0])";
    SceneRunner runner(sceneOf(sceneWith(ball + " }")));
    for (int i = 0; i < 60; ++i)
        runner.stepFrame();
    const World& world = runner.world();
    EXPECT_GT(world.centerOfMass(world.find("box")).y, Real(2.55));
    EXPECT_LT(world.jointState(world.findJoint("hook")).error, Real(1e-3));
    const auto problems = [](const std::string& joint) { return problemsOf(parseScene(sceneWith(joint), {})); };
    EXPECT_NE(problems(R"({ "type": "slider", "a": "cube", "b": "box" })").find("joints[1].type"), std::string::npos);
    EXPECT_NE(problems(ball + R"(, "motor_strength": 3 })").find("joints[1].motor_strength"), std::string::npos);
}

}  // namespace
}  // namespace sunder
