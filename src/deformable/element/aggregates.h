// Nodes sorted into compact groups, by cutting the cloud of nodes again and again across its longest side.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sunder/types.h"

namespace sunder::deformable {

struct Aggregates {
    std::vector<std::uint32_t> order;    // nodes, aggregate by aggregate; neighbours in the list are neighbours in space
    std::vector<std::uint32_t> firstOf;  // per aggregate, and the end: into `order`
};

Aggregates findAggregates(std::span<const Vec3> nodes, std::uint32_t count);

}  // namespace sunder::deformable
