// Signed distance on a grid: negative inside, positive outside, zero counts as outside.
//   [GBF03] 2, [Su09] 4.1   a body is surface particles plus this field; the contact normal is its gradient
//
// Three forms of one field, all with the node order of Grid:
//   DistanceField   Real metres; while a field is being built
//   LevelSet16      16 bits, steps of cell / 256, +-127 cells; kept for re-fracture, drawing and mass
//   LevelSet8        8 bits, steps of cell / 32, +-3.9 cells (a narrow band); what contacts sample
// Values beyond the range are clamped: the field there keeps its sign and bounds the distance from below.
// A solid must not reach the border of its grid (the border nodes are outside); withBorder() makes it so.
#pragma once

#include <limits>
#include <vector>

#include "geometry/level_set/grid.h"
#include "math/quads.h"

namespace sunder::geometry {

struct DistanceField {
    Grid grid;
    std::vector<Real> values;  // m
};

template <class Stored>
struct LevelSet {
    static constexpr int kLimit = std::numeric_limits<Stored>::max();
    static constexpr int kStepsPerCell = sizeof(Stored) == 1 ? 32 : 256;

    Grid grid;
    Real step = 0;               // m per unit; cell / kStepsPerCell unless a wider band is wanted
    std::vector<Stored> values;  // distance / step, in [-kLimit, kLimit]

    bool isInside(std::size_t node) const { return values[node] < 0; }
    Real distance(std::size_t node) const { return Real(values[node]) * step; }
    // Bytes, including the struct itself.
    std::size_t memory() const { return sizeof(*this) + values.capacity() * sizeof(Stored); }
};

using LevelSet8 = LevelSet<std::int8_t>;
using LevelSet16 = LevelSet<std::int16_t>;

// Distance in metres, rounded to the nearest stored value. A negative distance stays negative where it would round to zero, so
// that no thin solid loses a node.
template <class Stored>
Stored toStored(Real distance, Real inverseStep);

template <class Stored>
LevelSet<Stored> quantize(const DistanceField& field);
// The field converted to the other width.
template <class To, class From>
LevelSet<To> converted(const LevelSet<From>& field);

// The nodes of the range, which may reach beyond the grid: there the field is outside, at its largest value.
template <class Stored>
LevelSet<Stored> crop(const LevelSet<Stored>& field, const GridRange& range);
// The range of the inside nodes, widened by the margin (it may then reach beyond the grid). Empty where nothing is inside.
template <class Stored>
GridRange insideRange(const LevelSet<Stored>& field, int marginNodes);
// The field itself, or where a border node is inside, one with another layer of outside nodes.
template <class Stored>
LevelSet<Stored> withBorder(LevelSet<Stored> field);
// Every stride-th node, for contacts of large pieces. Adds a layer of outside nodes where the last nodes fall between.
template <class Stored>
LevelSet<Stored> decimated(const LevelSet<Stored>& field, int stride);

struct FieldSample {
    Real distance = 0;  // m
    // Gradient of the interpolated field; close to unit length near a smooth surface, not normalised.
    Vec3 gradient;
};

// Trilinear, without branches. Outside the grid the result is sqrt(d(c)^2 + |p - c|^2) with c the nearest point of the grid,
// which never exceeds the true distance because the solid lies inside the convex box of the grid.
template <class Stored>
FieldSample sample(const LevelSet<Stored>& field, const Vec3& point);

// Four points at once, by coordinate. Every lane has the bits that sample() gives.
inline constexpr int kSampleLanes = 4;
struct PointBlock {
    Quad x, y, z;
};
struct SampleBlock {
    Quad distance, gradientX, gradientY, gradientZ;
};
template <class Stored>
void sampleFour(const LevelSet<Stored>& field, const PointBlock& points, SampleBlock& out);

// Lower bounds of the distances of four points, from the nearest nodes alone: at most sqrt(3) cells too low, at a quarter of
// the work. For points outside the grid, the bound of the nearest point of the grid.
template <class Stored>
Quad boundFour(const LevelSet<Stored>& field, const PointBlock& points);

}  // namespace sunder::geometry
