// [Su09] 4.2 and [Li18] 3.5 in one scene, by the stepper of the papers: scenes/papers_together.json.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "sunder/scene/runner.h"
#include "sunder/scene/scene.h"

namespace sunder {
namespace {

struct Outcome {
    std::set<std::string> broken;  // bodies, joints and bonds
    double largestRise = 0;        // of the mechanical energy in one step, less what breaks released, as a share of the start
    double largestPlainRise = 0;   // with what they released
    double worstJoint = 0;         // m: largest gap of a joint of the chain
};

Outcome runAt(double rate) {
    const std::string folder = std::string(SUNDER_TEST_SOURCE_DIR);
    SceneResult loaded = loadScene(folder + "/scenes/papers_together.json", {});
    EXPECT_TRUE(loaded);
    loaded.scene->frameRate = Real(rate);
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
            outcome.broken.insert("bond at " + std::to_string(std::lround(100 * event.point.x)) + " cm");
        const double now = energy(), released = world.stats().releasedEnergy;
        outcome.largestRise = std::max(outcome.largestRise, (now - released - last) / start);
        outcome.largestPlainRise = std::max(outcome.largestPlainRise, (now - last) / start);
        last = now;
        for (const JointId joint : world.joints())
            outcome.worstJoint = std::max(outcome.worstJoint, double(world.jointState(joint).error));
    }
    return outcome;
}

// Bars of issue and papers alike: energy never rises by more than 1e-4 of the total, and 30, 60 and 240 Hz break the same.
TEST(PapersTogether, NoEnergyAppearsAndAllRatesBreakTheSame) {
    std::set<std::string> broken;
    for (const double rate : {30.0, 60.0, 240.0}) {
        const Outcome outcome = runAt(rate);
        EXPECT_LT(outcome.largestRise, 1e-4) << rate;
        EXPECT_LT(outcome.largestPlainRise, 1e-4) << rate;
        if (broken.empty())
            broken = outcome.broken;
        EXPECT_EQ(outcome.broken, broken) << rate;
        std::string list;
        for (const std::string& name : outcome.broken)
            list += name + ", ";
        RecordProperty("broken", list);
        printf("%g Hz: rise %.2e plain %.2e joint %.2e: %s\n", rate, outcome.largestRise, outcome.largestPlainRise,
               outcome.worstJoint, list.c_str());
    }
    EXPECT_EQ(broken.count("wall"), 1u);
    EXPECT_EQ(broken.count("glass_ball"), 1u);
    EXPECT_EQ(broken.count("joint glue_0"), 1u);
    EXPECT_EQ(broken.count("joint hook"), 0u);
}

}  // namespace
}  // namespace sunder
