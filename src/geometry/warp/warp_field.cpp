#include "geometry/warp/warp_field.h"

#include <algorithm>
#include <cmath>

#include "geometry/level_set/sweep.h"

namespace sunder::geometry {

namespace {

// Cells from the surface within which values are taken from the points that came there; beyond, they are measured again. A
// field has one layer of nodes outside its solid, and beyond its grid only bounds.
constexpr Real kKeptCells = Real(2.5), kKeptOutside = 1;
// To find the point that came to a node: x = p - u(x), each round gains a factor of the strain.
constexpr int kInverseRounds = 4;
// Outside nodes that are left about the solid.
constexpr int kNodesAround = 2;

Vec3 origin(const Vec3& point, const Displacement& displacement) {
    Vec3 from = point;
    for (int i = 0; i < kInverseRounds; ++i)
        from = point - displacement(from);
    return from;
}

// The node of the grid nearest to a point, or none.
bool isCutAt(const Grid& grid, const CutNodes& cutNodes, const Vec3& point) {
    const Vec3 at = (point - grid.origin) / grid.cell + Vec3{Real(0.5), Real(0.5), Real(0.5)};
    const int x = int(std::floor(at.x)), y = int(std::floor(at.y)), z = int(std::floor(at.z));
    if (x < 0 || y < 0 || z < 0 || x >= grid.nodes.x || y >= grid.nodes.y || z >= grid.nodes.z)
        return false;
    return cutNodes.at(grid.index(x, y, z));
}

}  // namespace

WarpedField warped(const LevelSet16& field, const CutNodes& cutNodes, const Displacement& displacement, Real most,
                   TaskRunner& runner) {
    const Real cell = field.grid.cell;
    const int more = int(std::ceil(most / cell)) + kNodesAround;
    const auto [nx, ny, nz] = field.grid.nodes;
    DistanceField moved{cropped(field.grid, {{-more, -more, -more}, {nx - 1 + more, ny - 1 + more, nz - 1 + more}}), {}};
    const Grid& grid = moved.grid;
    moved.values.resize(grid.nodeCount());
    std::vector<Vec3> origins(cutNodes.isEmpty() ? 0 : grid.nodeCount());
    const Real near = 2 * most + kKeptCells * cell;
    runRanges(runner, std::size_t(grid.nodes.z), 1, [&](std::size_t begin, std::size_t end) {
        for (int z = int(begin); z < int(end); ++z)
            for (int y = 0; y < grid.nodes.y; ++y)
                for (int x = 0; x < grid.nodes.x; ++x) {
                    const Vec3 point = grid.position(x, y, z);
                    const std::size_t node = grid.index(x, y, z);
                    Real& value = moved.values[node];
                    value = sample(field, point).distance;
                    Vec3 from = point;
                    if (std::fabs(value) < near) {
                        from = origin(point, displacement);
                        value = sample(field, from).distance;
                    }
                    if (!origins.empty())
                        origins[node] = from;
                }
    });
    std::vector<std::uint8_t> isKnown(moved.values.size());
    std::vector<Real> magnitudes(moved.values.size());
    for (std::size_t node = 0; node < magnitudes.size(); ++node) {
        magnitudes[node] = std::fabs(moved.values[node]);
        isKnown[node] = magnitudes[node] < (moved.values[node] < 0 ? kKeptCells : kKeptOutside) * cell;
    }
    sweepDistances(grid, magnitudes, isKnown);
    for (std::size_t node = 0; node < magnitudes.size(); ++node)
        moved.values[node] = moved.values[node] < 0 ? -magnitudes[node] : magnitudes[node];
    const LevelSet16 whole = quantize<std::int16_t>(moved);
    const GridRange range = insideRange(whole, kNodesAround);
    WarpedField result;
    result.field = crop(whole, range);
    if (cutNodes.isEmpty())
        return result;
    const Grid& kept = result.field.grid;
    result.cutNodes = CutNodes(kept.nodeCount());
    for (int z = range.low.z; z <= range.high.z; ++z)
        for (int y = range.low.y; y <= range.high.y; ++y)
            for (int x = range.low.x; x <= range.high.x; ++x) {
                const bool isOn = x >= 0 && y >= 0 && z >= 0 && x < grid.nodes.x && y < grid.nodes.y && z < grid.nodes.z;
                if (isOn && isCutAt(field.grid, cutNodes, origins[grid.index(x, y, z)]))
                    result.cutNodes.set(kept.index(x - range.low.x, y - range.low.y, z - range.low.z));
            }
    return result;
}

}  // namespace sunder::geometry
