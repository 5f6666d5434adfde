// --set reaches every value by the path that problems are reported with.
#include <gtest/gtest.h>

#include "scene/scene_for_tests.h"

namespace sunder {
namespace {

const std::string kScene = R"({ "sunder": 1, "materials": { "glass": { "friction": 0.3 } }, "bodies": [
    { "name": "ball", "material": "glass", "shape": { "type": "sphere", "radius": 0.5 } },
    { "name": "tower", "stack": { "count": 2 }, "body": { "shape": { "type": "sphere", "radius": 0.5 } } },
    { "stack": { "count": 2 }, "body": { "name": "brick", "shape": { "type": "sphere", "radius": 0.5 } } } ] })";

Scene with(std::vector<std::string> sets) {
    SceneOptions options;
    options.sets = std::move(sets);
    return sceneOf(kScene, options);
}

TEST(Settings, MaterialsBodiesAndSteppers) {
    const Scene scene =
        with({"gravity=[0,0,0]", "materials.glass.friction=0.1", "bodies.ball.velocity=[1,2,3]", "bodies[0].mass=4",
              "bodies.0.position=[0, 5, 0]", "stepper.substep_rate=480", "frame_rate=60", "threads=2", "name=shards",
              "camera.fov_degrees=20", "bodies.tower.stack.count=5", "bodies.brick.mass=7"});
    EXPECT_EQ(scene.world.gravity, Vec3{});
    EXPECT_EQ(scene.bodies[0].material.friction, Real(0.1));
    EXPECT_EQ(scene.bodies[0].velocity, (Vec3{1, 2, 3}));
    EXPECT_EQ(scene.bodies[0].mass, Real(4));
    EXPECT_EQ(scene.bodies[0].position, (Vec3{0, 5, 0}));
    EXPECT_EQ(scene.world.frameRate.substepRate, 480);
    EXPECT_EQ(scene.frameRate, 60);
    EXPECT_EQ(scene.world.threads, 2);
    EXPECT_EQ(scene.name, "shards");
    EXPECT_EQ(scene.camera->fovDegrees, 20);
    ASSERT_EQ(scene.bodies.size(), 8u);
    EXPECT_EQ(scene.bodies[7].mass, Real(7));
}

TEST(Settings, MechanismsAreSwitchedOffByName) {
    const Scene scene = with({R"(stepper.without=["leak", "joint_mass"])"});
    Mechanisms expected;
    expected.add(Mechanism::Leak);
    expected.add(Mechanism::JointMass);
    EXPECT_EQ(scene.world.frameRate.without, expected);
    EXPECT_EQ(with({}).world.frameRate.without, Mechanisms{});
    SceneOptions options;
    options.sets = {R"(stepper.without=["leek"])"};
    const SceneResult refused = parseScene(kScene, options);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.problems[0].text().find("gentle_share"), std::string::npos) << refused.problems[0].text();
}

TEST(Settings, OptionsOfTheReleaseNeedNotBeThere) {
    const Scene scene = with({"release.outward=0.25", "release.form=paper"});
    EXPECT_EQ(scene.world.release.outward, Real(0.25));
    EXPECT_EQ(scene.world.release.form, ReleaseForm::Paper);
}

TEST(Settings, OptionsOfAnyStepper) {
    for (const char* stepper : {"frame_rate", "impulse", "damped", "timewarp", "timewarp_safer"}) {
        const Scene scene =
            with({"stepper=" + std::string(stepper), "stepper.lift_rate=20", "scatter.speed=2", "scatter.seed=7"});
        EXPECT_EQ(scene.world.scatter.speed, 2) << stepper;
        EXPECT_EQ(scene.world.scatter.seed, 7u) << stepper;
        const WorldDef& def = scene.world;
        EXPECT_EQ(def.frameRate.liftRate + def.impulse.liftRate + def.damped.liftRate + def.timewarp.liftRate,
                  def.stepper == Stepper::FrameRate || def.stepper == Stepper::Impulse ? 40 : 30)
            << stepper;
    }
}

TEST(Settings, AStarStandsForAllElements) {
    const Scene scene = with({"bodies.*.position=[7,0,0]", "bodies.ball.position=[8,0,0]"});
    ASSERT_EQ(scene.bodies.size(), 5u);
    EXPECT_EQ(scene.bodies[0].position.x, 8);
    for (std::size_t i = 1; i < scene.bodies.size(); ++i)
        EXPECT_EQ(scene.bodies[i].position.x, 7) << i;
}

TEST(Settings, LaterOnesWin) { EXPECT_EQ(with({"frames=3", "frames=4"}).frames, 4); }

TEST(Settings, SteppersByNameKeepTheirOptions) {
    EXPECT_EQ(with({"stepper=impulse"}).world.stepper, Stepper::Impulse);
    const Scene scene = with({"stepper=impulse", "stepper.contact_passes=3"});
    EXPECT_EQ(scene.world.stepper, Stepper::Impulse);
    EXPECT_EQ(scene.world.impulse.contactPasses, 3);
    const Scene damped = with({"stepper=damped", "stepper.rest_share=0.1"});
    EXPECT_EQ(damped.world.stepper, Stepper::Damped);
    EXPECT_EQ(damped.world.damped.restShare, Real(0.1));
}

struct Bad {
    const char* setting;
    const char* problem;
};

TEST(Settings, BadOnesAreNamed) {
    const Bad table[] = {
        {"gravity", "scene: --set: gravity: is not KEY=VALUE"},
        {"=3", "scene: --set: =3: is not KEY=VALUE"},
        {".frames=3", "scene: --set: .frames=3: is not KEY=VALUE"},
        {"bodies[0]x=3", "scene: --set: bodies[0]x=3: is not KEY=VALUE"},
        {"gravity=[0,0", "scene: --set: gravity=[0,0: the value is not valid JSON"},
        {"frames=NaN", "scene: --set: frames=NaN: the value is not valid JSON"},
        {"frames=", "scene: --set: frames=: the value is not valid JSON"},
        {"frames=-1", "scene: frames: -1 is not allowed"},
        {"gravty=[0,0,0]", "scene: gravty: unknown key \"gravty\"; did you mean \"gravity\"?"},
        {"materials.gass.friction=1",
         "scene: --set: materials.gass.friction=1: \"gass\" is not in the scene; did you mean \"glass\"?"},
        {"materials.glass.friction=-1", "scene: materials.glass.friction: -1 is not allowed (0 to inf)"},
        {"bodies.bal.mass=1", "scene: --set: unknown name \"bal\"; did you mean \"ball\"?"},
        {"bodies[9].mass=1", "scene: --set: bodies[9].mass=1: the list has 3 elements, 0 to 2"},
        {"gravity[1]=-1", "scene: --set: gravity[1]=-1: \"gravity\" is not in the scene (give all of it"},
        {"bodies.*.position=3", "scene: bodies[0].position: 3 is not allowed"},
        {"materials.*.friction=1", "scene: --set: materials.*.friction=1: \"*\" is not in the scene"},
        {"sunder.x=1", "scene: --set: sunder.x=1: \"x\" is inside 1, which is no object or list"},
    };
    for (const Bad& bad : table) {
        SceneOptions options;
        options.sets = {bad.setting};
        const SceneResult result = parseScene(kScene, options);
        EXPECT_FALSE(result) << bad.setting;
        ASSERT_FALSE(result.problems.empty()) << bad.setting;
        EXPECT_EQ(result.problems[0].text().rfind(bad.problem, 0), 0u) << problemsOf(result) << bad.problem;
    }
}

}  // namespace
}  // namespace sunder
