// The symbolic half of FrontCholesky: an order of elimination by nested dissection of points in space, and the fronts it gives.
//   [George 1973] Nested dissection of a regular finite element mesh
//   [Liu 1992] The multifrontal method for sparse matrix solution: theory and practice
//
// Blocks lie at points. A set of them is divided by a plane; the blocks on its lower side that have neighbours on the upper one
// separate the two and are eliminated after both. Each separator, and each small set that is not divided, is a front: its own
// blocks are eliminated together, as a dense matrix with the blocks of later fronts that they are joined to, its boundary.
//
// The planes stand at round numbers (the most zeros in binary) within the middle half of a set. So most of them stay where they
// are when a set loses a few blocks, and so do the fronts on both sides: see FrontCholesky, which keeps what did not change.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace sunder::linear {

// "Block" is the caller's number of a block row, "position" its place in the order of elimination.
struct FrontTree {
    using Point = std::array<double, 3>;
    struct Front {
        int first = 0, count = 0;          // its own blocks: positions
        int firstBoundary = 0;             // in `boundary`; that of the next front is the end
        int firstChild = 0, children = 0;  // in `childList`
    };
    std::vector<Front> fronts;   // children before their parents, and one more
    std::vector<int> boundary;   // positions, ascending within a front
    std::vector<int> childList;  // fronts, ascending
    std::vector<int> order;      // blocks, by position
    std::vector<int> position;   // by block
    std::vector<int> frontOf;    // by position
    double cost = 0;             // multiplications of blocks that the factorisation takes

    // neighbours: pairs (i, j), i != j, each once.
    FrontTree() = default;
    FrontTree(std::span<const Point> points, std::span<const std::pair<int, int>> neighbours);

    std::span<const int> boundaryOf(int front) const {
        const int first = fronts[front].firstBoundary;
        return {boundary.data() + first, std::size_t(fronts[front + 1].firstBoundary - first)};
    }
    std::span<const int> childrenOf(int front) const {
        return {childList.data() + fronts[front].firstChild, std::size_t(fronts[front].children)};
    }
};

}  // namespace sunder::linear
