// Slack chains that come taut under weights of ten to ten thousand times a link's: they gain nothing and stay together.
// `sunder_bars --only joints` has the whole sweep.
#include "scenes/chains.h"

#include <gtest/gtest.h>

#include <sstream>

namespace sunder {
namespace {

using scenes::ChainCase;
using scenes::ChainMotion;
using scenes::SlackChain;

std::string describe(const ChainCase& chain) {
    std::ostringstream out;
    out << chain.links << " links, " << chain.weight << ":1, slack " << chain.slack << " m, " << chain.rate << " Hz, motion "
        << int(chain.motion) << (chain.folded ? ", folded" : ", zigzag");
    return out.str();
}

class Chains : public testing::TestWithParam<ChainMotion> {};
INSTANTIATE_TEST_SUITE_P(, Chains,
                         testing::Values(ChainMotion::Dropped, ChainMotion::Swung, ChainMotion::Lifted, ChainMotion::Thrown));

// opening: of the length. Where light links are caught between themselves and the weight, a joint may open for a frame.
void sweep(ChainMotion motion, bool linksCollide, double opening) {
    int number = 0;
    for (const int links : {4, 10, 30})
        for (const double weight : {10.0, 1000.0, 10000.0})
            for (const double slack : {0.05, 0.2, 1.0}) {
                const double rate = number % 3 == 0 ? 30 : (number % 3 == 1 ? 60 : 240);
                const ChainCase chain{links, weight, slack, rate, motion, number % 2 == 1, linksCollide};
                ++number;
                const scenes::ChainOutcome outcome = SlackChain(chain).run(2.5);
                EXPECT_LT(outcome.gain, 1e-3) << describe(chain);
                EXPECT_LT(outcome.opening, opening) << describe(chain);
            }
}

TEST_P(Chains, ComeTautWithoutGain) { sweep(GetParam(), false, 0.02); }
TEST_P(Chains, ComeTautWithoutGainWhereLinksCollide) { sweep(GetParam(), true, 0.2); }

// Nothing touches anything here: a chain that is flung round by its weight took 1200 J out of the joints in one step.
TEST(ChainsInTheAir, AreGuarded) {
    for (const bool linksCollide : {false, true}) {
        const ChainCase chain{4, 100, 0.05, 240, ChainMotion::Thrown, true, linksCollide};
        EXPECT_LT(SlackChain(chain).run(1).gain, 1e-3);
    }
}

TEST(ChainsAlike, ForAnyNumberOfThreads) {
    const ChainCase chain{10, 1000, 0.2, 60, ChainMotion::Thrown, false};
    SlackChain one(chain, 1), three(chain, 3);
    one.run(1);
    three.run(1);
    EXPECT_EQ(one.world().hash(), three.world().hash());
}

}  // namespace
}  // namespace sunder
