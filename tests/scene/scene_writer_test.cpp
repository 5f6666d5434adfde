// A scene that is written and read again is the same scene, to the bit.
#include <gtest/gtest.h>

#include "scene/scene_for_tests.h"
#include "sunder/scene/bundled.h"

namespace sunder {
namespace {

TEST(SceneWriter, BundledScenesSurviveARoundTrip) {
    for (const BundledScene& bundled : listScenes(SUNDER_TEST_SOURCE_DIR "/scenes")) {
        SceneOptions options;
        options.assets = SUNDER_TEST_SOURCE_DIR "/assets";
        // The small ones: what is written is as long as all their bodies.
        if (bundled.name.find("s2_") == 0 || bundled.name.find("s2w") == 0 || bundled.name.find("s4") == 0 ||
            bundled.name == "bunny_pile" || (bundled.name.find("su09_fig") == 0 && bundled.name > "su09_fig4"))
            continue;
        const SceneResult first = loadScene(bundled.file, options);
        ASSERT_TRUE(first) << problemsOf(first);
        const std::string text = writeScene(*first.scene);
        const Scene second = sceneOf(text, options);
        EXPECT_TRUE(writeScene(second) == text) << bundled.name;
        ASSERT_EQ(second.bodies.size(), first.scene->bodies.size());
        for (std::size_t i = 0; i < second.bodies.size(); ++i) {
            EXPECT_EQ(second.bodies[i].name, first.scene->bodies[i].name);
            EXPECT_EQ(second.bodies[i].position, first.scene->bodies[i].position);
            EXPECT_EQ(second.bodies[i].angularVelocity, first.scene->bodies[i].angularVelocity);
            EXPECT_EQ(second.bodies[i].material.friction, first.scene->bodies[i].material.friction);
        }
    }
}

TEST(SceneWriter, KeepsEveryField) {
    Scene scene;
    scene.name = "quote \" and \\ and \xc3\xa9";
    scene.frameRate = Real(23.976);
    scene.world.gravity = {Real(0.1), Real(-1e-7), Real(12345.678)};
    scene.world.frameRate.massRatio = 7;
    scene.world.impulseClamp = false;
    BodyDef body;
    body.name = "b";
    body.shape = Compound{{{Cylinder{Real(0.1), Real(0.3)}, {1, 2, 3}, {0, 0, 0, 1}}}};
    body.motion = Motion::Kinematic;
    body.lockedAxes = kLockY | kLockRx;
    body.inertia = Vec3{1, 2, Real(0.3)};
    body.userData = 0xffffffffffffffffu;
    body.material.rollingFriction = Real(0.01);
    body.keyframes = {{0, {}, {}}, {Real(1.5), {1, 0, 0}, {}}};
    scene.bodies = {body};
    scene.bodyMaterials = {""};
    const Scene read = sceneOf(writeScene(scene));
    EXPECT_EQ(read.name, scene.name);
    EXPECT_EQ(read.frameRate, scene.frameRate);
    EXPECT_EQ(read.world.gravity, scene.world.gravity);
    EXPECT_EQ(read.world.frameRate.massRatio, 7);
    EXPECT_FALSE(read.world.impulseClamp);
    ASSERT_EQ(read.bodies.size(), 1u);
    EXPECT_EQ(read.bodies[0].lockedAxes, body.lockedAxes);
    EXPECT_EQ(read.bodies[0].inertia, body.inertia);
    EXPECT_EQ(read.bodies[0].userData, body.userData);
    EXPECT_EQ(read.bodies[0].material.rollingFriction, body.material.rollingFriction);
    EXPECT_EQ(read.bodies[0].keyframes[1].position, body.keyframes[1].position);
    EXPECT_EQ(writeScene(read), writeScene(scene));
}

}  // namespace
}  // namespace sunder
