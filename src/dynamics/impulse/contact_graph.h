// Who rests on whom: the order in which shock propagation walks through a pile [GBF03] 8.1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sunder::dynamics {

struct Rest {
    std::uint32_t upper = 0, lower = 0;
};

// Level of each body: 1 where it rests on nothing but fixed things or on nothing at all, else one more than the highest that
// it rests on. Bodies that rest on each other, directly or in a ring, share a level. isSupport: bodies at level 0, which rest
// on nothing. grounded: whether a chain of rests leads down to a support.
void buildLevels(std::span<const Rest> rests, std::span<const std::uint8_t> isSupport, std::vector<int>& level,
                 std::vector<std::uint8_t>& grounded);

}  // namespace sunder::dynamics
