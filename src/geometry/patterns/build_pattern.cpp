#include "geometry/patterns/build_pattern.h"

#include <algorithm>
#include <map>

#include "geometry/level_set/sweep.h"

namespace sunder::geometry {
namespace {

constexpr int kBlock = 8;  // nodes per axis that share one focus
constexpr double kSqrt3 = 1.7320508075688772;

struct Sampled {
    std::vector<std::uint64_t> regions;
    std::vector<Real> distances;
};

// Samples one block of nodes at a time, so that a source can discard what is too far away to matter.
class RegionSampler {
public:
    RegionSampler(const Grid& grid, int layers, Sampled& result) : grid_(grid), layers_(layers), result_(result) {}

    // The nodes from z0 on, a block thick.
    void sample(RegionSource& source, int z0) {
        constexpr double half = 0.5 * (kBlock - 1);
        const double reach = Pattern::kMostCells * double(grid_.cell);
        const double radius = kSqrt3 * half * double(grid_.cell);
        for (int y0 = 0; y0 < layers_; y0 += kBlock)
            for (int x0 = 0; x0 < grid_.nodes.x; x0 += kBlock) {
                source.focus(grid_.exactPosition(x0 + half, y0 + half, z0 + half), radius, reach);
                sampleBlock(source, x0, y0, z0);
            }
    }

private:
    void sampleBlock(const RegionSource& source, int x0, int y0, int z0) {
        for (int z = z0; z < std::min(z0 + kBlock, grid_.nodes.z); ++z)
            for (int y = y0; y < std::min(y0 + kBlock, layers_); ++y)
                for (int x = x0; x < std::min(x0 + kBlock, grid_.nodes.x); ++x) {
                    const RegionAt found = source.at(grid_.exactPosition(x, y, z));
                    result_.regions[grid_.index(x, y, z)] = found.region;
                    result_.distances[grid_.index(x, y, z)] = Real(std::max(found.distance, 0.0));
                }
    }

    const Grid& grid_;
    int layers_;  // of nodes along y
    Sampled& result_;
};

Sampled sampleRegions(const Grid& grid, RegionSource& source, TaskRunner* runner) {
    Sampled result{std::vector<std::uint64_t>(grid.nodeCount()), std::vector<Real>(grid.nodeCount())};
    const int nx = grid.nodes.x, nz = grid.nodes.z, ny = source.isPrism() ? 1 : grid.nodes.y;
    RegionSampler sampler(grid, ny, result);
    if (runner && runner->concurrency() > 1 && source.another())
        runTasks(*runner, (nz + kBlock - 1) / kBlock, [&](int block) { sampler.sample(*source.another(), block * kBlock); });
    else
        for (int z0 = 0; z0 < nz; z0 += kBlock)
            sampler.sample(source, z0);
    for (int z = 0; z < nz; ++z)
        for (int y = ny; y < grid.nodes.y; ++y) {
            const std::size_t first = grid.index(0, 0, z), row = grid.index(0, y, z);
            std::copy_n(&result.regions[first], nx, &result.regions[row]);
            std::copy_n(&result.distances[first], nx, &result.distances[row]);
        }
    return result;
}

// Renumbers in the order of first appearance. Empty where there are too many regions.
std::vector<std::uint16_t> renumber(std::span<const std::uint64_t> regions, std::uint16_t& count) {
    std::map<std::uint64_t, std::uint16_t> numberOf;
    std::vector<std::uint16_t> labels(regions.size());
    std::uint64_t last = 0;
    std::uint16_t label = 0;
    for (std::size_t node = 0; node < regions.size(); ++node) {
        if (label == 0 || regions[node] != last) {
            const auto [found, isNew] = numberOf.try_emplace(regions[node], std::uint16_t(numberOf.size() + 1));
            if (isNew && numberOf.size() > 0xfffe)
                return {};
            last = regions[node];
            label = found->second;
        }
        labels[node] = label;
    }
    count = std::uint16_t(numberOf.size());
    return labels;
}

// The slope of the signed distance of a node's own region.
Vec3 slopeAt(const Grid& grid, std::span<const std::uint16_t> labels, std::span<const Real> distances, int x, int y, int z,
             bool& isBorder) {
    const std::size_t at = grid.index(x, y, z);
    const std::size_t strides[3] = {1, std::size_t(grid.nodes.x), std::size_t(grid.nodes.x) * std::size_t(grid.nodes.y)};
    const int place[3] = {x, y, z}, nodes[3] = {grid.nodes.x, grid.nodes.y, grid.nodes.z};
    Vec3 slope;
    for (int axis = 0; axis < 3; ++axis) {
        const auto signedAt = [&](std::size_t node) {
            isBorder |= labels[node] != labels[at];
            return labels[node] == labels[at] ? -distances[node] : distances[node];
        };
        const bool hasLow = place[axis] > 0, hasHigh = place[axis] + 1 < nodes[axis];
        const Real high = signedAt(hasHigh ? at + strides[axis] : at), low = signedAt(hasLow ? at - strides[axis] : at);
        setComponent(slope, axis, (high - low) / (grid.cell * Real(int(hasLow) + int(hasHigh))));
    }
    return slope;
}

}  // namespace

Grid patternGrid(int nodes) { return {{-1, -1, -1}, Real(2) / Real(nodes - 1), {nodes, nodes, nodes}}; }

void remeasureDistances(const Grid& grid, std::span<const std::uint16_t> labels, std::span<Real> distances) {
    std::vector<std::uint8_t> isKnown(labels.size());
    std::vector<Real> measured(labels.size());
    bool any = false;
    for (int z = 0; z < grid.nodes.z; ++z)
        for (int y = 0; y < grid.nodes.y; ++y)
            for (int x = 0; x < grid.nodes.x; ++x) {
                const std::size_t at = grid.index(x, y, z);
                bool isBorder = false;
                const Real slope = length(slopeAt(grid, labels, distances, x, y, z, isBorder));
                if (!isBorder)
                    continue;
                // A slope far from 1 mixes several faces. A node with a neighbour across the border is within a cell of it.
                measured[at] = min(distances[at] / clamp(slope, Real(0.5), 2), grid.cell);
                isKnown[at] = 1;
                any = true;
            }
    if (any)
        sweepDistances(grid, measured, isKnown);
    else
        std::fill(measured.begin(), measured.end(), Pattern::kMostCells * grid.cell);
    std::copy(measured.begin(), measured.end(), distances.begin());
}

PatternResult assemblePattern(const Grid& grid, std::span<const std::uint64_t> regions, std::span<const Real> distances) {
    PatternResult result;
    Pattern& pattern = result.pattern;
    pattern.grid = grid;
    pattern.labels = renumber(regions, pattern.regionCount);
    if (pattern.labels.empty()) {
        result.error = "pattern: more than 65534 regions";
        return result;
    }
    pattern.distances.resize(distances.size());
    const Real stepsPerMetre = Pattern::kStepsPerCell / grid.cell;
    for (std::size_t node = 0; node < distances.size(); ++node)
        pattern.distances[node] = std::uint16_t(clamp(distances[node] * stepsPerMetre + Real(0.5), 1, Pattern::kMostSteps));
    result.error = check(pattern);
    pattern.hasSharpFaces = findSharpFaces(pattern);
    return result;
}

PatternResult buildPattern(const Grid& grid, RegionSource& source, bool remeasure, TaskRunner* runner) {
    Sampled sampled = sampleRegions(grid, source, runner);
    if (remeasure) {
        std::uint16_t count = 0;
        const std::vector<std::uint16_t> labels = renumber(sampled.regions, count);
        if (!labels.empty())
            remeasureDistances(grid, labels, sampled.distances);
    }
    return assemblePattern(grid, sampled.regions, sampled.distances);
}

}  // namespace sunder::geometry
