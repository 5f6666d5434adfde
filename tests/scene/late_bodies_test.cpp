// Bodies that join a scene later, and the keys of what [Li18] 5 leaves to others.
#include <gtest/gtest.h>

#include "scene/scene_for_tests.h"
#include "sunder/scene/runner.h"

namespace sunder {
namespace {

const std::string kScene = sceneWithBodies(
    R"({ "name": "floor", "motion": "static", "shape": { "type": "box", "half_extents": [5, 0.5, 5] }, "position": [0, -0.5, 0] },
       { "name": "late", "joins_at": 0.1, "shape": { "type": "sphere", "radius": 0.2 }, "position": [0, 3, 0], "velocity": [2, 0, 0] })");

TEST(LateBodies, JoinAtTheirTimeAndAgainAfterGoingBack) {
    const Scene scene = sceneOf(kScene);
    EXPECT_EQ(scene.bodies.size(), 1u);
    ASSERT_EQ(scene.lateBodies.size(), 1u);
    SceneRunner runner(scene);
    Checkpoint start = runner.world().checkpoint();
    std::vector<std::size_t> counts;
    for (int i = 0; i < 6; ++i) {
        runner.stepFrame();
        counts.push_back(runner.world().bodies().size());
    }
    EXPECT_EQ(counts, (std::vector<std::size_t>{1, 1, 1, 2, 2, 2})) << "frame 3 ends at 0.1 s";
    const std::uint64_t end = runner.world().hash();
    // The same as adding it by a call.
    World world(scene.world);
    world.addBody(scene.bodies[0]);
    for (int i = 0; i < 6; ++i) {
        if (i == 3)
            world.addBody(scene.lateBodies[0].def);
        world.step(Real(1.0 / 30));
    }
    EXPECT_EQ(world.hash(), end);
    runner.rewind(start, 0);
    for (int i = 0; i < 6; ++i)
        runner.stepFrame();
    EXPECT_EQ(runner.world().hash(), end);
}

TEST(LateBodies, AreWrittenAndReadAgain) {
    const Scene first = sceneOf(kScene);
    const std::string text = writeScene(first);
    const Scene second = sceneOf(text);
    ASSERT_EQ(second.lateBodies.size(), 1u);
    EXPECT_EQ(second.lateBodies[0].time, first.lateBodies[0].time);
    EXPECT_EQ(second.lateBodies[0].def.velocity, first.lateBodies[0].def.velocity);
    EXPECT_EQ(writeScene(second), text);
}

TEST(LateBodies, AreRefusedWithoutANameOrWithABadTime) {
    const auto problems = [](const std::string& body) { return problemsOf(parseScene(sceneWithBodies(body))); };
    EXPECT_NE(problems(ball(R"("joins_at": 1)")).find("bodies[0].name: is missing (a body that joins later has one)"),
              std::string::npos);
    EXPECT_NE(problems(ball(R"("name": "x", "joins_at": -1)")).find("bodies[0].joins_at: -1 is not allowed (0 to "),
              std::string::npos);
    EXPECT_NE(problems(ball(R"("name": "x")") + "," + ball(R"("name": "x", "joins_at": 1)")).find("is taken by"),
              std::string::npos);
}

TEST(EnergyOfBreaksInScenes, KeysAreReadSetAndWritten) {
    const std::string text =
        R"({ "sunder": 1, "release": { "free": 0.5 }, "stepper": { "type": "impulse", "rotation": "one_step" },
        "patterns": { "cells": { "type": "voronoi" } },
        "bodies": [ { "name": "vase", "shape": { "type": "sphere", "radius": 0.5 }, "position": [0, 2, 0],
                      "fracture": { "pattern": "cells", "threshold": 5, "alpha": 0.5 } },
                    { "name": "bar", "shape": { "type": "compound", "children": [
                        { "shape": { "type": "box", "half_extents": [0.1, 0.1, 0.1] }, "position": [0, 0, 0] },
                        { "shape": { "type": "box", "half_extents": [0.1, 0.1, 0.1] }, "position": [0.2, 0, 0] } ] },
                      "bonds": { "yield": 0.5, "ductility": 0.02 }, "joined": true } ],
        "joints": [ { "type": "ball", "b": "vase", "anchor": [0, 3, 0], "stiffness": 1000, "break_force": 100, "yield_force": 50, "ductility": 0.1 } ] })";
    SceneOptions options;
    options.sets = {"bodies.vase.fracture.alpha=1", "release.free=0.25"};
    const Scene scene = sceneOf(text, options);
    EXPECT_EQ(scene.world.release.free, Real(0.25));
    EXPECT_EQ(scene.world.impulse.rotation, RotationStep::OneStep);
    EXPECT_EQ(std::get<Prescored>(scene.bodies[0].fracture->method).alpha, Real(1));
    ASSERT_EQ(scene.joints.size(), 5u);
    // Pieces that are joined flow at that share of what each of their four joints bears.
    const JointDef& joined = scene.joints[0].def;
    ASSERT_TRUE(joined.yieldForce.has_value());
    EXPECT_FLOAT_EQ(float(*joined.yieldForce), float(*joined.breakForce / 2));
    EXPECT_EQ(joined.ductility, Real(0.02));
    EXPECT_EQ(scene.joints[4].def.yieldForce, Real(50));
    const std::string written = writeScene(scene);
    EXPECT_EQ(writeScene(sceneOf(written)), written);
    EXPECT_NE(written.find("\"one_step\""), std::string::npos);
}

}  // namespace
}  // namespace sunder
