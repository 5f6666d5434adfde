// A pattern from the closed meshes of its pieces.
//   1  turn and move them into the pattern's frame
//   2  signed distances of each on the nodes around it, exact near its surface   (mesh_level_set.h)
//   3  at each node the two nearest pieces; refuse overlaps and gaps             (piece_fields.h)
//   4  the nearest is the node's region, half the difference of the two its distance to the border
//   5  the drawn faces themselves, by which surfaces are cut                     (piece_complex.h)
#include <algorithm>
#include <cmath>

#include "geometry/drawn/drawing.h"
#include "geometry/drawn/piece_complex.h"
#include "geometry/drawn/piece_fields.h"
#include "geometry/level_set/components.h"
#include "geometry/level_set/mesh_level_set.h"
#include "geometry/level_set/mesh_repair.h"
#include "geometry/mass_properties.h"
#include "geometry/patterns/build_pattern.h"
#include "sunder/definitions.h"
#include "sunder/describe/field_info.h"

namespace sunder::geometry {
namespace {

constexpr int kPieceNodes = 129, kMostPieceNodes = 257;
constexpr std::size_t kMostNodesInAll = std::size_t(1) << 24;
constexpr std::size_t kMostPieces = 65000;  // labels have 16 bits
// Cells around the drawing in which undrawn space is seen; more than the ball that looks for gaps needs.
constexpr int kRimCells = 5;
// Cells: how far around a piece distances are measured.
constexpr int kCellsAround = 6;
// Cells: pieces that are deeper in each other than this overlap; less is rounding of a modelling program.
constexpr Real kOverlap = Real(0.25);
// Share of all pieces' volume: shallow gaps of less are notches between pieces.
constexpr double kLeastGap = 0.005;
constexpr std::size_t kLeastHole = 8;  // nodes

std::string quoted(const DrawnPiece& piece) { return "\"" + piece.name + "\""; }
// Two pieces, the one that was drawn first in front.
std::string bothOf(std::span<const DrawnPiece> pieces, const TwoNearest& node) {
    return "pieces " + quoted(pieces[std::min(node.first, node.second)]) + " and " +
           quoted(pieces[std::max(node.first, node.second)]);
}
[[noreturn]] void refuse(const DrawnPiece& piece, const std::string& what) {
    throw Error("piece " + quoted(piece) + ": " + what);
}

struct Drawing {
    std::span<const DrawnPiece> pieces;
    DrawnFrame frame;
    DrawingTurn turn;
    std::vector<std::vector<Vec3>> vertices;  // of the pieces, in the pattern's frame
    std::vector<Bounds> bounds;
    Bounds all;

    std::string at(const Grid& grid, std::size_t node) const {
        const std::size_t row = std::size_t(grid.nodes.x), slice = row * std::size_t(grid.nodes.y);
        const Vec3 p = grid.position(int(node % row), int(node % slice / row), int(node / slice));
        const Vec3 q = turn.toDrawing(p);
        // Three digits tell a modeller where to look.
        const auto rounded = [](Real x) { return Real(std::round(double(x) * 1000) / 1000); };
        return placeText({rounded(q.x), rounded(q.y), rounded(q.z)});
    }
};

Bounds boundsOf(std::span<const Vec3> points) {
    Bounds bounds;
    for (const Vec3& p : points)
        bounds = unite(bounds, p);
    return bounds;
}

Drawing placed(std::span<const DrawnPiece> pieces, const DrawnFrame& frame) {
    if (pieces.empty() || pieces.size() > kMostPieces)
        throw Error("pieces: " + std::to_string(pieces.size()) + " are not allowed (1 to " + std::to_string(kMostPieces) + ")");
    Bounds drawn;
    for (const DrawnPiece& piece : pieces) {
        for (const Vec3& p : piece.mesh.vertices)
            if (!isFinite(p))
                refuse(piece, "a coordinate is not a finite number");
        if (piece.mesh.triangles.empty())
            refuse(piece, "has no triangles (a closed mesh is allowed)");
        drawn = unite(drawn, boundsOf(piece.mesh.vertices));
    }
    Drawing drawing{pieces, frame, turnOf(frame, drawn), {}, {}, {}};
    for (const DrawnPiece& piece : pieces) {
        std::vector<Vec3>& moved = drawing.vertices.emplace_back(piece.mesh.vertices);
        for (Vec3& p : moved)
            p = drawing.turn.toPattern(p);
        drawing.bounds.push_back(boundsOf(moved));
        drawing.all = unite(drawing.all, drawing.bounds.back());
    }
    return drawing;
}

// With a rim of undrawn space, or within the drawing, beyond which a pattern goes on as it is at the border.
Grid gridOf(const Drawing& drawing) {
    const int nodes = nodesOf(drawing.frame, kMostPieceNodes, kPieceNodes), rim = hasRim(drawing.frame) ? kRimCells : 0;
    const Vec3 size = drawing.all.high - drawing.all.low;
    const Real cell = max(size.x, max(size.y, size.z)) / Real(std::max(nodes - 1 - 2 * rim, 4));
    const auto along = [&](Real length) {
        constexpr Real kRounding = Real(1e-3);
        const int cells = rim > 0 ? int(std::ceil(length / cell - kRounding)) : int(std::floor(length / cell + kRounding));
        return std::max(cells, 1) + 1 + 2 * rim;
    };
    Grid grid{{}, cell, {along(size.x), along(size.y), along(size.z)}};
    if (!(cell > 0) || grid.nodeCount() > kMostNodesInAll)
        throw Error("nodes: the drawing needs " + std::to_string(grid.nodeCount()) + " in all (at most " +
                    std::to_string(kMostNodesInAll) + ")");
    grid.origin =
        center(drawing.all) - Vec3{Real(grid.nodes.x - 1), Real(grid.nodes.y - 1), Real(grid.nodes.z - 1)} * (cell / 2);
    return grid;
}

// The nodes around a piece, within the grid.
GridRange rangeAround(const Grid& grid, const Bounds& bounds) {
    const auto first = [&](Real low, Real origin, int nodes) {
        return std::clamp(int(std::floor((low - origin) / grid.cell)) - kCellsAround, 0, nodes - 2);
    };
    const auto last = [&](Real high, Real origin, int nodes) {
        return std::clamp(int(std::ceil((high - origin) / grid.cell)) + kCellsAround, 1, nodes - 1);
    };
    return {{first(bounds.low.x, grid.origin.x, grid.nodes.x), first(bounds.low.y, grid.origin.y, grid.nodes.y),
             first(bounds.low.z, grid.origin.z, grid.nodes.z)},
            {last(bounds.high.x, grid.origin.x, grid.nodes.x), last(bounds.high.y, grid.origin.y, grid.nodes.y),
             last(bounds.high.z, grid.origin.z, grid.nodes.z)}};
}

PieceFields measured(const Drawing& drawing, const Grid& grid) {
    PieceFields fields(grid);
    for (std::size_t i = 0; i < drawing.pieces.size(); ++i) {
        const GridRange range = rangeAround(grid, drawing.bounds[i]);
        const DrawnPiece& piece = drawing.pieces[i];
        const MeshFieldResult mesh = distanceOnGrid(drawing.vertices[i], piece.mesh.triangles, cropped(grid, range));
        if (!mesh.error.empty())
            refuse(piece, mesh.error + " (a closed mesh is allowed)");
        if (mesh.report.openEdges > 0)
            refuse(piece, std::to_string(mesh.report.openEdges) + " open edges (a closed mesh is allowed)");
        fields.add(std::uint32_t(i), mesh.field, range.low);
    }
    return fields;
}

void refuseOverlaps(const Drawing& drawing, const PieceFields& fields) {
    std::size_t deepest = 0;
    for (std::size_t at = 0; at < fields.nodes.size(); ++at)
        if (fields.nodes[at].toSecond < fields.nodes[deepest].toSecond)
            deepest = at;
    const TwoNearest& node = fields.nodes[deepest];
    if (node.second != kNoPiece && node.toSecond < -kOverlap * fields.grid.cell)
        throw Error(bothOf(drawing.pieces, node) + " overlap at " + drawing.at(fields.grid, deepest) +
                    " (pieces that share their faces are allowed)");
}

void refuseGaps(const Drawing& drawing, const PieceFields& fields, const PieceGaps& gaps) {
    const std::string allowed =
        " (pieces that share their faces are allowed; or rest \"nearest\", by which gaps go to the nearest piece)";
    std::size_t drawn = 0;
    std::vector<std::uint16_t> isSpace(fields.nodes.size());
    for (std::size_t at = 0; at < isSpace.size(); ++at) {
        drawn += fields.nodes[at].toFirst <= 0;
        isSpace[at] = fields.nodes[at].toFirst > 0 && !gaps.isNarrow[at];
    }
    if (drawn == 0)
        throw Error("nodes: no sample lies inside a piece (more nodes are needed)");
    if (gaps.deepNodes >= kLeastHole || double(gaps.nodes) > kLeastGap * double(drawn)) {
        const TwoNearest& node = fields.nodes[gaps.widest];
        throw Error("a gap between " + bothOf(drawing.pieces, node) + " at " + drawing.at(fields.grid, gaps.widest) + allowed);
    }
    const Components spaces = labelComponents(fields.grid.nodes, isSpace, Connectivity::Face);
    const auto [nx, ny, nz] = fields.grid.nodes;
    for (std::uint32_t i = 0; i < spaces.count(); ++i) {
        const auto& [low, high] = spaces.ranges[i];
        const bool isInside = low.x > 0 && low.y > 0 && low.z > 0 && high.x < nx - 1 && high.y < ny - 1 && high.z < nz - 1;
        if (!isInside || spaces.nodeCounts[i] < kLeastHole)
            continue;
        const auto node = std::size_t(std::find(spaces.ofNode.begin(), spaces.ofNode.end(), i) - spaces.ofNode.begin());
        throw Error("a hole between pieces beside " + quoted(drawing.pieces[fields.nodes[node].first]) + " at " +
                    drawing.at(fields.grid, node) + allowed);
    }
}

// Null where meshes had to be closed, or a piece has no sample. labels: of the samples; regions: numbers of the pieces that
// they stand for, from 1 on, and 0 of undrawn space.
std::shared_ptr<const DrawnComplex> complexOf(const Drawing& drawing, const PieceFields& fields, bool hasRest,
                                              std::span<const std::uint64_t> regions, std::span<const std::uint16_t> labels) {
    std::vector<std::uint32_t> labelOf(drawing.pieces.size() + 1);
    for (std::size_t at = 0; at < regions.size(); ++at)
        labelOf[regions[at]] = labels[at];
    std::vector<RepairedMesh> meshes;
    std::vector<DrawnSolid> solids;
    for (std::size_t i = 0; i < drawing.pieces.size(); ++i) {
        meshes.push_back(repairMesh(drawing.vertices[i], drawing.pieces[i].mesh.triangles));
        const MeshReport& report = meshes.back().report;
        if (labelOf[i + 1] == 0 || !meshes.back().error.empty() || report.openEdges + report.nonManifoldEdges > 0)
            return {};
    }
    for (std::size_t i = 0; i < meshes.size(); ++i)
        solids.push_back({meshes[i].vertices, meshes[i].triangles, labelOf[i + 1]});
    if (hasRest && labelOf[0] == 0)
        return {};
    return complexOfPieces(solids, labelOf[0], fields);
}

}  // namespace
}  // namespace sunder::geometry

namespace sunder {

SharedPattern patternFromPieces(std::span<const DrawnPiece> pieces, const DrawnFrame& frame) {
    using namespace geometry;
    const Drawing drawing = placed(pieces, frame);
    PieceFields fields = measured(drawing, gridOf(drawing));
    refuseOverlaps(drawing, fields);
    PieceGaps gaps;
    const bool isWhole = frame.rest == PatternRest::Whole;
    if (isWhole)
        refuseGaps(drawing, fields, gaps = findGaps(fields));
    else
        fields.spread();
    // A fitted drawing is not seen beyond its edge, where rounding decides what a node is.
    const Real edge = hasRim(frame) ? Real(0) : fields.grid.cell * Real(0.05);
    std::vector<std::uint64_t> regions(fields.nodes.size());
    std::vector<Real> distances(fields.nodes.size());
    for (std::size_t at = 0; at < regions.size(); ++at) {
        const TwoNearest& node = fields.nodes[at];
        const bool isSpace = isWhole && node.toFirst > edge && !gaps.isNarrow[at];
        const bool isNextToSpace = isWhole && !gaps.isNarrow[at];
        // Signed distances of the node's region and of the next one; that of space is the negative of the nearest piece's.
        const Real own = isSpace ? -node.toFirst : node.toFirst;
        const Real next = isSpace ? node.toFirst : (isNextToSpace ? min(node.toSecond, -node.toFirst) : node.toSecond);
        regions[at] = isSpace ? 0 : node.first + 1u;
        distances[at] = max(Real(0.5) * (next - own), 0);
    }
    PatternResult result = assemblePattern(fields.grid, regions, distances);
    std::shared_ptr<const DrawnComplex> complex;
    if (result.error.empty())
        complex = complexOf(drawing, fields, isWhole && hasRim(frame), regions, result.pattern.labels);
    return finishDrawing(std::move(result), regions, frame, drawing.turn, false, std::move(complex));
}

}  // namespace sunder
