// [Su09] 4.2: phi = max(parent, region) at every node. A region's own nodes have the negative distance to its border, all
// others the positive one.
#include "fracture/prescored/piece_field.h"

#include <algorithm>

#include "fracture/prescored/piece_mass.h"
#include "geometry/level_set/sweep.h"

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

// Parts that were joined still have the distance to the border between them; measured again, it goes away.
template <class Stored>
void measureInside(LevelSet<Stored>& field) {
    geometry::DistanceField distances{field.grid, std::vector<Real>(field.values.size())};
    for (std::size_t node = 0; node < field.values.size(); ++node)
        distances.values[node] = field.distance(node);
    geometry::sweepInside(distances);
    const Real inverseStep = 1 / field.step;
    for (std::size_t node = 0; node < field.values.size(); ++node)
        if (field.values[node] < 0)
            field.values[node] = geometry::toStored<Stored>(distances.values[node], inverseStep);
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
