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

namespace sunder::fracture {

using geometry::CellSheets;
using geometry::FeaturePoint;
using geometry::Int3;
using geometry::kCellSheets;
using geometry::LevelSet;
using geometry::NodePlane;
using geometry::NodePlanes;
using geometry::PlaneFits;
using geometry::SurfaceFeature;
using geometry::SurfaceVertex;

namespace {

// As in surface_vertices.cpp: how far |gradient|^2 may be from 1 to be one plane, on top of the rounding of stored values.
constexpr Real kSmoothTolerance = Real(0.04);
// As in feature_point.cpp: planes within 20 degrees make no edge; a point this close to the cell is in it.
constexpr Real kParallelCosine = Real(0.94), kSlack = Real(0.1);

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
    bool isPlane(Real tolerance) const { return std::fabs(squared - 1) < tolerance; }
};

constexpr Vec3 kMiddle{Real(0.5), Real(0.5), Real(0.5)};

Vec3 clampToCell(const Vec3& p) { return max(min(p, Vec3{1, 1, 1}), Vec3{}); }

struct Cell {
    Int3 at;
    std::uint32_t node;
    unsigned corners;
};

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
          isOwn_(std::size_t(pattern.regionCount) + 1),
          piece_(piece),
          planes_(piece),
          offset_{nodes.range.low.x - 1, nodes.range.low.y - 1, nodes.range.low.z - 1},
          scale_(piece.step / piece.grid.cell),
          tolerance_(kSmoothTolerance + 2 * scale_) {
        setStrides(pieceStrides_, std::size_t(piece.grid.nodes.x), std::size_t(piece.grid.nodes.y));
        setStrides(parentStrides_, std::size_t(parent.grid.nodes.x), std::size_t(parent.grid.nodes.y));
        setStrides(patternStrides_, pattern.rowStride, 0);
        for (int corner = 4; corner < 8; ++corner)
            patternStrides_[corner] = patternStrides_[corner - 4] + pattern.sliceStride;
        for (const std::uint16_t region : nodes.regions)
            isOwn_[region] = 1;
    }

    std::vector<SurfaceVertex> run() {
        const geometry::SignMask mask(piece_);
        std::vector<Cell> cells;
        cells.reserve(mask.surfaceCellCount());
        mask.forEachSurfaceCell([&](int x, int y, int z, unsigned corners) {
            cells.push_back({{x, y, z}, std::uint32_t(piece_.grid.index(x, y, z)), corners});
        });
        std::vector<SurfaceVertex> result;
        result.reserve(cells.size() + cells.size() / 16);
        PlaneFits fits;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (i % PlaneFits::kLanes == 0)
                fitBlock(&cells[i], std::min(std::size_t(PlaneFits::kLanes), cells.size() - i), fits);
            addVertices(cells[i], fits, int(i % PlaneFits::kLanes), result);
        }
        return result;
    }

private:
    static void setStrides(std::size_t (&strides)[8], std::size_t row, std::size_t rows) {
        for (std::size_t corner = 0; corner < 8; ++corner)
            strides[corner] = (corner & 1) + (corner >> 1 & 1) * row + (corner >> 2) * row * rows;
    }

    void fitBlock(const Cell* cells, std::size_t count, PlaneFits& fits) const {
        const std::size_t row = pieceStrides_[2], slice = pieceStrides_[4];
        Real values[8][PlaneFits::kLanes];
        for (std::size_t lane = 0; lane < PlaneFits::kLanes; ++lane) {
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
        fits = geometry::fitPlanes(values, scale_);
    }

    void addVertices(const Cell& cell, const PlaneFits& fits, int lane, std::vector<SurfaceVertex>& out) {
        const CellSheets& sheets = kCellSheets[cell.corners];
        const Vec3 origin = piece_.grid.position(cell.at.x, cell.at.y, cell.at.z);
        for (int sheet = 0; sheet < sheets.count; ++sheet) {
            Placed at;
            if (sheets.count > 1)
                at = placeSheet(cell.node, sheets, sheet);
            else if (fits.misfit[lane] < tolerance_ && fits.leaves[lane] <= 0)
                at = planeOf(fits, lane);
            else
                at = place(cell.at, cell.node, sheets);
            out.push_back({origin + at.position * piece_.grid.cell, at.normal, cell.node, std::uint8_t(cell.corners),
                           std::uint8_t(sheet), at.feature});
        }
    }

    void pieceValues(std::size_t node, Corners& v) const {
        for (int i = 0; i < 8; ++i)
            v[i] = Real(piece_.values[node + pieceStrides_[i]]) * scale_;
    }

    // Where the plane through the cell is not enough.
    Placed place(const Int3& cell, std::size_t node, const CellSheets& sheets) {
        Corners v;
        pieceValues(node, v);
        const Fit fit(v);
        if (fit.isPlane(tolerance_))
            return {meanCrossing(v, sheets, 0), fit.gradient / std::sqrt(fit.squared), SurfaceFeature::Smooth};
        Placed result;
        switch (placeOnCut(cell, v, result)) {
            case Cut::Placed: return result;
            case Cut::Outside: return {meanCrossing(v, sheets, 0), result.normal, SurfaceFeature::Smooth};
            case Cut::Other: break;
        }
        return placeOnFeature(cell, v, meanCrossing(v, sheets, 0));
    }

    static Placed planeOf(const PlaneFits& fits, int lane) {
        return {{fits.x[lane], fits.y[lane], fits.z[lane]},
                {fits.normalX[lane], fits.normalY[lane], fits.normalZ[lane]},
                SurfaceFeature::Smooth};
    }

    // Where only the old surface passes through the cell, or only the border of two regions, or both as two planes: Placed, or
    // Outside where the point nearest to the middle of the one face is not in the cell. Distances of a pattern with larger
    // cells than the body's are not of unit slope near other borders, but where a cell has but two regions the border between
    // them is smooth all the same, and where it is zero it is right.
    enum class Cut { Placed, Outside, Other };
    Cut placeOnCut(const Int3& cell, const Corners& v, Placed& out) const {
        const Int3 at{cell.x + offset_.x, cell.y + offset_.y, cell.z + offset_.z};
        const std::size_t parentNode = parent_.grid.index(at.x, at.y, at.z);
        const std::size_t patternNode =
            std::size_t(at.x) + std::size_t(at.y) * pattern_.rowStride + std::size_t(at.z) * pattern_.sliceStride;
        Corners old, cut;
        std::uint16_t own = 0, other = 0;
        bool hasOld = false, isTwo = true;
        for (int i = 0; i < 8; ++i) {
            const std::size_t node = patternNode + patternStrides_[i];
            const std::uint16_t label = pattern_.labels[node];
            const bool isOwn = isOwn_[label] != 0;
            std::uint16_t& known = isOwn ? own : other;
            isTwo = isTwo && (known == 0 || known == label);
            known = label;
            old[i] = Real(parent_.values[parentNode + parentStrides_[i]]) * scale_;
            const Real distance = Real(pattern_.distances[node]) * (Real(1) / Real(kPlacedSteps));
            // Inside of a piece that was joined of parts the field knows better.
            cut[i] = v[i] > old[i] ? v[i] : (isOwn ? -distance : distance);
            hasOld = hasOld || old[i] >= 0;
        }
        const Fit oldFit(old);
        if (hasOld && !oldFit.isPlane(tolerance_))
            return Cut::Other;
        if (other == 0)
            return placeOnFace(oldFit, out);
        const Fit cutFit(cut);
        if (!isTwo || (pattern_.hasSharpFaces && !cutFit.isPlane(tolerance_)))
            return Cut::Other;
        if (!hasOld)
            return placeOnFace(cutFit, out);
        return placeOnEdge(oldFit, cutFit, out) ? Cut::Placed : Cut::Other;
    }

    static Cut placeOnFace(const Fit& face, Placed& out) {
        if (!(face.squared > kEpsilon))
            return Cut::Other;
        const Vec3 move = face.gradient * (face.mean / face.squared);
        out = {kMiddle - move, face.gradient / std::sqrt(face.squared), SurfaceFeature::Smooth};
        const Vec3 leaves = abs(move);
        return max(leaves.x, max(leaves.y, leaves.z)) <= Real(0.5) ? Cut::Placed : Cut::Outside;
    }

    Placed placeOnFeature(const Int3& cell, const Corners& v, const Vec3& mean) {
        const NodePlane* planes[8];
        planes_.atCorners(cell, planes);
        const FeaturePoint found = geometry::featurePoint(planes, mean);
        if (found.feature == SurfaceFeature::Smooth)
            return {mean, normalizeOr(Fit(v).gradient, Vec3{0, 1, 0}), SurfaceFeature::Smooth};
        // The tip of a corner may stick out of its cell into one that has no vertex of its own.
        if (found.isOutside && hasSurface(cell, found.position))
            return {found.inCell, found.inCellNormal, SurfaceFeature::Smooth};
        return {found.position, found.normal, found.feature};
    }

    Placed placeSheet(std::size_t node, const CellSheets& sheets, int sheet) const {
        Corners v;
        pieceValues(node, v);
        // Outward of the corners that the sheet parts from the rest.
        const Vec3 mean = meanCrossing(v, sheets, sheet);
        Vec3 normal;
        for (int i = sheets.start[sheet]; i < sheets.start[sheet + 1]; ++i) {
            const int edge = sheets.edges[i], first = geometry::edgeCorner(edge, 0);
            setComponent(normal, edge / 4, component(normal, edge / 4) + (v[first] < 0 ? Real(1) : Real(-1)));
        }
        return {mean, normalizeOr(normal, Vec3{0, 1, 0}), SurfaceFeature::Smooth};
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
    std::vector<std::uint8_t> isOwn_;  // per label of the pattern
    const LevelSet<Stored>& piece_;
    NodePlanes<Stored> planes_;
    Int3 offset_;  // of the piece's grid in its parent's
    Real scale_, tolerance_;
    std::size_t pieceStrides_[8], parentStrides_[8], patternStrides_[8];  // to a cell's corners
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
