#include "world/breaking/overloaded_bonds.h"

#include <algorithm>

namespace sunder::world {

namespace {
// When the most overloaded bond breaks, it relieves the others. So only bonds with at least this share of the highest ratio
// break at once; the others wait until loads are solved without those.
constexpr double kFirst = 0.5;
// Relative difference below which two ratios count as equal: bonds that are equal by symmetry differ by rounding, which is
// another one at another step rate.
constexpr double kTie = 2e-3;
}  // namespace

const BondOverload& worstOf(const std::vector<BondOverload>& found) {
    return *std::max_element(found.begin(), found.end(),
                             [](const BondOverload& a, const BondOverload& b) { return a.ratio < b.ratio; });
}

void keepFirst(std::vector<BondOverload>& found) {
    const double least = kFirst * (1 - kTie) * worstOf(found).ratio;
    std::erase_if(found, [&](const BondOverload& overload) { return overload.ratio < least; });
}

void keepWorst(std::vector<BondOverload>& found) {
    const double least = (1 - kTie) * worstOf(found).ratio;
    found = {BondOverload(*std::find_if(found.begin(), found.end(), [&](const BondOverload& o) { return o.ratio >= least; }))};
}

}  // namespace sunder::world
