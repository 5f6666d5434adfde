// The regions of a pattern placed on a body that was hit: exact, not sampled on the body's grid.
#pragma once

#include <memory>

#include "geometry/patterns/build_pattern.h"
#include "geometry/patterns/built_pattern.h"
#include "math/quat.h"

namespace sunder::fracture {

// A pattern turned, scaled and moved as place_pattern.h does it, in the body's frame.
struct PatternPlace {
    Vec3 point;
    Quat bodyFromPattern;
    Real scale = 1;
};

// From the pattern's definition; from its samples for a pattern that has none.
std::unique_ptr<geometry::RegionSource> placedRegions(const BuiltPattern& pattern, const PatternPlace& place);
// The two sides of a plane.
std::unique_ptr<geometry::RegionSource> planeRegions(const Vec3& point, const Vec3& normal);
// Merges everything beyond `reach` (m) of the point into one region.
std::unique_ptr<geometry::RegionSource> withinReach(std::unique_ptr<geometry::RegionSource> regions, const Vec3& point,
                                                    Real reach);

}  // namespace sunder::fracture
