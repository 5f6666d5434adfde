// Four nodes at a time, whichever they are.
#include "geometry/surface/node_planes.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace sunder::geometry {
namespace {

// A gradient whose length is off by more than this is useless.
constexpr Real kWorstLength = Real(0.08);
// Central differences are accepted up to this error of their length, plus the rounding of stored values.
constexpr Real kCentralTolerance = Real(0.02);

Quad squaredLength(const QuadVec3& a) { return a.x * a.x + a.y * a.y + a.z * a.z; }
// Error of the length from its square, which near 1 is off by twice as much.
Quad lengthError(Quad squared) { return Real(0.5) * absolute(squared - Real(1)); }
QuadVec3 select(QuadMask mask, const QuadVec3& yes, const QuadVec3& no) {
    return {mask ? yes.x : no.x, mask ? yes.y : no.y, mask ? yes.z : no.z};
}

// Of the eight choices of a backward or forward difference per axis, the one whose length is nearest to 1.
QuadVec3 nearestToUnit(const QuadVec3& backward, const QuadVec3& forward) {
    const QuadVec3 b{backward.x * backward.x, backward.y * backward.y, backward.z * backward.z};
    const QuadVec3 f{forward.x * forward.x, forward.y * forward.y, forward.z * forward.z};
    const Quad across[4] = {b.x + b.y, f.x + b.y, b.x + f.y, f.x + f.y};
    QuadMask best{};  // bit 0: forward along x, bit 1: y, bit 2: z
    Quad bestError = absolute(across[0] + b.z - Real(1));
    for (int choice = 1; choice < 8; ++choice) {
        const Quad error = absolute(across[choice & 3] + (choice & 4 ? f.z : b.z) - Real(1));
        const QuadMask isNearer = error < bestError;
        best = (isNearer & choice) | (~isNearer & best);
        bestError = isNearer ? error : bestError;
    }
    return {(best & 1) != 0 ? forward.x : backward.x, (best & 2) != 0 ? forward.y : backward.y,
            (best & 4) != 0 ? forward.z : backward.z};
}

using Four = FourCells::Four;

struct FourPlanes {
    QuadVec3 normal;
    Quad offset, weight;
};

// From the differences to the previous and the next node along each axis, in cells.
FourPlanes planesOfFour(Quad here, const QuadVec3& backward, const QuadVec3& forward, Real scale) {
    QuadVec3 gradient{(backward.x + forward.x) * Real(0.5), (backward.y + forward.y) * Real(0.5),
                      (backward.z + forward.z) * Real(0.5)};
    const QuadMask isOff = lengthError(squaredLength(gradient)) > kCentralTolerance + scale;
    gradient = select(isOff, nearestToUnit(backward, forward), gradient);
    const Quad squared = squaredLength(gradient), weight = Real(1) - lengthError(squared) / kWorstLength, none{};
    const QuadMask isPlane = squared > none;
    const Quad length = rootOf(isPlane ? squared : none + Real(1));
    return {{gradient.x / length, gradient.y / length, gradient.z / length},
            isPlane ? -here * scale : none,
            (isPlane & (weight > none)) != 0 ? weight : none};
}

struct Differences {
    Quad backward, forward;
};

// Differences of nodes to their neighbours along one axis.
Differences differencesOf(Four here, Four before, Four after, Real scale) {
    const Quad middle = __builtin_convertvector(here, Quad);
    return {(middle - __builtin_convertvector(before, Quad)) * scale, (__builtin_convertvector(after, Quad) - middle) * scale};
}

template <class Stored>
struct FourNodes {
    const Stored* field;
    std::uint32_t index[4];

    // Values at nodes `step` further on.
    Four values(std::ptrdiff_t step) const {
        return Four{field[index[0] + step], field[index[1] + step], field[index[2] + step], field[index[3] + step]};
    }
    Four values(const Four& steps) const {
        const auto at = [&](int lane) { return std::int32_t(field[std::ptrdiff_t(index[lane]) + steps[lane]]); };
        return Four{at(0), at(1), at(2), at(3)};
    }
};

// For nodes at the border, where neighbours are missing.
template <class Stored>
Differences differencesAtBorder(Four here, const FourNodes<Stored>& at, Four isLow, Four isHigh, int stride, Real scale) {
    const Four before = at.values(~isLow & -stride), after = at.values(~isHigh & stride);
    return differencesOf(here, isLow ? here + here - after : before, isHigh ? here + here - before : after, scale);
}

}  // namespace

// Four corners at a time: data read in fours is best written in fours.
void splitLanes(const FourCornerPlanes& planes, CornerPlanes (&out)[4]) {
    const auto split = [&](const Quad(&from)[8], Real(CornerPlanes::*to)[8]) {
        for (int corner = 0; corner < 8; corner += 4) {
            Quad lanes[4] = {from[corner], from[corner + 1], from[corner + 2], from[corner + 3]};
            transpose(lanes);
            for (int lane = 0; lane < 4; ++lane)
                std::memcpy(&(out[lane].*to)[corner], &lanes[lane], sizeof(Quad));
        }
    };
    split(planes.x, &CornerPlanes::x);
    split(planes.y, &CornerPlanes::y);
    split(planes.z, &CornerPlanes::z);
    split(planes.offset, &CornerPlanes::offset);
    split(planes.weight, &CornerPlanes::weight);
}

void NodePlanes::mark(const Int3& nodes, std::span<const SurfaceCell> cells) {
    const std::size_t words = std::size_t(nodes.x + 63) / 64, rows = std::size_t(nodes.y);
    marks_.assign(words * rows * std::size_t(nodes.z) + 1, 0);
    for (const SurfaceCell& cell : cells) {
        const std::size_t bit = std::size_t(cell.at.x) % 64;
        const std::uint64_t two = std::uint64_t(3) << bit;
        std::uint64_t* low =
            &marks_[std::size_t(cell.at.x) / 64 + words * (std::size_t(cell.at.y) + rows * std::size_t(cell.at.z))];
        std::uint64_t* high = low + words * rows;
        low[0] |= two;
        low[words] |= two;
        high[0] |= two;
        high[words] |= two;
        if (bit == 63)
            for (std::uint64_t* word : {low, low + words, high, high + words})
                word[1] |= 1;
    }
}

void NodePlanes::list(const Int3& nodes) {
    const std::size_t words = std::size_t(nodes.x + 63) / 64;
    const std::uint64_t* marks = marks_.data();
    std::uint32_t rowStart = 0;
    count_ = 0;
    for (int z = 0; z < nodes.z; ++z)
        for (int y = 0; y < nodes.y; ++y, rowStart += std::uint32_t(nodes.x)) {
            const Borders ofRow =
                Borders(y == 0) << 2 | Borders(y + 1 == nodes.y) << 3 | Borders(z == 0) << 4 | Borders(z + 1 == nodes.z) << 5;
            for (std::size_t word = 0; word < words; ++word, ++marks)
                for (std::uint64_t left = *marks; left != 0; left &= left - 1) {
                    const std::uint32_t x = std::uint32_t(64 * word) + std::uint32_t(std::countr_zero(left));
                    placeOf_[rowStart + x] = std::uint32_t(count_);
                    nodes_[count_++] = {rowStart + x, ofRow | Borders(x == 0) | Borders(x + 1 == std::uint32_t(nodes.x)) << 1};
                }
        }
    for (std::size_t i = count_; count_ > 0 && i < count_ + 3; ++i)
        nodes_[i] = nodes_[count_ - 1];
}

template <class Stored>
void NodePlanes::find(const LevelSet<Stored>& field, std::span<const SurfaceCell> cells) {
    const std::size_t row = std::size_t(field.grid.nodes.x), slice = row * std::size_t(field.grid.nodes.y);
    for (std::size_t corner = 0; corner < 8; ++corner)
        strides_[corner] = (corner & 1) + (corner >> 1 & 1) * row + (corner >> 2) * slice;
    const std::size_t most = std::min(8 * cells.size(), field.values.size()) + 3;
    if (nodes_.size() < most)
        nodes_.resize(most);
    if (placeOf_.size() < field.values.size())
        placeOf_.resize(field.values.size());
    mark(field.grid.nodes, cells);
    list(field.grid.nodes);
    if (planes_.size() < count_ + 3)
        planes_.resize(count_ + 3);
    const Real scale = field.step / field.grid.cell;
    for (std::size_t first = 0; first < count_; first += 4) {
        const Node* four = &nodes_[first];
        const FourNodes<Stored> at{field.values.data(), {four[0].index, four[1].index, four[2].index, four[3].index}};
        const Four borders{std::int32_t(four[0].borders), std::int32_t(four[1].borders), std::int32_t(four[2].borders),
                           std::int32_t(four[3].borders)};
        const Borders ofAny = four[0].borders | four[1].borders | four[2].borders | four[3].borders;
        const std::ptrdiff_t strides[3] = {1, std::ptrdiff_t(row), std::ptrdiff_t(slice)};
        const Four here = at.values(0);
        Differences along[3];
        for (int axis = 0; axis < 3; ++axis)
            along[axis] = (ofAny >> 2 * axis & 3) == 0
                              ? differencesOf(here, at.values(-strides[axis]), at.values(strides[axis]), scale)
                              : differencesAtBorder(here, at, (borders >> 2 * axis & 1) != 0,
                                                    (borders >> (2 * axis + 1) & 1) != 0, int(strides[axis]), scale);
        const FourPlanes found =
            planesOfFour(__builtin_convertvector(here, Quad), {along[0].backward, along[1].backward, along[2].backward},
                         {along[0].forward, along[1].forward, along[2].forward}, scale);
        Quad rows[4] = {found.normal.x, found.normal.y, found.normal.z, found.offset};
        transpose(rows);
        for (std::size_t lane = 0; lane < 4; ++lane)
            planes_[first + lane] = {rows[lane], found.weight[lane]};
    }
}

FourCornerPlanes NodePlanes::at(const std::uint32_t (&lowest)[4]) const {
    FourCornerPlanes result;
    for (int corner = 0; corner < 8; ++corner) {
        const auto planeOf = [&](int lane) -> const Plane& { return planes_[placeOf_[lowest[lane] + strides_[corner]]]; };
        const Plane &a = planeOf(0), &b = planeOf(1), &c = planeOf(2), &d = planeOf(3);
        Quad rows[4] = {a.normalAndOffset, b.normalAndOffset, c.normalAndOffset, d.normalAndOffset};
        transpose(rows);
        result.x[corner] = rows[0];
        result.y[corner] = rows[1];
        result.z[corner] = rows[2];
        result.offset[corner] = rows[3];
        result.weight[corner] = Quad{a.weight, b.weight, c.weight, d.weight};
    }
    return result;
}

template void NodePlanes::find<std::int8_t>(const LevelSet8&, std::span<const SurfaceCell>);
template void NodePlanes::find<std::int16_t>(const LevelSet16&, std::span<const SurfaceCell>);

}  // namespace sunder::geometry
