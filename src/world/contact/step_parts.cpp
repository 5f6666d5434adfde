#include "world/contact/step_parts.h"

#include <algorithm>
#include <cmath>

namespace sunder::world {

namespace {
// A single body is followed by itself (continuous.h): only where this share of all bodies is fast, and so many, is it violence.
constexpr double kFastShare = 0.1;
constexpr std::size_t kFewPairs = 8;
constexpr double kWayPerPart = 0.35;  // of the fast pairs on average, as kFastClosing
constexpr int kMostParts = 4;
// A search for a part of the step sees fewer of the pairs that meet in the whole of it.
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
    return needed > 1 ? static_cast<int>(std::clamp(needed, double(tried), double(kMostParts))) : 1;
}

}  // namespace sunder::world
