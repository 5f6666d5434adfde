// The scenes of [Li18] against alpha, as the table in docs/energised-fracture.md has them.
#include <gtest/gtest.h>

#include "scenes/alpha_outcome.h"
#include "sunder/scene/scene.h"

namespace sunder {
namespace {

class AlphaSweep : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, AlphaSweep, testing::ValuesIn(scenes::kAlphaScenes));

// More of the energy comes back as motion, and both momenta stay. While as many bonds break as without it, each alpha gives more
// speed than the one before; where more break, their pieces strike each other, and all that is sure is that they are faster
// than without.
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

}  // namespace
}  // namespace sunder
