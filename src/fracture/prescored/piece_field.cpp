// [Su09] 4.2: phi = max(parent, region) at every node. A region's own nodes have the negative distance to its border, all
// others the positive one.
#include "fracture/prescored/piece_field.h"

#include <algorithm>
#include <cstring>

#include "fracture/prescored/piece_mass.h"

namespace sunder::fracture {

using geometry::GridRange;
using geometry::LevelSet;
using geometry::MassProperties;

namespace {

// One row of a piece's grid where it overlaps the parent's.
template <class Stored>
struct Row {
    const Stored* parent;
    const std::uint16_t *owners, *labels;
    const std::uint8_t* distances;
    std::size_t count;
};

// What the loops over a row leave for the next ones. Sixteen bits, so that eight nodes fit into a vector of any machine; masks
// are 0 or -1.
struct RowParts {
    explicit RowParts(std::size_t count) : isOwnRegion(count), weights(count), isCut(count + 8) {}
    std::vector<std::int16_t> isOwnRegion, weights;
    std::vector<std::uint8_t> isCut;  // 0 or 1; zeros behind the row up to a multiple of 8
};

std::int16_t maskIf(bool condition) { return std::int16_t(-std::int16_t(condition)); }
// The number, or its negative where the mask is set.
std::int16_t negateIf(std::int16_t mask, std::int16_t x) { return std::int16_t((x ^ mask) - mask); }

void markRegions(const std::uint16_t* labels, std::size_t count, const std::vector<std::uint16_t>& regions,
                 std::int16_t* __restrict isOwnRegion) {
    for (std::size_t i = 0; i < regions.size(); ++i) {
        const std::uint16_t region = regions[i];
        if (i == 0)
            for (std::size_t x = 0; x < count; ++x)
                isOwnRegion[x] = maskIf(labels[x] == region);
        else
            for (std::size_t x = 0; x < count; ++x)
                isOwnRegion[x] = std::int16_t(isOwnRegion[x] | maskIf(labels[x] == region));
    }
}

// Another part of the same region is outside, as far from the surface as it is inside of its own piece. The weight of a node's
// cube: solid below the surface, as a plane across it would cut it.
template <class Stored>
void fillRow(const Row<Stored>& row, std::uint16_t owner, const std::int16_t* isOwnRegion, Stored* __restrict out,
             std::int16_t* __restrict weights, std::uint8_t* __restrict isCut) {
    constexpr std::int16_t full = LevelSet<Stored>::kStepsPerCell, half = full / 2;
    constexpr std::int16_t stepsPerPlaced = LevelSet<Stored>::kStepsPerCell / kPlacedSteps;
    const auto [parents, owners, labels, distances, count] = row;
    for (std::size_t x = 0; x < count; ++x) {
        const std::int16_t parent = parents[x], isPiece = maskIf(owners[x] == owner);
        const auto distance = std::int16_t(distances[x] * stepsPerPlaced);
        const std::int16_t region = negateIf(std::int16_t(isPiece | isOwnRegion[x]), distance);
        const std::int16_t value = parent > region ? parent : region;
        out[x] = Stored(negateIf(std::int16_t(maskIf(value < 0) & ~isPiece), value));
        isCut[x] = std::uint8_t(maskIf(parent < 0) & ~isPiece & 1);
        const std::int16_t below = parent < half ? parent : half, within = below > -half ? below : std::int16_t(-half);
        weights[x] = std::int16_t((half - within) & isPiece);
    }
}

// Most nodes of a piece's grid are not its own: only between its first and its last one is there anything to add.
void addRowSums(const std::int16_t* weights, int count, int firstX, int y, int z, NodeSums& sums) {
    const auto isFourZero = [&](int x) {
        std::uint64_t four;
        std::memcpy(&four, weights + x, sizeof four);
        return four == 0;
    };
    int first = 0, last = count;
    while (first + 4 <= last && isFourZero(first))
        first += 4;
    while (first < last && weights[first] == 0)
        ++first;
    while (first + 4 <= last && isFourZero(last - 4))
        last -= 4;
    while (first < last && weights[last - 1] == 0)
        --last;
    if (first == last)
        return;
    std::int64_t s0 = 0, s1 = 0, s2 = 0;
    for (int x = first; x < last; ++x) {
        const int weight = weights[x], at = x + firstX;
        s0 += weight;
        s1 += weight * at;
        s2 += std::int64_t(weight * at) * at;
    }
    const std::int64_t terms[10] = {s0, s1, s0 * y, s0 * z, s2, s0 * y * y, s0 * z * z, s1 * y, s1 * z, s0 * y * z};
    for (int i = 0; i < 10; ++i)
        sums[i] += terms[i];
}

// Depths of inside nodes from those next to the surface, by steps to the 26 neighbours of a node: right to 6 %. In steps of
// the field; the grid's border is outside. Only between the first and the last inside node of a row is there anything to do.
template <class Stored>
class Depths {
public:
    explicit Depths(const LevelSet<Stored>& field) : nodes_(field.grid.nodes), depths_(field.values.size(), kFar) {
        findSpans(field);
        const std::ptrdiff_t row = nodes_.x, slice = row * nodes_.y;
        for (const Span& span : spans_)
            for (std::size_t at = span.first; at < span.last; ++at) {
                const Stored* v = &field.values[at];
                const bool isNext = v[-1] >= 0 || v[1] >= 0 || v[-row] >= 0 || v[row] >= 0 || v[-slice] >= 0 || v[slice] >= 0;
                depths_[at] = v[0] < 0 && isNext ? std::int16_t(-v[0]) : kFar;
            }
        for (std::size_t i = 0; i < spans_.size(); ++i)
            sweepRow(field, spans_[i], -1);
        for (std::size_t i = spans_.size(); i-- > 0;)
            sweepRow(field, spans_[i], 1);
    }
    // Calls visit(node, depth) for the inside nodes, and some outside ones at kFar.
    template <class Visit>
    void forEach(Visit&& visit) const {
        for (const Span& span : spans_)
            for (std::size_t at = span.first; at < span.last; ++at)
                visit(at, int(depths_[at]));
    }

private:
    // 1, sqrt(2) and sqrt(3) cells, less 6 %: between directions the way is up to 12 % too long.
    static constexpr int kCell = LevelSet<Stored>::kStepsPerCell;
    static constexpr int kStraight = kCell * 241 / 256, kAcross = kCell * 341 / 256, kCorner = kCell * 417 / 256;
    static constexpr std::int16_t kFar = 32767 - kCorner;  // one step more still fits

    struct Span {
        std::size_t first, last;  // the node after the last one
    };

    void findSpans(const LevelSet<Stored>& field) {
        for (int z = 1; z < nodes_.z - 1; ++z)
            for (int y = 1; y < nodes_.y - 1; ++y) {
                const Stored* values = &field.values[field.grid.index(0, y, z)];
                int low = 0, high = nodes_.x;
                while (low < high && values[low] >= 0)
                    ++low;
                while (low < high && values[high - 1] >= 0)
                    --high;
                if (low < high)
                    spans_.push_back({field.grid.index(low, y, z), field.grid.index(high, y, z)});
            }
    }
    // From the rows before it in the direction of the sweep, then along it.
    void sweepRow(const LevelSet<Stored>& field, const Span& span, int side) {
        const std::ptrdiff_t row = nodes_.x, slice = row * nodes_.y, count = std::ptrdiff_t(span.last - span.first);
        std::int16_t* depth = &depths_[span.first];
        lowerFrom(depth + side * row, kStraight, kAcross, depth, count);
        lowerFrom(depth + side * slice, kStraight, kAcross, depth, count);
        lowerFrom(depth + side * (slice + row), kAcross, kCorner, depth, count);
        lowerFrom(depth + side * (slice - row), kAcross, kCorner, depth, count);
        const Stored* values = &field.values[span.first];
        int before = kFar;
        for (std::ptrdiff_t i = 0; i < count; ++i) {
            const std::ptrdiff_t x = side < 0 ? i : count - 1 - i;
            before = values[x] < 0 ? std::min(int(depth[x]), before + kStraight) : int(kFar);
            depth[x] = std::int16_t(std::min(before, int(kFar)));
        }
    }
    static void lowerFrom(const std::int16_t* other, std::int16_t straight, std::int16_t diagonal, std::int16_t* depth,
                          std::ptrdiff_t count) {
        for (std::ptrdiff_t x = 0; x < count; ++x) {
            const std::int16_t side = other[x - 1] < other[x + 1] ? other[x - 1] : other[x + 1];
            const auto beside = std::int16_t(side + diagonal), next = std::int16_t(other[x] + straight);
            const std::int16_t best = beside < next ? beside : next;
            depth[x] = best < depth[x] ? best : depth[x];
        }
    }

    geometry::Int3 nodes_;
    std::vector<std::int16_t> depths_;
    std::vector<Span> spans_;
};

// Parts that were joined still have the distance to the border between them. Where the depth shows that it is not that to the
// surface, it goes away; elsewhere the field stays as it is, which is exact.
template <class Stored>
void measureInside(LevelSet<Stored>& field) {
    constexpr int kApart = LevelSet<Stored>::kStepsPerCell / 8;
    const Depths<Stored> depths(field);
    depths.forEach([&](std::size_t node, int depth) {
        const int value = field.values[node];
        if (value < 0 && depth > kApart - value)
            field.values[node] = Stored(-std::min(depth, LevelSet<Stored>::kLimit));
    });
}

}  // namespace

template <class Stored>
MassProperties makePieceField(const LevelSet<Stored>& parent, const CutNodes* parentCuts, const PlacedPattern& pattern,
                              const SharedNodes& shared, std::uint32_t piece, LevelSet<Stored>& field, CutNodes& cutNodes) {
    const PieceOfNodes& nodes = shared.pieces[piece];
    const auto [low, high] = nodes.range;
    const GridRange range{{low.x - 1, low.y - 1, low.z - 1}, {high.x + 1, high.y + 1, high.z + 1}};
    field.grid = cropped(parent.grid, range);
    field.step = parent.step;
    field.values.assign(field.grid.nodeCount(), Stored(LevelSet<Stored>::kLimit));
    cutNodes = CutNodes(field.grid.nodeCount());
    NodeSums sums{};
    const auto owner = std::uint16_t(piece + 1);
    const auto [nx, ny, nz] = parent.grid.nodes;
    const int firstX = std::max(range.low.x, 0), count = std::min(range.high.x, nx - 1) - firstX + 1;
    RowParts parts{std::size_t(count)};
    for (int z = std::max(range.low.z, 0); z <= std::min(range.high.z, nz - 1); ++z)
        for (int y = std::max(range.low.y, 0); y <= std::min(range.high.y, ny - 1); ++y) {
            const std::size_t from = parent.grid.index(firstX, y, z);
            const std::size_t to = field.grid.index(firstX - range.low.x, y - range.low.y, z - range.low.z);
            const std::size_t placed =
                std::size_t(firstX) + std::size_t(y) * pattern.rowStride + std::size_t(z) * pattern.sliceStride;
            const Row<Stored> row{&parent.values[from], &shared.owners[from], pattern.labels + placed,
                                  pattern.distances + placed, std::size_t(count)};
            markRegions(row.labels, row.count, nodes.regions, parts.isOwnRegion.data());
            fillRow(row, owner, parts.isOwnRegion.data(), &field.values[to], parts.weights.data(), parts.isCut.data());
            addRowSums(parts.weights.data(), count, firstX - range.low.x, y - range.low.y, z - range.low.z, sums);
            if (parentCuts)
                for (std::size_t x = 0; x < row.count; ++x)
                    parts.isCut[x] = std::uint8_t(parts.isCut[x] | std::uint8_t(parentCuts->at(from + x)));
            cutNodes.setRow(to, parts.isCut.data(), row.count);
        }
    if (nodes.isJoined)
        measureInside(field);
    return massOfSums(sums, LevelSet<Stored>::kStepsPerCell, field.grid);
}

#define SUNDER_PIECE_FIELD_OF(Stored)                                                                              \
    template MassProperties makePieceField<Stored>(const LevelSet<Stored>&, const CutNodes*, const PlacedPattern&, \
                                                   const SharedNodes&, std::uint32_t, LevelSet<Stored>&, CutNodes&);
SUNDER_PIECE_FIELD_OF(std::int8_t)
SUNDER_PIECE_FIELD_OF(std::int16_t)
#undef SUNDER_PIECE_FIELD_OF

}  // namespace sunder::fracture
