// Sorts constraints into colours: no two of one colour share a moving body, so a colour may be solved in any order, on any
// number of threads, with the same bits.
#pragma once

#include <span>
#include <vector>

#include "dynamics/contact/heavy/heavy_load.h"

namespace sunder::dynamics {

// A neighbourhood is a run of consecutive bodies. Within a colour its constraints lie together, so that threads that share a
// colour keep to their own bodies.
inline constexpr int kMostNeighborhoods = 32;
// Smaller neighbourhoods have too few constraints of a colour to sort them by kind.
inline constexpr std::uint32_t kLeastPerNeighborhood = 128;

struct Coloring {
    // Constraint indices, colour by colour; colour c is order[first[c]] to order[first[c + 1]].
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> first;
    // Constraints that no colour could take: solved one by one after the colours.
    std::vector<std::uint32_t> overflow;
    std::uint32_t bodiesPerNeighborhood = 1;
    int neighborhoodCount = 0;
    std::vector<std::uint8_t> neighborhoodOf;  // by body
    // By colour and neighbourhood: index in order of its first constraint; then, for every colour, the end of those that do not
    // wait.
    std::vector<std::uint32_t> firstOf;
    std::vector<std::uint32_t> firstWaiting;  // by colour: index in order of the first waiting constraint; these come last
    std::vector<std::uint32_t> weights;       // by neighbourhood: number of its bodies and of its constraints that do not wait

    std::vector<std::uint32_t> byColor, next;  // scratch

    int colorCount() const { return static_cast<int>(first.size()) - 1; }
};

// isMoving[i]: whether solver body i feels impulses; bodies that do not may be shared within a colour. Constraints of heavy
// loads are solved apart and get no colour. bodiesPerTask: neighbourhoods are made of whole runs of this many bodies.
void colorConstraints(TaskRunner& tasks, std::span<const ContactLink> links, std::span<const std::uint8_t> isMoving,
                      const HeavyLoads& heavyLoads, std::uint32_t bodiesPerTask, Coloring& coloring,
                      std::vector<std::uint64_t>& bodyColors, std::vector<std::uint8_t>& constraintColors);

}  // namespace sunder::dynamics
