// From a description of regions to a sampled pattern.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/task_runner.h"
#include "geometry/cells/convex_cell.h"
#include "geometry/patterns/noise.h"
#include "geometry/patterns/pattern.h"
#include "math/vec3d.h"
#include "sunder/patterns.h"

namespace sunder::geometry {

// Any numbering of regions: they are renumbered in the order of first appearance.
struct RegionAt {
    std::uint64_t region = 0;
    double distance = 0;  // to the nearest border of the region
};

// Where regions are wanted as cells.
struct CellRange {
    Vec3d low, high;       // covers at least this box
    double roundness = 0;  // m: how far the flat faces of cells may be from a round border
};

class RegionSource {
public:
    virtual ~RegionSource() = default;
    // Adds the regions as convex cells with exact planes. False where they have none.
    virtual bool addCells(const CellRange& range, std::vector<ConvexCell>& cells) const {
        (void)range, (void)cells;
        return false;
    }
    // The division of this box that the regions make, with their numbers as labels; nothing where they do not know it.
    virtual std::optional<CellComplex> complex(const Vec3d& low, const Vec3d& high) const {
        (void)low, (void)high;
        return {};
    }
    // Where a point of the cells' faces really lies, and how large the triangles may be for that to show; 0: any size, since
    // faces are as flat as those of the cells.
    virtual Vec3d roughen(const Vec3d& point) const { return point; }
    virtual double roughSize() const { return 0; }
    // Announces that the next points lie within this ball; distances beyond `reach` need not be exact.
    virtual void focus(const Vec3d& center, double radius, double reach) { (void)center, (void)radius, (void)reach; }
    virtual RegionAt at(const Vec3d& point) const = 0;
    // Whether the regions do not depend on y, so that one layer of nodes suffices.
    virtual bool isPrism() const { return false; }
    // The same regions with a focus of their own, for another thread; null where the source has none.
    virtual std::unique_ptr<RegionSource> another() const { return nullptr; }
};

// The regions of a source with rough faces; their distances are then right in sign only.
class RoughRegions final : public RegionSource {
public:
    RoughRegions(std::unique_ptr<RegionSource> smooth, const PatternRoughness& roughness, std::uint64_t seed)
        : smooth_(std::move(smooth)), warp_(roughness, seed) {}
    void focus(const Vec3d& center, double radius, double reach) override {
        smooth_->focus(center, radius + warp_.largestMove(), reach);
    }
    RegionAt at(const Vec3d& point) const override { return smooth_->at(warp_(point)); }
    bool addCells(const CellRange& range, std::vector<ConvexCell>& cells) const override {
        const double move = warp_.largestMove();
        const Vec3d more{move, move, move};
        return smooth_->addCells({range.low - more, range.high + more, range.roundness}, cells);
    }
    Vec3d roughen(const Vec3d& point) const override { return warp_.inverse(point); }
    double roughSize() const override { return warp_.finest(); }

private:
    std::unique_ptr<RegionSource> smooth_;
    Warp warp_;
};

// The cube [-1, 1]^3.
Grid patternGrid(int nodes);
// remeasure: find the distances anew, for sources whose distances are inexact. runner: may be null; a source that has another()
// of itself is then asked by several threads.
PatternResult buildPattern(const Grid& grid, RegionSource& source, bool remeasure, TaskRunner* runner = nullptr);

// Measures distances again from labels and rough distances that are right in sign only: near the borders by their slope,
// elsewhere by sweeping. Metres in and out, per node.
void remeasureDistances(const Grid& grid, std::span<const std::uint16_t> labels, std::span<Real> distances);
// Labels and distances in metres as a pattern with its centre at the origin.
PatternResult assemblePattern(const Grid& grid, std::span<const std::uint64_t> regions, std::span<const Real> distances);

}  // namespace sunder::geometry
