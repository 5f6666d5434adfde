// A cell whose corner values fit one plane gets its centre's projection onto that plane, or the mean of its crossings where
// that falls outside the cell. Elsewhere the planes at the corners are intersected (feature_point.h). Cells are listed first
// and then processed four at a time.
#include "geometry/surface/surface_vertices.h"

#include <algorithm>

#include "geometry/level_set/sign_mask.h"
#include "geometry/surface/cell_sheets.h"
#include "geometry/surface/feature_cells.h"
#include "geometry/surface/plane_fits.h"

namespace sunder::geometry {
namespace {

// How far |gradient|^2 of a cell may be from 1 to count as one plane, on top of the rounding of the stored values.
constexpr Real kSmoothTolerance = Real(0.04);

using Cell = SurfaceCell;

using CornerValues = Real[8];  // in cells

// Gradient of the interpolated field.
Vec3 gradientAt(const CornerValues& v, const Vec3& p) {
    const auto mix = [](Real a, Real b, Real t) { return a + (b - a) * t; };
    const auto bilinear = [&](int origin, int u, int w, Real s, Real t) {
        return mix(mix(v[origin], v[origin + u], s), mix(v[origin + w], v[origin + u + w], s), t);
    };
    return {bilinear(1, 2, 4, p.y, p.z) - bilinear(0, 2, 4, p.y, p.z),
            bilinear(2, 1, 4, p.x, p.z) - bilinear(0, 1, 4, p.x, p.z),
            bilinear(4, 1, 2, p.x, p.y) - bilinear(0, 1, 2, p.x, p.y)};
}

template <class Stored>
class Placer {
public:
    Placer(const LevelSet<Stored>& field, std::vector<SurfaceVertex>& out)
        : field_(field),
          scale_(field.step / field.grid.cell),
          tolerance_(kSmoothTolerance + 2 * scale_),
          row_(std::size_t(field.grid.nodes.x)),
          slice_(row_ * std::size_t(field.grid.nodes.y)),
          out_(out) {}

    void place(const std::vector<Cell>& cells) {
        constexpr std::size_t lanes = FourCells::kLanes;
        PlaneFits fits;
        for (std::size_t first = 0; first < cells.size(); first += lanes) {
            const std::size_t count = std::min(lanes, cells.size() - first);
            fit(&cells[first], count, fits);
            for (std::size_t i = 0; i < count; ++i)
                place(cells[first + i], fits, int(i));
        }
        placeOnFeatures();
    }

private:
    void fit(const Cell* cells, std::size_t count, PlaneFits& fits) const {
        Eight corners[FourCells::kLanes];
        for (std::size_t i = 0; i < FourCells::kLanes; ++i)
            corners[i] = atCorners(&field_.values[cells[std::min(i, count - 1)].node], row_, slice_);
        fits = fitPlanes(FourCells(corners), scale_);
    }

    void place(const Cell& cell, const PlaneFits& fits, int lane) {
        const CellSheets& sheets = kCellSheets[cell.corners];
        const bool isPlane = fits.misfit[lane] < tolerance_ && sheets.count == 1;
        const Vec3 normal = laneOf(fits.normal, std::size_t(lane));
        if (isPlane && fits.leaves[lane] <= 0) {
            put(cell, 0, {laneOf(fits.position, std::size_t(lane)), normal, SurfaceFeature::Smooth, false});
            return;
        }
        if (!isPlane && sheets.count == 1) {
            features_.push_back(cell);
            return;
        }
        CornerValues v;
        cornerValues(cell.node, v);
        if (isPlane) {
            put(cell, 0, {meanCrossing(v, sheets, 0), normal, SurfaceFeature::Smooth, false});
            return;
        }
        for (int sheet = 0; sheet < sheets.count; ++sheet)
            put(cell, sheet, placeSmooth(v, meanCrossing(v, sheets, sheet)));
    }

    void cornerValues(std::size_t node, CornerValues& v) const {
        const Eight stored = atCorners(&field_.values[node], row_, slice_);
        for (int i = 0; i < 8; ++i)
            v[i] = Real(stored[i]) * scale_;
    }

    CellFeature placeSmooth(const CornerValues& v, const Vec3& mean) const {
        return {mean, normalizeOr(gradientAt(v, mean), {0, 1, 0}), SurfaceFeature::Smooth, false};
    }

    void placeOnFeatures() {
        FeatureCells finder;
        const std::span<const CellFeature> found = finder.find(field_, features_);
        for (std::size_t i = 0; i < features_.size(); ++i) {
            CornerValues v;
            cornerValues(features_[i].node, v);
            put(features_[i], 0, found[i].isFound ? found[i] : placeSmooth(v, found[i].position));
        }
    }

    void put(const Cell& cell, int sheet, const CellFeature& point) {
        putVertex(field_.grid, cell, sheet, point.position, point.normal, point.feature,
                  out_[cell.vertex + std::uint32_t(sheet)]);
    }

    const LevelSet<Stored>& field_;
    Real scale_, tolerance_;
    std::size_t row_, slice_;
    std::vector<SurfaceVertex>& out_;
    std::vector<Cell> features_;  // cells that no plane fits
};

}  // namespace

template <class Stored>
std::vector<SurfaceVertex> surfaceVertices(const LevelSet<Stored>& field) {
    std::vector<Cell> cells;
    std::uint32_t vertex = 0;
    const SignMask mask(field);
    cells.reserve(mask.surfaceCellCount());
    mask.forEachSurfaceCell([&](int x, int y, int z, unsigned corners) {
        cells.push_back({{x, y, z}, std::uint32_t(field.grid.index(x, y, z)), vertex, corners});
        vertex += kCellSheets[corners].count;
    });
    std::vector<SurfaceVertex> result(vertex);
    Placer<Stored>(field, result).place(cells);
    return result;
}

template std::vector<SurfaceVertex> surfaceVertices<std::int8_t>(const LevelSet8&);
template std::vector<SurfaceVertex> surfaceVertices<std::int16_t>(const LevelSet16&);

}  // namespace sunder::geometry
