// A cell pattern: space scored into regions, sampled on a grid.
//   [Su09] 4.1   regions of a box, the fracture centre and a frame for the collision normal
// Deviation: one label and one distance to the nearest border per node, in place of a level set per region. Two regions then
// agree on their border to the last bit, and memory does not grow with their number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "geometry/level_set/grid.h"
#include "math/quat.h"

namespace sunder::geometry {

struct Pattern {
    static constexpr int kStepsPerCell = 256;
    static constexpr int kMostCells = 16;  // distances are stored up to this
    static constexpr std::uint16_t kMostSteps = kMostCells * kStepsPerCell;

    Grid grid;
    Vec3 center;       // the fracture centre, in the grid's frame
    Quat orientation;  // turns +y to the direction that is laid along the outward normal at the impact
    std::uint16_t regionCount = 0;
    // Whether the border between two regions may have edges away from any third region, as those of closed meshes do.
    bool hasSharpFaces = true;
    std::vector<std::uint16_t> labels;     // per node, 1 .. regionCount
    std::vector<std::uint16_t> distances;  // per node to the nearest border, in cell / kStepsPerCell; 1 .. kMostSteps

    // Radius of the largest sphere about the fracture centre within the grid.
    Real innerRadius() const;
    std::size_t memory() const;
};

struct PatternResult {
    Pattern pattern;
    std::string error;  // empty where the pattern is good
};

// Empty where sizes, labels and distances are consistent; else the fault.
std::string check(const Pattern& pattern);

// Needs complete labels and distances.
bool findSharpFaces(const Pattern& pattern);

struct PatternSample {
    std::uint16_t label = 0;
    Real cells = 0;  // to the nearest border, in cells of the pattern
};

// Defined everywhere: beyond the grid the pattern continues as it is at the grid's border. `at` in cells from the first node.
// Every region in reach has a signed distance, interpolated between the nodes; the lowest gives the label, and half the
// difference to the next one is the distance, so that it is zero on the border from both sides.
PatternSample samplePattern(const Pattern& pattern, const Vec3& at);
// Samples at start + i step for i = first and the next three, with the bits of single samples.
inline constexpr int kPatternLanes = 4;
void samplePattern(const Pattern& pattern, const Vec3& start, const Vec3& step, int first, PatternSample (&out)[kPatternLanes]);

}  // namespace sunder::geometry
