// Patterns from labelled voxels. Those from meshes, pictures and curves are in geometry/drawn.
#include <algorithm>
#include <array>

#include "geometry/patterns/generators.h"

namespace sunder::geometry {
namespace {

// Smooths the steps of voxels: by how much the node's own region leads the next among the 27 nodes around it, as a distance in
// cells. Nine nodes make one cell.
Real lead(const Grid& grid, std::span<const std::uint16_t> voxels, int x, int y, int z) {
    std::array<std::uint16_t, 27> found;
    std::array<int, 27> counts{};
    std::size_t kinds = 0;
    const auto [nx, ny, nz] = grid.nodes;
    for (int k = -1; k <= 1; ++k)
        for (int j = -1; j <= 1; ++j)
            for (int i = -1; i <= 1; ++i) {
                const std::uint16_t label = voxels[grid.index(std::clamp(x + i, 0, nx - 1), std::clamp(y + j, 0, ny - 1),
                                                              std::clamp(z + k, 0, nz - 1))];
                const std::size_t at = std::size_t(std::find(found.begin(), found.begin() + kinds, label) - found.begin());
                found[at] = label;
                kinds = std::max(kinds, at + 1);
                ++counts[at];
            }
    const std::uint16_t own = voxels[grid.index(x, y, z)];
    int ownCount = 0, other = 0;
    for (std::size_t i = 0; i < kinds; ++i)
        (found[i] == own ? ownCount : other) = found[i] == own ? counts[i] : std::max(other, counts[i]);
    return Real(ownCount - other) / 18;
}

// Distances in cells. Where the others outnumber the node's region, the region has an edge or a corner there and no flat
// border, which leads by something on either side: the voxels are as they were drawn, half a cell from both nodes, or edges and
// corners would lose what smoothing takes from them.
std::vector<Real> leads(const Grid& grid, std::span<const std::uint16_t> voxels) {
    std::vector<Real> found(voxels.size()), sharp;
    const Int3 n = grid.nodes;
    const auto forEach = [&](auto&& visit) {
        for (int z = 0; z < n.z; ++z)
            for (int y = 0; y < n.y; ++y)
                for (int x = 0; x < n.x; ++x)
                    visit(x, y, z);
    };
    forEach([&](int x, int y, int z) { found[grid.index(x, y, z)] = lead(grid, voxels, x, y, z); });
    sharp = found;
    forEach([&](int x, int y, int z) {
        const std::size_t at = grid.index(x, y, z);
        if (found[at] >= 0)
            return;
        constexpr Real kHalf = Real(0.5);
        sharp[at] = kHalf;
        const auto limit = [&](std::size_t other) {
            if (voxels[other] != voxels[at])
                sharp[other] = min(sharp[other], kHalf);
        };
        limit(grid.index(std::max(x - 1, 0), y, z)), limit(grid.index(std::min(x + 1, n.x - 1), y, z));
        limit(grid.index(x, std::max(y - 1, 0), z)), limit(grid.index(x, std::min(y + 1, n.y - 1), z));
        limit(grid.index(x, y, std::max(z - 1, 0))), limit(grid.index(x, y, std::min(z + 1, n.z - 1)));
    });
    for (Real& distance : sharp)
        distance = max(distance, Real(0.05));
    return sharp;
}

}  // namespace

PatternResult patternFromVoxels(const Grid& grid, std::span<const std::uint16_t> voxels, const Vec3& center) {
    PatternResult result;
    if (std::min({grid.nodes.x, grid.nodes.y, grid.nodes.z}) < 2 || voxels.size() != grid.nodeCount()) {
        result.error = "pattern: voxels need a label for every node of a grid of at least 2 nodes per axis";
        return result;
    }
    std::vector<Real> distances = leads(grid, voxels);
    for (Real& distance : distances)
        distance *= grid.cell;
    remeasureDistances(grid, voxels, distances);
    Grid moved = grid;  // assemblePattern has the centre at the origin
    moved.origin = grid.origin - center;
    result = assemblePattern(moved, std::vector<std::uint64_t>(voxels.begin(), voxels.end()), distances);
    return result;
}

}  // namespace sunder::geometry
