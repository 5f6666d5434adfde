// What a scene file may say, and what is answered where it says something else.
#include "sunder/scene/scene.h"

#include <gtest/gtest.h>

#include <cmath>

#include "collision/built_shape.h"
#include "scene/scene_for_tests.h"
#include "sunder/scene/runner.h"

namespace sunder {
namespace {

const BuiltShape& shapeOf(const BodyDef& body) { return *std::get<SharedShape>(body.shape); }

TEST(SceneReader, ReadsEveryFieldOfABody) {
    const Scene scene = sceneOf(sceneWithBodies(
        R"({ "name": "b", "motion": "kinematic", "material": "m", "shape": { "type": "box", "half_extents": [1, 2, 3] },
             "position": [1, 2, 3], "orientation": [0, 0, 0.6, 0.8], "velocity": [4, 5, 6], "angular_velocity": [7, 8, 9],
             "mass": 10, "inertia": [1, 2, 2.5], "linear_damping": 0.1, "angular_damping": 0.2, "gravity_factor": -1,
             "locked_axes": ["x", "rz"], "surface_velocity": [2, 0, 0], "layer": 4, "mask": 4294967295, "sensor": true,
             "user_data": 18446744073709551615, "keyframes": [ { "time": 0 }, { "time": 2, "position": [0, 1, 0] } ] })",
        R"("materials": { "m": { "density": 2500, "friction": 0.3, "restitution": 0.2, "rolling_friction": 0.01,
             "spinning_friction": 0.02, "young": 7e10, "poisson": 0.22, "strength": 5e7, "toughness": 1e3, "yield": 0 } },)"));
    ASSERT_EQ(scene.bodies.size(), 1u);
    const BodyDef& b = scene.bodies[0];
    EXPECT_EQ(b.name, "b");
    EXPECT_EQ(b.motion, Motion::Kinematic);
    EXPECT_EQ(shapeOf(b).halfExtents, (Vec3{1, 2, 3}));
    EXPECT_EQ(b.position, (Vec3{1, 2, 3}));
    EXPECT_EQ(b.orientation, (Quat{0, 0, Real(0.6), Real(0.8)}));
    EXPECT_EQ(b.velocity, (Vec3{4, 5, 6}));
    EXPECT_EQ(b.angularVelocity, (Vec3{7, 8, 9}));
    EXPECT_EQ(b.mass, Real(10));
    EXPECT_EQ(b.inertia, (Vec3{1, 2, Real(2.5)}));
    EXPECT_EQ(b.linearDamping, Real(0.1));
    EXPECT_EQ(b.angularDamping, Real(0.2));
    EXPECT_EQ(b.gravityFactor, -1);
    EXPECT_EQ(b.lockedAxes, kLockX | kLockRz);
    EXPECT_EQ(b.surfaceVelocity, (Vec3{2, 0, 0}));
    EXPECT_EQ(b.layer, 4u);
    EXPECT_EQ(b.mask, 0xffffffffu);
    EXPECT_TRUE(b.sensor);
    EXPECT_EQ(b.userData, ~std::uint64_t(0));
    ASSERT_EQ(b.keyframes.size(), 2u);
    EXPECT_EQ(b.keyframes[1].position, (Vec3{0, 1, 0}));
    EXPECT_EQ(b.material.friction, Real(0.3));
    EXPECT_EQ(b.material.spinningFriction, Real(0.02));
    ASSERT_EQ(scene.materials.size(), 1u);
    EXPECT_EQ(scene.materials[0].material.young, Real(7e10));
    EXPECT_EQ(scene.materials[0].material.yield, Real(0));
    EXPECT_EQ(b.material.young, Real(7e10));
    EXPECT_EQ(b.material.poisson, Real(0.22));
    EXPECT_EQ(b.material.strength, Real(5e7));
    EXPECT_EQ(b.material.toughness, Real(1e3));
}

// Fields of the method stand beside those that all methods share.
TEST(SceneReader, ReadsEveryFieldOfAFracture) {
    const std::string fracture =
        R"("pattern": "star", "threshold": 7, "placement": "aligned", "cell": 0.1, "surface": "level_set", "size": 2, "reach": 0.25,
           "smallest": 1e-4, "most_pieces": 9, "generations": 2, "weakest_hit": 0.5, "debris": "freeze", "debris_volume": 0.01)";
    for (const char* method : {"", R"("method": "prescored", )"}) {
        const Scene scene = sceneOf(sceneWithBodies(ball("\"fracture\": { " + std::string(method) + fracture + " }"),
                                                    R"("patterns": { "star": { "type": "radial", "nodes": 33 } },)"));
        ASSERT_TRUE(scene.bodies.at(0).fracture);
        const FractureDef& def = *scene.bodies[0].fracture;
        const Prescored& prescored = std::get<Prescored>(def.method);
        EXPECT_EQ(prescored.pattern, scene.patterns.at(0).built);
        EXPECT_EQ(prescored.placement, FracturePlacement::Aligned);
        EXPECT_EQ(prescored.size, 2);
        EXPECT_EQ(prescored.reach, Real(0.25));
        EXPECT_EQ(def.threshold, 7);
        EXPECT_EQ(def.cell, Real(0.1));
        EXPECT_EQ(def.smallest, Real(1e-4));
        EXPECT_EQ(def.mostPieces, 9);
        EXPECT_EQ(def.generations, 2);
        EXPECT_EQ(def.weakestHit, Real(0.5));
        EXPECT_EQ(def.debris, Debris::Freeze);
        EXPECT_EQ(def.debrisVolume, Real(0.01));
        const Scene again = sceneOf(writeScene(scene));
        EXPECT_EQ(writeScene(again), writeScene(scene));
        EXPECT_EQ(std::get<Prescored>(again.bodies.at(0).fracture->method).reach, Real(0.25));
    }
}

TEST(SceneReader, ReadsTheTopLevel) {
    const Scene scene = sceneOf(sceneWithBodies(ball(), R"("name": "n", "frame_rate": 24, "steps_per_frame": 2, "frames": 7,
        "gravity": [0, -1.62, 0], "stepper": { "type": "impulse", "contact_passes": 20 }, "energy_fix": false, "threads": 3,
        "camera": { "position": [0, 1, 5], "target": [0, 0, 0], "fov_degrees": 50 }, "joints": [], "patterns": {}, "events": [],
        "$schema": "scene.schema.json",)"));
    EXPECT_EQ(scene.name, "n");
    EXPECT_EQ(scene.frameRate, 24);
    EXPECT_EQ(scene.stepsPerFrame, 2);
    EXPECT_EQ(scene.frames, 7);
    EXPECT_EQ(scene.world.gravity, (Vec3{0, Real(-1.62), 0}));
    EXPECT_EQ(scene.world.stepper, Stepper::Impulse);
    EXPECT_EQ(scene.world.impulse.contactPasses, 20);
    EXPECT_FALSE(scene.world.energyFix);
    EXPECT_EQ(scene.world.threads, 3);
    ASSERT_TRUE(scene.camera);
    EXPECT_EQ(scene.camera->fovDegrees, 50);
    EXPECT_EQ(scene.bodies[0].name, "body_0");
}

TEST(SceneReader, ReadsEveryShape) {
    const Scene scene = sceneOf(sceneWithBodies(R"(
        { "shape": { "type": "sphere", "radius": 0.5 } },
        { "shape": { "type": "capsule", "radius": 0.5, "half_height": 1, "axis": "y" } },
        { "shape": { "type": "cylinder", "radius": 0.5, "half_height": 1 } },
        { "shape": { "type": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] } },
        { "shape": { "type": "hull", "random": { "count": 12, "radius": 0.3 } } },
        { "motion": "static", "shape": { "type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 0, 1]], "triangles": [[0, 2, 1]] } },
        { "shape": { "type": "compound", "children": [
            { "shape": { "type": "sphere", "radius": 0.5 } },
            { "shape": { "type": "box", "half_extents": [1, 1, 1] }, "position": [1, 0, 0],
              "rotation_degrees": { "axis": [0, 0, 2], "angle": 90 } } ] } })"));
    const ShapeType types[] = {ShapeType::Sphere, ShapeType::Capsule, ShapeType::Cylinder, ShapeType::Hull,
                               ShapeType::Hull,   ShapeType::Mesh,    ShapeType::Compound};
    ASSERT_EQ(scene.bodies.size(), std::size(types));
    for (std::size_t i = 0; i < std::size(types); ++i)
        EXPECT_EQ(shapeOf(scene.bodies[i]).type, types[i]) << i;
    const Quat turned = shapeOf(scene.bodies[6]).children[1].parentFromChild.orientation;
    EXPECT_NEAR(turned.z, std::sqrt(0.5), 1e-6);
    EXPECT_NEAR(turned.w, std::sqrt(0.5), 1e-6);
    // Random points lie on their sphere.
    const BuiltShape& hull = shapeOf(scene.bodies[4]);
    for (const Vec3& p : std::get<Hull>(hull.definition).points)
        EXPECT_NEAR(std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z), 0.3, 1e-6);
}

TEST(SceneReader, EqualShapesAreBuiltOnce) {
    const Scene scene = sceneOf(sceneWithBodies(ball() + "," + ball(R"("position": [2, 0, 0])")));
    EXPECT_EQ(&shapeOf(scene.bodies[0]), &shapeOf(scene.bodies[1]));
}

TEST(SceneReader, NearlyUnitQuaternionsAreNormalised) {
    const Scene scene = sceneOf(sceneWithBodies(ball(R"("orientation": [0, 0.7071, 0, 0.7071])")));
    const Quat q = scene.bodies[0].orientation;
    EXPECT_NEAR(q.y * q.y + q.w * q.w, 1, 1e-6);
}

struct Bad {
    std::string text;     // the whole scene
    const char* problem;  // all of it, or its start
};

std::string withBody(const std::string& body) { return sceneWithBodies(body); }
std::string withTop(const std::string& more) { return sceneWithBodies(ball(), more + ","); }
std::string kinematicPair(const std::string& sides) {
    return sceneWithBodies(ball(R"("name": "p", "motion": "kinematic")") + "," +
                               ball(R"("name": "q", "motion": "kinematic", "position": [3, 0, 0])"),
                           R"("joints": [{ "type": "ball", )" + sides + " }],");
}

TEST(SceneReader, EachProblemNamesPathValueAndRange) {
    const Bad table[] = {
        {"[]", "scene: [] is not allowed (an object)"},
        {"{ \"bodies\": [] }", "scene: sunder: is missing"},
        {"{ \"sunder\": 2, \"bodies\": [] }", "scene: sunder: 2 is not allowed (1, the version of the format)"},
        {"{ \"sunder\": 1 }", "scene: bodies: is missing"},
        {"{ \"sunder\": 1, \"bodies\": {} }", "scene: bodies: {} is not allowed (a list)"},
        {"{ \"sunder\": 1, \"bodies\": [3] }", "scene: bodies[0]: 3 is not allowed (an object)"},
        {withTop("\"gravty\": [0, 0, 0]"), "scene: gravty: unknown key \"gravty\"; did you mean \"gravity\"?"},
        {withTop("\"gravity\": [0, 0]"), "scene: gravity: [0,0] is not allowed (3 numbers, each -1000000 to 1000000 m/s^2)"},
        {withTop("\"gravity\": -9.81"), "scene: gravity: -9.81 is not allowed (3 numbers"},
        {withTop("\"gravity\": [0, \"x\", 0]"),
         "scene: gravity[1]: \"x\" is not allowed (a number: -1000000 to 1000000 m/s^2)"},
        {withTop("\"gravity\": [0, 1e39, 0]"), "scene: gravity[1]: 1e+39 is not allowed"},
        {withTop("\"gravity\": [0, null, 0]"), "scene: gravity[1]: null is not allowed"},
        {withTop("\"frame_rate\": 0"), "scene: frame_rate: 0 is not allowed (above 0, up to 100000 Hz)"},
        {withTop("\"frames\": 1.5"), "scene: frames: 1.5 is not allowed (a whole number: 0 to 10000000)"},
        {withTop("\"frames\": -1"), "scene: frames: -1 is not allowed (a whole number: 0 to 10000000)"},
        {withTop("\"steps_per_frame\": 0"), "scene: steps_per_frame: 0 is not allowed"},
        {withTop("\"threads\": 0"), "scene: threads: 0 is not allowed (a whole number: 1 to 1024)"},
        {withTop("\"energy_fix\": 1"), "scene: energy_fix: 1 is not allowed (true or false)"},
        {withTop("\"name\": 1"), "scene: name: 1 is not allowed (a text)"},
        {withTop("\"camera\": []"), "scene: camera: [] is not allowed (an object)"},
        {withTop("\"camera\": { \"fov\": 40 }"), "scene: camera.fov: unknown key \"fov\"; did you mean \"fov_degrees\"?"},
        {withTop("\"stepper\": \"framerate\""), "scene: stepper: unknown stepper \"framerate\"; did you mean \"frame_rate\"?"},
        {withTop("\"stepper\": { \"type\": \"timewarp\", \"events_per_body\": 0 }"),
         "scene: stepper.events_per_body: 0 is not allowed (a whole number: 1 to 10000)"},
        {withTop("\"stepper\": { \"type\": \"impulse\", \"substep_rate\": 3 }"), "scene: stepper.substep_rate: unknown key"},
        {withTop("\"stepper\": { \"substep_rate\": 0 }"), "scene: stepper.substep_rate: 0 is not allowed (above 0"},
        {withTop("\"stepper\": 5"),
         "scene: stepper: 5 is not allowed (one of frame_rate, impulse, damped, timewarp, timewarp_safer)"},
        {withTop("\"joints\": [{}]"), "scene: joints[0].type: is missing"},
        {withTop("\"joints\": [{ \"type\": \"ball\", \"b\": \"nobody\" }]"), "scene: joints[0].b: "},
        {withTop("\"joints\": [{ \"type\": \"ball\" }]"), "scene: joints[0].b: is missing"},
        {kinematicPair("\"a\": \"p\", \"b\": \"q\""), "scene: joints[0]: neither a nor b is dynamic"},
        {kinematicPair("\"b\": \"q\""), "scene: joints[0]: neither a nor b is dynamic"},
        {kinematicPair("\"a\": \"q\", \"b\": \"q\""), "scene: joints[0].b: \"q\" is the same as a"},
        {withTop("\"joints\": [{ \"type\": \"hinge\", \"axis\": [0, 0, 0] }]"),
         "scene: joints[0].axis: [0, 0, 0] is not allowed"},
        {withTop("\"joints\": [{ \"type\": \"hinge\", \"limits\": [1, -1] }]"),
         "scene: joints[0].limits: [1, -1] is not allowed (the lower limit first)"},
        {withTop("\"joints\": [{ \"type\": \"hinge\", \"motor_strength\": -1 }]"),
         "scene: joints[0].motor_strength: -1 is not allowed (0"},
        {withTop("\"joints\": [{ \"type\": \"ball\", \"break_torque\": -5 }]"),
         "scene: joints[0].break_torque: -5 is not allowed ("},
        {withTop("\"joints\": [{ \"type\": \"ball\", \"friction\": -5 }]"), "scene: joints[0].friction: -5 is not allowed (0"},
        {withTop("\"joints\": {}"), "scene: joints: {} is not allowed (a list)"},
        {withTop("\"events\": [{}]"), "scene: events[0].time: is missing"},
        {withTop("\"events\": [{ \"time\": 1 }]"), "scene: events[0]: an event needs one of explode, break and cut"},
        {withTop("\"events\": [{ \"time\": 1, \"cut\": { \"body\": \"no\", \"at\": [0, 0, 0] } }]"),
         "scene: events[0].cut.body: unknown body that breaks or deforms \"no\" (there are none)"},
        {withTop("\"camera\": { \"position\": [1, 2, 3], \"target\": [1, 2, 3] }"),
         "scene: camera.target: [1,2,3] is not allowed (apart from its position)"},
        {withTop("\"patterns\": { \"star\": { \"type\": \"radia\" } }"),
         "scene: patterns.star.type: unknown pattern type \"radia\"; did you mean \"radial\"?"},
        {withTop("\"patterns\": []"), "scene: patterns: [] is not allowed (an object)"},
        {withTop("\"patterns\": { \"star\": { \"pieces\": 0, \"type\": \"radial\" } }"),
         "scene: patterns.star.pieces: 0 is not allowed (a whole number: 1 to 1000000)"},
        {withTop("\"materials\": { \"m\": { \"friction\": -1 } }"),
         "scene: materials.m.friction: -1 is not allowed (0 to inf)"},
        {withTop("\"materials\": { \"m\": { \"poisson\": 0.6 } }"),
         "scene: materials.m.poisson: 0.6 is not allowed (above -1, up to 0.5)"},
        {withTop("\"materials\": { \"m\": { \"densty\": 1 } }"),
         "scene: materials.m.densty: unknown key \"densty\"; did you mean \"density\"?"},
        {withTop("\"materials\": { \"m\": 3 }"), "scene: materials.m: 3 is not allowed (an object)"},
        {withBody("{}"), "scene: bodies[0].shape: is missing"},
        {withBody(ball() + "," + ball("\"mas\": 3")), "scene: bodies[1].mas: unknown key \"mas\"; did you mean \"mass\"?"},
        {withBody(ball("\"mass\": -1")), "scene: bodies[0].mass: -1 is not allowed (above 0, up to 1e+12 kg)"},
        {withBody(ball("\"motion\": \"statc\"")),
         "scene: bodies[0].motion: unknown motion \"statc\"; did you mean \"static\"?"},
        {withBody(ball("\"motion\": 1")), "scene: bodies[0].motion: 1 is not allowed (one of dynamic, static, kinematic)"},
        {withBody(ball("\"material\": \"gold\"")),
         "scene: bodies[0].material: unknown material \"gold\"; did you mean \"wood\"? (known: steel, wood,"},
        {withBody(ball("\"material\": 7")), "scene: bodies[0].material: 7 is not allowed"},
        {withBody(ball("\"material\": { \"restitution\": 2 }")),
         "scene: bodies[0].material.restitution: 2 is not allowed (0 to 1)"},
        {withBody(ball("\"orientation\": [0, 0, 0, 2]")),
         "scene: bodies[0].orientation: [0,0,0,2] is not allowed (a quaternion x, y, z, w of length 1; this one has length 2)"},
        {withBody(ball("\"orientation\": [0, 0, 0]")), "scene: bodies[0].orientation: [0,0,0] is not allowed (4 numbers"},
        {withBody(ball("\"orientation\": [0, 0, 0, \"1\"]")),
         "scene: bodies[0].orientation[3]: \"1\" is not allowed (a number)"},
        {withBody(ball("\"rotation_degrees\": { \"axis\": [0, 0, 0], \"angle\": 3 }")),
         "scene: bodies[0].rotation_degrees.axis: [0,0,0] is not allowed"},
        {withBody(ball("\"rotation_degrees\": { \"angle\": 3 }")), "scene: bodies[0].rotation_degrees.axis: is missing"},
        {withBody(ball("\"orientation\": [0, 0, 0, 1], \"rotation_degrees\": { \"axis\": [0, 1, 0], \"angle\": 3 }")),
         "scene: bodies[0].rotation_degrees: is given besides orientation"},
        {withBody(ball("\"locked_axes\": [\"x\", \"w\"]")),
         "scene: bodies[0].locked_axes[1]: \"w\" is not allowed (one of x, y, z, rx, ry, rz)"},
        {withBody(ball("\"locked_axes\": \"x\"")), "scene: bodies[0].locked_axes: \"x\" is not allowed (a list)"},
        {withBody(ball("\"layer\": 4294967296")), "scene: bodies[0].layer: 4294967296 is not allowed"},
        {withBody(ball("\"sensor\": \"yes\"")), "scene: bodies[0].sensor: \"yes\" is not allowed (true or false)"},
        {withBody(ball("\"keyframes\": [{ \"time\": 0 }]")), "scene: bodies[0].keyframes: 1 keys are not allowed"},
        {withBody(ball("\"motion\": \"kinematic\", \"keyframes\": [{ \"time\": 1 }, { \"time\": 1 }]")),
         "scene: bodies[0].keyframes[1].time: 1 is not allowed"},
        {withBody(ball("\"fracture\": { \"threshold\": 1 }")), "scene: bodies[0].fracture.pattern: is missing"},
        {withBody(ball("\"fracture\": { \"method\": \"prescord\", \"threshold\": 1 }")),
         "scene: bodies[0].fracture.method: unknown method \"prescord\"; did you mean \"prescored\"?"},
        {withBody(ball("\"fracture\": { \"method\": 1, \"threshold\": 1 }")),
         "scene: bodies[0].fracture.method: 1 is not allowed"},
        {sceneWithBodies(ball("\"fracture\": { \"pattern\": \"star\", \"placment\": \"aligned\", \"threshold\": 1 }"),
                         "\"patterns\": { \"star\": { \"type\": \"radial\" } },"),
         "scene: bodies[0].fracture.placment: unknown key \"placment\"; did you mean \"placement\"?"},
        {withBody(ball("\"fracture\": { \"pattern\": \"star\", \"threshold\": 1 }")),
         "scene: bodies[0].fracture.pattern: unknown pattern \"star\""},
        {withBody("{ \"shape\": {} }"), "scene: bodies[0].shape.type: is missing (one of sphere, box"},
        {withBody("{ \"shape\": \"box\" }"), "scene: bodies[0].shape: \"box\" is not allowed (an object)"},
        {withBody("{ \"shape\": { \"type\": \"shpere\", \"radius\": 1 } }"),
         "scene: bodies[0].shape.type: unknown shape type \"shpere\"; did you mean \"sphere\"?"},
        {withBody("{ \"shape\": { \"type\": \"level_set\" } }"), "scene: bodies[0].shape: a level set needs one of file"},
        {withBody("{ \"shape\": { \"type\": \"level_set\", \"solid\": { \"type\": \"sphere\", \"radius\": 1 } } }"),
         "scene: bodies[0].shape: a level set needs either cell"},
        {withBody("{ \"shape\": { \"type\": \"level_set\", \"solid\": { \"type\": \"sphere\", \"radius\": 1 }, "
                  "\"cell\": 0.001 } }"),
         "scene: bodies[0].shape.cell: a cell of"},
        {withBody("{ \"shape\": { \"type\": \"shell\" } }"), "scene: bodies[0].shape: a shell needs file"},
        {withBody("{ \"shape\": { \"type\": \"sphere\" } }"), "scene: bodies[0].shape.radius: is missing (1e-05 to 100000 m)"},
        {withBody("{ \"shape\": { \"type\": \"box\", \"half_extents\": [1, -1, 1] } }"),
         "scene: bodies[0].shape.half_extents[1]: -1 is not allowed"},
        {withBody("{ \"shape\": { \"type\": \"capsule\", \"radius\": 1, \"half_height\": 1, \"axis\": \"x\" } }"),
         "scene: bodies[0].shape.axis: \"x\" is not allowed"},
        {withBody("{ \"shape\": { \"type\": \"hull\" } }"), "scene: bodies[0].shape: a hull needs one of points"},
        {withBody("{ \"shape\": { \"type\": \"hull\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]] } }"),
         "scene: bodies[0].shape.points: "},
        {withBody("{ \"shape\": { \"type\": \"hull\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]] } }"),
         "scene: bodies[0].shape"},
        {withBody("{ \"shape\": { \"type\": \"hull\", \"points\": [[0, 0]] } }"),
         "scene: bodies[0].shape.points[0]: [0,0] is not allowed"},
        {withBody("{ \"shape\": { \"type\": \"mesh\" } }"), "scene: bodies[0].shape: a mesh needs file"},
        {withBody("{ \"motion\": \"static\", \"shape\": { \"type\": \"mesh\", \"vertices\": [[0, 0, 0], [1, 0, 0], [0, 0, 1]], "
                  "\"triangles\": [[0, 1, 3]] } }"),
         "scene: bodies[0].shape.triangles[0]: [0,1,3] is not allowed (three vertices below 3)"},
        {withBody("{ \"shape\": { \"type\": \"mesh\", \"vertices\": [[0, 0, 0], [1, 0, 0], [0, 0, 1]], \"triangles\": [[0, 1, "
                  "2]] } }"),
         "scene: bodies[0].shape: a mesh is not allowed for a dynamic body"},
        {withBody("{ \"shape\": { \"type\": \"compound\", \"children\": [] } }"), "scene: bodies[0].shape"},
        {withBody("{ \"shape\": { \"type\": \"compound\", \"children\": [{ \"shape\": { \"type\": \"sphere\", \"radius\": 0 } "
                  "}] } }"),
         "scene: bodies[0].shape.children[0].shape.radius: 0 is not allowed"},
        {withBody(ball("\"name\": \"a\"") + "," + ball("\"name\": \"a\"")),
         "scene: bodies[1].name: \"a\" is taken by bodies[0].name (names are unique)"},
    };
    for (const Bad& bad : table) {
        const SceneResult result = parseScene(bad.text);
        EXPECT_FALSE(result) << bad.text;
        ASSERT_EQ(result.problems.size(), 1u) << bad.text << "\n" << problemsOf(result);
        EXPECT_EQ(result.problems[0].text().rfind(bad.problem, 0), 0u) << result.problems[0].text() << "\n" << bad.problem;
    }
}

// A problem elsewhere is no reason to complain of a pattern that is there.
TEST(SceneReader, AMistakeBesideAPatternIsOneProblem) {
    const SceneResult result = parseScene(R"({ "sunder": 1, "patterns": { "star": { "type": "radial" } }, "bodies": [
        { "name": "a", "shape": { "type": "box", "half_extents": [1, 1, 1] }, "position": [0, "up", 0] },
        { "name": "b", "shape": { "type": "box", "half_extents": [1, 1, 1] }, "fracture": { "pattern": "star", "threshold": 1 } } ] })");
    ASSERT_EQ(result.problems.size(), 1u) << problemsOf(result);
    EXPECT_NE(problemsOf(result).find("bodies[0].position[1]"), std::string::npos) << problemsOf(result);
}

// A box in five plates, bonded by the four faces that they share.
std::string scoredSolid(const std::string& keys) {
    return "{ \"sunder\": 1, \"patterns\": { \"plates\": { \"type\": \"slabs\", \"thickness\": 0.1, \"axis\": [1, 0, 0], "
           "\"jitter\": 0, \"tilt\": 0, \"nodes\": 17 } }, \"bodies\": [{ \"bonds\": { \"alpha\": 1 }, \"shape\": { "
           "\"type\": \"scored_solid\", " +
           keys + " } }] }";
}
const std::string kSolidBox = "\"solid\": { \"type\": \"box\", \"half_extents\": [0.44, 0.17, 0.15] }";

TEST(SceneReader, ScoredSolidsBringTheirBonds) {
    const SceneResult result =
        parseScene(scoredSolid(kSolidBox + ", \"pattern\": \"plates\", \"cell\": 0.03, \"pattern_scale\": 2"));
    ASSERT_TRUE(result) << problemsOf(result);
    const BodyDef& body = result.scene->bodies[0];
    ASSERT_EQ(body.bonds->bonds.size(), 4u);
    EXPECT_NEAR(body.bonds->bonds[1].area, 0.34 * 0.3, 4 * 0.03 * 0.03);
    EXPECT_EQ(std::get<SharedShape>(body.shape)->children.size(), 5u);
}

TEST(SceneReader, ScoredSolidsAreRefusedByPath) {
    const std::string rest = ", \"pattern\": \"plates\", \"cell\": 0.03";
    const Bad table[] = {
        {scoredSolid("\"pattern\": \"plates\", \"cell\": 0.03"),
         "scene: bodies[0].shape: a scored solid needs one of file (a closed mesh) and solid (a shape)"},
        {scoredSolid(kSolidBox + ", \"cell\": 0.03"), "scene: bodies[0].shape.pattern: is missing"},
        {scoredSolid(kSolidBox + ", \"pattern\": \"plate\", \"cell\": 0.03"),
         "scene: bodies[0].shape.pattern: unknown pattern \"plate\"; did you mean \"plates\"?"},
        {scoredSolid(kSolidBox + ", \"pattern\": \"plates\""), "scene: bodies[0].shape.cell: is missing"},
        {scoredSolid(kSolidBox + ", \"pattern\": \"plates\", \"cell\": 0"), "scene: bodies[0].shape.cell: 0 is not allowed"},
        {scoredSolid(kSolidBox + rest + ", \"seed\": 3"), "scene: bodies[0].shape.seed: unknown key"},
        {scoredSolid(kSolidBox + rest + ", \"normal\": [0, 0, 0]"), "scene: bodies[0].shape.normal: [0, 0, 0] is not allowed"},
        {scoredSolid(kSolidBox + rest + ", \"most_pieces\": 1"), "scene: bodies[0].shape.most_pieces: 1 is not allowed"},
        {scoredSolid(kSolidBox + rest + ", \"pattern_scale\": 0.2"),
         "scene: bodies[0].shape.pattern_scale: 0.2 m is not allowed (the pattern covers the shape from"},
        {scoredSolid(kSolidBox + rest + ", \"pattern_scale\": 100"),
         "scene: bodies[0].shape.pattern: does not divide the shape"},
        {scoredSolid("\"solid\": { \"type\": \"sphere\", \"radius\": 0 }" + rest),
         "scene: bodies[0].shape.solid.radius: 0 is not allowed"},
        {scoredSolid("\"solid\": { \"type\": \"sphere\", \"radius\": 0.01 }" + rest), "scene: bodies[0].shape.cell: "},
    };
    for (const Bad& bad : table) {
        const SceneResult result = parseScene(bad.text);
        EXPECT_FALSE(result) << bad.text;
        ASSERT_EQ(result.problems.size(), 1u) << bad.text << "\n" << problemsOf(result);
        EXPECT_EQ(result.problems[0].text().rfind(bad.problem, 0), 0u) << result.problems[0].text() << "\n" << bad.problem;
    }
}

TEST(SceneReader, APieceOfANameIsNearIt) {
    const SceneResult result = parseScene(sceneWithBodies(R"({ "shape": { "type": "box", "extents": [1, 1, 1] } })"));
    ASSERT_EQ(result.problems.size(), 2u);
    EXPECT_EQ(result.problems[0].message,
              "unknown key \"extents\"; did you mean \"half_extents\"? (known: type, half_extents)");
    EXPECT_EQ(result.problems[1].message, "is missing (1e-05 to 100000 m)");
}

TEST(SceneReader, AllProblemsAreToldAtOnceInTheOrderOfTheFile) {
    const SceneResult result =
        parseScene(sceneWithBodies(ball("\"mass\": -1, \"position\": [0, \"y\", 0]") + "," + ball("\"speed\": 1") + "," +
                                       "{ \"shape\": { \"type\": \"cube\" } }",
                                   "\"frames\": -3,"));
    ASSERT_EQ(result.problems.size(), 5u) << problemsOf(result);
    EXPECT_EQ(result.problems[0].path, "frames");
    EXPECT_EQ(result.problems[1].path, "bodies[0].position[1]");
    EXPECT_EQ(result.problems[2].path, "bodies[0].mass");
    EXPECT_EQ(result.problems[3].path, "bodies[1].speed");
    EXPECT_EQ(result.problems[4].path, "bodies[2].shape.type");
}

TEST(SceneReader, FloodsOfProblemsAreCounted) {
    std::string bodies = "1";
    for (int i = 1; i < 500; ++i)
        bodies += ",1";
    const SceneResult result = parseScene(sceneWithBodies(bodies));
    ASSERT_EQ(result.problems.size(), 101u);
    EXPECT_EQ(result.problems[100].text(), "scene: and 400 more problems");
}

TEST(SceneReader, NamelessBodiesGetFreeNames) {
    const Scene scene = sceneOf(sceneWithBodies(ball() + "," + ball("\"name\": \"body_0\"") + "," + ball()));
    EXPECT_EQ(scene.bodies[0].name, "body_1");
    EXPECT_EQ(scene.bodies[1].name, "body_0");
    EXPECT_EQ(scene.bodies[2].name, "body_2");
}

// A cut that an event makes parts a body that deforms; break is for bodies with a fracture.
TEST(SceneReader, ADeformableBodyMayBeCut) {
    const auto withEvent = [](const char* event) {
        return sceneWithBodies(R"({ "name": "loaf", "shape": { "type": "box", "half_extents": [0.4, 0.2, 0.2] },
            "material": { "density": 1000, "young": 1e5 },
            "deformable": { "cell": 0.1, "plasticity": "multiplicative", "static_friction": "pid" } })",
                               R"("events": [{ "time": 0, ")" + std::string(event) +
                                   R"(": { "body": "loaf", "at": [0, 0, 0], "normal": [1, 0, 0] } }],)");
    };
    const Scene scene = sceneOf(withEvent("cut"));
    ASSERT_TRUE(scene.bodies[0].deformable);
    EXPECT_EQ(scene.bodies[0].deformable->plasticity, FleshPlasticity::Multiplicative);
    EXPECT_EQ(scene.bodies[0].deformable->staticFriction, FleshStiction::Pid);
    SceneRunner runner(scene);
    runner.stepFrame();
    EXPECT_EQ(runner.world().stats().pieces, 1);
    EXPECT_FALSE(parseScene(withEvent("break")));
}

}  // namespace
}  // namespace sunder
