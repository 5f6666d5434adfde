// The hashes of a run, for comparing it with another that must go the same way.
#pragma once

#include <vector>

#include "sunder/world.h"

namespace sunder::support {

inline constexpr Real kStep = Real(1) / 30;

inline std::vector<std::uint64_t> hashesOf(World& world, int frames) {
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < frames; ++i) {
        world.step(kStep);
        hashes.push_back(world.hash());
    }
    return hashes;
}

}  // namespace sunder::support
