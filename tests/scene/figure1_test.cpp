// [Su09] figure 1: at the paper's rate, by its own step, shards fly without its energy fix and clamp, and not with them.
#include <gtest/gtest.h>

#include <algorithm>

#include "sunder/scene/runner.h"
#include "sunder/scene/scene.h"

namespace sunder {
namespace {

// m: the highest that a piece is, from 0.3 s after the break on, when the top of the pillar has come down. Ends where one is
// above `enough`.
double highestShard(int seed, bool isConserving, double enough = 1e9) {
    SceneOptions options;
    options.sets = {"patterns.plates.seed=" + std::to_string(seed)};
    if (!isConserving)
        options.sets.insert(options.sets.end(), {"energy_fix=false", "impulse_clamp=false"});
    const SceneResult loaded = loadScene(SUNDER_TEST_SOURCE_DIR "/scenes/su09_fig1_plates.json", options);
    EXPECT_TRUE(loaded);
    if (!loaded)
        return 0;
    SceneRunner runner(*loaded.scene);
    double highest = 0;
    int sinceBreak = -1;
    for (int frame = 0; frame < loaded.scene->frames && highest <= enough; ++frame) {
        runner.stepFrame();
        const World& world = runner.world();
        if (sinceBreak >= 0 || !world.breakEvents().empty())
            ++sinceBreak;
        if (sinceBreak < 9)
            continue;
        for (const BodyId body : world.bodies())
            if (world.mass(body) > 0)
                highest = std::max(highest, double(world.position(body).y));
    }
    return highest;
}

// For every seed by itself, not in the mean of some.
TEST(Figure1, ShardsFlyWithoutConservationAndNotWithIt) {
    for (int seed = 1; seed <= 6; ++seed) {
        const double with = highestShard(seed, true), without = highestShard(seed, false, 2 * with);
        EXPECT_LT(with, 6.0) << "seed " << seed << ": the top of the pillar was at 4 m";
        EXPECT_GT(without, 2 * with) << "seed " << seed;
    }
}

}  // namespace
}  // namespace sunder
