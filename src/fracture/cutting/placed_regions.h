// The regions of a pattern as a body sees them that was hit: exactly where they are, not sampled on the body's grid.
#pragma once

#include <memory>

#include "geometry/patterns/build_pattern.h"
#include "geometry/patterns/built_pattern.h"
#include "math/quat.h"

namespace sunder::fracture {

// A pattern that was turned, scaled and moved: what place_pattern.h does to it, in the body's frame.
struct PatternPlace {
    Vec3 point;
    Quat bodyFromPattern;
    Real scale = 1;
};

// From the pattern's definition; of a pattern that has none, from its samples.
std::unique_ptr<geometry::RegionSource> placedRegions(const BuiltPattern& pattern, const PatternPlace& place);
// The two sides of a plane.
std::unique_ptr<geometry::RegionSource> planeRegions(const Vec3& point, const Vec3& normal);
// One region beyond the ball.
std::unique_ptr<geometry::RegionSource> withinReach(std::unique_ptr<geometry::RegionSource> regions, const Vec3& point,
                                                    Real reach);

}  // namespace sunder::fracture
