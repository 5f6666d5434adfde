#include "world/step_parts.h"

#include <algorithm>
#include <cmath>

namespace sunder::world {

namespace {
// A single body is followed by itself (continuous.h): only where this share of all bodies is fast, and so many, is it violence.
constexpr double kFastShare = 0.1;
constexpr std::size_t kFewPairs = 8;
constexpr double kWayPerPart = 0.35;  // of the fast pairs on average, as kFastClosing
constexpr int kMostParts = 4;
}  // namespace

int partsNeeded(WorldState& world) {
    std::size_t pairs = 0;
    double ways = 0;
    for (const NarrowPhaseBlock& block : usedBlocks(world)) {
        pairs += block.fastPairs;
        ways += block.fastWays;
    }
    if (pairs < kFewPairs || double(pairs) < kFastShare * double(world.moving.size()))
        return 1;
    return static_cast<int>(std::clamp(std::ceil(ways / (double(pairs) * kWayPerPart)), 1.0, double(kMostParts)));
}

}  // namespace sunder::world
