// [Su09] 4.2: phi = max(parent, region) at every node. A region's own nodes have the negative distance to its border, all
// others the positive one.
#include "fracture/prescored/piece_field.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "fracture/prescored/piece_mass.h"
#include "math/eight_integers.h"

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

    [[gnu::always_inline]] void fetch(std::size_t count) const {  // inline: GCC would drop the call as one without effect
        fetch(parent, count);
        fetch(owners, count);
        fetch(labels, count);
        fetch(distances, count);
    }

private:
    template <class Item>
    [[gnu::always_inline]] static void fetch(const Item* first, std::size_t count) {
        __builtin_prefetch(first);
        __builtin_prefetch(first + count - 1);
    }
};

// Rows to prefetch: they are short and far apart, so the processor cannot predict the next one, and half of the time would go
// into waiting for it.
constexpr int kRowsAhead = 2;

// Rows are processed eight nodes at a time; the last eight overlap those before them.
constexpr int kNodesAtOnce = 8;

template <class To>
void storeEight(const Eight& eight, To* to) {
    typedef To Lanes __attribute__((vector_size(kNodesAtOnce * sizeof(To))));
    const Lanes lanes = __builtin_convertvector(eight, Lanes);
    std::memcpy(to, &lanes, sizeof lanes);
}

// Sum of non-negative lanes; the sum of each half is below 2^16.
std::int64_t sumOf(const Eight& eight) {
    std::uint64_t halves[2];
    std::memcpy(halves, &eight, sizeof halves);
    constexpr std::uint64_t toTop = 0x0001000100010001u;
    return std::int64_t((halves[0] * toTop >> 48) + (halves[1] * toTop >> 48));
}

// Sums over the nodes of a row of weight, weight times x, and weight times x^2.
struct RowSums {
    std::int64_t weight = 0, first = 0, second = 0;

    void add(const Eight& weights, int x) {
        constexpr Eight steps{0, 1, 2, 3, 4, 5, 6, 7}, squares{0, 1, 4, 9, 16, 25, 36, 49};
        const std::int64_t sum = sumOf(weights), moment = sumOf(weights * steps);
        weight += sum;
        first += x * sum + moment;
        second += x * (x * sum + 2 * moment) + sumOf(weights * squares);
    }
};

void addRow(const RowSums& row, int y, int z, NodeSums& sums) {
    const auto [s0, s1, s2] = row;
    const std::int64_t terms[10] = {s0, s1, s0 * y, s0 * z, s2, s0 * y * y, s0 * z * z, s1 * y, s1 * z, s0 * y * z};
    for (int i = 0; i < 10; ++i)
        sums[std::size_t(i)] += terms[i];
}

// Bits of the cut nodes, and weights of the piece's own nodes: the solid share of the cube about each, as a plane at the
// surface's distance would cut it.
struct EightNodes {
    std::uint64_t isCut;
    Eight weights;
};

// A node of another component of the same region is outside, as far from the surface as it is inside its own piece.
template <class Stored>
[[gnu::always_inline]] inline EightNodes fillEight(const Row<Stored>& row, int x, std::uint16_t owner,
                                                   std::span<const std::uint16_t> regions, Stored* out) {
    constexpr std::int16_t full = LevelSet<Stored>::kStepsPerCell, half = full / 2, none = 0;
    constexpr std::int16_t stepsPerPlaced = LevelSet<Stored>::kStepsPerCell / kPlacedSteps;
    const Eight parent = loadEight(row.parent + x), labels = loadEight(row.labels + x);
    const Eight isPiece = loadEight(row.owners + x) == std::int16_t(owner);
    const Eight distance = loadEight(row.distances + x) * stepsPerPlaced;
    Eight isOwn = isPiece;
    for (const std::uint16_t region : regions)
        isOwn |= labels == std::int16_t(region);
    const Eight region = negateWhere(isOwn, distance), value = parent > region ? parent : region;
    storeEight(negateWhere((value < none) & ~isPiece, value), out);
    const Eight below = parent < half ? parent : half - Eight{}, within = below > std::int16_t(-half) ? below : Eight{} - half;
    return {bitsOf((parent < none) & ~isPiece), (half - within) & isPiece};
}

// A row of fewer than eight nodes, padded to eight.
template <class Stored>
class ShortRow {
public:
    ShortRow(const Row<Stored>& row, int count) : count_(count) {
        const auto n = std::size_t(count);
        std::fill_n(parent_, kNodesAtOnce, Stored(LevelSet<Stored>::kLimit));
        std::memcpy(parent_, row.parent, n * sizeof(Stored));
        std::memcpy(owners_, row.owners, n * sizeof(std::uint16_t));
        std::memcpy(labels_, row.labels, n * sizeof(std::uint16_t));
        std::memcpy(distances_, row.distances, n);
    }
    EightNodes fill(std::uint16_t owner, std::span<const std::uint16_t> regions, Stored* out) const {
        Stored values[kNodesAtOnce];
        const EightNodes nodes = fillEight<Stored>({parent_, owners_, labels_, distances_}, 0, owner, regions, values);
        std::memcpy(out, values, std::size_t(count_) * sizeof(Stored));
        return nodes;
    }

private:
    int count_;
    Stored parent_[kNodesAtOnce];
    std::uint16_t owners_[kNodesAtOnce] = {}, labels_[kNodesAtOnce] = {};
    std::uint8_t distances_[kNodesAtOnce] = {};
};

// Mask of the lanes from `lane` on.
Eight lanesFrom(int lane) {
    constexpr Eight steps{0, 1, 2, 3, 4, 5, 6, 7};
    return steps >= std::int16_t(lane);
}
std::uint64_t lowBits(int count) { return count < kNodesAtOnce ? (std::uint64_t(1) << count) - 1 : 0xff; }

// Depths of inside nodes below the surface, summed over steps to the 26 neighbours of a node: within 6 % of the true distance.
// In steps of the field; the grid's border is outside. Only the span between the first and the last inside node of a row is
// visited.
template <class Stored>
class Depths {
public:
    explicit Depths(const LevelSet<Stored>& field)
        : nodes_(field.grid.nodes), depths_(field.values.size() + kNodesAtOnce, kFar) {
        findSpans(field);
        for (const Span& span : spans_)
            startRow(field, span);
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
    // 1, sqrt(2) and sqrt(3) cells, less 6 %: between those directions a path of such steps is up to 12 % too long.
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
    // Calls visit(x) for eight nodes at a time; the last eight of a row overlap those before.
    template <class Visit>
    static void forEachEight(std::ptrdiff_t count, const Visit& visit) {
        for (std::ptrdiff_t done = 0; done < count; done += kNodesAtOnce)
            visit(std::max<std::ptrdiff_t>(std::min(done, count - kNodesAtOnce), 0));
    }

    // Starts from inside nodes that have a neighbour outside.
    void startRow(const LevelSet<Stored>& field, const Span& span) {
        const std::ptrdiff_t row = nodes_.x, slice = row * nodes_.y, count = std::ptrdiff_t(span.last - span.first);
        const Stored* values = &field.values[span.first];
        std::int16_t* depth = &depths_[span.first];
        if (count < kNodesAtOnce) {
            for (std::ptrdiff_t x = 0; x < count; ++x) {
                const Stored* v = values + x;
                const bool isNext = (v[-1] & v[1] & v[-row] & v[row] & v[-slice] & v[slice]) >= 0;
                depth[x] = v[0] < 0 && isNext ? std::int16_t(-v[0]) : kFar;
            }
            return;
        }
        forEachEight(count, [&](std::ptrdiff_t x) {
            const auto at = [v = values + x](std::ptrdiff_t offset) { return loadEight(v + offset); };
            const Eight all = at(-1) & at(1) & at(-row) & at(row) & at(-slice) & at(slice), value = at(0);
            const Eight starts = (value < std::int16_t(0)) & (all >= std::int16_t(0));
            storeEight((starts & -value) | (~starts & kFar), depth + x);
        });
    }
    // Takes depths over from the rows before it in the direction of the sweep, then along the row.
    void sweepRow(const LevelSet<Stored>& field, const Span& span, int side) {
        const std::ptrdiff_t row = nodes_.x, slice = row * nodes_.y, count = std::ptrdiff_t(span.last - span.first);
        std::int16_t* depth = &depths_[span.first];
        const std::int16_t* rows[4] = {depth + side * row, depth + side * slice, depth + side * (slice + row),
                                       depth + side * (slice - row)};
        forEachEight(count, [&](std::ptrdiff_t x) {
            const Eight before =
                lesserOf(lowestFrom(rows[0] + x, kStraight, kAcross), lowestFrom(rows[1] + x, kStraight, kAcross));
            const Eight across = lesserOf(lowestFrom(rows[2] + x, kAcross, kCorner), lowestFrom(rows[3] + x, kAcross, kCorner));
            const Eight lowest = lesserOf(lesserOf(before, across), loadEight(depth + x));
            if (count >= kNodesAtOnce)
                storeEight(lowest, depth + x);
            else
                std::memcpy(depth, &lowest, std::size_t(count) * sizeof *depth);
        });
        const Stored* values = &field.values[span.first];
        int before = kFar;
        for (std::ptrdiff_t i = 0; i < count; ++i) {
            const std::ptrdiff_t x = side < 0 ? i : count - 1 - i;
            before = values[x] < 0 ? std::min(int(depth[x]), before + kStraight) : int(kFar);
            depth[x] = std::int16_t(std::min(before, int(kFar)));
        }
    }
    static Eight lesserOf(const Eight& a, const Eight& b) { return a < b ? a : b; }
    static Eight lowestFrom(const std::int16_t* other, std::int16_t straight, std::int16_t diagonal) {
        return lesserOf(lesserOf(loadEight(other - 1), loadEight(other + 1)) + diagonal, loadEight(other) + straight);
    }

    geometry::Int3 nodes_;
    std::vector<std::int16_t> depths_;  // and kNodesAtOnce more, so that eight can be read from any node
    std::vector<Span> spans_;
};

// Where components were joined, the field still has the distance to the former border between them. Replaces it where the depth
// shows that it is not the distance to the surface; elsewhere the field is exact and stays.
template <class Stored>
void measureInside(LevelSet<Stored>& field) {
    // An eighth of a cell in steps of the field: depths are exact to 6 %, so a smaller difference says nothing.
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
                              const SharedNodes& shared, std::uint32_t piece, LevelSet<Stored>& field, CutNodes& cutNodes,
                              const NodeSums& shares) {
    const PieceOfNodes& nodes = shared.pieces[piece];
    const auto [low, high] = nodes.range;
    const GridRange range{{low.x - 1, low.y - 1, low.z - 1}, {high.x + 1, high.y + 1, high.z + 1}};
    field.grid = cropped(parent.grid, range);
    field.step = parent.step;
    field.values.assign(field.grid.nodeCount(), Stored(LevelSet<Stored>::kLimit));
    std::vector<std::uint64_t> cutWords((field.grid.nodeCount() + 63) / 64);
    // Local copies: the compiler must assume that writes may alias the members, and would reload them.
    std::uint64_t* const cuts = cutWords.data();
    Stored* const values = field.values.data();
    const std::span<const std::uint16_t> regions = nodes.regions;
    NodeSums sums = shares;
    const auto owner = std::uint16_t(piece + 1);
    const auto [nx, ny, nz] = parent.grid.nodes;
    const int firstX = std::max(range.low.x, 0), count = std::min(range.high.x, nx - 1) - firstX + 1;
    const int firstY = std::max(range.low.y, 0), lastY = std::min(range.high.y, ny - 1);
    const int firstZ = std::max(range.low.z, 0), lastZ = std::min(range.high.z, nz - 1);
    const auto rowAt = [&, x = std::size_t(firstX)](int y, int z) -> Row<Stored> {
        const std::size_t from = parent.grid.index(int(x), y, z);
        const std::size_t placed = x + std::size_t(y) * pattern.rowStride + std::size_t(z) * pattern.sliceStride;
        return {&parent.values[from], &shared.owners[from], pattern.labels + placed, pattern.distances + placed};
    };
    for (int z = firstZ; z <= lastZ; ++z)
        for (int y = firstY; y <= lastY; ++y) {
            const std::size_t from = parent.grid.index(firstX, y, z);
            const std::size_t to = field.grid.index(firstX - range.low.x, y - range.low.y, z - range.low.z);
            const Row<Stored> row = rowAt(y, z);
            if (y + kRowsAhead <= lastY)
                rowAt(y + kRowsAhead, z).fetch(std::size_t(count));
            else if (z < lastZ)
                rowAt(std::min(y + kRowsAhead - lastY - 1 + firstY, lastY), z + 1).fetch(std::size_t(count));
            RowSums rowSums;
            const auto take = [&](const EightNodes& eight, int x, const Eight& isNew) {
                const std::size_t at = std::size_t(x);
                CutNodes::setEight(cuts, to + at,
                                   eight.isCut | (parentCuts ? parentCuts->eightAt(from + at) & lowBits(count) : 0));
                if (isAny((eight.weights & isNew) > std::int16_t(0)))
                    rowSums.add(eight.weights & isNew, firstX - range.low.x + x);
            };
            if (count < kNodesAtOnce)
                take(ShortRow<Stored>(row, count).fill(owner, regions, values + to), 0, lanesFrom(0));
            for (int done = 0; count >= kNodesAtOnce && done < count; done += kNodesAtOnce) {
                const int x = std::min(done, count - kNodesAtOnce);
                take(fillEight(row, x, owner, regions, values + to + std::size_t(x)), x, lanesFrom(done - x));
            }
            if (rowSums.weight != 0)
                addRow(rowSums, y - range.low.y, z - range.low.z, sums);
        }
    cutNodes = CutNodes::ofWords(std::move(cutWords));
    if (nodes.isJoined)
        measureInside(field);
    return massOfSums(sums, LevelSet<Stored>::kStepsPerCell, field.grid);
}

#define SUNDER_PIECE_FIELD_OF(Stored)                                                                               \
    template MassProperties makePieceField<Stored>(const LevelSet<Stored>&, const CutNodes*, const PlacedPattern&,  \
                                                   const SharedNodes&, std::uint32_t, LevelSet<Stored>&, CutNodes&, \
                                                   const NodeSums&);
SUNDER_PIECE_FIELD_OF(std::int8_t)
SUNDER_PIECE_FIELD_OF(std::int16_t)
#undef SUNDER_PIECE_FIELD_OF

}  // namespace sunder::fracture
