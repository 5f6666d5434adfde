// Touches of deformable bodies among SolveState::sweptBlows. Their own stage finds them before the rigid bodies of a part of
// the step are solved; from there contact events report them and breakable bodies feel them, once, and at the end of the step
// they say who sleeps with whom. Blows of continuous collision have times of at least 0, these have not.
#pragma once

#include <algorithm>

#include "world/state/felt_state.h"

namespace sunder::world {

inline constexpr Real kFleshBlow = -1, kReportedFleshBlow = -2;

inline bool isFlesh(const SweptBlow& blow) { return blow.time < 0; }
// Whether it is to be felt and reported in the part at hand. Those without an impulse are near, and touch nothing.
inline bool isNews(const SweptBlow& blow) { return !isFlesh(blow) || (blow.time == kFleshBlow && blow.normalImpulse > 0); }
inline void keepFleshOnly(std::vector<SweptBlow>& blows) {
    std::erase_if(blows, [](const SweptBlow& blow) { return !isFlesh(blow); });
}
inline void markReported(std::vector<SweptBlow>& blows) {
    for (SweptBlow& blow : blows)
        if (isFlesh(blow))
            blow.time = kReportedFleshBlow;
}

}  // namespace sunder::world
