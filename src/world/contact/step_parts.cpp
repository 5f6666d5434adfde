#include "world/contact/step_parts.h"

#include <algorithm>
#include <cmath>

namespace sunder::world {

namespace {
// A step is violent where fast pairs are at least this share of all moving bodies, and at least so many: single fast bodies are
// followed one by one (continuous.h).
constexpr double kFastShare = 0.1;
constexpr std::size_t kFewPairs = 8;
// Mean way of the fast pairs in one part, as a share of the thinner body's inner radius.
constexpr double kWayPerPart = 0.35;
// Factor on kFastShare where contacts were searched for a part of the step: fewer pairs meet in it than in the whole step.
constexpr double kShareOfPart = 0.5;
}  // namespace

int partsNeeded(const WorldDef& def, const BodyRoster& roster, const SearchState& search, int tried) {
    if (isWithout(def, Mechanism::StepParts))
        return 1;
    std::size_t pairs = 0;
    double ways = 0;
    for (const NarrowPhaseBlock& block : search.usedBlocks()) {
        pairs += block.fastPairs;
        ways += block.fastWays;
    }
    const double share = tried > 1 ? kShareOfPart * kFastShare : kFastShare;
    if (pairs < kFewPairs || double(pairs) < share * double(roster.moving.size()))
        return 1;
    const double needed = std::ceil(ways / (double(pairs) * kWayPerPart));
    return needed > 1 ? static_cast<int>(std::min(needed, double(kMostStepParts))) : 1;
}

}  // namespace sunder::world
