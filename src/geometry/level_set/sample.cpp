// Trilinear interpolation for one point and for four. Both do the same operations, on numbers or on quads; no sum goes over
// lanes, so the bits are equal.
#include <cmath>
#include <cstring>
#include <type_traits>

#include "geometry/level_set/level_set.h"

namespace sunder::geometry {
namespace {

constexpr Real kRoundedUp = Real(1.0001);

using sunder::greaterOf, sunder::lesserOf, sunder::select, sunder::rootOf;
Real greaterOf(Real a, Real b) { return a > b ? a : b; }
Real lesserOf(Real a, Real b) { return a < b ? a : b; }
Real select(bool which, Real yes, Real no) { return which ? yes : no; }
Real rootOf(Real a) { return std::sqrt(a); }
bool anyOf(bool which) { return which; }
bool anyOf(QuadMask which) { return bitsOf(which) != 0; }

// What differs between one point and four. gather: load(i) loads the value with index i for each lane.
struct One {
    using Number = Real;
    using Integer = std::int32_t;
    static Number all(Real x) { return x; }
    static Integer truncated(Number x) { return Integer(x); }
    static Number toNumber(Integer x) { return Number(x); }
    template <class Load>
    static Integer gather(Integer index, const Load& load) {
        return load(index);
    }
};
struct FourFloats {
    using Number = Quad;
    using Integer = QuadInteger;
    static Number all(Real x) { return quadOf(x); }
    static Integer truncated(Number x) { return __builtin_convertvector(x, QuadInteger); }
    static Number toNumber(Integer x) { return __builtin_convertvector(x, Quad); }
    template <class Load>
    static Integer gather(Integer index, const Load& load) {
        return QuadInteger{load(index[0]), load(index[1]), load(index[2]), load(index[3])};
    }
};

// One axis of points in units of cells: the cell that holds them, where in the cell they are, and how far outside the grid.
template <class Points>
struct Axis {
    typename Points::Number fraction, beyond;
    typename Points::Integer cell;

    Axis(typename Points::Number coordinate, Real origin, Real inverseCell, int nodes) {
        const auto last = Points::all(Real(nodes - 1)), lastCell = Points::all(Real(nodes - 2));
        const auto u = (coordinate - origin) * inverseCell;
        const auto c = lesserOf(greaterOf(u, Points::all(0)), last);  // a NaN lands in cell 0
        cell = Points::truncated(lesserOf(c, lastCell));
        fraction = c - Points::toNumber(cell);
        beyond = u - c;
    }
};

// Two neighbouring values as one number: half as many loads per lane. The host is little-endian, as are all that the engine is
// built for.
template <class Stored>
std::int32_t loadPair(const Stored* at) {
    std::conditional_t<sizeof(Stored) == 1, std::uint16_t, std::int32_t> both;
    std::memcpy(&both, at, sizeof both);
    return both;
}
template <class Stored, class Integer>
Integer firstOf(Integer pair) {
    constexpr int kBits = 8 * sizeof(Stored);
    return (pair << (32 - kBits)) >> (32 - kBits);
}
template <class Stored, class Integer>
Integer secondOf(Integer pair) {
    constexpr int kBits = 8 * sizeof(Stored);
    return (pair << (32 - 2 * kBits)) >> (32 - kBits);
}

template <class Points>
struct Sample {
    typename Points::Number distance, gradientX, gradientY, gradientZ;
};

template <class Points, class Stored>
Sample<Points> sampleAt(const LevelSet<Stored>& field, typename Points::Number px, typename Points::Number py,
                        typename Points::Number pz) {
    using Number = typename Points::Number;
    const Grid& grid = field.grid;
    const Real inverseCell = 1 / grid.cell;
    const Axis<Points> x(px, grid.origin.x, inverseCell, grid.nodes.x), y(py, grid.origin.y, inverseCell, grid.nodes.y),
        z(pz, grid.origin.z, inverseCell, grid.nodes.z);

    const std::int32_t row = grid.nodes.x, slice = row * grid.nodes.y;
    const auto node = x.cell + row * y.cell + slice * z.cell;
    Number v[8];  // bit 0 of the corner: x, bit 1: y, bit 2: z
    for (int k = 0; k < 4; ++k) {
        const Stored* values = field.values.data() + (k & 1) * std::size_t(row) + (k >> 1) * std::size_t(slice);
        const auto pairs = Points::gather(node, [&](std::int32_t i) { return loadPair(values + i); });
        v[2 * k] = Points::toNumber(firstOf<Stored>(pairs));
        v[2 * k + 1] = Points::toNumber(secondOf<Stored>(pairs));
    }
    const Real scale = field.step * inverseCell;
    const Number fx = x.fraction, fy = y.fraction, fz = z.fraction;
    const Number d0 = v[1] - v[0], d1 = v[3] - v[2], d2 = v[5] - v[4], d3 = v[7] - v[6];
    const Number x0 = v[0] + fx * d0, x1 = v[2] + fx * d1, x2 = v[4] + fx * d2, x3 = v[6] + fx * d3;
    const Number e0 = x1 - x0, e1 = x3 - x2;
    const Number y0 = x0 + fy * e0, y1 = x2 + fy * e1;
    const Number slopeX0 = d0 + fy * (d1 - d0), slopeX1 = d2 + fy * (d3 - d2);
    const Number d = (y0 + fz * (y1 - y0)) * field.step;
    const Number slopeX = (slopeX0 + fz * (slopeX1 - slopeX0)) * scale, slopeY = (e0 + fz * (e1 - e0)) * scale,
                 slopeZ = (y1 - y0) * scale;

    const Number bx = x.beyond * grid.cell, by = y.beyond * grid.cell, bz = z.beyond * grid.cell;
    const Number outside = bx * bx + by * by + bz * bz;
    const auto isBeyond = outside > Points::all(0);
    if (!anyOf(isBeyond))
        return {d, slopeX, slopeY, slopeZ};
    const Number reach = rootOf(d * d + outside);
    const Number inverseReach = 1 / select(isBeyond, reach, Points::all(1));
    return {select(isBeyond, reach, d), select(isBeyond, (d * slopeX + bx) * inverseReach, slopeX),
            select(isBeyond, (d * slopeY + by) * inverseReach, slopeY),
            select(isBeyond, (d * slopeZ + bz) * inverseReach, slopeZ)};
}

}  // namespace

template <class Stored>
FieldSample sample(const LevelSet<Stored>& field, const Vec3& point) {
    const Sample<One> at = sampleAt<One>(field, point.x, point.y, point.z);
    return {at.distance, {at.gradientX, at.gradientY, at.gradientZ}};
}

template <class Stored>
void sampleFour(const LevelSet<Stored>& field, const PointBlock& points, SampleBlock& out) {
    const Sample<FourFloats> at = sampleAt<FourFloats>(field, points.x, points.y, points.z);
    out = {at.distance, at.gradientX, at.gradientY, at.gradientZ};
}

template <class Stored>
Quad boundFour(const LevelSet<Stored>& field, const PointBlock& points) {
    const Grid& grid = field.grid;
    const Real inverseCell = 1 / grid.cell;
    Quad squared = quadOf(0);  // squared distances to the nearest nodes, cells^2
    const auto nearestAlong = [&](Quad coordinate, Real origin, int nodes) {
        const Quad u = (coordinate - origin) * inverseCell;
        const Quad c = lesserOf(greaterOf(u, quadOf(0)), quadOf(Real(nodes - 1)));
        const QuadInteger node = FourFloats::truncated(c + Real(0.5));
        const Quad way = c - FourFloats::toNumber(node);
        squared += way * way;
        return node;
    };
    const std::int32_t row = grid.nodes.x, slice = row * grid.nodes.y;
    const QuadInteger x = nearestAlong(points.x, grid.origin.x, grid.nodes.x),
                      y = nearestAlong(points.y, grid.origin.y, grid.nodes.y),
                      z = nearestAlong(points.z, grid.origin.z, grid.nodes.z);
    const QuadInteger value =
        FourFloats::gather(x + row * y + slice * z, [&](std::int32_t i) { return std::int32_t(field.values[std::size_t(i)]); });
    return FourFloats::toNumber(value) * field.step - rootOf(squared) * (kRoundedUp * grid.cell);
}

template Quad boundFour<std::int8_t>(const LevelSet8&, const PointBlock&);
template Quad boundFour<std::int16_t>(const LevelSet16&, const PointBlock&);
template FieldSample sample<std::int8_t>(const LevelSet8&, const Vec3&);
template FieldSample sample<std::int16_t>(const LevelSet16&, const Vec3&);
template void sampleFour<std::int8_t>(const LevelSet8&, const PointBlock&, SampleBlock&);
template void sampleFour<std::int16_t>(const LevelSet16&, const PointBlock&, SampleBlock&);

}  // namespace sunder::geometry
