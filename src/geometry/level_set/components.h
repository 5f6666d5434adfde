// Connected components of labelled nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "geometry/level_set/level_set.h"
#include "sunder/tasks.h"

namespace sunder::geometry {

// Face: the 6 neighbours along the axes, as in the extracted surface (solids that meet in an edge or a corner are separate
// closed surfaces). Corner: all 26.
enum class Connectivity : std::uint8_t { Face, Corner };

inline constexpr std::uint32_t kNoComponent = 0xffffffffu;

struct Components {
    std::vector<std::uint32_t> ofNode;      // kNoComponent where the label is 0
    std::vector<std::uint32_t> nodeCounts;  // per component
    std::vector<GridRange> ranges;          // per component
    std::size_t count() const { return nodeCounts.size(); }
};

// Neighbours with equal labels are connected; label 0 is empty. Components are numbered in the order of their first node.
Components labelComponents(const Int3& nodes, std::span<const std::uint16_t> labels, Connectivity connectivity);
// Gives one row of labels; called from any thread and in any order.
using LabelRow = std::function<void(int y, int z, std::uint16_t* out)>;
Components labelComponents(const Int3& nodes, const LabelRow& labelRow, Connectivity connectivity, TaskRunner& runner);
// Components of the inside nodes.
template <class Stored>
Components solidComponents(const LevelSet<Stored>& field, Connectivity connectivity);

}  // namespace sunder::geometry
