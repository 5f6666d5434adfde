// Four corners at a time: those at the low and those at the high z of the cell.
#include "geometry/surface/node_planes.h"

#include <cmath>
#include <cstddef>

#include "math/lanes.h"

namespace sunder::geometry {
namespace {

using wide::Quad;
typedef wide::LaneInteger QuadMask __attribute__((vector_size(4 * sizeof(Real))));

// A gradient whose length is off by this much says nothing.
constexpr Real kWorstLength = Real(0.08);
// Central differences are trusted to this, plus the rounding of stored values.
constexpr Real kCentralTolerance = Real(0.02);

struct QuadVec3 {
    Quad x, y, z;
};

Quad absolute(Quad a) { return a < Real(0) ? -a : a; }
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
    QuadVec3 best = backward;
    Quad bestError = absolute(b.x + b.y + b.z - Real(1));
    for (int choice = 1; choice < 8; ++choice) {
        const Quad x = choice & 1 ? f.x : b.x, y = choice & 2 ? f.y : b.y, z = choice & 4 ? f.z : b.z;
        const Quad error = absolute(x + y + z - Real(1));
        const QuadMask isNearer = error < bestError;
        best = select(
            isNearer,
            {choice & 1 ? forward.x : backward.x, choice & 2 ? forward.y : backward.y, choice & 4 ? forward.z : backward.z},
            best);
        bestError = isNearer ? error : bestError;
    }
    return best;
}

// The nodes of one row of the cell and those next to it. At the border of the grid the node itself stands for the missing one.
template <class Stored>
struct Neighbors {
    std::ptrdiff_t lowX, highX, lowY, highY;  // from the first and to the second node of the cell along the axis
    Quad hasLowX, hasHighX, hasLowY, hasHighY;

    Neighbors(const Grid& grid, const Int3& cell) {
        const std::ptrdiff_t row = grid.nodes.x;
        const bool low[2] = {cell.x > 0, cell.y > 0};
        const bool high[2] = {cell.x + 2 < grid.nodes.x, cell.y + 2 < grid.nodes.y};
        lowX = low[0] ? -1 : 0;
        highX = high[0] ? 2 : 1;
        lowY = low[1] ? -row : 0;
        highY = high[1] ? 2 * row : row;
        hasLowX = Quad{Real(low[0]), 1, Real(low[0]), 1};
        hasHighX = Quad{1, Real(high[0]), 1, Real(high[0])};
        hasLowY = Quad{Real(low[1]), Real(low[1]), 1, 1};
        hasHighY = Quad{1, 1, Real(high[1]), Real(high[1])};
    }
};

template <class Stored>
Quad four(const Stored* a, const Stored* b) {
    return Quad{Real(a[0]), Real(a[1]), Real(b[0]), Real(b[1])};
}

// `at`: the lowest of the four; below and above: the same node one slice before and after, or itself where there is none.
template <class Stored>
void planesOfFour(const Stored* at, const Stored* below, const Stored* above, std::ptrdiff_t row, const Neighbors<Stored>& next,
                  Real scale, CornerPlanes& out, int first) {
    const Stored* second = at + row;
    const Quad here = four(at, second);
    const Quad lowX{Real(at[next.lowX]), Real(at[0]), Real(second[next.lowX]), Real(second[0])};
    const Quad highX{Real(at[1]), Real(at[next.highX]), Real(second[1]), Real(second[next.highX])};
    QuadVec3 backward{(here - lowX) * scale, (here - four(at + next.lowY, at)) * scale,
                      (here - four(below, below + row)) * scale};
    QuadVec3 forward{(highX - here) * scale, (four(second, at + next.highY) - here) * scale,
                     (four(above, above + row) - here) * scale};
    backward.x = next.hasLowX != Real(0) ? backward.x : forward.x;
    backward.y = next.hasLowY != Real(0) ? backward.y : forward.y;
    backward.z = below != at ? backward.z : forward.z;
    forward.x = next.hasHighX != Real(0) ? forward.x : backward.x;
    forward.y = next.hasHighY != Real(0) ? forward.y : backward.y;
    forward.z = above != at ? forward.z : backward.z;

    QuadVec3 gradient{(backward.x + forward.x) * Real(0.5), (backward.y + forward.y) * Real(0.5),
                      (backward.z + forward.z) * Real(0.5)};
    const QuadMask isOff = lengthError(squaredLength(gradient)) > kCentralTolerance + scale;
    gradient = select(isOff, nearestToUnit(backward, forward), gradient);
    const Quad squared = squaredLength(gradient), error = lengthError(squared) / kWorstLength;
    for (int i = 0; i < 4; ++i) {
        const bool isPlane = squared[i] > 0;
        const Real length = isPlane ? std::sqrt(squared[i]) : Real(1);
        out.x[first + i] = gradient.x[i] / length;
        out.y[first + i] = gradient.y[i] / length;
        out.z[first + i] = gradient.z[i] / length;
        out.offset[first + i] = isPlane ? -here[i] * scale : Real(0);
        const Real weight = 1 - error[i];
        out.weight[first + i] = isPlane && weight > 0 ? weight : Real(0);
    }
}

}  // namespace

template <class Stored>
CornerPlanes cornerPlanes(const LevelSet<Stored>& field, const Int3& cell) {
    const std::ptrdiff_t row = field.grid.nodes.x, slice = row * field.grid.nodes.y;
    const Stored* at = &field.values[field.grid.index(cell.x, cell.y, cell.z)];
    const Neighbors<Stored> next(field.grid, cell);
    const Real scale = field.step / field.grid.cell;
    CornerPlanes result;
    planesOfFour(at, cell.z > 0 ? at - slice : at, at + slice, row, next, scale, result, 0);
    planesOfFour(at + slice, at, cell.z + 2 < field.grid.nodes.z ? at + 2 * slice : at + slice, row, next, scale, result, 4);
    return result;
}

template CornerPlanes cornerPlanes<std::int8_t>(const LevelSet8&, const Int3&);
template CornerPlanes cornerPlanes<std::int16_t>(const LevelSet16&, const Int3&);

}  // namespace sunder::geometry
