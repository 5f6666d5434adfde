#include "fracture/cutting/cut_pieces.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "geometry/cutting/cut_surface.h"
#include "geometry/cutting/grid_complex.h"

namespace sunder::fracture {

using geometry::BorderPoint;
using geometry::Int3;
using geometry::LabelGrid;
using geometry::RegionAt;
using geometry::RegionSource;
using geometry::SurfaceMesh;

namespace {

constexpr std::uint32_t kNobody = 0xffffffffu;  // label of a node that is in no piece

// Asks the regions for their borders, and keeps their focus near the place that is asked about.
class Borders {
public:
    Borders(RegionSource& regions, const Vec3d& origin, double cell) : regions_(regions), origin_(origin), cell_(cell) {}

    RegionAt at(const Vec3d& point) {
        const Vec3d p = point - origin_;
        if (!hasFocus_ || length(p - focus_) > kFocus * cell_) {
            regions_.focus(p, (kFocus + 3) * cell_, 4 * cell_);
            focus_ = p;
            hasFocus_ = true;
        }
        return regions_.at(p);
    }

    BorderPoint between(const Vec3d& a, const Vec3d& b) {
        const RegionAt first = at(a), last = at(b);
        const Vec3d along = (b - a) * (1 / cell_);
        // The regions put both nodes on one side, the grid does not: a node lies nearly on the border, which is placed beside
        // it.
        if (first.region == last.region)
            return {first.distance < last.distance ? 0.0 : 1.0, along};
        const auto outside = [&](const Vec3d& p) {
            const RegionAt found = at(p);
            return found.region == first.region ? -found.distance : found.distance;
        };
        const double t = findRoot(a, b, -first.distance, last.distance, outside);
        const Vec3d p = a + (b - a) * t;
        const double h = kSlopeStep * cell_;
        const Vec3d slope{outside(p + Vec3d{h, 0, 0}) - outside(p - Vec3d{h, 0, 0}),
                          outside(p + Vec3d{0, h, 0}) - outside(p - Vec3d{0, h, 0}),
                          outside(p + Vec3d{0, 0, h}) - outside(p - Vec3d{0, 0, h})};
        return {t, normalizeOr(slope, along)};
    }

private:
    static constexpr double kFocus = 4;         // cells about the place that is asked about
    static constexpr double kSlopeStep = 1e-3;  // cells: step of the difference quotient
    static constexpr double kPrecision = 1e-9;  // cells: precision of the border
    static constexpr int kMostSteps = 40;       // of the root search; halving alone needs 30 for kPrecision

    // Regula falsi with the Illinois rule (the value at the end that stays is halved): exact after one step where the border is
    // flat.
    template <class Outside>
    double findRoot(const Vec3d& a, const Vec3d& b, double valueA, double valueB, const Outside& outside) const {
        double low = 0, high = 1, t = 0.5;
        for (int i = 0; i < kMostSteps; ++i) {
            t = valueB > valueA ? low + (high - low) * (-valueA / (valueB - valueA)) : 0.5 * (low + high);
            const double value = outside(a + (b - a) * t);
            if (std::fabs(value) <= kPrecision * cell_)
                break;
            if (value < 0) {
                low = t, valueA = value;
                valueB *= 0.5;
            } else {
                high = t, valueB = value;
                valueA *= 0.5;
            }
        }
        return t;
    }

    RegionSource& regions_;
    Vec3d origin_;
    double cell_;
    bool hasFocus_ = false;
    Vec3d focus_;
};

class PieceLabels {
public:
    PieceLabels(const SurfaceMesh& surface, const Vec3d& origin, const geometry::Grid& body) : surface_(surface) {
        Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
        for (const Vec3& p : surface.positions) {
            low = {std::min(low.x, double(p.x)), std::min(low.y, double(p.y)), std::min(low.z, double(p.z))};
            high = {std::max(high.x, double(p.x)), std::max(high.y, double(p.y)), std::max(high.z, double(p.z))};
        }
        grid.cell = body.cell;
        grid.origin = origin + toDouble(body.origin);
        // Grows the grid by whole cells, so that the surface lies well within.
        const Vec3d from = cellsOf(low), to = cellsOf(high);
        const auto below = [](double value) { return int(std::min(0.0, std::floor(value) - 1)); };
        const auto above = [](double value, int nodes) { return int(std::max(double(nodes), std::floor(value) + 3)); };
        first_ = {below(from.x), below(from.y), below(from.z)};
        grid.nodes = {above(to.x, body.nodes.x) - first_.x, above(to.y, body.nodes.y) - first_.y,
                      above(to.z, body.nodes.z) - first_.z};
        grid.origin = grid.origin + Vec3d{double(first_.x), double(first_.y), double(first_.z)} * grid.cell;
        const std::size_t count = std::size_t(grid.nodes.x) * std::size_t(grid.nodes.y) * std::size_t(grid.nodes.z);
        grid.labels.assign(count, kNobody);
        grid.isActive.assign(count, 0);
    }

    void own(std::uint32_t piece, const geometry::Grid& body, const geometry::LevelSet16& field) {
        const Vec3 offset = (field.grid.origin - body.origin) / body.cell;
        const auto start = [](Real cells, int first) { return int(std::floor(cells + Real(0.5))) - first; };
        const int x0 = start(offset.x, first_.x), y0 = start(offset.y, first_.y), z0 = start(offset.z, first_.z);
        std::size_t node = 0;
        for (int z = 0; z < field.grid.nodes.z; ++z)
            for (int y = 0; y < field.grid.nodes.y; ++y)
                for (int x = 0; x < field.grid.nodes.x; ++x, ++node)
                    if (field.values[node] < 0)
                        grid.labels[grid.index(x0 + x, y0 + y, z0 + z)] = piece;
    }

    // Activates cells that the surface passes through, and those inside, which have a node of a piece.
    void activate() {
        for (const auto& [a, b, c] : surface_.triangles)
            touch(cellsOf(toDouble(surface_.positions[a])), cellsOf(toDouble(surface_.positions[b])),
                  cellsOf(toDouble(surface_.positions[c])));
        forEachCell([&](std::size_t cell) {
            for (const std::size_t corner : cornersOf(cell))
                if (grid.labels[corner] != kNobody)
                    grid.isActive[cell] = 1;
        });
    }

    // Gives nodes of no piece to the piece of a neighbour: first within their own region, then any.
    void extend(Borders& borders) {
        std::vector<std::uint8_t> isNeeded(grid.labels.size());
        forEachCell([&](std::size_t cell) {
            if (grid.isActive[cell])
                for (const std::size_t corner : cornersOf(cell))
                    isNeeded[corner] = 1;
        });
        std::vector<std::uint64_t> regions(grid.labels.size());
        std::size_t node = 0;
        for (int z = 0; z < grid.nodes.z; ++z)
            for (int y = 0; y < grid.nodes.y; ++y)
                for (int x = 0; x < grid.nodes.x; ++x, ++node)
                    if (isNeeded[node])
                        regions[node] = borders.at(grid.position(x, y, z)).region;
        spread(isNeeded, [&](std::size_t a, std::size_t b) { return regions[a] == regions[b]; });
        spread(isNeeded, [](std::size_t, std::size_t) { return true; });
        for (std::size_t i = 0; i < grid.labels.size(); ++i)
            if (grid.labels[i] == kNobody)
                grid.labels[i] = 0;
    }

    std::uint32_t nearest(const Vec3d& p) const {
        const Vec3d at = cellsOf(p);
        const auto round = [](double value, int nodes) {
            return int(std::clamp(std::floor(value + 0.5), 0.0, double(nodes - 1)));
        };
        return grid.labels[grid.index(round(at.x, grid.nodes.x), round(at.y, grid.nodes.y), round(at.z, grid.nodes.z))];
    }

    LabelGrid grid;

private:
    Vec3d cellsOf(const Vec3d& p) const { return (p - grid.origin) * (1 / grid.cell); }

    std::array<std::size_t, 8> cornersOf(std::size_t cell) const {
        const std::size_t row = std::size_t(grid.nodes.x), slice = row * std::size_t(grid.nodes.y);
        return {cell,         cell + 1,         cell + row,         cell + row + 1,
                cell + slice, cell + slice + 1, cell + slice + row, cell + slice + row + 1};
    }

    template <class Visit>
    void forEachCell(Visit&& visit) const {
        for (int z = 0; z + 1 < grid.nodes.z; ++z)
            for (int y = 0; y + 1 < grid.nodes.y; ++y)
                for (int x = 0; x + 1 < grid.nodes.x; ++x)
                    visit(grid.index(x, y, z));
    }

    // Marks cells that meet the triangle's box and its plane, with a little to spare.
    void touch(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
        constexpr double kSpare = 0.01;  // cells: more than the rounding of a triangle's corners
        const Vec3d n = cross(b - a, c - a);
        const double reach = (0.5 + kSpare) * (std::fabs(n.x) + std::fabs(n.y) + std::fabs(n.z)), offset = dot(n, a);
        const auto low = [](double p, double q, double r, int) {
            return std::max(0, int(std::floor(std::min({p, q, r}) - kSpare)));
        };
        const auto high = [](double p, double q, double r, int nodes) {
            return std::min(nodes - 2, int(std::floor(std::max({p, q, r}) + kSpare)));
        };
        for (int z = low(a.z, b.z, c.z, 0); z <= high(a.z, b.z, c.z, grid.nodes.z); ++z)
            for (int y = low(a.y, b.y, c.y, 0); y <= high(a.y, b.y, c.y, grid.nodes.y); ++y)
                for (int x = low(a.x, b.x, c.x, 0); x <= high(a.x, b.x, c.x, grid.nodes.x); ++x)
                    if (std::fabs(dot(n, Vec3d{x + 0.5, y + 0.5, z + 0.5}) - offset) <= reach)
                        grid.isActive[grid.index(x, y, z)] = 1;
    }

    // Breadth first from all labelled nodes, in their order.
    template <class MayPass>
    void spread(const std::vector<std::uint8_t>& isNeeded, const MayPass& mayPass) {
        std::deque<std::size_t> queue;
        for (std::size_t node = 0; node < grid.labels.size(); ++node)
            if (isNeeded[node] && grid.labels[node] != kNobody)
                queue.push_back(node);
        const std::size_t row = std::size_t(grid.nodes.x), slice = row * std::size_t(grid.nodes.y);
        while (!queue.empty()) {
            const std::size_t node = queue.front();
            queue.pop_front();
            const std::size_t x = node % row, y = node / row % std::size_t(grid.nodes.y), z = node / slice;
            const auto visit = [&](bool exists, std::size_t next) {
                if (exists && isNeeded[next] && grid.labels[next] == kNobody && mayPass(node, next)) {
                    grid.labels[next] = grid.labels[node];
                    queue.push_back(next);
                }
            };
            visit(x > 0, node - 1);
            visit(x + 1 < row, node + 1);
            visit(y > 0, node - row);
            visit(y + 1 < std::size_t(grid.nodes.y), node + row);
            visit(z > 0, node - slice);
            visit(z + 1 < std::size_t(grid.nodes.z), node + slice);
        }
    }

    const SurfaceMesh& surface_;
    Int3 first_;  // first node of this grid, in nodes of the body's grid
};

}  // namespace

CutSurfaces cutPieces(const SurfaceMesh& surface, const Vec3& origin, const geometry::Grid& grid,
                      std::span<const Piece<std::int16_t>> pieces, RegionSource& regions) {
    PieceLabels labels(surface, toDouble(origin), grid);
    for (std::uint32_t i = 0; i < pieces.size(); ++i)
        labels.own(i, grid, pieces[i].field);
    labels.activate();
    Borders borders(regions, toDouble(origin), labels.grid.cell);
    labels.extend(borders);
    const geometry::CellComplex complex =
        geometry::complexOfGrid(labels.grid, [&](const Vec3d& a, const Vec3d& b) { return borders.between(a, b); });
    geometry::CutResult cut = geometry::cutSurface(
        surface, complex, std::uint32_t(pieces.size()), [&](const Vec3d& p) { return labels.nearest(p); }, kFractureSurface);
    return {std::move(cut.pieces), std::move(cut.error)};
}

}  // namespace sunder::fracture
