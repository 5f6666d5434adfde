#include "geometry/patterns/pattern.h"

#include <algorithm>

namespace sunder::geometry {
namespace {

struct AxisCell {
    int low;
    Real fraction;
    AxisCell(Real coordinate, int nodes) {
        const Real inside = clamp(coordinate, 0, Real(nodes - 1));
        low = std::min(int(inside), nodes - 2);
        fraction = inside - Real(low);
    }
};

// Of the regions at the corners of a cell: signed distances, negative in the region, interpolated with the corners' weights.
PatternSample lowestRegion(const std::uint16_t* labels, const Real* distances, const Real* weights) {
    Real lowest = kInfinity, second = kInfinity;
    std::uint16_t label = 0;
    for (int i = 0; i < 8; ++i) {
        const std::uint16_t region = labels[i];
        if (std::find(labels, labels + i, region) != labels + i)
            continue;
        Real sum = 0;
        for (int j = 0; j < 8; ++j)
            sum += weights[j] * (labels[j] == region ? -distances[j] : distances[j]);
        // Equal sums: the lower label, whatever the order of the corners.
        if (sum < lowest || (sum == lowest && region < label)) {
            second = lowest;
            lowest = sum;
            label = region;
        } else {
            second = min(second, sum);
        }
    }
    return {label, second == kInfinity ? -lowest : Real(0.5) * (second - lowest)};
}

}  // namespace

Real Pattern::innerRadius() const {
    const Bounds box = grid.bounds();
    const Vec3 low = center - box.low, high = box.high - center;
    return min(min(min(low.x, low.y), min(low.z, high.x)), min(high.y, high.z));
}

std::size_t Pattern::memory() const {
    return sizeof(*this) + (labels.capacity() + distances.capacity()) * sizeof(std::uint16_t);
}

std::string check(const Pattern& pattern) {
    const Grid& grid = pattern.grid;
    if (std::min({grid.nodes.x, grid.nodes.y, grid.nodes.z}) < 2)
        return "pattern: a grid needs at least 2 nodes per axis";
    if (!(grid.cell > 0) || !std::isfinite(grid.cell) || !isFinite(grid.origin))
        return "pattern: the grid's cell size and origin must be finite, the cell size positive";
    if (pattern.labels.size() != grid.nodeCount() || pattern.distances.size() != grid.nodeCount())
        return "pattern: labels and distances must be given for every node";
    if (!isFinite(pattern.center) || !(pattern.innerRadius() > 0))
        return "pattern: the fracture centre must lie inside the grid";
    if (!isFinite(pattern.orientation) || !(std::fabs(dot(pattern.orientation, pattern.orientation) - 1) < Real(1e-3)))
        return "pattern: the orientation must be a unit quaternion";
    for (std::size_t node = 0; node < pattern.labels.size(); ++node) {
        if (pattern.labels[node] == 0 || pattern.labels[node] > pattern.regionCount)
            return "pattern: label " + std::to_string(pattern.labels[node]) + " is not in 1 to " +
                   std::to_string(pattern.regionCount);
        if (pattern.distances[node] == 0 || pattern.distances[node] > Pattern::kMostSteps)
            return "pattern: distance " + std::to_string(pattern.distances[node]) + " is not in 1 to " +
                   std::to_string(Pattern::kMostSteps);
    }
    return {};
}

PatternSample samplePattern(const Pattern& pattern, const Vec3& at) {
    constexpr Real kCellsPerStep = Real(1) / Pattern::kStepsPerCell;
    // Farther from a border than the diagonal of a cell there is one region in it.
    constexpr int kOneRegion = 2 * Pattern::kStepsPerCell;
    const Grid& grid = pattern.grid;
    const AxisCell x(at.x, grid.nodes.x), y(at.y, grid.nodes.y), z(at.z, grid.nodes.z);
    const std::size_t first = grid.index(x.low, y.low, z.low);
    const std::size_t row = std::size_t(grid.nodes.x), slice = row * std::size_t(grid.nodes.y);
    const std::size_t nodes[8] = {first,         first + 1,         first + row,         first + row + 1,
                                  first + slice, first + slice + 1, first + slice + row, first + slice + row + 1};
    Real distances[8];
    for (int i = 0; i < 8; ++i)
        distances[i] = Real(pattern.distances[nodes[i]]);
    const Real ax = 1 - x.fraction, bx = x.fraction, ay = 1 - y.fraction, by = y.fraction, az = 1 - z.fraction, bz = z.fraction;
    const Real weights[8] = {ax * ay * az, bx * ay * az, ax * by * az, bx * by * az,
                             ax * ay * bz, bx * ay * bz, ax * by * bz, bx * by * bz};
    if (pattern.distances[first] >= kOneRegion) {
        Real sum = 0;
        for (int i = 0; i < 8; ++i)
            sum += weights[i] * distances[i];
        return {pattern.labels[first], sum * kCellsPerStep};
    }
    std::uint16_t labels[8];
    for (int i = 0; i < 8; ++i)
        labels[i] = pattern.labels[nodes[i]];
    const PatternSample found = lowestRegion(labels, distances, weights);
    return {found.label, found.cells * kCellsPerStep};
}

}  // namespace sunder::geometry
