// In which order to eliminate the blocks of a sparse symmetric matrix so that its factor stays sparse. Eliminating a block
// makes neighbours of all its neighbours (fill); the order decides how many.
//   [Rose 1972] A graph-theoretic study of the numerical solution of sparse positive definite systems of linear equations
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sunder::linear {

// Minimum degree: the block with the fewest neighbours left goes next, the lowest number among equals. A tree has no fill then.
// sizes: rows of each block. neighbours: pairs (i, j), i != j. Nothing where the factorisation would take more than `budget`
// multiplications; the search ends as soon as that is known.
// The graph is kept with all its fill, so that time and memory follow the factor's; for large meshes an order from their
// geometry (nested dissection) is found faster and fills less.
std::optional<std::vector<int>> minimumDegreeOrder(std::span<const int> sizes, std::span<const std::pair<int, int>> neighbours,
                                                   double budget = std::numeric_limits<double>::infinity());

}  // namespace sunder::linear
