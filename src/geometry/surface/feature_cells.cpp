// Processes four cells at a time up to the test whether two of their corners' planes make an edge at all: in most cells next to
// an edge they do not.
#include "geometry/surface/feature_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/surface/feature_point.h"

namespace sunder::geometry {
namespace {

template <class Stored>
Eight cornersOf(const LevelSet<Stored>& field, std::size_t node) {
    const std::size_t row = std::size_t(field.grid.nodes.x);
    return atCorners(&field.values[node], row, row * std::size_t(field.grid.nodes.y));
}

// Whether the surface passes through the cell that holds the point, which is relative to the lowest node of cell `from`.
template <class Stored>
bool hasSurface(const LevelSet<Stored>& field, const Int3& from, const Vec3& point) {
    const Int3 cell{from.x + int(std::floor(point.x)), from.y + int(std::floor(point.y)), from.z + int(std::floor(point.z))};
    const auto [nx, ny, nz] = field.grid.nodes;
    if (cell.x < 0 || cell.y < 0 || cell.z < 0 || cell.x + 1 >= nx || cell.y + 1 >= ny || cell.z + 1 >= nz)
        return true;
    const std::uint64_t inside = bitsOf(cornersOf(field, field.grid.index(cell.x, cell.y, cell.z)) < std::int16_t(0));
    return inside != 0 && inside != 0xff;
}

// As normalizeOr with up as the fall-back.
QuadVec3 unitOrUp(const QuadVec3& a) {
    const Quad squared = dot(a, a), none{}, one = none + Real(1);
    const QuadMask isLong = squared > std::numeric_limits<Real>::min();
    const Quad length = rootOf(isLong ? squared : one);
    return {isLong ? a.x / length : none, isLong ? a.y / length : one, isLong ? a.z / length : none};
}

}  // namespace

template <class Stored>
std::span<const CellFeature> FeatureCells::find(const LevelSet<Stored>& field, std::span<const SurfaceCell> cells) {
    constexpr std::size_t kLanes = FourCells::kLanes;
    const Real scale = field.step / field.grid.cell;
    planes_.find(field, cells);
    if (features_.size() < cells.size())
        features_.resize(cells.size());
    for (std::size_t first = 0; first < cells.size(); first += kLanes) {
        const std::size_t count = std::min(kLanes, cells.size() - first);
        std::uint32_t lowest[kLanes];
        Eight values[kLanes];
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            lowest[lane] = cells[first + std::min(lane, count - 1)].node;
            values[lane] = cornersOf(field, lowest[lane]);
        }
        const FourCells four(values);
        const QuadVec3 means = meanCrossings(four, scale), normals = unitOrUp(gradientsOf(four, scale));
        const FourCornerPlanes planes = planes_.at(lowest);
        const QuadMask isEdge = makeEdges(planes, means);
        CornerPlanes ofLanes[kLanes];
        if ((isEdge[0] | isEdge[1] | isEdge[2] | isEdge[3]) != 0)
            splitLanes(planes, ofLanes);
        for (std::size_t lane = 0; lane < count; ++lane) {
            CellFeature& out = features_[first + lane];
            const Vec3 mean = laneOf(means, lane);
            const FeaturePoint found = isEdge[lane] != 0 ? featurePoint(ofLanes[lane], mean) : FeaturePoint{};
            // Field by field: copying a whole item would wait for its fields.
            const auto write = [&](const Vec3& position, const Vec3& normal, SurfaceFeature feature, bool isFound) {
                out.position = position;
                out.normal = normal;
                out.feature = feature;
                out.isFound = isFound;
            };
            if (found.feature == SurfaceFeature::Smooth)
                write(mean, laneOf(normals, lane), SurfaceFeature::Smooth, false);
            // The tip of a corner may stick out into a cell that has no vertex of its own; every other vertex stays in its
            // cell.
            else if (found.isOutside && hasSurface(field, cells[first + lane].at, found.position))
                write(found.inCell, found.inCellNormal, SurfaceFeature::Smooth, true);
            else
                write(found.position, found.normal, found.feature, true);
        }
    }
    return {features_.data(), cells.size()};
}

template std::span<const CellFeature> FeatureCells::find<std::int8_t>(const LevelSet8&, std::span<const SurfaceCell>);
template std::span<const CellFeature> FeatureCells::find<std::int16_t>(const LevelSet16&, std::span<const SurfaceCell>);

}  // namespace sunder::geometry
