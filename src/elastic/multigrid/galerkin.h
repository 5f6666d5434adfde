// The matrix of a coarse level: A_coarse = P^T A P, with the same weights for all three components of a displacement.
#pragma once

#include "elastic/multigrid/coarse_nodes.h"

namespace sunder::elastic {

// Interpolation turned over: of every coarse node its fine rows, ascending, and their weights.
struct Supports {
    std::vector<std::uint32_t> first, row;
    std::vector<double> weight;
};
Supports supportsOf(const CoarseNodes& coarse);

struct CoarseMatrix {
    NodeGraph graph;
    std::vector<double> diagonal, values;  // blocks per node, and per entry of graph.neighbours
};
CoarseMatrix galerkin(const BlockPattern& pattern, const BlockMatrix<double>& matrix, const CoarseNodes& coarse,
                      const Supports& supports, TaskRunner& runner);

}  // namespace sunder::elastic
