// Which nodes of a mesh are neighbours, and an order of them by colours.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/task_runner.h"

namespace sunder::elastic {

struct NodeGraph {
    std::vector<std::uint32_t> first;       // per node, and the end
    std::vector<std::uint32_t> neighbours;  // without the node itself, each once

    std::size_t size() const { return first.size() - 1; }
    std::span<const std::uint32_t> of(std::size_t node) const {
        return {neighbours.data() + first[node], std::size_t(first[node + 1] - first[node])};
    }
};

// Of every node the corners of elements that lie there: 4 * element + corner, ascending.
struct Incidence {
    std::vector<std::uint32_t> first, corners;
};
Incidence incidenceOf(std::span<const std::array<std::uint32_t, 4>> elements, std::size_t nodes);
NodeGraph graphOf(std::span<const std::array<std::uint32_t, 4>> elements, const Incidence& incidence, TaskRunner& runner);

// No two nodes of one colour are neighbours, so that a sweep may take all of them at once, in any order. Rows are nodes in the
// order of their colours.
struct ColourOrder {
    std::vector<std::uint32_t> node;    // by row
    std::vector<std::uint32_t> row;     // by node
    std::vector<std::uint32_t> colour;  // the first row of every colour, and the end
};
// Every node in turn takes the lowest colour that its neighbours leave.
ColourOrder colourOrder(const NodeGraph& graph);

}  // namespace sunder::elastic
