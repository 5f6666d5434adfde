// [Su09] 4.2 and [Li18] 3.5 in one scene, by the stepper of the papers: scenes/papers_together.json.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sunder/scene/runner.h"
#include "sunder/scene/scene.h"

namespace sunder {
namespace {

struct Outcome {
    std::set<std::string> broken;  // bodies, joints and bonds
    double largestRise = 0;        // of the energy in one step, less what breaks released in it, as a share of the start
};

Outcome runAt(double rate, bool withAlpha) {
    const std::string folder = std::string(SUNDER_TEST_SOURCE_DIR);
    SceneResult loaded = loadScene(folder + "/scenes/papers_together.json", {});
    if (!loaded)
        throw Error(loaded.problems.front().text());
    loaded.scene->frameRate = Real(rate);
    for (SceneJoint& joint : loaded.scene->joints)
        joint.def.alpha *= Real(withAlpha);
    for (BodyDef& body : loaded.scene->bodies)
        if (body.bonds)
            body.bonds->alpha *= Real(withAlpha);
    SceneRunner runner(*loaded.scene);
    World& world = runner.world();
    const auto energy = [&] {
        const WorldStats stats = world.stats();
        return stats.kineticEnergy + stats.potentialEnergy + stats.elasticEnergy;
    };
    Outcome outcome;
    const double start = energy();
    double last = start;
    for (int i = 0; i < int(2 * rate); ++i) {
        std::vector<std::pair<BodyId, std::string>> names;
        for (const BodyId body : world.bodies())
            names.push_back({body, std::string(world.name(body))});
        runner.stepFrame();
        for (const BreakEvent& event : world.breakEvents())
            for (const auto& [body, name] : names)
                if (body == event.body)
                    outcome.broken.insert(name);
        for (const JointEvent& event : world.jointEvents())
            outcome.broken.insert("joint " + loaded.scene->joints[event.joint.index].def.name);  // slots follow the scene
        for (const BondEvent& event : world.bondEvents())
            outcome.broken.insert("bond at " + std::to_string(std::floor(10 * event.point.x) / 10));
        const double now = energy(), released = world.stats().releasedEnergy;
        outcome.largestRise = std::max(outcome.largestRise, (now - released - last) / start);
        last = now;
    }
    return outcome;
}

// Energy never rises by more than 1e-4 of the total, not counting what breaks give back on purpose, and 30, 60 and 240 Hz break
// the same, with alpha and without.
TEST(PapersTogether, NoEnergyAppearsAndAllRatesBreakTheSame) {
    for (const bool withAlpha : {false, true}) {
        std::set<std::string> broken;
        for (const double rate : {30.0, 60.0, 240.0}) {
            const Outcome outcome = runAt(rate, withAlpha);
            EXPECT_LT(outcome.largestRise, 1e-4) << rate << " Hz, alpha " << withAlpha;
            if (broken.empty())
                broken = outcome.broken;
            EXPECT_EQ(outcome.broken, broken) << rate << " Hz, alpha " << withAlpha;
        }
        for (const char* name : {"wall", "glass_ball", "bar", "joint glue_0", "joint glue_3"})
            EXPECT_EQ(broken.count(name), 1u) << name;
        EXPECT_EQ(broken.count("joint hook"), 0u);
    }
}

}  // namespace
}  // namespace sunder
