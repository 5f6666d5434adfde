#include "dynamics/impulse/report.h"

#include <algorithm>

namespace sunder::dynamics {

void reportImpulses(ImpulsePair& pair) {
    for (const ImpulseSite& site : pair.sites) {
        const auto known = std::find_if(pair.report.begin(), pair.report.end(), [&](const ImpulseSite& other) {
            return other.key == site.key && other.feature == site.feature;
        });
        if (known == pair.report.end()) {
            pair.report.push_back(site);
            continue;
        }
        const Vec3 sum = known->impulse + site.impulse;
        *known = site;
        known->impulse = sum;
    }
}

}  // namespace sunder::dynamics
