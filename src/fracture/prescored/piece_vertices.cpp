// Each cell is tried from cheap to dear: one plane through the piece's values; the cut alone, or the old surface and the cut as
// two planes, where the cut is the border of two regions; the planes that the corners see (geometry/surface/feature_point.h),
// where cuts meet each other or an old edge.
#include "fracture/prescored/piece_vertices.h"

#include <algorithm>
#include <cmath>

#include "geometry/level_set/sign_mask.h"
#include "geometry/surface/cell_sheets.h"
#include "geometry/surface/feature_point.h"
#include "geometry/surface/plane_fits.h"
#include "math/eight_integers.h"

namespace sunder::fracture {

using geometry::CellSheets;
using geometry::FeaturePoint;
using geometry::Int3;
using geometry::kCellSheets;
using geometry::LevelSet;
using geometry::PlaneFits;
using geometry::SurfaceFeature;
using geometry::SurfaceVertex;

namespace {

// As in surface_vertices.cpp: how far |gradient|^2 may be from 1 to be one plane, on top of the rounding of stored values.
constexpr Real kSmoothTolerance = Real(0.04);
// As in feature_point.cpp: planes within 20 degrees make no edge; a point this close to the cell is in it.
constexpr Real kParallelCosine = Real(0.94), kSlack = Real(0.1);

// How far a corner may be from the plane through all of them, in cells.
constexpr Real kFlatness = Real(0.05);

using Corners = Real[8];  // values at a cell's corners, in cells; bit 0 of the corner: x, bit 1: y, bit 2: z

// gradient . (x - middle of the cell) + mean
struct Fit {
    Vec3 gradient;
    Real mean, squared;

    explicit Fit(const Corners& v) {
        const Real low = (v[0] + v[1]) + (v[2] + v[3]), high = (v[4] + v[5]) + (v[6] + v[7]);
        gradient = Vec3{((v[1] + v[3]) + (v[5] + v[7])) - ((v[0] + v[2]) + (v[4] + v[6])),
                        ((v[2] + v[3]) + (v[6] + v[7])) - ((v[0] + v[1]) + (v[4] + v[5])), high - low} *
                   Real(0.25);
        mean = (low + high) * Real(0.125);
        squared = lengthSquared(gradient);
    }
};

constexpr Vec3 kMiddle{Real(0.5), Real(0.5), Real(0.5)};

Vec3 clampToCell(const Vec3& p) { return max(min(p, Vec3{1, 1, 1}), Vec3{}); }

using Cell = geometry::SurfaceCell;

struct Placed {
    Vec3 position, normal;  // in cells from the cell's lowest node
    SurfaceFeature feature = SurfaceFeature::Smooth;
};

// The point of the edge between two planes that is nearest to the middle of the cell; false where it is not in the cell.
bool placeOnEdge(const Fit& a, const Fit& b, Placed& out) {
    const Real across = dot(a.gradient, b.gradient), determinant = a.squared * b.squared - across * across;
    if (!(across * across < square(kParallelCosine) * a.squared * b.squared))
        return false;
    const Real inverse = 1 / determinant;
    const Real s = (across * b.mean - b.squared * a.mean) * inverse, t = (across * a.mean - a.squared * b.mean) * inverse;
    const Vec3 position = kMiddle + a.gradient * s + b.gradient * t;
    out.position = clampToCell(position);
    if (lengthSquared(position - out.position) > square(kSlack))
        return false;
    out.normal = normalizeOr(a.gradient / std::sqrt(a.squared) + b.gradient / std::sqrt(b.squared), a.gradient);
    out.feature = SurfaceFeature::Edge;
    return true;
}

template <class Stored>
class PieceCells {
public:
    PieceCells(const LevelSet<Stored>& parent, const PlacedPattern& pattern, const PieceOfNodes& nodes,
               const LevelSet<Stored>& piece)
        : parent_(parent),
          pattern_(pattern),
          regions_(nodes.regions),
          piece_(piece),
          offset_{nodes.range.low.x - 1, nodes.range.low.y - 1, nodes.range.low.z - 1},
          scale_(piece.step / piece.grid.cell),
          tolerance_(kSmoothTolerance + 2 * scale_) {
        setStrides(pieceStrides_, std::size_t(piece.grid.nodes.x), std::size_t(piece.grid.nodes.y));
    }

    std::vector<SurfaceVertex> run() {
        const geometry::SignMask mask(piece_);
        std::vector<Cell> cells;
        cells.reserve(mask.surfaceCellCount());
        std::uint32_t vertex = 0;
        mask.forEachSurfaceCell([&](int x, int y, int z, unsigned corners) {
            cells.push_back({{x, y, z}, std::uint32_t(piece_.grid.index(x, y, z)), vertex, corners});
            vertex += kCellSheets[corners].count;
        });
        result_.resize(vertex);
        std::vector<Cell> others;
        others.reserve(cells.size());
        forEachFour(cells, [&](const Cell* four, std::size_t count) { placeOnPlanes(four, count, others); });
        forEachFour(others, [&](const Cell* four, std::size_t count) { placeOnCuts(four, count); });
        return std::move(result_);
    }

private:
    static constexpr std::size_t kLanes = PlaneFits::kLanes;

    static void setStrides(std::size_t (&strides)[8], std::size_t row, std::size_t rows) {
        for (std::size_t corner = 0; corner < 8; ++corner)
            strides[corner] = (corner & 1) + (corner >> 1 & 1) * row + (corner >> 2) * row * rows;
    }

    template <class Visit>
    static void forEachFour(const std::vector<Cell>& cells, Visit&& visit) {
        for (std::size_t i = 0; i < cells.size(); i += kLanes)
            visit(&cells[i], std::min(kLanes, cells.size() - i));
    }

    void put(const Cell& cell, int sheet, const Placed& at) {
        result_[cell.vertex + std::uint32_t(sheet)] =
            geometry::vertexIn(piece_.grid, cell, sheet, at.position, at.normal, at.feature);
    }

    static Placed planeOf(const PlaneFits& fits, std::size_t lane) {
        return {{fits.x[lane], fits.y[lane], fits.z[lane]},
                {fits.normalX[lane], fits.normalY[lane], fits.normalZ[lane]},
                SurfaceFeature::Smooth};
    }

    // Those that hold one plane; the rest goes to `others`.
    void placeOnPlanes(const Cell* cells, std::size_t count, std::vector<Cell>& others) {
        const std::size_t row = pieceStrides_[2], slice = pieceStrides_[4];
        Real values[8][kLanes];
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const Stored* at = &piece_.values[cells[std::min(lane, count - 1)].node];
            values[0][lane] = Real(at[0]);
            values[1][lane] = Real(at[1]);
            values[2][lane] = Real(at[row]);
            values[3][lane] = Real(at[row + 1]);
            values[4][lane] = Real(at[slice]);
            values[5][lane] = Real(at[slice + 1]);
            values[6][lane] = Real(at[slice + row]);
            values[7][lane] = Real(at[slice + row + 1]);
        }
        const PlaneFits fits = geometry::fitPlanes(values, scale_);
        for (std::size_t lane = 0; lane < count; ++lane) {
            const Cell& cell = cells[lane];
            const CellSheets& sheets = kCellSheets[cell.corners];
            if (sheets.count > 1)
                placeSheets(cell, sheets);
            else if (!(fits.misfit[lane] < tolerance_))
                others.push_back(cell);
            else if (fits.leaves[lane] <= 0)
                put(cell, 0, planeOf(fits, lane));
            else
                putMean(cell, planeOf(fits, lane).normal);
        }
    }

    void putMean(const Cell& cell, const Vec3& normal) {
        Corners v;
        pieceValues(cell.node, v);
        put(cell, 0, {meanCrossing(v, kCellSheets[cell.corners], 0), normal, SurfaceFeature::Smooth});
    }

    void pieceValues(std::size_t node, Corners& v) const {
        for (int i = 0; i < 8; ++i)
            v[i] = Real(piece_.values[node + pieceStrides_[i]]) * scale_;
    }

    // What passes through a cell: the old surface alone, the border of two regions alone, both, or more. Distances of a
    // pattern with larger cells than the body's are not of unit slope near other borders, but where a cell has but two regions
    // the border between them is smooth all the same, and where it is zero it is right.
    enum class Through { Old, Cut, Both, More };

    // The values of the old surface and of the cut at the cell's corners, as stored.
    Through look(const Cell& cell, Eight& old, Eight& cut) const {
        constexpr std::int16_t stepsPerPlaced = LevelSet<Stored>::kStepsPerCell / kPlacedSteps;
        const Int3 at{cell.at.x + offset_.x, cell.at.y + offset_.y, cell.at.z + offset_.z};
        const std::size_t patternNode =
            std::size_t(at.x) + std::size_t(at.y) * pattern_.rowStride + std::size_t(at.z) * pattern_.sliceStride;
        const auto patternCorners = [&](const auto* nodes) {
            return atCorners(nodes + patternNode, pattern_.rowStride, pattern_.sliceStride);
        };
        const Eight labels = patternCorners(pattern_.labels);
        const Eight distances = patternCorners(pattern_.distances) * stepsPerPlaced;
        const Eight values = atCorners(&piece_.values[cell.node], pieceStrides_[2], pieceStrides_[4]);
        old = atCorners(&parent_.values[parent_.grid.index(at.x, at.y, at.z)], std::size_t(parent_.grid.nodes.x),
                        std::size_t(parent_.grid.nodes.x) * std::size_t(parent_.grid.nodes.y));
        Eight isOwn{};
        for (const std::uint16_t region : regions_)
            isOwn |= labels == std::int16_t(region);
        // Inside of a piece that was joined of parts the field knows better.
        cut = values > old ? values : negateWhere(isOwn, distances);
        const Eight owned = labels & isOwn, other = labels & ~isOwn;
        if (anyBits(other) == 0)
            return Through::Old;
        if (anyBits(owned) != commonBits(owned | ~isOwn) || anyBits(other) != commonBits(other | isOwn))
            return Through::More;
        return anyBits(old >= std::int16_t(0)) == 0 ? Through::Cut : Through::Both;
    }

    void placeOnCuts(const Cell* cells, std::size_t count) {
        Real values[8][kLanes];
        Eight old[kLanes], cut[kLanes];
        Through through[kLanes];
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            through[lane] = look(cells[std::min(lane, count - 1)], old[lane], cut[lane]);
            const Eight& face = through[lane] == Through::Cut ? cut[lane] : old[lane];
            for (int i = 0; i < 8; ++i)
                values[i][lane] = Real(face[i]);
        }
        const PlaneFits fits = geometry::fitPlanes(values, scale_);
        for (std::size_t lane = 0; lane < count; ++lane) {
            const bool isPlane = fits.misfit[lane] < tolerance_;
            const bool isFace = through[lane] == Through::Cut ? isPlane || (!pattern_.hasSharpFaces && isFlat(cut[lane]))
                                                              : through[lane] == Through::Old && isPlane;
            Placed edge;
            if (isFace && fits.leaves[lane] <= 0)
                put(cells[lane], 0, planeOf(fits, lane));
            else if (isFace)
                putMean(cells[lane], planeOf(fits, lane).normal);
            else if (through[lane] == Through::Both && isPlane && placeOnEdge(old[lane], cut[lane], edge))
                put(cells[lane], 0, edge);
            else
                placeOnFeature(cells[lane]);
        }
    }

    // Whether the values are those of a plane, whatever its slope. The tip of a third region may reach into a cell of two.
    bool isFlat(const Eight& stored) const {
        const Fit fit = fitOf(stored);
        Real worst = 0;
        for (int i = 0; i < 8; ++i) {
            const Vec3 corner{Real(i & 1) - Real(0.5), Real(i >> 1 & 1) - Real(0.5), Real(i >> 2) - Real(0.5)};
            worst = max(worst, std::fabs(Real(stored[i]) * scale_ - fit.mean - dot(fit.gradient, corner)));
        }
        return worst < kFlatness;
    }

    bool placeOnEdge(const Eight& old, const Eight& cut, Placed& out) const {
        const Fit cutFit = fitOf(cut);
        if (pattern_.hasSharpFaces && !(std::fabs(cutFit.squared - 1) < tolerance_))
            return false;
        return fracture::placeOnEdge(fitOf(old), cutFit, out);
    }

    Fit fitOf(const Eight& stored) const {
        Corners v;
        for (int i = 0; i < 8; ++i)
            v[i] = Real(stored[i]) * scale_;
        return Fit(v);
    }

    void placeOnFeature(const Cell& cell) {
        Corners v;
        pieceValues(cell.node, v);
        put(cell, 0, placeOnFeature(cell.at, v, meanCrossing(v, kCellSheets[cell.corners], 0)));
    }

    Placed placeOnFeature(const Int3& cell, const Corners& v, const Vec3& mean) {
        const FeaturePoint found = geometry::featurePoint(geometry::cornerPlanes(piece_, cell), mean);
        if (found.feature == SurfaceFeature::Smooth)
            return {mean, normalizeOr(Fit(v).gradient, Vec3{0, 1, 0}), SurfaceFeature::Smooth};
        // The tip of a corner may stick out of its cell into one that has no vertex of its own.
        if (found.isOutside && hasSurface(cell, found.position))
            return {found.inCell, found.inCellNormal, SurfaceFeature::Smooth};
        return {found.position, found.normal, found.feature};
    }

    void placeSheets(const Cell& cell, const CellSheets& sheets) {
        Corners v;
        pieceValues(cell.node, v);
        for (int sheet = 0; sheet < sheets.count; ++sheet) {
            // Outward of the corners that the sheet parts from the rest.
            Vec3 normal;
            for (int i = sheets.start[sheet]; i < sheets.start[sheet + 1]; ++i) {
                const int edge = sheets.edges[i], first = geometry::edgeCorner(edge, 0);
                setComponent(normal, edge / 4, component(normal, edge / 4) + (v[first] < 0 ? Real(1) : Real(-1)));
            }
            put(cell, sheet, {meanCrossing(v, sheets, sheet), normalizeOr(normal, Vec3{0, 1, 0}), SurfaceFeature::Smooth});
        }
    }

    // Of the points where the sheet crosses the cell's edges; always in the cell.
    static Vec3 meanCrossing(const Corners& v, const CellSheets& sheets, int sheet) {
        const int first = sheets.start[sheet], last = sheets.start[sheet + 1];
        Vec3 sum;
        for (int i = first; i < last; ++i) {
            const int edge = sheets.edges[i];
            const int corner0 = geometry::edgeCorner(edge, 0), corner1 = geometry::edgeCorner(edge, 1);
            Vec3 point{Real(corner0 & 1), Real(corner0 >> 1 & 1), Real(corner0 >> 2)};
            setComponent(point, edge / 4, v[corner0] / (v[corner0] - v[corner1]));
            sum += point;
        }
        return sum * (1 / Real(last - first));
    }

    // Whether the surface passes through the cell that holds the point, given from the other cell's lowest node.
    bool hasSurface(const Int3& from, const Vec3& point) const {
        const Int3 cell{from.x + int(std::floor(point.x)), from.y + int(std::floor(point.y)),
                        from.z + int(std::floor(point.z))};
        const auto [nx, ny, nz] = piece_.grid.nodes;
        if (cell.x < 0 || cell.y < 0 || cell.z < 0 || cell.x + 1 >= nx || cell.y + 1 >= ny || cell.z + 1 >= nz)
            return true;
        const std::size_t node = piece_.grid.index(cell.x, cell.y, cell.z);
        int inside = 0;
        for (const std::size_t stride : pieceStrides_)
            inside += piece_.values[node + stride] < 0;
        return inside != 0 && inside != 8;
    }

    const LevelSet<Stored>& parent_;
    const PlacedPattern& pattern_;
    const std::vector<std::uint16_t>& regions_;  // its own
    const LevelSet<Stored>& piece_;
    std::vector<SurfaceVertex> result_;
    Int3 offset_;  // of the piece's grid in its parent's
    Real scale_, tolerance_;
    std::size_t pieceStrides_[8];  // to a cell's corners
};

}  // namespace

template <class Stored>
std::vector<SurfaceVertex> pieceVertices(const LevelSet<Stored>& parent, const PlacedPattern& pattern,
                                         const PieceOfNodes& nodes, const LevelSet<Stored>& piece) {
    return PieceCells<Stored>(parent, pattern, nodes, piece).run();
}

#define SUNDER_PIECE_VERTICES_OF(Stored)                                                                     \
    template std::vector<SurfaceVertex> pieceVertices<Stored>(const LevelSet<Stored>&, const PlacedPattern&, \
                                                              const PieceOfNodes&, const LevelSet<Stored>&);
SUNDER_PIECE_VERTICES_OF(std::int8_t)
SUNDER_PIECE_VERTICES_OF(std::int16_t)
#undef SUNDER_PIECE_VERTICES_OF

}  // namespace sunder::fracture
