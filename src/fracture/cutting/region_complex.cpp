#include "fracture/cutting/region_complex.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "geometry/cells/convex_cell.h"
#include "geometry/cells/rough_complex.h"
#include "geometry/cutting/grid_complex.h"

namespace sunder::fracture {

using geometry::BorderPoint;
using geometry::LabelGrid;
using geometry::RegionAt;
using geometry::RegionSource;

namespace {

// Cells: round borders are drawn flat to this.
constexpr double kRoundness = 0.1;
// Share of the surface's size by which the division reaches beyond it.
constexpr double kBeyond = 0.02;

struct PointBox {
    Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
};

PointBox boxOf(std::span<const Vec3d> points) {
    PointBox box;
    for (const Vec3d& p : points) {
        box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y), std::min(box.low.z, p.z)};
        box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y), std::max(box.high.z, p.z)};
    }
    return box;
}

// Asks the regions for their borders.
class Borders {
public:
    Borders(RegionSource& regions, double cell) : regions_(regions, cell), cell_(cell) {}
    RegionAt at(const Vec3d& p) { return regions_.at(p); }

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

    FocusedRegions regions_;
    double cell_;
};

// A grid over the surface whose nodes are labelled by the regions they lie in.
class RegionGrid {
public:
    RegionGrid(const PointBox& box, double cell, Borders& borders, std::vector<std::uint64_t>& regions) {
        grid.cell = cell;
        grid.origin = box.low - Vec3d{2, 2, 2} * cell;
        const auto count = [&](double low, double high) { return int(std::ceil((high - low) / cell)) + 5; };
        grid.nodes = {count(box.low.x, box.high.x), count(box.low.y, box.high.y), count(box.low.z, box.high.z)};
        std::vector<std::uint64_t> found;
        for (int z = 0; z < grid.nodes.z; ++z)
            for (int y = 0; y < grid.nodes.y; ++y)
                for (int x = 0; x < grid.nodes.x; ++x)
                    found.push_back(borders.at(grid.position(x, y, z)).region);
        regions = found;
        std::sort(regions.begin(), regions.end());
        regions.erase(std::unique(regions.begin(), regions.end()), regions.end());
        for (const std::uint64_t region : found)
            grid.labels.push_back(std::uint32_t(std::lower_bound(regions.begin(), regions.end(), region) - regions.begin()));
        grid.isActive.assign(found.size(), 1);
    }
    LabelGrid grid;
};

// Labels of the drawn faces are the regions' numbers.
RegionComplex ofDrawn(geometry::CellComplex drawn) {
    RegionComplex result;
    for (const geometry::CellComplex::Face& face : drawn.faces)
        result.regions.insert(result.regions.end(), {face.front, face.back});
    std::sort(result.regions.begin(), result.regions.end());
    result.regions.erase(std::unique(result.regions.begin(), result.regions.end()), result.regions.end());
    for (geometry::CellComplex::Face& face : drawn.faces) {
        face.front = result.labelOf(face.front);
        face.back = result.labelOf(face.back);
    }
    result.complex = std::move(drawn);
    result.isDrawn = true;
    return result;
}

}  // namespace

std::uint32_t RegionComplex::labelOf(std::uint64_t region) const {
    const auto at = std::lower_bound(regions.begin(), regions.end(), region);
    return at != regions.end() && *at == region ? std::uint32_t(at - regions.begin()) : 0;
}

RegionComplex complexOfRegions(std::span<const Vec3d> surface, double cell, RegionSource& regions) {
    RegionComplex result;
    const PointBox box = boxOf(surface);
    const double size = length(box.high - box.low);
    const Vec3d beyond{kBeyond * size, kBeyond * size, kBeyond * size};
    if (std::optional<geometry::CellComplex> drawn = regions.complex(box.low, box.high))
        return ofDrawn(std::move(*drawn));
    std::vector<geometry::ConvexCell> cells;
    if (regions.addCells({box.low - beyond, box.high + beyond, kRoundness * cell}, cells)) {
        geometry::CellsComplex made = geometry::complexOfCells(cells, size);
        if (const double rough = regions.roughSize(); rough > 0)
            geometry::roughenComplex(made.complex, std::max(rough, cell), [&](const Vec3d& p) { return regions.roughen(p); });
        return {std::move(made.complex), std::move(made.regions)};
    }
    Borders borders(regions, cell);
    const RegionGrid grid(box, cell, borders, result.regions);
    result.complex = geometry::complexOfGrid(grid.grid, [&](const Vec3d& a, const Vec3d& b) { return borders.between(a, b); });
    return result;
}

}  // namespace sunder::fracture
