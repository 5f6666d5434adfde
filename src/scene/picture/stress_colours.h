// The colours of a tension: one scale for pictures and exports. The playground's legend (apps/web/src/overlays.js) has it too.
#pragma once

#include <algorithm>

#include "sunder/types.h"

namespace sunder::scene {

// Linear, 0 to 1: from blue over green and yellow to red at a share of 1 of the strength, and violet for what exceeds it.
inline Vec3 stressColour(Real share) {
    if (share >= 1)
        return {Real(0.35), 0, Real(0.45)};
    const auto ramp = [](Real x) { return std::clamp(x, Real(0), Real(1)); };
    const Real t = 4 * ramp(share);
    return Vec3{ramp(t - 2), ramp(std::min(t, 4 - t)), ramp(2 - t)} * Real(0.7) + Vec3{Real(0.03), Real(0.03), Real(0.03)};
}

}  // namespace sunder::scene
