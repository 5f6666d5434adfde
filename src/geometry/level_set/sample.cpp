// Trilinear interpolation, for one point and for four. Both are the same loops over lanes, which the compiler turns into
// vector code for four; no sum depends on the number of lanes, so the bits are the same.
#include <cmath>
#include <cstring>
#include <type_traits>

#include "geometry/level_set/level_set.h"

namespace sunder::geometry {
namespace {

// One axis of a point in units of cells: the cell that holds it, where in the cell it is, and how far outside the grid.
template <int Lanes>
struct Axis {
    Real fraction[Lanes], beyond[Lanes];
    std::int32_t cell[Lanes];

    Axis(const Real* coordinate, Real origin, Real inverseCell, int nodes) {
        const Real last = Real(nodes - 1), lastCell = Real(nodes - 2);
        for (int i = 0; i < Lanes; ++i) {
            const Real u = (coordinate[i] - origin) * inverseCell;
            const Real nonNegative = u > 0 ? u : Real(0);  // a point that is not a number lands in cell 0
            const Real c = nonNegative < last ? nonNegative : last;
            const Real start = c < lastCell ? c : lastCell;
            cell[i] = std::int32_t(start);
            fraction[i] = c - Real(cell[i]);
            beyond[i] = u - c;
        }
    }
};

// Two neighbouring values as one number, so that lanes are put together from half as many loads. The host is little-endian, as
// are all that the engine is built for.
template <class Stored>
std::uint32_t loadPair(const Stored* at) {
    std::conditional_t<sizeof(Stored) == 1, std::uint16_t, std::uint32_t> both;
    std::memcpy(&both, at, sizeof both);
    return both;
}
template <class Stored>
constexpr std::int32_t firstOf(std::uint32_t pair) {
    constexpr int kBits = 8 * sizeof(Stored);
    return std::int32_t(pair << (32 - kBits)) >> (32 - kBits);
}
template <class Stored>
constexpr std::int32_t secondOf(std::uint32_t pair) {
    constexpr int kBits = 8 * sizeof(Stored);
    return std::int32_t(pair << (32 - 2 * kBits)) >> (32 - kBits);
}

template <int Lanes, class Stored>
void sampleLanes(const LevelSet<Stored>& field, const Real* px, const Real* py, const Real* pz, Real* distance, Real* gx,
                 Real* gy, Real* gz) {
    const Grid& grid = field.grid;
    const Real inverseCell = 1 / grid.cell;
    const Axis<Lanes> x(px, grid.origin.x, inverseCell, grid.nodes.x), y(py, grid.origin.y, inverseCell, grid.nodes.y),
        z(pz, grid.origin.z, inverseCell, grid.nodes.z);

    const std::size_t row = std::size_t(grid.nodes.x), slice = row * std::size_t(grid.nodes.y);
    std::uint32_t pairs[4][Lanes];  // of corners along x; bit 0 of the pair: y, bit 1: z
    for (int i = 0; i < Lanes; ++i) {
        const Stored* at =
            field.values.data() + std::size_t(x.cell[i]) + row * std::size_t(y.cell[i]) + slice * std::size_t(z.cell[i]);
        pairs[0][i] = loadPair(at);
        pairs[1][i] = loadPair(at + row);
        pairs[2][i] = loadPair(at + slice);
        pairs[3][i] = loadPair(at + slice + row);
    }
    Real v[8][Lanes];  // bit 0 of the corner: x, bit 1: y, bit 2: z
    for (int pair = 0; pair < 4; ++pair)
        for (int i = 0; i < Lanes; ++i) {
            v[2 * pair][i] = Real(firstOf<Stored>(pairs[pair][i]));
            v[2 * pair + 1][i] = Real(secondOf<Stored>(pairs[pair][i]));
        }
    const Real scale = field.step * inverseCell;
    for (int i = 0; i < Lanes; ++i) {
        const Real fx = x.fraction[i], fy = y.fraction[i], fz = z.fraction[i];
        const Real d0 = v[1][i] - v[0][i], d1 = v[3][i] - v[2][i], d2 = v[5][i] - v[4][i], d3 = v[7][i] - v[6][i];
        const Real x0 = v[0][i] + fx * d0, x1 = v[2][i] + fx * d1, x2 = v[4][i] + fx * d2, x3 = v[6][i] + fx * d3;
        const Real e0 = x1 - x0, e1 = x3 - x2;
        const Real y0 = x0 + fy * e0, y1 = x2 + fy * e1;
        const Real slopeX0 = d0 + fy * (d1 - d0), slopeX1 = d2 + fy * (d3 - d2);
        const Real d = (y0 + fz * (y1 - y0)) * field.step;
        const Real slopeX = (slopeX0 + fz * (slopeX1 - slopeX0)) * scale, slopeY = (e0 + fz * (e1 - e0)) * scale,
                   slopeZ = (y1 - y0) * scale;

        const Real bx = x.beyond[i] * grid.cell, by = y.beyond[i] * grid.cell, bz = z.beyond[i] * grid.cell;
        const Real outside = bx * bx + by * by + bz * bz;
        const Real reach = std::sqrt(d * d + outside);
        const Real inverseReach = 1 / (outside > 0 ? reach : Real(1));
        const bool isBeyond = outside > 0;
        distance[i] = isBeyond ? reach : d;
        gx[i] = isBeyond ? (d * slopeX + bx) * inverseReach : slopeX;
        gy[i] = isBeyond ? (d * slopeY + by) * inverseReach : slopeY;
        gz[i] = isBeyond ? (d * slopeZ + bz) * inverseReach : slopeZ;
    }
}

}  // namespace

template <class Stored>
FieldSample sample(const LevelSet<Stored>& field, const Vec3& point) {
    FieldSample result;
    sampleLanes<1>(field, &point.x, &point.y, &point.z, &result.distance, &result.gradient.x, &result.gradient.y,
                   &result.gradient.z);
    return result;
}

template <class Stored>
void sampleFour(const LevelSet<Stored>& field, const PointBlock& points, SampleBlock& out) {
    SampleBlock result;
    sampleLanes<kSampleLanes>(field, points.x, points.y, points.z, result.distance, result.gradientX, result.gradientY,
                              result.gradientZ);
    out = result;
}

template <class Stored>
void boundFour(const LevelSet<Stored>& field, const PointBlock& points, Real (&least)[kSampleLanes]) {
    constexpr Real kHalfDiagonal = Real(0.8661);  // sqrt(3) / 2, rounded up
    const Grid& grid = field.grid;
    const Real inverseCell = 1 / grid.cell;
    std::int32_t node[kSampleLanes];
    const auto along = [&](Real coordinate, Real origin, int nodes) {
        const Real u = (coordinate - origin) * inverseCell + Real(0.5), last = Real(nodes - 1);
        const Real nonNegative = u > 0 ? u : Real(0);
        return std::int32_t(nonNegative < last ? nonNegative : last);
    };
    const std::int32_t row = grid.nodes.x, slice = row * grid.nodes.y;
    for (int i = 0; i < kSampleLanes; ++i)
        node[i] = along(points.x[i], grid.origin.x, grid.nodes.x) + row * along(points.y[i], grid.origin.y, grid.nodes.y) +
                  slice * along(points.z[i], grid.origin.z, grid.nodes.z);
    Real value[kSampleLanes];
    for (int i = 0; i < kSampleLanes; ++i)
        value[i] = Real(field.values[std::size_t(node[i])]);
    for (int i = 0; i < kSampleLanes; ++i)
        least[i] = value[i] * field.step - kHalfDiagonal * grid.cell;
}

template void boundFour<std::int8_t>(const LevelSet8&, const PointBlock&, Real (&)[kSampleLanes]);
template void boundFour<std::int16_t>(const LevelSet16&, const PointBlock&, Real (&)[kSampleLanes]);
template FieldSample sample<std::int8_t>(const LevelSet8&, const Vec3&);
template FieldSample sample<std::int16_t>(const LevelSet16&, const Vec3&);
template void sampleFour<std::int8_t>(const LevelSet8&, const PointBlock&, SampleBlock&);
template void sampleFour<std::int16_t>(const LevelSet16&, const PointBlock&, SampleBlock&);

}  // namespace sunder::geometry
