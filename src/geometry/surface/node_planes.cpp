// Four corners at a time: those at the low and those at the high z of the cell.
#include "geometry/surface/node_planes.h"

#include <cmath>
#include <cstddef>
#include <cstring>

#include "geometry/surface/plane_fits.h"
#include "math/quads.h"

namespace sunder::geometry {
namespace {

// A gradient whose length is off by this much says nothing.
constexpr Real kWorstLength = Real(0.08);
// Central differences are trusted to this, plus the rounding of stored values.
constexpr Real kCentralTolerance = Real(0.02);

Quad squaredLength(const QuadVec3& a) { return a.x * a.x + a.y * a.y + a.z * a.z; }
// By squared length, which near 1 is off by twice as much.
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

void put(Quad four, Real* out) { std::memcpy(out, &four, sizeof four); }

// Four corners at the same z, from the differences to the nodes before and after them along each axis, in cells.
void planesOfFour(Quad here, const QuadVec3& backward, const QuadVec3& forward, Real scale, CornerPlanes& out, int first) {
    QuadVec3 gradient{(backward.x + forward.x) * Real(0.5), (backward.y + forward.y) * Real(0.5),
                      (backward.z + forward.z) * Real(0.5)};
    const QuadMask isOff = lengthError(squaredLength(gradient)) > kCentralTolerance + scale;
    gradient = select(isOff, nearestToUnit(backward, forward), gradient);
    const Quad squared = squaredLength(gradient), weight = Real(1) - lengthError(squared) / kWorstLength, none{};
    const QuadMask isPlane = squared > none;
    const Quad length = rootOf(isPlane ? squared : none + Real(1));
    put(gradient.x / length, out.x + first);
    put(gradient.y / length, out.y + first);
    put(gradient.z / length, out.z + first);
    put(isPlane ? -here * scale : none, out.offset + first);
    put((isPlane & (weight > none)) != 0 ? weight : none, out.weight + first);
}

// At the corners at the low and at the high z.
struct Halves {
    Quad half[2];

    explicit Halves(const Eight& stored) {
        // Each in the upper half of a lane of 32 bits, which keeps its sign.
        const FourCells::Four low = (FourCells::Four)__builtin_shufflevector(stored, stored, 0, 0, 1, 1, 2, 2, 3, 3) >> 16;
        const FourCells::Four high = (FourCells::Four)__builtin_shufflevector(stored, stored, 4, 4, 5, 5, 6, 6, 7, 7) >> 16;
        half[0] = __builtin_convertvector(low, Quad);
        half[1] = __builtin_convertvector(high, Quad);
    }
};

// What the differences along an axis are taken of: the corners as such, and in place of each the one at the low and the one at
// the high end of its edge along the axis. isHigh: which corners are at the high end.
struct AxisCorners {
    const Halves& here;
    Eight lowEnds, highEnds;
    QuadMask isHigh[2];
};

struct Differences {
    Quad backward[2], forward[2];
};

// At the border of the grid the difference on the other side stands for the one that is missing.
template <class Stored>
Differences differencesOf(const AxisCorners& corners, const Stored* before, const Stored* after, std::size_t row,
                          std::size_t slice, Real scale) {
    const Halves low(before ? atCorners(before, row, slice) : corners.lowEnds);
    const Halves high(after ? atCorners(after, row, slice) : corners.highEnds);
    Differences result;
    for (int i = 0; i < 2; ++i) {
        const Quad backward = (corners.here.half[i] - low.half[i]) * scale,
                   forward = (high.half[i] - corners.here.half[i]) * scale;
        result.backward[i] = before ? backward : (corners.isHigh[i] ? backward : forward);
        result.forward[i] = after ? forward : (corners.isHigh[i] ? backward : forward);
    }
    return result;
}

}  // namespace

template <class Stored>
CornerPlanes cornerPlanes(const LevelSet<Stored>& field, const Int3& cell) {
    const auto [nx, ny, nz] = field.grid.nodes;
    const std::size_t row = std::size_t(nx), slice = row * std::size_t(ny);
    const Stored* at = &field.values[field.grid.index(cell.x, cell.y, cell.z)];
    const Real scale = field.step / field.grid.cell;
    const Eight stored = atCorners(at, row, slice);
    const Halves here(stored);
    const auto along = [&](std::size_t stride, int place, int nodes, const AxisCorners& corners) {
        return differencesOf(corners, place > 0 ? at - stride : nullptr, place + 2 < nodes ? at + stride : nullptr, row, slice,
                             scale);
    };
    const Differences x = along(1, cell.x, nx,
                                {here,
                                 __builtin_shufflevector(stored, stored, 0, 0, 2, 2, 4, 4, 6, 6),
                                 __builtin_shufflevector(stored, stored, 1, 1, 3, 3, 5, 5, 7, 7),
                                 {QuadMask{0, -1, 0, -1}, QuadMask{0, -1, 0, -1}}});
    const Differences y = along(row, cell.y, ny,
                                {here,
                                 __builtin_shufflevector(stored, stored, 0, 1, 0, 1, 4, 5, 4, 5),
                                 __builtin_shufflevector(stored, stored, 2, 3, 2, 3, 6, 7, 6, 7),
                                 {QuadMask{0, 0, -1, -1}, QuadMask{0, 0, -1, -1}}});
    const Differences z = along(slice, cell.z, nz,
                                {here,
                                 __builtin_shufflevector(stored, stored, 0, 1, 2, 3, 0, 1, 2, 3),
                                 __builtin_shufflevector(stored, stored, 4, 5, 6, 7, 4, 5, 6, 7),
                                 {QuadMask{}, ~QuadMask{}}});
    CornerPlanes result;
    for (int i = 0; i < 2; ++i)
        planesOfFour(here.half[i], {x.backward[i], y.backward[i], z.backward[i]}, {x.forward[i], y.forward[i], z.forward[i]},
                     scale, result, 4 * i);
    return result;
}

template CornerPlanes cornerPlanes<std::int8_t>(const LevelSet8&, const Int3&);
template CornerPlanes cornerPlanes<std::int16_t>(const LevelSet16&, const Int3&);

}  // namespace sunder::geometry
