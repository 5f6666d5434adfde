// The bundled scenes of [Li18] 5: null-space directions, plasticity, energised fracture of patterns.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scene_for_tests.h"
#include "sunder/scene/runner.h"

namespace sunder {
namespace {

Scene bundled(const std::string& name, const std::string& set = "") {
    SceneOptions options;
    if (!set.empty())
        options.sets = {set};
    std::string path = SUNDER_TEST_SOURCE_DIR "/scenes/";
    path += name;
    path += ".json";
    SceneResult result = loadScene(path, options);
    EXPECT_TRUE(result) << problemsOf(result);
    return std::move(*result.scene);
}

// m: how far links of the chain are to the side of where it was taut.
double sideways(const std::string& set) {
    SceneRunner runner(bundled("li18_free_directions", set));
    for (int i = 0; i < 65; ++i)
        runner.stepFrame();
    const World& world = runner.world();
    double farthest = 0;
    for (int i = 0; i < 14; ++i) {
        const WorldPoint p = world.position(world.find("link_" + std::to_string(i)));
        farthest = std::max(farthest, std::hypot(double(p.y) - 1.5, double(p.z)));
    }
    return farthest;
}

// The recoil along a taut chain is taken up by the next joints; across it nothing holds the links.
TEST(Li18Section5, ChainWhipsWhereItsJointsLeaveItFree) {
    EXPECT_GT(sideways(""), 0.1);
    EXPECT_LT(sideways("release.free=0"), 1e-3);
}

// After 2.5 s both weights have gone down by 0.31 m. The brittle chain has broken at a joint; the ductile one still hangs,
// longer by that.
TEST(Li18Section5, DuctileJointsStretchWhereBrittleOnesBreak) {
    SceneRunner runner(bundled("li18_ductile"));
    for (int i = 0; i < 150; ++i)
        runner.stepFrame();
    const World& world = runner.world();
    const auto height = [&](const std::string& name) { return double(world.position(world.find(name)).y); };
    double widest[2] = {0, 0};
    const char* names[2] = {"brittle", "ductile"};
    for (int chain = 0; chain < 2; ++chain) {
        const std::string name = names[chain];
        double above = 3.06;  // what would be the centre of a link in the beam
        for (int i = 0; i < 6; ++i) {
            const double here = height(name + "_link_" + std::to_string(i));
            widest[chain] = std::max(widest[chain], above - here - 0.28);
            above = here;
        }
    }
    EXPECT_GT(widest[0], 0.25);
    EXPECT_LT(widest[1], 0.1);  // their ductility
    EXPECT_GT(widest[1], 0.03);
}

// What the blow stored comes back as motion away from the hit, in the plane of the slab; the striker pays for it. Across, the
// ball alone moves the pieces of either slab.
TEST(Li18Section5, PiecesOfThePatternFlyWithTheEnergyOfTheBlow) {
    SceneRunner runner(bundled("li18_energised_pattern"));
    for (int i = 0; i < 16; ++i)
        runner.stepFrame();
    const World& world = runner.world();
    double energy[2] = {0, 0};
    for (const BodyId body : world.bodies()) {
        const std::string name = world.name(body);
        if (world.motion(body) != Motion::Dynamic || name.find("ball") != std::string::npos)
            continue;
        const Vec3 v = world.velocity(body);
        energy[world.position(body).x > 0] += 0.5 * double(world.mass(body)) * double(v.x * v.x);
    }
    // 1.42 times in double
    EXPECT_GT(energy[1], 1.25 * energy[0]) << energy[0] << " and " << energy[1] << " J";
    EXPECT_GT(energy[0], 0);
}

}  // namespace
}  // namespace sunder
