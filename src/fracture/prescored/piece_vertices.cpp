// Cells are tried from cheap to dear, all of a kind together and four at a time: one plane through the piece's values; the cut
// alone, or the old surface and the cut as two planes, where the cut is the border of two regions; the planes that the corners
// see (geometry/surface/feature_point.h), where cuts meet each other or an old edge.
#include "fracture/prescored/piece_vertices.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "geometry/level_set/sign_mask.h"
#include "geometry/surface/cell_sheets.h"
#include "geometry/surface/feature_point.h"
#include "geometry/surface/plane_fits.h"
#include "math/eight_integers.h"

namespace sunder::fracture {

using geometry::CellSheets;
using geometry::FeaturePoint;
using geometry::FourCells;
using geometry::Int3;
using geometry::kCellSheets;
using geometry::LevelSet;
using geometry::PlaneFits;
using geometry::SurfaceFeature;
using geometry::SurfaceVertex;

namespace {

// As in surface_vertices.cpp: how far |gradient|^2 may be from 1 to be one plane, on top of the rounding of stored values.
constexpr Real kSmoothTolerance = Real(0.04);
// How far a corner may be from the plane through all of them, in cells.
constexpr Real kFlatness = Real(0.05);

using Corners = Real[8];  // values at a cell's corners, in cells; bit 0 of the corner: x, bit 1: y, bit 2: z

Vec3 gradientOf(const Corners& v) {
    return Vec3{((v[1] + v[3]) + (v[5] + v[7])) - ((v[0] + v[2]) + (v[4] + v[6])),
                ((v[2] + v[3]) + (v[6] + v[7])) - ((v[0] + v[1]) + (v[4] + v[5])),
                ((v[4] + v[5]) + (v[6] + v[7])) - ((v[0] + v[1]) + (v[2] + v[3]))} *
           Real(0.25);
}

using Cell = geometry::SurfaceCell;

struct Placed {
    Vec3 position, normal;  // in cells from the cell's lowest node
    SurfaceFeature feature = SurfaceFeature::Smooth;
};

// A cell that one plane does not do for, and what passes through it: values of the old surface and of the cut at its corners,
// as stored.
struct LookedCell {
    Cell cell;
    bool isFace, isEdge;  // one of the two alone, or both
    bool isCut;           // the cut, alone or not
    Eight old, cut;
};

// A list that is written behind its end, and grows where that is to stay: no branch, where it is as good as random whether it
// is. It keeps its memory.
template <class Item>
class OpenList {
public:
    void clear() { count_ = 0; }
    // For so many more.
    void makeRoom(std::size_t more) {
        if (items_.size() < count_ + more)
            items_.resize(count_ + more);
    }
    void addIf(bool stays, const Item& item) {
        items_[count_] = item;
        count_ += std::size_t(stays);
    }
    std::span<const Item> items() const { return {items_.data(), count_}; }

private:
    std::vector<Item> items_;
    std::size_t count_ = 0;
};

// Cells by what passes through them.
struct CellLists {
    std::vector<Cell> cells;
    OpenList<Cell> others, features;
    OpenList<LookedCell> faces, edges;

    void clear() {
        cells.clear();
        others.clear();
        features.clear();
        faces.clear();
        edges.clear();
    }
};

template <class Stored>
class PieceCells {
public:
    PieceCells(const LevelSet<Stored>& parent, const PlacedPattern& pattern, const PieceOfNodes& nodes,
               const LevelSet<Stored>& piece, std::vector<SurfaceVertex>& memory)
        : parent_(parent),
          pattern_(pattern),
          regions_(nodes.regions),
          piece_(piece),
          result_(memory),
          offset_{nodes.range.low.x - 1, nodes.range.low.y - 1, nodes.range.low.z - 1},
          scale_(piece.step / piece.grid.cell),
          tolerance_(kSmoothTolerance + 2 * scale_) {
        setStrides(pieceStrides_, std::size_t(piece.grid.nodes.x), std::size_t(piece.grid.nodes.y));
    }

    std::span<const SurfaceVertex> run() {
        thread_local CellLists lists;
        lists.clear();
        std::uint32_t vertex = 0;
        geometry::SignMask(piece_).forEachSurfaceCell([&](int x, int y, int z, unsigned corners) {
            lists.cells.push_back({{x, y, z}, std::uint32_t(piece_.grid.index(x, y, z)), vertex, corners});
            vertex += kCellSheets[corners].count;
        });
        if (result_.size() < vertex)
            result_.resize(vertex);
        placeOnPlanes(lists.cells, lists.others);
        lookAt(lists.others.items(), lists);
        placeOnFaces(lists.faces.items(), lists.features);
        placeOnEdges(lists.edges.items(), lists.features);
        for (const Cell& cell : lists.features.items())
            placeOnFeature(cell);
        return {result_.data(), vertex};
    }

private:
    static constexpr std::size_t kLanes = FourCells::kLanes;

    static void setStrides(std::size_t (&strides)[8], std::size_t row, std::size_t rows) {
        for (std::size_t corner = 0; corner < 8; ++corner)
            strides[corner] = (corner & 1) + (corner >> 1 & 1) * row + (corner >> 2) * row * rows;
    }

    // visit(first, count, fits) for each four; valuesOf gives the stored values at the corners.
    template <class Item, class ValuesOf, class Visit>
    void forEachFour(std::span<const Item> items, ValuesOf&& valuesOf, Visit&& visit) const {
        for (std::size_t first = 0; first < items.size(); first += kLanes) {
            const std::size_t count = std::min(kLanes, items.size() - first);
            Eight values[kLanes];
            for (std::size_t lane = 0; lane < kLanes; ++lane)
                values[lane] = valuesOf(items[first + std::min(lane, count - 1)]);
            visit(&items[first], count, FourCells(values));
        }
    }

    void put(const Cell& cell, int sheet, const Placed& at) {
        result_[cell.vertex + std::uint32_t(sheet)] =
            geometry::vertexIn(piece_.grid, cell, sheet, at.position, at.normal, at.feature);
    }

    static Placed planeOf(const PlaneFits& fits, std::size_t lane) {
        return {laneOf(fits.position, lane), laneOf(fits.normal, lane), SurfaceFeature::Smooth};
    }

    // Those that hold one plane. All are put there; the others later once more.
    void placeOnPlanes(std::span<const Cell> cells, OpenList<Cell>& others) {
        others.makeRoom(cells.size());
        const auto valuesOf = [&](const Cell& cell) { return cornersOf(cell); };
        forEachFour(cells, valuesOf, [&](const Cell* four, std::size_t count, const FourCells& values) {
            const PlaneFits fits = geometry::fitPlanes(values, scale_);
            for (std::size_t lane = 0; lane < count; ++lane) {
                const CellSheets& sheets = kCellSheets[four[lane].corners];
                put(four[lane], 0, planeOf(fits, lane));
                const bool isPlane = fits.misfit[lane] < tolerance_, isSingle = sheets.count == 1;
                others.addIf(!isPlane && isSingle, four[lane]);
                if (!isSingle)
                    placeSheets(four[lane], sheets);
                else if (isPlane & (fits.leaves[lane] > 0))
                    putMean(four[lane], laneOf(fits.normal, lane));
            }
        });
    }

    Eight cornersOf(const Cell& cell) const { return atCorners(&piece_.values[cell.node], pieceStrides_[2], pieceStrides_[4]); }

    void putMean(const Cell& cell, const Vec3& normal) {
        Corners v;
        pieceValues(cell.node, v);
        put(cell, 0, {geometry::meanCrossing(v, kCellSheets[cell.corners], 0), normal, SurfaceFeature::Smooth});
    }

    void pieceValues(std::size_t node, Corners& v) const {
        for (int i = 0; i < 8; ++i)
            v[i] = Real(piece_.values[node + pieceStrides_[i]]) * scale_;
    }

    // What passes through a cell: the old surface or the border of two regions alone makes a face, both make an edge; where
    // there is more, the corners are asked what they see. Distances of a pattern with larger cells than the body's are not of
    // unit slope near other borders, but where a cell has but two regions the border between them is smooth all the same, and
    // where it is zero it is right.
    void lookAt(std::span<const Cell> cells, CellLists& lists) const {
        lists.faces.makeRoom(cells.size());
        lists.edges.makeRoom(cells.size());
        lists.features.makeRoom(cells.size());
        for (const Cell& cell : cells) {
            const LookedCell looked = look(cell);
            lists.faces.addIf(looked.isFace, looked);
            lists.edges.addIf(looked.isEdge, looked);
            lists.features.addIf(looked.isFace == looked.isEdge, cell);
        }
    }

    LookedCell look(const Cell& cell) const {
        constexpr std::int16_t stepsPerPlaced = LevelSet<Stored>::kStepsPerCell / kPlacedSteps;
        const Int3 at{cell.at.x + offset_.x, cell.at.y + offset_.y, cell.at.z + offset_.z};
        const std::size_t patternNode =
            std::size_t(at.x) + std::size_t(at.y) * pattern_.rowStride + std::size_t(at.z) * pattern_.sliceStride;
        const auto patternCorners = [&](const auto* nodes) {
            return atCorners(nodes + patternNode, pattern_.rowStride, pattern_.sliceStride);
        };
        const Eight labels = patternCorners(pattern_.labels);
        const Eight distances = patternCorners(pattern_.distances) * stepsPerPlaced;
        const Eight values = cornersOf(cell);
        const Eight old = atCorners(&parent_.values[parent_.grid.index(at.x, at.y, at.z)], std::size_t(parent_.grid.nodes.x),
                                    std::size_t(parent_.grid.nodes.x) * std::size_t(parent_.grid.nodes.y));
        Eight isOwn{};
        for (const std::uint16_t region : regions_)
            isOwn |= labels == std::int16_t(region);
        // Inside of a piece that was joined of parts the field knows better.
        const Eight cut = values > old ? values : negateWhere(isOwn, distances);
        const Eight owned = labels & isOwn, other = labels & ~isOwn;
        const bool isCut = anyBits(other) != 0, touchesOld = anyBits(old >= std::int16_t(0)) != 0;
        const bool hasTwo = ((anyBits(owned) ^ commonBits(owned | ~isOwn)) | (anyBits(other) ^ commonBits(other | isOwn))) == 0;
        return {cell, !isCut || (hasTwo && !touchesOld), isCut && hasTwo && touchesOld, isCut, old, cut};
    }

    // The old surface alone, or the cut alone. A cut need not have unit slope, but must be flat: the tip of a third region may
    // reach into a cell of two.
    void placeOnFaces(std::span<const LookedCell> cells, OpenList<Cell>& features) {
        features.makeRoom(cells.size());
        const auto valuesOf = [](const LookedCell& looked) { return looked.isCut ? looked.cut : looked.old; };
        forEachFour(cells, valuesOf, [&](const LookedCell* four, std::size_t count, const FourCells& values) {
            const PlaneFits fits = geometry::fitPlanes(values, scale_);
            const QuadMask isFlat = geometry::areFlat(values, fits, scale_, kFlatness);
            for (std::size_t lane = 0; lane < count; ++lane) {
                const bool mayBend = four[lane].isCut && !pattern_.hasSharpFaces;
                const bool isFace = fits.misfit[lane] < tolerance_ || (mayBend && isFlat[lane] != 0);
                put(four[lane].cell, 0, planeOf(fits, lane));
                features.addIf(!isFace, four[lane].cell);
                if (isFace & (fits.leaves[lane] > 0))
                    putMean(four[lane].cell, laneOf(fits.normal, lane));
            }
        });
    }

    // Where the cut of two regions meets the old surface.
    void placeOnEdges(std::span<const LookedCell> cells, OpenList<Cell>& features) {
        features.makeRoom(cells.size());
        const auto oldOf = [](const LookedCell& looked) { return looked.old; };
        forEachFour(cells, oldOf, [&](const LookedCell* four, std::size_t count, const FourCells& values) {
            Eight cuts[kLanes];
            for (std::size_t lane = 0; lane < kLanes; ++lane)
                cuts[lane] = four[std::min(lane, count - 1)].cut;
            const PlaneFits old = geometry::fitPlanes(values, scale_), cut = geometry::fitPlanes(FourCells(cuts), scale_);
            const geometry::EdgeFits edges = geometry::fitEdges(old, cut);
            for (std::size_t lane = 0; lane < count; ++lane) {
                const bool isTrusted = !pattern_.hasSharpFaces || cut.misfit[lane] < tolerance_;
                const bool isEdge = old.misfit[lane] < tolerance_ && isTrusted && edges.isInside[lane] != 0;
                put(four[lane].cell, 0, {laneOf(edges.position, lane), laneOf(edges.normal, lane), SurfaceFeature::Edge});
                features.addIf(!isEdge, four[lane].cell);
            }
        });
    }

    void placeOnFeature(const Cell& cell) {
        Corners v;
        pieceValues(cell.node, v);
        put(cell, 0, placeOnFeature(cell.at, v, geometry::meanCrossing(v, kCellSheets[cell.corners], 0)));
    }

    Placed placeOnFeature(const Int3& cell, const Corners& v, const Vec3& mean) {
        const FeaturePoint found = geometry::featurePoint(geometry::cornerPlanes(piece_, cell), mean);
        if (found.feature == SurfaceFeature::Smooth)
            return {mean, normalizeOr(gradientOf(v), Vec3{0, 1, 0}), SurfaceFeature::Smooth};
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
            put(cell, sheet,
                {geometry::meanCrossing(v, sheets, sheet), normalizeOr(normal, Vec3{0, 1, 0}), SurfaceFeature::Smooth});
        }
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
    std::vector<SurfaceVertex>& result_;
    Int3 offset_;  // of the piece's grid in its parent's
    Real scale_, tolerance_;
    std::size_t pieceStrides_[8];  // to a cell's corners
};

}  // namespace

template <class Stored>
std::span<const SurfaceVertex> pieceVertices(const LevelSet<Stored>& parent, const PlacedPattern& pattern,
                                             const PieceOfNodes& nodes, const LevelSet<Stored>& piece,
                                             std::vector<SurfaceVertex>& memory) {
    return PieceCells<Stored>(parent, pattern, nodes, piece, memory).run();
}

#define SUNDER_PIECE_VERTICES_OF(Stored)                                                                         \
    template std::span<const SurfaceVertex> pieceVertices<Stored>(const LevelSet<Stored>&, const PlacedPattern&, \
                                                                  const PieceOfNodes&, const LevelSet<Stored>&,  \
                                                                  std::vector<SurfaceVertex>&);
SUNDER_PIECE_VERTICES_OF(std::int8_t)
SUNDER_PIECE_VERTICES_OF(std::int16_t)
#undef SUNDER_PIECE_VERTICES_OF

}  // namespace sunder::fracture
