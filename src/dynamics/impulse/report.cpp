#include "dynamics/impulse/report.h"

#include <algorithm>

namespace sunder::dynamics {

void reportImpulses(ImpulsePair& pair, bool isSteady) {
    for (const ImpulseSite& site : pair.sites) {
        const auto known = std::find_if(pair.report.begin(), pair.report.end(), [&](const ImpulseSite& other) {
            return other.key == site.key && other.feature == site.feature;
        });
        if (known == pair.report.end()) {
            pair.report.push_back(site);
            pair.report.back().steadyImpulse = isSteady ? site.impulse : Vec3{};
            continue;
        }
        const Vec3 sum = known->impulse + site.impulse;
        const Vec3 steady = known->steadyImpulse + (isSteady ? site.impulse : Vec3{});
        *known = site;
        known->impulse = sum;
        known->steadyImpulse = steady;
    }
}

}  // namespace sunder::dynamics
