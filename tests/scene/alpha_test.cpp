// The scenes of [Li18] against alpha, as the table in docs/energised-fracture.md has them.
#include <gtest/gtest.h>

#include "scenes/alpha_outcome.h"
#include "sunder/scene/scene.h"

namespace sunder {
namespace {

class AlphaSweep : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, AlphaSweep, testing::ValuesIn(scenes::kAlphaScenes));

// More of the energy comes back as motion, and both momenta stay. While as many bonds break as without it, each alpha gives
// more speed than the one before; where more break, their pieces strike each other, and all that is sure is that they are
// faster than without.
TEST_P(AlphaSweep, PiecesAreFasterWithAlpha) {
    const std::string folder = std::string(SUNDER_TEST_SOURCE_DIR);
    SceneOptions options;
    options.assets = folder + "/assets";
    const SceneResult loaded = loadScene(folder + "/scenes/" + GetParam() + ".json", options);
    ASSERT_TRUE(loaded) << loaded.problems.front().text();
    double speed = -1, slowest = -1, released = -1;
    int first = 0;  // breaks without alpha
    for (const double alpha : scenes::kAlphas) {
        const scenes::AlphaOutcome outcome = scenes::alphaOutcome(*loaded.scene, alpha);
        ASSERT_GT(outcome.breaks, 0) << alpha;
        EXPECT_GT(outcome.speed, outcome.breaks == first ? speed : slowest) << alpha;
        EXPECT_GT(outcome.released, released) << alpha;
        EXPECT_LT(outcome.momentum, 1e-5) << alpha;
        if (alpha == 0) {
            EXPECT_EQ(outcome.released, 0);
            slowest = outcome.speed;
            first = outcome.breaks;
        }
        speed = outcome.speed;
        released = outcome.released;
    }
}

// What bonds had stored is given once the contacts have taken up the blow, so the blow breaks the same bonds whatever alpha is,
// and the contacts of the step take none of it: alpha is plain to see over rates, pieces, speeds and places, not in one
// setting.
TEST(AlphaOfTheBunny, IsPlainToSeeOverSettings) {
    const std::string folder = std::string(SUNDER_TEST_SOURCE_DIR);
    for (const char* setting : {"frame_rate=30", "frame_rate=240", "bodies.bunny.shape.seed=5", "bodies.bunny.shape.seed=7",
                                "bodies.bunny.shape.seed=11", "bodies.bunny.position=[0.1, 1.6, 0]",
                                "bodies.bunny.velocity=[0, -2, 0]", "bodies.bunny.velocity=[0, -4, 0]"}) {
        SceneOptions options;
        options.assets = folder + "/assets";
        options.sets = {setting};
        const SceneResult loaded = loadScene(folder + "/scenes/li18_bunny.json", options);
        ASSERT_TRUE(loaded) << setting;
        const scenes::AlphaOutcome none = scenes::alphaOutcome(*loaded.scene, 0);
        const scenes::AlphaOutcome one = scenes::alphaOutcome(*loaded.scene, 1);
        const scenes::AlphaOutcome two = scenes::alphaOutcome(*loaded.scene, 2);
        EXPECT_EQ(one.breaks, none.breaks) << setting;
        EXPECT_EQ(two.breaks, none.breaks) << setting;
        EXPECT_GT(one.speed, 1.1 * none.speed) << setting;
        EXPECT_GT(two.speed, 1.5 * none.speed) << setting;
    }
}

}  // namespace
}  // namespace sunder
