#include "geometry/level_set/grid.h"

#include <algorithm>
#include <cmath>

namespace sunder::geometry {
namespace {

constexpr int kFewestNodes = 2 * kMarginCells + 2;  // a margin on both sides and one cell between
constexpr double kMostNodesPerAxis = 1 << 20;

std::string number(double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (!text.empty() && text.back() == '.')
        text.pop_back();
    return text;
}

std::string wrongResolution(const Resolution& resolution) {
    if (resolution.cell != 0) {
        if (!std::isfinite(resolution.cell) || resolution.cell < 0)
            return "level set: cell size must be a positive number of metres, not " + number(resolution.cell);
        return {};
    }
    const int fewest = std::min({resolution.nodes.x, resolution.nodes.y, resolution.nodes.z});
    if (fewest < kFewestNodes)
        return "level set: resolution must be at least " + std::to_string(kFewestNodes) + " nodes per axis, not " +
               std::to_string(fewest);
    return {};
}

double cellThatFits(const Vec3& extent, const Int3& nodes) {
    const auto along = [](Real size, int count) { return double(size) / (count - 1 - 2 * kMarginCells); };
    return std::max({along(extent.x, nodes.x), along(extent.y, nodes.y), along(extent.z, nodes.z)});
}

// The factor keeps rounding from adding a node to a solid that fills its cells exactly.
double nodesAlong(double extent, double cell) {
    return std::ceil(extent / cell * (1 - 8 * double(kEpsilon))) + 1 + 2 * kMarginCells;
}

}  // namespace

Grid cropped(const Grid& grid, const GridRange& range) {
    const auto [low, high] = range;
    return {grid.position(low.x, low.y, low.z), grid.cell, {high.x - low.x + 1, high.y - low.y + 1, high.z - low.z + 1}};
}

GridResult gridAround(const Bounds& solid, const Resolution& resolution) {
    GridResult result;
    const Vec3 extent = solid.high - solid.low;
    if (!isFinite(extent) || !isFinite(solid.low)) {
        result.error = "level set: the solid has no finite bounds";
        return result;
    }
    if (!(extent.x > 0) || !(extent.y > 0) || !(extent.z > 0)) {
        result.error = "level set: the solid is flat: its bounds measure " + number(extent.x) + " x " + number(extent.y) +
                       " x " + number(extent.z) + " m";
        return result;
    }
    result.error = wrongResolution(resolution);
    if (!result.error.empty())
        return result;
    const double cell = resolution.cell > 0 ? double(resolution.cell) : cellThatFits(extent, resolution.nodes);
    const double nx = nodesAlong(extent.x, cell), ny = nodesAlong(extent.y, cell), nz = nodesAlong(extent.z, cell);
    if (!(std::max({nx, ny, nz}) < kMostNodesPerAxis) || !(nx * ny * nz <= double(resolution.maxNodes))) {
        result.error = "level set: a cell of " + number(cell) + " m needs " + number(nx * ny * nz) + " nodes; at most " +
                       std::to_string(resolution.maxNodes) + " are allowed";
        return result;
    }
    const Vec3 middle = center(solid);
    const Vec3 half = Vec3{Real(nx - 1), Real(ny - 1), Real(nz - 1)} * (Real(0.5) * Real(cell));
    result.grid = {middle - half, Real(cell), {int(nx), int(ny), int(nz)}};
    const Real smallest = max(length(middle), length(half)) * kEpsilon * 64;
    if (Real(cell) < smallest)
        result.error = "level set: a cell of " + number(cell) +
                       " m is lost in the rounding of coordinates at this distance "
                       "from the origin";
    return result;
}

}  // namespace sunder::geometry
