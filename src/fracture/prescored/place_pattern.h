// Lays a pattern over a body about the point where it was hit.
//   [Su09] 4.2   general: translate, rotate to the collision normal, scale to enclose; fast: aligned with the body's grid
// Both give a label and a distance per node of the body's grid. General placement resamples the pattern for every impact.
// Aligned placement resamples it beforehand, once for each axis, and then only shifts it by whole cells.
#pragma once

#include <cstdint>
#include <vector>

#include "core/task_runner.h"
#include "geometry/level_set/level_set.h"
#include "geometry/patterns/build_pattern.h"
#include "geometry/patterns/pattern.h"
#include "sunder/patterns.h"

namespace sunder::fracture {

// In the frame of the body's grid.
struct Impact {
    Vec3 point;
    Vec3 normal{0, 1, 0};  // unit: of the body's surface, outward
    Real spin = 0;         // rad: turn of the pattern about the normal; general placement only
};

// Distances are stored in steps of 1/32 cell of the body, as in a LevelSet8, and up to its band.
inline constexpr int kPlacedSteps = 32, kPlacedLimit = 127;

// A pattern on the nodes of one body's grid: row (y, z) of the labels starts at labels + y rowStride + z sliceStride.
struct PlacedPattern {
    const std::uint16_t* labels = nullptr;    // 1 .. regionCount
    const std::uint8_t* distances = nullptr;  // to the nearest border, 1 .. kPlacedLimit
    std::size_t rowStride = 0, sliceStride = 0;
    std::uint16_t regionCount = 0;
    bool hasSharpFaces = false;  // see geometry::Pattern
    // Storage where the pattern was resampled for this impact; moving keeps the pointers valid, copying would not.
    std::vector<std::uint16_t> ownLabels;
    std::vector<std::uint8_t> ownDistances;

    PlacedPattern() = default;
    PlacedPattern(PlacedPattern&&) = default;
    PlacedPattern& operator=(PlacedPattern&&) = default;
};

// m per unit of the pattern's frame, such that the pattern covers a body of this bounding radius wherever it is hit: the
// pattern's inner radius becomes the body's diameter. `size` multiplies it: above 1, fewer and larger pieces.
Real coveringScale(const geometry::Pattern& pattern, Real bodyRadius, Real size = 1);

// solid: the body's field, or null. Farther outside than distances reach, the pattern has no effect, and labels and distances
// there are undefined.
PlacedPattern placeGeneral(const geometry::Pattern& pattern, Real scale, const geometry::Grid& body, const Impact& impact,
                           TaskRunner& runner, const geometry::LevelSet16* solid = nullptr);

// Regions in the body's frame, sampled at its nodes: sharp where three of them meet, unlike a sampled pattern with larger cells
// than the body's. remeasure, runner: as for buildPattern. Labels are null where there are more regions than they can count.
PlacedPattern placeRegions(geometry::RegionSource& regions, const geometry::Grid& body, bool remeasure,
                           TaskRunner* runner = nullptr);

// The rotation with which both placements turn a pattern so that its normal lies along this direction of the body.
Quat bodyFromPattern(const geometry::Pattern& pattern, const Vec3& normal, Real spin);

// Two regions, on either side of the plane through the impact point.
PlacedPattern placePlane(const geometry::Grid& body, const Impact& impact);

// Limits cracks to this distance (m) from the impact point: everything beyond is one more region. For patterns with own labels.
void limitReach(PlacedPattern& placed, const geometry::Grid& body, const Vec3& point, Real reach);

enum class Axis : std::uint8_t { PlusX, MinusX, PlusY, MinusY, PlusZ, MinusZ };
Axis nearestAxis(const Vec3& direction);
Vec3 directionOf(Axis axis);

// A pattern on a grid with the cells of a body, its normal along an axis, wide enough for every impact on the body. Pieces of
// the body share its grid, so it serves them too.
class AlignedPattern {
public:
    AlignedPattern() = default;
    AlignedPattern(const geometry::Pattern& pattern, Real scale, const geometry::Grid& body, Axis axis, TaskRunner& runner);
    // From the definition, which must be in range: sharp where three regions meet, unlike a sampled pattern with larger cells
    // than the body's.
    AlignedPattern(const PatternDef& definition, Real scale, const geometry::Grid& body, Axis axis);

    // The impact point moves to the nearest node of the body's grid, by up to half a cell per axis; its normal is ignored.
    // Valid as long as this pattern is. A body with another cell size, or larger than the one given, has no placement: the
    // result's labels are null.
    PlacedPattern place(const geometry::Grid& body, const Impact& impact) const;
    std::size_t memory() const;

private:
    void setGrid(const geometry::Grid& body);

    geometry::Grid grid_;  // with the fracture centre at its middle node
    std::uint16_t regionCount_ = 0;
    bool hasSharpFaces_ = false;
    std::vector<std::uint16_t> labels_;
    std::vector<std::uint8_t> distances_;
};

}  // namespace sunder::fracture
