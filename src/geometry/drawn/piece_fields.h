// Which drawn piece is nearest to a node, which comes next, and how far away both are.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/level_set/grid.h"
#include "geometry/level_set/level_set.h"

namespace sunder::geometry {

inline constexpr std::uint32_t kNoPiece = 0xffffffffu;

struct TwoNearest {
    std::uint32_t first = kNoPiece, second = kNoPiece;
    Real toFirst = kInfinity, toSecond = kInfinity;  // signed: negative inside

    void add(std::uint32_t piece, Real distance);
};

struct PieceFields {
    Grid grid;
    std::vector<TwoNearest> nodes;

    explicit PieceFields(const Grid& onGrid) : grid(onGrid), nodes(onGrid.nodeCount()) {}
    // `first` is the node of the grid that is the field's first.
    void add(std::uint32_t piece, const DistanceField& field, const Int3& first);
    // Fills in nodes that no field reaches, from their neighbours; distances there are upper bounds.
    void spread();
};

// Undrawn nodes between pieces that stand close together.
struct PieceGaps {
    std::vector<std::uint8_t> isNarrow;  // per node: in a gap too narrow to be resolved
    std::size_t nodes = 0;               // in wider ones
    std::size_t deepNodes = 0;           // of these, those that lie deeper between the pieces than a notch
    std::size_t widest = 0;              // of those between the two pieces with the largest gap, the node farthest from both
};
PieceGaps findGaps(const PieceFields& fields);

}  // namespace sunder::geometry
