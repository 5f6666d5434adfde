// Cells are tried from cheap to expensive, all of a kind together and four at a time. First one plane through the piece's
// values. Then, where the cut is the border of two regions, the cut alone, or the old surface and the cut as two planes. Last,
// where cuts meet each other or an old edge, the planes that the corners see (geometry/surface/feature_point.h).
#include "fracture/prescored/piece_vertices.h"

#include <algorithm>
#include <bit>
#include <span>

#include "geometry/level_set/sign_mask.h"
#include "geometry/surface/cell_sheets.h"
#include "geometry/surface/feature_cells.h"
#include "geometry/surface/plane_fits.h"
#include "math/eight_integers.h"

namespace sunder::fracture {

using geometry::CellSheets;
using geometry::FourCells;
using geometry::Int3;
using geometry::kCellSheets;
using geometry::LevelSet;
using geometry::PlaneFits;
using geometry::SurfaceFeature;
using geometry::SurfaceVertex;

namespace {

// As in surface_vertices.cpp: |gradient|^2 may differ from 1 by this for one plane, on top of the rounding of stored values.
constexpr Real kSmoothTolerance = Real(0.04);
// Cells: a corner may be this far from the plane through all of them.
constexpr Real kFlatness = Real(0.05);

using Corners = Real[8];  // values at a cell's corners, in cells; bit 0 of the corner: x, bit 1: y, bit 2: z

using Cell = geometry::SurfaceCell;

struct Placed {
    Vec3 position, normal;  // in cells from the cell's lowest node
    SurfaceFeature feature = SurfaceFeature::Smooth;
};

// A cell that holds more than one plane: values of the old surface and of the cut at its corners, as stored.
struct LookedCell {
    Eight old, cut;
    Cell cell;
    bool isCut;  // the cut passes through it, alone or with the old surface
};

// A list is followed by copies of its last item, so that it can be read four at a time.
constexpr std::size_t kSpare = FourCells::kLanes - 1;

// A list whose next item is always written, and kept only if asked: no branch, since the condition is as good as random. It
// keeps its memory.
class OpenList {
public:
    void clear() { count_ = 0; }
    // Room for `more` items.
    void makeRoom(std::size_t more) {
        if (room_ < count_ + more) {
            room_ = std::max(count_ + more, 2 * room_);
            items_.resize(room_);
        }
    }
    // Needs room for the item whether it stays or not.
    void addIf(bool stays, const Cell& item) {
        items_[count_] = item;
        count_ += std::size_t(stays);
    }
    // The next item, to be written field by field: copying a whole one would wait for its fields.
    Cell& next() { return items_[count_++]; }
    std::span<const Cell> items() const { return {items_.data(), count_}; }
    std::span<const Cell> withSpares() {
        makeRoom(kSpare);
        if (count_ > 0)
            std::fill_n(items_.begin() + std::ptrdiff_t(count_), kSpare, Cell(items_[count_ - 1]));
        return items();
    }

private:
    std::vector<Cell> items_;
    std::size_t count_ = 0, room_ = 0;
};

// Cells with one face from the front, those with an edge from the back. Has room for all cells, so that the place between the
// two can be written before it is known whether it stays, and for the spare copies of both.
class LookedList {
public:
    void clear(std::size_t most) {
        if (items_.size() < most + 2 * kSpare)
            items_.resize(most + 2 * kSpare);
        faces_ = 0;
        edges_ = items_.size() - kSpare;
    }
    LookedCell& next(bool isEdge) { return items_[isEdge ? edges_ - 1 : faces_]; }
    void keep(bool isFace, bool isEdge) {
        faces_ += std::size_t(isFace);
        edges_ -= std::size_t(isEdge);
    }
    // Both with their spare copies.
    std::span<const LookedCell> faces() { return withSpares(0, faces_); }
    std::span<const LookedCell> edges() { return withSpares(edges_, items_.size() - kSpare); }

private:
    std::span<const LookedCell> withSpares(std::size_t first, std::size_t end) {
        if (end > first)
            std::fill_n(items_.begin() + std::ptrdiff_t(end), kSpare, LookedCell(items_[end - 1]));
        return std::span(items_).subspan(first, end - first);
    }

    std::vector<LookedCell> items_;
    std::size_t faces_ = 0, edges_ = 0;  // number of faces; index of the first edge
};

// Cells sorted by what passes through them.
struct CellLists {
    OpenList cells, flat, others, features;
    LookedList looked;
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
          parentRow_(std::size_t(parent.grid.nodes.x)),
          parentSlice_(parentRow_ * std::size_t(parent.grid.nodes.y)),
          scale_(piece.step / piece.grid.cell),
          tolerance_(kSmoothTolerance + 2 * scale_) {
        setStrides(pieceStrides_, std::size_t(piece.grid.nodes.x), std::size_t(piece.grid.nodes.y));
    }

    std::span<const SurfaceVertex> run(std::size_t unneeded) {
        thread_local CellLists lists;
        lists.cells.clear();
        lists.flat.clear();
        lists.others.clear();
        lists.features.clear();
        const std::uint32_t vertices = listCells(lists.cells);
        if (vertices <= unneeded)
            return {};
        if (result_.size() < vertices)
            result_.resize(vertices);
        placeOnPlanes(lists.cells.withSpares(), lists.flat, lists.others);
        lookAt(lists.others.items(), lists);
        placeOnFaces(lists.looked.faces(), lists.features);
        placeOnEdges(lists.looked.edges(), lists.features);
        placeOnFeatures(lists.features.items());
        return {result_.data(), vertices};
    }

private:
    static constexpr std::size_t kLanes = FourCells::kLanes;

    static void setStrides(std::size_t (&strides)[8], std::size_t row, std::size_t rows) {
        for (std::size_t corner = 0; corner < 8; ++corner)
            strides[corner] = (corner & 1) + (corner >> 1 & 1) * row + (corner >> 2) * row * rows;
    }

    // Returns the number of vertices.
    std::uint32_t listCells(OpenList& cells) const {
        const geometry::SignMask mask(piece_);
        const std::size_t row = pieceStrides_[2], slice = pieceStrides_[4];
        std::uint32_t vertex = 0;
        mask.forEachSurfaceCell([&](int x, int y, int z, unsigned corners) {
            cells.makeRoom(1);
            Cell& cell = cells.next();
            cell.at.x = x;
            cell.at.y = y;
            cell.at.z = z;
            cell.node = std::uint32_t(std::size_t(x) + std::size_t(y) * row + std::size_t(z) * slice);
            cell.vertex = vertex;
            cell.corners = corners;
            vertex += kCellSheets[corners].count;
        });
        return vertex;
    }

    static const Cell& cellOf(const Cell& cell) { return cell; }
    static const Cell& cellOf(const LookedCell& looked) { return looked.cell; }

    // Calls visit(four, count, values) for each four of them; in the last four some may be spare copies. valuesOf gives the
    // stored values at the corners.
    template <class Item, class ValuesOf, class Visit>
    void forEachFour(std::span<const Item> items, ValuesOf&& valuesOf, Visit&& visit) const {
        const Item* four = items.data();
        for (std::size_t left = items.size(); left > 0; four += kLanes) {
            const std::size_t count = std::min(kLanes, left);
            left -= count;
            const Eight values[kLanes] = {valuesOf(four[0]), valuesOf(four[1]), valuesOf(four[2]), valuesOf(four[3])};
            visit(four, count, FourCells(values));
        }
    }

    void put(const Cell& cell, int sheet, const Placed& at) {
        geometry::putVertex(piece_.grid, cell, sheet, at.position, at.normal, at.feature,
                            result_[cell.vertex + std::uint32_t(sheet)]);
    }

    // Writes the first sheets of four cells; spare copies write the same place again.
    template <class Item>
    void putFour(const Item* four, const geometry::QuadVec3& inCells, const geometry::QuadVec3& normals,
                 SurfaceFeature feature) {
        geometry::putVertices(piece_.grid, {&cellOf(four[0]), &cellOf(four[1]), &cellOf(four[2]), &cellOf(four[3])}, inCells,
                              normals, feature, result_.data());
    }

    // Places vertices of cells that hold one plane: of unit slope, or flat where only the cut passes, whose distances need not
    // have unit slope. All cells are written; those that do not hold one plane are written again later.
    void placeOnPlanes(std::span<const Cell> cells, OpenList& flat, OpenList& others) {
        flat.makeRoom(cells.size());
        others.makeRoom(cells.size());
        const auto valuesOf = [&](const Cell& cell) { return cornersOf(cell); };
        forEachFour(cells, valuesOf, [&](const Cell* four, std::size_t count, const FourCells& values) {
            const PlaneFits fits = geometry::fitPlanes(values, scale_);
            const QuadMask areFlat = pattern_.hasSharpFaces ? QuadMask{} : geometry::areFlat(values, fits, scale_, kFlatness);
            putFour(four, fits.position, fits.normal, SurfaceFeature::Smooth);
            for (std::size_t lane = 0; lane < count; ++lane) {
                const CellSheets& sheets = kCellSheets[four[lane].corners];
                const bool hasUnitSlope = fits.misfit[lane] < tolerance_, isSingle = sheets.count == 1;
                const bool isFlat = areFlat[lane] != 0;
                flat.addIf(isSingle & isFlat & !hasUnitSlope, four[lane]);
                others.addIf(isSingle & !isFlat & !hasUnitSlope, four[lane]);
                if (!isSingle)
                    placeSheets(four[lane], sheets);
                else if ((hasUnitSlope | isFlat) & (fits.leaves[lane] > 0))
                    putMean(four[lane], laneOf(fits.normal, lane));
            }
        });
        for (const Cell& cell : flat.items())
            others.addIf(touchesOld(oldOf(cell)), cell);
    }

    Eight cornersOf(const Cell& cell) const { return atCorners(&piece_.values[cell.node], pieceStrides_[2], pieceStrides_[4]); }

    // Values of the parent at the cell's corners.
    Eight oldOf(const Cell& cell) const {
        const std::size_t node = std::size_t(cell.at.x + offset_.x) + std::size_t(cell.at.y + offset_.y) * parentRow_ +
                                 std::size_t(cell.at.z + offset_.z) * parentSlice_;
        return atCorners(parent_.values.data() + node, parentRow_, parentSlice_);
    }
    static bool touchesOld(const Eight& old) { return isAny(old >= std::int16_t(0)); }

    void putMean(const Cell& cell, const Vec3& normal) {
        Corners v;
        pieceValues(cell.node, v);
        put(cell, 0, {geometry::meanCrossing(v, kCellSheets[cell.corners], 0), normal, SurfaceFeature::Smooth});
    }

    void pieceValues(std::size_t node, Corners& v) const {
        for (int i = 0; i < 8; ++i)
            v[i] = Real(piece_.values[node + pieceStrides_[i]]) * scale_;
    }

    // Sorts cells by what passes through them: the old surface alone or the border of two regions alone makes a face, both make
    // an edge; cells with more become features. The distances of a pattern with larger cells than the body's do not have unit
    // slope near other borders; but the border between only two regions of a cell is smooth all the same, and its zero is
    // right.
    void lookAt(std::span<const Cell> cells, CellLists& lists) const {
        lists.looked.clear(cells.size());
        lists.features.makeRoom(cells.size());
        for (const Cell& cell : cells)
            look(cell, lists);
    }

    void look(const Cell& cell, CellLists& lists) const {
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
        const Eight old = oldOf(cell);
        Eight isOwn{};
        for (const std::uint16_t region : regions_)
            isOwn |= labels == std::int16_t(region);
        const bool isCut = isAny(~isOwn), isOld = touchesOld(old);
        const bool hasTwo = (regions_.size() == 1 || isOneLabel(labels, isOwn)) && isOneLabel(labels, ~isOwn);
        const bool isEdge = isCut & hasTwo & isOld, isFace = (!isCut) | (hasTwo & (!isOld));
        LookedCell& looked = lists.looked.next(isEdge);
        looked.cell = cell;
        looked.isCut = isCut;
        looked.old = old;
        // Inside a piece that was joined of components the piece's field is the better one.
        looked.cut = values > old ? values : negateWhere(isOwn, distances);
        lists.looked.keep(isFace, isEdge);
        lists.features.addIf(isFace == isEdge, cell);
    }

    // Whether all labels under the mask are that of its first.
    static bool isOneLabel(const Eight& labels, const Eight& mask) {
        const std::int16_t first = labels[std::countr_zero(bitsOf(mask) | 0x80)];
        return !isAny((labels != first) & mask);
    }

    // Places vertices on the old surface alone, or on the cut alone. A cut need not have unit slope, but must be flat: the tip
    // of a third region may reach into a cell of two.
    void placeOnFaces(std::span<const LookedCell> cells, OpenList& features) {
        features.makeRoom(cells.size());
        const auto valuesOf = [](const LookedCell& looked) { return looked.isCut ? looked.cut : looked.old; };
        forEachFour(cells, valuesOf, [&](const LookedCell* four, std::size_t count, const FourCells& values) {
            const PlaneFits fits = geometry::fitPlanes(values, scale_);
            const QuadMask isFlat = geometry::areFlat(values, fits, scale_, kFlatness);
            putFour(four, fits.position, fits.normal, SurfaceFeature::Smooth);
            for (std::size_t lane = 0; lane < count; ++lane) {
                const bool mayBend = four[lane].isCut && !pattern_.hasSharpFaces;
                const bool isFace = fits.misfit[lane] < tolerance_ || (mayBend && isFlat[lane] != 0);
                features.addIf(!isFace, four[lane].cell);
                if (isFace & (fits.leaves[lane] > 0))
                    putMean(four[lane].cell, laneOf(fits.normal, lane));
            }
        });
    }

    // Places vertices where the cut of two regions meets the old surface.
    void placeOnEdges(std::span<const LookedCell> cells, OpenList& features) {
        features.makeRoom(cells.size());
        const auto oldOf = [](const LookedCell& looked) { return looked.old; };
        forEachFour(cells, oldOf, [&](const LookedCell* four, std::size_t count, const FourCells& values) {
            const Eight cuts[kLanes] = {four[0].cut, four[1].cut, four[2].cut, four[3].cut};
            const PlaneFits old = geometry::fitPlanes(values, scale_), cut = geometry::fitPlanes(FourCells(cuts), scale_);
            const geometry::EdgeFits edges = geometry::fitEdges(old, cut);
            putFour(four, edges.position, edges.normal, SurfaceFeature::Edge);
            for (std::size_t lane = 0; lane < count; ++lane) {
                const bool isTrusted = !pattern_.hasSharpFaces || cut.misfit[lane] < tolerance_;
                const bool isEdge = old.misfit[lane] < tolerance_ && isTrusted && edges.isInside[lane] != 0;
                features.addIf(!isEdge, four[lane].cell);
            }
        });
    }

    void placeOnFeatures(std::span<const Cell> cells) {
        thread_local geometry::FeatureCells finder;  // kept to reuse its memory
        const std::span<const geometry::CellFeature> found = finder.find(piece_, cells);
        for (std::size_t i = 0; i < cells.size(); ++i)
            put(cells[i], 0, {found[i].position, found[i].normal, found[i].feature});
    }

    void placeSheets(const Cell& cell, const CellSheets& sheets) {
        Corners v;
        pieceValues(cell.node, v);
        for (int sheet = 0; sheet < sheets.count; ++sheet) {
            // Points away from the corners that the sheet separates from the rest.
            Vec3 normal;
            for (int i = sheets.start[sheet]; i < sheets.start[sheet + 1]; ++i) {
                const int edge = sheets.edges[i], first = geometry::edgeCorner(edge, 0);
                setComponent(normal, edge / 4, component(normal, edge / 4) + (v[first] < 0 ? Real(1) : Real(-1)));
            }
            put(cell, sheet,
                {geometry::meanCrossing(v, sheets, sheet), normalizeOr(normal, Vec3{0, 1, 0}), SurfaceFeature::Smooth});
        }
    }

    const LevelSet<Stored>& parent_;
    const PlacedPattern& pattern_;
    const std::vector<std::uint16_t>& regions_;  // those of the piece
    const LevelSet<Stored>& piece_;
    std::vector<SurfaceVertex>& result_;
    Int3 offset_;  // of the piece's grid in its parent's
    std::size_t parentRow_, parentSlice_;
    Real scale_, tolerance_;
    std::size_t pieceStrides_[8];  // to a cell's corners
};

}  // namespace

template <class Stored>
std::span<const SurfaceVertex> pieceVertices(const LevelSet<Stored>& parent, const PlacedPattern& pattern,
                                             const PieceOfNodes& nodes, const LevelSet<Stored>& piece,
                                             std::vector<SurfaceVertex>& memory, std::size_t unneeded) {
    return PieceCells<Stored>(parent, pattern, nodes, piece, memory).run(unneeded);
}

#define SUNDER_PIECE_VERTICES_OF(Stored)                                                                         \
    template std::span<const SurfaceVertex> pieceVertices<Stored>(const LevelSet<Stored>&, const PlacedPattern&, \
                                                                  const PieceOfNodes&, const LevelSet<Stored>&,  \
                                                                  std::vector<SurfaceVertex>&, std::size_t);
SUNDER_PIECE_VERTICES_OF(std::int8_t)
SUNDER_PIECE_VERTICES_OF(std::int16_t)
#undef SUNDER_PIECE_VERTICES_OF

}  // namespace sunder::fracture
