// Regular grids of nodes with cubic cells: what level sets, patterns and flood fills share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "math/bounds.h"
#include "math/vec3d.h"

namespace sunder::geometry {

struct Int3 {
    int x = 0, y = 0, z = 0;
    friend constexpr bool operator==(const Int3&, const Int3&) = default;
};

// x runs fastest in memory, then y, then z.
struct Grid {
    Vec3 origin;    // of node (0, 0, 0), m
    Real cell = 1;  // distance of neighbouring nodes, m
    Int3 nodes;     // along each axis; at least 2 where anything is sampled

    std::size_t nodeCount() const { return std::size_t(nodes.x) * std::size_t(nodes.y) * std::size_t(nodes.z); }
    std::size_t index(int x, int y, int z) const {
        return std::size_t(x) + std::size_t(nodes.x) * (std::size_t(y) + std::size_t(nodes.y) * std::size_t(z));
    }
    Vec3 position(int x, int y, int z) const { return origin + Vec3{Real(x), Real(y), Real(z)} * cell; }
    // In double precision; also between nodes.
    Vec3d exactPosition(double x, double y, double z) const { return toDouble(origin) + Vec3d{x, y, z} * double(cell); }
    Bounds bounds() const { return {origin, position(nodes.x - 1, nodes.y - 1, nodes.z - 1)}; }
    friend bool operator==(const Grid&, const Grid&) = default;
};

// Nodes low to high, both included.
struct GridRange {
    Int3 low, high;
    bool isEmpty() const { return high.x < low.x || high.y < low.y || high.z < low.z; }
};

// The grid of the nodes in the range, which may reach beyond the given grid.
Grid cropped(const Grid& grid, const GridRange& range);

inline constexpr std::size_t kDefaultMaxNodes = std::size_t(1) << 24;  // 256^3: 32 MB at 16 bits

// How finely a solid is sampled: by cell size, or by a number of nodes per axis that must not be exceeded.
struct Resolution {
    Real cell = 0;  // m; used where positive
    Int3 nodes;     // used where cell is 0: finds the smallest cubic cell with which the solid and its margin fit
    std::size_t maxNodes = kDefaultMaxNodes;
};

struct GridResult {
    Grid grid;
    std::string error;  // empty where the grid is good; else which number is wrong
};

// Whole cells left free between the solid and the border of its grid, so that the border is always outside.
inline constexpr int kMarginCells = 1;

// A grid about a solid with these bounds, centred on it.
GridResult gridAround(const Bounds& solid, const Resolution& resolution);

}  // namespace sunder::geometry
