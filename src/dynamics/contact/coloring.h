// Sorts constraints into colours: no two of one colour share a moving body, so a colour may be solved in any order, on any
// number of threads, with the same bits.
#pragma once

#include <span>
#include <vector>

#include "dynamics/contact/heavy_load.h"

namespace sunder::dynamics {

struct Coloring {
    // Constraint indices, colour by colour; colour c is order[first[c]] to order[first[c + 1]].
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> first;
    // What no colour could take: solved one after the other, after the colours.
    std::vector<std::uint32_t> overflow;
    int colorCount() const { return static_cast<int>(first.size()) - 1; }
};

// isMoving[i]: whether solver body i feels impulses. Bodies that do not may be shared. Constraints of heavy loads are solved
// apart and get no colour.
void colorConstraints(std::span<const ContactConstraint> constraints, std::span<const std::uint8_t> isMoving,
                      const HeavyLoads& heavyLoads, Coloring& coloring, std::vector<std::uint64_t>& bodyColors,
                      std::vector<std::uint8_t>& constraintColors);

}  // namespace sunder::dynamics
