#include "geometry/surface/plane_fits.h"

#include <cstddef>
#include <cstring>
#include <utility>

#include "geometry/surface/cell_sheets.h"

namespace sunder::geometry {
namespace {

using Four = FourCells::Four;

QuadVec3 operator/(const QuadVec3& a, Quad s) { return {a.x / s, a.y / s, a.z / s}; }

Quad toCell(Quad x) {
    const Quad none{}, below = x < Real(1) ? x : none + Real(1);
    return below > none ? below : none;
}

}  // namespace

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

QuadVec3 meanCrossings(const FourCells& cells, Real scale) {
    Quad corners[8];
    for (int i = 0; i < 4; ++i) {
        corners[2 * i] = toQuad(cells.low[i]) * scale;
        corners[2 * i + 1] = toQuad(cells.high[i]) * scale;
    }
    const Quad none{}, one = none + Real(1);
    Quad sum[3] = {none, none, none}, count = none;
    const auto addEdge = [&](auto edge) {
        constexpr int from = edgeCorner(edge, 0), to = edgeCorner(edge, 1), axis = edge / 4;
        constexpr int u = (axis + 1) % 3, v = (axis + 2) % 3;
        const Quad a = corners[from], b = corners[to];
        const QuadMask isCrossed = (a < none) ^ (b < none);
        const Quad full = isCrossed ? one : none;
        count += full;
        sum[axis] += isCrossed ? a / (a - b) : none;
        if constexpr ((from >> u & 1) != 0)
            sum[u] += full;
        if constexpr ((from >> v & 1) != 0)
            sum[v] += full;
    };
    const auto addEdges = [&]<int... Edge>(std::integer_sequence<int, Edge...>) {
        (addEdge(std::integral_constant<int, Edge>{}), ...);
    };
    addEdges(std::make_integer_sequence<int, 12>{});
    const Quad inverse = one / (count > none ? count : one);
    return {sum[0] * inverse, sum[1] * inverse, sum[2] * inverse};
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

// In single precision a vertex is two groups of four numbers, so four vertices are two matrices to transpose.
void putVertices(const Grid& grid, const SurfaceCell* const (&cells)[4], const QuadVec3& inCells, const QuadVec3& normals,
                 SurfaceFeature feature, SurfaceVertex* out) {
    if constexpr (sizeof(Real) == sizeof(float)) {
        static_assert(sizeof(Real) != sizeof(float) ||
                      (sizeof(SurfaceVertex) == 32 && offsetof(SurfaceVertex, normal) == 12 &&
                       offsetof(SurfaceVertex, cell) == 24 && offsetof(SurfaceVertex, corners) == 28));
        static_assert(offsetof(SurfaceCell, node) == 12);
        Four places[4], marks;
        for (std::size_t lane = 0; lane < 4; ++lane)
            std::memcpy(&places[lane], cells[lane], sizeof places[lane]);
        for (std::size_t lane = 0; lane < 4; ++lane)
            marks[lane] = std::int32_t(cells[lane]->corners | std::uint32_t(feature) << 16);
        transpose(places);
        const Real cell = grid.cell;
        Quad first[4] = {(grid.origin.x + toQuad(places[0]) * cell) + inCells.x * cell,
                         (grid.origin.y + toQuad(places[1]) * cell) + inCells.y * cell,
                         (grid.origin.z + toQuad(places[2]) * cell) + inCells.z * cell, normals.x};
        Quad second[4] = {normals.y, normals.z};
        std::memcpy(&second[2], &places[3], sizeof places[3]);
        std::memcpy(&second[3], &marks, sizeof marks);
        transpose(first);
        transpose(second);
        for (std::size_t lane = 0; lane < 4; ++lane) {
            char* to = reinterpret_cast<char*>(out + cells[lane]->vertex);
            std::memcpy(to, &first[lane], 16);
            std::memcpy(to + 16, &second[lane], 16);
        }
    } else {
        for (std::size_t lane = 0; lane < 4; ++lane)
            putVertex(grid, *cells[lane], 0, laneOf(inCells, lane), laneOf(normals, lane), feature, out[cells[lane]->vertex]);
    }
}

}  // namespace sunder::geometry
