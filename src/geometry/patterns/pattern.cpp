#include "geometry/patterns/pattern.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "math/eight_integers.h"
#include "math/quads.h"

namespace sunder::geometry {
namespace {

constexpr Real kCellsPerStep = Real(1) / Pattern::kStepsPerCell;

// The region with the lowest signed distance (negative inside), each interpolated from the corners of a cell with their
// weights.
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

// Four places along one axis: their cells, and the positions within them.
struct AxisCells {
    QuadInteger low;
    Quad fraction;
    AxisCells(Real start, Real step, int first, int nodes) {
        constexpr Quad lanes{0, 1, 2, 3};
        const Quad at = quadOf(start) + quadOf(step) * (quadOf(Real(first)) + lanes);
        const Quad inside = lesserOf(greaterOf(at, Quad{}), quadOf(Real(nodes - 1)));
        const QuadInteger cell = __builtin_convertvector(inside, QuadInteger), last = QuadInteger{} + (nodes - 2);
        const QuadInteger isBelow = cell < last;
        low = (cell & isBelow) | (last & ~isBelow);
        fraction = inside - __builtin_convertvector(low, Quad);
    }
};

// Bit 0 of the corner: x, bit 1: y, bit 2: z.
struct CornerWeights {
    Quad of[8];
    CornerWeights(const AxisCells& x, const AxisCells& y, const AxisCells& z) {
        const Quad bx = x.fraction, by = y.fraction, bz = z.fraction;
        const Quad ax = 1 - bx, ay = 1 - by, az = 1 - bz;
        const Quad lowLow = ax * ay, highLow = bx * ay, lowHigh = ax * by, highHigh = bx * by;
        of[0] = lowLow * az;
        of[1] = highLow * az;
        of[2] = lowHigh * az;
        of[3] = highHigh * az;
        of[4] = lowLow * bz;
        of[5] = highLow * bz;
        of[6] = lowHigh * bz;
        of[7] = highHigh * bz;
    }
};

// Sixteen bits per node at the corners of four cells, two along x in each lane: of[edge], bit 0 of the edge: y, bit 1: z.
struct FourCorners {
    QuadInteger of[4];
    FourCorners(const std::uint16_t* nodes, const std::size_t (&lowest)[4], std::size_t row, std::size_t slice) {
        for (int lane = 0; lane < 4; ++lane)
            of[lane] = (QuadInteger)atCorners(nodes + lowest[lane], row, slice);
        transpose(of);
    }
    std::uint16_t at(int corner, int lane) const {
        return std::uint16_t(std::uint32_t(of[corner >> 1][lane]) >> (16 * (corner & 1)));
    }
};

// The sample of one lane from the corners of its cell, for any number of regions.
template <class Label, class Distance>
PatternSample sampleRegions(const Label& labelAt, const Distance& distanceAt, const CornerWeights& weights, int lane) {
    std::uint16_t labels[8];
    Real distances[8], weight[8];
    for (int k = 0; k < 8; ++k) {
        labels[k] = labelAt(k);
        distances[k] = Real(distanceAt(k));
        weight[k] = weights.of[k][lane];
    }
    const PatternSample found = lowestRegion(labels, distances, weight);
    return {found.label, found.cells * kCellsPerStep};
}

bool isAny(const QuadInteger& mask) {
    std::uint64_t halves[2];
    std::memcpy(halves, &mask, sizeof halves);
    return (halves[0] | halves[1]) != 0;
}

}  // namespace

PatternSample samplePattern(const Pattern& pattern, const Vec3& at) {
    const Grid& grid = pattern.grid;
    const AxisCells x(at.x, 0, 0, grid.nodes.x), y(at.y, 0, 0, grid.nodes.y), z(at.z, 0, 0, grid.nodes.z);
    const CornerWeights weights(x, y, z);
    const auto nodeOf = [&](int corner) {
        return grid.index(x.low[0] + (corner & 1), y.low[0] + (corner >> 1 & 1), z.low[0] + (corner >> 2));
    };
    return sampleRegions([&](int corner) { return pattern.labels[nodeOf(corner)]; },
                         [&](int corner) { return pattern.distances[nodeOf(corner)]; }, weights, 0);
}

void samplePattern(const Pattern& pattern, const Vec3& start, const Vec3& step, int first,
                   PatternSample (&out)[kPatternLanes]) {
    static_assert(kPatternLanes == 4);
    const Grid& grid = pattern.grid;
    const AxisCells x(start.x, step.x, first, grid.nodes.x), y(start.y, step.y, first, grid.nodes.y),
        z(start.z, step.z, first, grid.nodes.z);
    const CornerWeights weights(x, y, z);
    const std::size_t row = std::size_t(grid.nodes.x), slice = row * std::size_t(grid.nodes.y);
    std::size_t lowest[kPatternLanes];
    for (int i = 0; i < kPatternLanes; ++i)
        lowest[i] = grid.index(x.low[i], y.low[i], z.low[i]);
    const FourCorners labels(pattern.labels.data(), lowest, row, slice);
    const FourCorners distances(pattern.distances.data(), lowest, row, slice);
    // Labels other than that of the first corner: there is only one where the OR of their bits equals the AND.
    const QuadInteger own = labels.of[0] & 0xffff;
    const Eight owns = (Eight)(own | own << 16);
    Eight anyBits{}, commonBits = ~Eight{};
    Quad sums{};
    for (int edge = 0; edge < 4; ++edge) {
        const Eight pair = (Eight)labels.of[edge], isOwn = pair == owns;
        anyBits |= pair & ~isOwn;
        commonBits &= pair | isOwn;
        const auto signs = (QuadInteger)negateWhere(isOwn, (Eight)distances.of[edge]);
        sums += weights.of[2 * edge] * __builtin_convertvector(signs << 16 >> 16, Quad);
        sums += weights.of[2 * edge + 1] * __builtin_convertvector(signs >> 16, Quad);
    }
    const QuadInteger any = ((QuadInteger)anyBits | (QuadInteger)anyBits >> 16) & 0xffff;
    const QuadInteger common = (QuadInteger)commonBits & (QuadInteger)commonBits >> 16 & 0xffff;
    const QuadInteger isAlone = any == 0, isMore = (any != common) & ~isAlone;
    const QuadInteger other = any | (own & isAlone);
    // With two regions the other's distance is the negative of this; equal ones: the lower label.
    const QuadInteger isNegative = __builtin_convertvector(sums < 0, QuadInteger);
    const QuadInteger isZero = __builtin_convertvector(sums == 0, QuadInteger);
    const QuadInteger isOwn = isNegative | (isZero & (own < other));
    const QuadInteger label = (own & isOwn) | (other & ~isOwn);
    const Quad cells = absolute(sums) * kCellsPerStep;
    for (int i = 0; i < kPatternLanes; ++i)
        out[i] = {std::uint16_t(label[i]), cells[i]};
    if (!isAny(isMore))
        return;
    for (int i = 0; i < kPatternLanes; ++i)
        if (isMore[i] != 0)
            out[i] = sampleRegions([&](int corner) { return labels.at(corner, i); },
                                   [&](int corner) { return distances.at(corner, i); }, weights, i);
}

}  // namespace sunder::geometry
