#include "geometry/patterns/pattern.h"

#include <algorithm>
#include <cmath>

namespace sunder::geometry {
namespace {

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

namespace {

// Places along one axis: the cells they are in and where in these.
template <int kLanes>
struct AxisCells {
    std::int32_t low[kLanes];
    Real fraction[kLanes];
    AxisCells(Real start, Real step, int first, int nodes) {
        const Real last = Real(nodes - 1);
        for (int i = 0; i < kLanes; ++i) {
            const Real at = start + step * Real(first + i), notBelow = at > 0 ? at : Real(0);
            const Real inside = notBelow < last ? notBelow : last;
            const std::int32_t cell = std::int32_t(inside);
            low[i] = cell < nodes - 2 ? cell : nodes - 2;
            fraction[i] = inside - Real(low[i]);
        }
    }
};

template <int kLanes>
struct CornerWeights {
    Real of[8][kLanes];
    CornerWeights(const AxisCells<kLanes>& x, const AxisCells<kLanes>& y, const AxisCells<kLanes>& z) {
        for (int i = 0; i < kLanes; ++i) {
            const Real bx = x.fraction[i], by = y.fraction[i], bz = z.fraction[i];
            const Real ax = 1 - bx, ay = 1 - by, az = 1 - bz;
            const Real lowLow = ax * ay, highLow = bx * ay, lowHigh = ax * by, highHigh = bx * by;
            of[0][i] = lowLow * az;
            of[1][i] = highLow * az;
            of[2][i] = lowHigh * az;
            of[3][i] = highHigh * az;
            of[4][i] = lowLow * bz;
            of[5][i] = highLow * bz;
            of[6][i] = lowHigh * bz;
            of[7][i] = highHigh * bz;
        }
    }
};

template <int kLanes>
void sampleLanes(const Pattern& pattern, const Vec3& start, const Vec3& step, int first, PatternSample (&out)[kLanes]) {
    constexpr Real kCellsPerStep = Real(1) / Pattern::kStepsPerCell;
    const Grid& grid = pattern.grid;
    const AxisCells<kLanes> x(start.x, step.x, first, grid.nodes.x), y(start.y, step.y, first, grid.nodes.y),
        z(start.z, step.z, first, grid.nodes.z);
    const CornerWeights<kLanes> weights(x, y, z);
    const std::size_t row = std::size_t(grid.nodes.x), slice = row * std::size_t(grid.nodes.y);
    const std::size_t corners[8] = {0, 1, row, row + 1, slice, slice + 1, slice + row, slice + row + 1};
    Real signedDistances[8][kLanes];
    std::uint16_t own[kLanes], other[kLanes];
    for (int i = 0; i < kLanes; ++i) {
        const std::size_t node = grid.index(x.low[i], y.low[i], z.low[i]);
        const std::uint16_t *labels = &pattern.labels[node], *distances = &pattern.distances[node];
        own[i] = other[i] = labels[0];
        bool isMore = false;
        for (int k = 0; k < 8; ++k) {
            const std::uint16_t label = labels[corners[k]];
            const auto distance = std::int32_t(distances[corners[k]]);
            const bool isOther = label != own[i];
            isMore = isMore || (isOther && other[i] != own[i] && label != other[i]);
            other[i] = isOther ? label : other[i];
            signedDistances[k][i] = Real(isOther ? distance : -distance);
        }
        if (isMore)
            other[i] = 0;
    }
    Real sums[kLanes]{};
    for (int k = 0; k < 8; ++k)
        for (int i = 0; i < kLanes; ++i)
            sums[i] += weights.of[k][i] * signedDistances[k][i];
    for (int i = 0; i < kLanes; ++i) {
        if (other[i] != 0) {
            // The other region's distance is the negative of this; equal ones: the lower label.
            const bool isOwn = sums[i] < 0 || (sums[i] == 0 && own[i] < other[i]);
            out[i] = {isOwn ? own[i] : other[i], std::fabs(sums[i]) * kCellsPerStep};
            continue;
        }
        const std::size_t node = grid.index(x.low[i], y.low[i], z.low[i]);
        std::uint16_t labels[8];
        Real distances[8], weight[8];
        for (int k = 0; k < 8; ++k) {
            labels[k] = pattern.labels[node + corners[k]];
            distances[k] = Real(pattern.distances[node + corners[k]]);
            weight[k] = weights.of[k][i];
        }
        const PatternSample found = lowestRegion(labels, distances, weight);
        out[i] = {found.label, found.cells * kCellsPerStep};
    }
}

}  // namespace

PatternSample samplePattern(const Pattern& pattern, const Vec3& at) {
    PatternSample found[1];
    sampleLanes<1>(pattern, at, {}, 0, found);
    return found[0];
}

void samplePattern(const Pattern& pattern, const Vec3& start, const Vec3& step, int first,
                   PatternSample (&out)[kPatternLanes]) {
    sampleLanes<kPatternLanes>(pattern, start, step, first, out);
}

}  // namespace sunder::geometry
