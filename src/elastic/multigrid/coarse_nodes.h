// The nodes of the next coarser level: the corners of cubes, trilinear between them, so that every rigid motion and every
// uniform strain of the fine nodes is one of the coarse nodes.
//
// A corner's support is the fine nodes in the cubes around it. Where a crack or a gap divides it, so that its nodes are not
// joined within it, the corner has a copy for each connected part: otherwise the two sides of a crack would move together on
// every coarse level. The copies are again nodes of a graph, and so it goes on from level to level.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "elastic/solve/block_matrix.h"
#include "math/vec3d.h"

namespace sunder::elastic {

struct CoarseNodes {
    std::vector<Vec3d> positions;
    // Interpolation: per fine row, and the end, its coarse nodes and their weights.
    std::vector<std::uint32_t> first, node;
    std::vector<double> weight;
};

// Cubes of this size, one of them with a corner at the origin.
CoarseNodes splitCoarseNodes(std::span<const Vec3d> positions, const BlockPattern& pattern, const Vec3d& origin, double size,
                             TaskRunner& runner);

}  // namespace sunder::elastic
