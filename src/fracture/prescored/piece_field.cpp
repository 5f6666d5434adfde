// [Su09] 4.2: phi = max(parent, region) at every node. A region's own nodes have the negative distance to its border, all
// others the positive one.
#include "fracture/prescored/piece_field.h"

#include <algorithm>

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
    Stored* out;
    int count;
};

// Steps of the field per step of a placed distance.
template <class Stored>
constexpr int kStepsPerPlaced = LevelSet<Stored>::kStepsPerCell / kPlacedSteps;

// `isOwn(label)`: whether the label is one of the piece's regions. Another part of the same region is outside, as far from
// the surface as it is inside of its own piece.
template <class Stored, class IsOwn>
void fillRow(const Row<Stored>& row, std::uint16_t owner, const IsOwn& isOwn) {
    for (int x = 0; x < row.count; ++x) {
        const int parent = row.parent[x], distance = row.distances[x] * kStepsPerPlaced<Stored>;
        const bool isPiece = row.owners[x] == owner;
        const int region = (isPiece | isOwn(row.labels[x])) ? -distance : distance;
        const int value = parent > region ? parent : region;
        row.out[x] = Stored(value < 0 && !isPiece ? -value : value);
    }
}

// Weight of a node's cube: solid below the surface, as a plane across it would cut it.
template <class Stored>
void addRowSums(const Row<Stored>& row, std::uint16_t owner, int firstX, int y, int z, NodeSums& sums) {
    constexpr int full = LevelSet<Stored>::kStepsPerCell, half = full / 2;
    std::int64_t s0 = 0, s1 = 0, s2 = 0;
    for (int x = 0; x < row.count; ++x) {
        const int part = half - row.parent[x];
        const int solid = part < 0 ? 0 : (part > full ? full : part);
        const int weight = row.owners[x] == owner ? solid : 0;
        const int at = x + firstX;
        s0 += weight;
        s1 += weight * at;
        s2 += std::int64_t(weight * at) * at;
    }
    const std::int64_t terms[10] = {s0, s1, s0 * y, s0 * z, s2, s0 * y * y, s0 * z * z, s1 * y, s1 * z, s0 * y * z};
    for (int i = 0; i < 10; ++i)
        sums[i] += terms[i];
}

template <class Stored>
void markCuts(const Row<Stored>& row, std::uint16_t owner, const CutNodes* parentCuts, std::size_t parentFirst,
              std::size_t outFirst, CutNodes& cutNodes) {
    for (int x = 0; x < row.count; ++x)
        if (row.parent[x] < 0 && row.owners[x] != owner)
            cutNodes.set(outFirst + std::size_t(x));
    if (parentCuts)
        for (int x = 0; x < row.count; ++x)
            if (parentCuts->at(parentFirst + std::size_t(x)))
                cutNodes.set(outFirst + std::size_t(x));
}

// Depths of inside nodes from those next to the surface, by steps to the 26 neighbours of a node: right to 6 %. In steps of
// the field; the grid's border is outside.
template <class Stored>
class Depths {
public:
    explicit Depths(const LevelSet<Stored>& field) : nodes_(field.grid.nodes), depths_(field.values.size(), kFar) {
        const std::ptrdiff_t row = nodes_.x, slice = row * nodes_.y;
        forEachRow([&](std::size_t first) {
            for (std::size_t at = first; at < first + std::size_t(nodes_.x - 2); ++at) {
                const Stored* v = &field.values[at];
                const bool isNext = v[-1] >= 0 || v[1] >= 0 || v[-row] >= 0 || v[row] >= 0 || v[-slice] >= 0 || v[slice] >= 0;
                depths_[at] = v[0] < 0 && isNext ? -v[0] : kFar;
            }
        });
        isInside_.resize(field.values.size());
        for (std::size_t at = 0; at < isInside_.size(); ++at)
            isInside_[at] = field.values[at] < 0;
        forEachRow([&](std::size_t first) { sweepRow(first, -1); });
        for (int z = nodes_.z - 2; z > 0; --z)
            for (int y = nodes_.y - 2; y > 0; --y)
                sweepRow(std::size_t(1) + std::size_t(row) * std::size_t(y) + std::size_t(slice) * std::size_t(z), 1);
    }
    int at(std::size_t node) const { return depths_[node]; }

private:
    static constexpr int kFar = 1 << 24;
    // 1, sqrt(2) and sqrt(3) cells, less 6 %: between directions the way is up to 12 % too long.
    static constexpr int kCell = LevelSet<Stored>::kStepsPerCell;
    static constexpr int kStraight = kCell * 241 / 256, kAcross = kCell * 341 / 256, kCorner = kCell * 417 / 256;

    template <class Visit>
    void forEachRow(Visit&& visit) {
        for (int z = 1; z < nodes_.z - 1; ++z)
            for (int y = 1; y < nodes_.y - 1; ++y)
                visit(std::size_t(1) + std::size_t(nodes_.x) * (std::size_t(y) + std::size_t(nodes_.y) * std::size_t(z)));
    }
    // From the rows before it in the direction of the sweep, then along it.
    void sweepRow(std::size_t first, int side) {
        const std::ptrdiff_t row = nodes_.x, slice = row * nodes_.y, count = nodes_.x - 2;
        int* depth = &depths_[first];
        lowerFrom(depth + side * row, kStraight, kAcross, depth, count);
        lowerFrom(depth + side * slice, kStraight, kAcross, depth, count);
        lowerFrom(depth + side * (slice + row), kAcross, kCorner, depth, count);
        lowerFrom(depth + side * (slice - row), kAcross, kCorner, depth, count);
        const std::uint8_t* isInside = &isInside_[first];
        for (std::ptrdiff_t i = 0; i < count; ++i) {
            const std::ptrdiff_t x = side < 0 ? i : count - 1 - i;
            depth[x] = isInside[x] ? std::min(depth[x], depth[x + side] + kStraight) : kFar;
        }
    }
    static void lowerFrom(const int* other, int straight, int diagonal, int* depth, std::ptrdiff_t count) {
        for (std::ptrdiff_t x = 0; x < count; ++x) {
            const int beside = (other[x - 1] < other[x + 1] ? other[x - 1] : other[x + 1]) + diagonal;
            const int next = other[x] + straight, best = beside < next ? beside : next;
            depth[x] = best < depth[x] ? best : depth[x];
        }
    }

    geometry::Int3 nodes_;
    std::vector<int> depths_;
    std::vector<std::uint8_t> isInside_;
};

// Parts that were joined still have the distance to the border between them. Where the depth shows that it is not that to the
// surface, it goes away; elsewhere the field stays as it is, which is exact.
template <class Stored>
void measureInside(LevelSet<Stored>& field) {
    constexpr int kApart = LevelSet<Stored>::kStepsPerCell / 8;
    const Depths<Stored> depths(field);
    for (std::size_t node = 0; node < field.values.size(); ++node) {
        const int value = field.values[node], depth = depths.at(node);
        if (value < 0 && depth > kApart - value)
            field.values[node] = Stored(-std::min(depth, LevelSet<Stored>::kLimit));
    }
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
    for (int z = std::max(range.low.z, 0); z <= std::min(range.high.z, nz - 1); ++z)
        for (int y = std::max(range.low.y, 0); y <= std::min(range.high.y, ny - 1); ++y) {
            const std::size_t from = parent.grid.index(firstX, y, z);
            const std::size_t to = field.grid.index(firstX - range.low.x, y - range.low.y, z - range.low.z);
            const std::size_t placed =
                std::size_t(firstX) + std::size_t(y) * pattern.rowStride + std::size_t(z) * pattern.sliceStride;
            const Row<Stored> row{&parent.values[from],       &shared.owners[from], pattern.labels + placed,
                                  pattern.distances + placed, &field.values[to],    count};
            if (nodes.regions.size() == 1)
                fillRow(row, owner, [own = nodes.regions[0]](std::uint16_t label) { return label == own; });
            else
                fillRow(row, owner, [&](std::uint16_t label) {
                    return std::binary_search(nodes.regions.begin(), nodes.regions.end(), label);
                });
            addRowSums(row, owner, firstX - range.low.x, y - range.low.y, z - range.low.z, sums);
            markCuts(row, owner, parentCuts, from, to, cutNodes);
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
