// Sums over corners are taken in whole numbers, which are exact.
#include "geometry/surface/plane_fits.h"

namespace sunder::geometry {
namespace {

// As in feature_point.cpp: planes within 20 degrees make no edge; a point this close to the cell is in it.
constexpr Real kParallelCosine = Real(0.94), kSlack = Real(0.1);

using Four = FourCells::Four;

// Row i becomes what was lane i of the four.
void transpose(Four (&row)[4]) {
    const Four low01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5);
    const Four low23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
    const Four high01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7);
    const Four high23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
    row[0] = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
    row[1] = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
    row[2] = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
    row[3] = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
}

Quad toQuad(Four whole) { return __builtin_convertvector(whole, Quad); }

Quad dot(const QuadVec3& a, const QuadVec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
QuadVec3 operator/(const QuadVec3& a, Quad s) { return {a.x / s, a.y / s, a.z / s}; }

Quad toCell(Quad x) {
    const Quad none{}, below = x < Real(1) ? x : none + Real(1);
    return below > none ? below : none;
}

}  // namespace

FourCells::FourCells(const Eight (&cells)[kLanes]) {
    for (int lane = 0; lane < kLanes; ++lane) {
        const Four pairs = (Four)cells[lane];
        low[lane] = pairs << 16 >> 16;
        high[lane] = pairs >> 16;
    }
    transpose(low);
    transpose(high);
}

PlaneFits fitPlanes(const FourCells& cells, Real scale) {
    Four row[4];
    for (int i = 0; i < 4; ++i)
        row[i] = cells.low[i] + cells.high[i];
    const Four total = row[0] + row[1] + row[2] + row[3];
    const Four alongX = total - (cells.low[0] + cells.low[1] + cells.low[2] + cells.low[3]) * 2;
    const Four alongY = row[1] + row[3] - row[0] - row[2], alongZ = row[2] + row[3] - row[0] - row[1];
    const Real quarter = scale * Real(0.25), half = Real(0.5);
    PlaneFits fits;
    fits.gradient = {toQuad(alongX) * quarter, toQuad(alongY) * quarter, toQuad(alongZ) * quarter};
    fits.mean = toQuad(total) * (scale * Real(0.125));
    fits.squared = dot(fits.gradient, fits.gradient);
    const Quad safe = fits.squared > Real(1e-6) ? fits.squared : Quad{} + Real(1);
    const Quad move = fits.mean / safe, inverse = Real(1) / rootOf(safe);
    const QuadVec3 moved{fits.gradient.x * move, fits.gradient.y * move, fits.gradient.z * move};
    fits.position = {half - moved.x, half - moved.y, half - moved.z};
    fits.normal = {fits.gradient.x * inverse, fits.gradient.y * inverse, fits.gradient.z * inverse};
    fits.misfit = absolute(fits.squared - Real(1));
    const Quad outX = absolute(moved.x), outY = absolute(moved.y), outZ = absolute(moved.z);
    const Quad outXY = outX > outY ? outX : outY;
    fits.leaves = (outXY > outZ ? outXY : outZ) - half;
    return fits;
}

QuadMask areFlat(const FourCells& cells, const PlaneFits& fits, Real scale, Real most) {
    const Real half = Real(0.5);
    const QuadVec3 step{fits.gradient.x * half, fits.gradient.y * half, fits.gradient.z * half};
    QuadMask areNear = ~QuadMask{};
    for (int i = 0; i < 4; ++i) {
        const Quad stepY = i & 1 ? step.y : -step.y, stepZ = i & 2 ? step.z : -step.z;
        areNear &= absolute(toQuad(cells.low[i]) * scale - fits.mean - (-step.x + stepY + stepZ)) < most;
        areNear &= absolute(toQuad(cells.high[i]) * scale - fits.mean - (step.x + stepY + stepZ)) < most;
    }
    return areNear;
}

EdgeFits fitEdges(const PlaneFits& a, const PlaneFits& b) {
    const Quad across = dot(a.gradient, b.gradient), product = a.squared * b.squared, none{};
    const QuadMask isEdge = across * across < kParallelCosine * kParallelCosine * a.squared * b.squared;
    const Quad inverse = Real(1) / (isEdge ? product - across * across : none + Real(1));
    const Quad s = (across * b.mean - b.squared * a.mean) * inverse, t = (across * a.mean - a.squared * b.mean) * inverse;
    const Real half = Real(0.5);
    const QuadVec3 meet{half + a.gradient.x * s + b.gradient.x * t, half + a.gradient.y * s + b.gradient.y * t,
                        half + a.gradient.z * s + b.gradient.z * t};
    EdgeFits fits;
    fits.position = {toCell(meet.x), toCell(meet.y), toCell(meet.z)};
    const QuadVec3 out{meet.x - fits.position.x, meet.y - fits.position.y, meet.z - fits.position.z};
    fits.isInside = isEdge & (dot(out, out) <= kSlack * kSlack);
    const QuadVec3 unitA = a.gradient / rootOf(isEdge ? a.squared : none + Real(1));
    const QuadVec3 unitB = b.gradient / rootOf(isEdge ? b.squared : none + Real(1));
    const QuadVec3 sum{unitA.x + unitB.x, unitA.y + unitB.y, unitA.z + unitB.z};
    fits.normal = sum / rootOf(isEdge ? dot(sum, sum) : none + Real(1));
    return fits;
}

}  // namespace sunder::geometry
