// Patterns from other programs: closed meshes, labelled voxels.
#include <algorithm>
#include <array>

#include "geometry/level_set/mesh_level_set.h"
#include "geometry/patterns/generators.h"

namespace sunder::geometry {
namespace {

// Cells of the pattern: meshes are sampled finer, so that their faces are accurate to a few hundredths of a cell.
constexpr Real kMeshCells = Real(0.75);

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
    return max(Real(ownCount - other) / 18, Real(0.05));
}

}  // namespace

PatternResult patternFromMeshes(std::span<const RegionMesh> meshes, int nodes) {
    PatternResult result;
    if (nodes < 9 || nodes > 513 || meshes.empty()) {
        result.error = "pattern: meshes need at least one mesh and 9 to 513 nodes per axis";
        return result;
    }
    const Grid grid = patternGrid(nodes);
    // The lowest and the second lowest signed distance so far; the space outside all meshes is region 0.
    std::vector<std::uint64_t> lowestRegion(grid.nodeCount());
    std::vector<Real> lowest(grid.nodeCount(), kInfinity), second(grid.nodeCount(), kInfinity);
    for (std::size_t number = 0; number < meshes.size(); ++number) {
        const MeshFieldResult mesh = distanceOfMesh(meshes[number].vertices, meshes[number].triangles,
                                                    Resolution{grid.cell * kMeshCells, {}, kDefaultMaxNodes * 8});
        if (!mesh.error.empty()) {
            result.error = "pattern: mesh " + std::to_string(number) + ": " + mesh.error;
            return result;
        }
        const LevelSet16 field = quantize<std::int16_t>(mesh.field);
        for (int z = 0; z < nodes; ++z)
            for (int y = 0; y < nodes; ++y)
                for (int x = 0; x < nodes; ++x) {
                    const std::size_t at = grid.index(x, y, z);
                    const Real distance = sample(field, grid.position(x, y, z)).distance;
                    if (distance < lowest[at]) {
                        second[at] = lowest[at];
                        lowest[at] = distance;
                        lowestRegion[at] = number + 1;
                    } else {
                        second[at] = min(second[at], distance);
                    }
                }
    }
    std::vector<Real> distances(grid.nodeCount());
    for (std::size_t at = 0; at < distances.size(); ++at) {
        const Real space = -lowest[at];  // signed distance of region 0
        if (space < lowest[at])
            lowestRegion[at] = 0;
        const Real own = min(space, lowest[at]), next = min(max(space, lowest[at]), second[at]);
        distances[at] = Real(0.5) * (next - own);
    }
    return assemblePattern(grid, lowestRegion, distances);
}

PatternResult patternFromVoxels(const Grid& grid, std::span<const std::uint16_t> voxels, const Vec3& center) {
    PatternResult result;
    if (std::min({grid.nodes.x, grid.nodes.y, grid.nodes.z}) < 2 || voxels.size() != grid.nodeCount()) {
        result.error = "pattern: voxels need a label for every node of a grid of at least 2 nodes per axis";
        return result;
    }
    std::vector<Real> distances(voxels.size());
    for (int z = 0; z < grid.nodes.z; ++z)
        for (int y = 0; y < grid.nodes.y; ++y)
            for (int x = 0; x < grid.nodes.x; ++x)
                distances[grid.index(x, y, z)] = lead(grid, voxels, x, y, z) * grid.cell;
    remeasureDistances(grid, voxels, distances);
    Grid moved = grid;  // assemblePattern has the centre at the origin
    moved.origin = grid.origin - center;
    result = assemblePattern(moved, std::vector<std::uint64_t>(voxels.begin(), voxels.end()), distances);
    return result;
}

}  // namespace sunder::geometry
