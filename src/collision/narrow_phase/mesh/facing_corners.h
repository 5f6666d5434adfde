// The points of a convex shape that can rest on a plane.
#pragma once

#include <cstdint>

#include "collision/built_shape.h"
#include "collision/narrow_phase/core/placement.h"

namespace sunder::collision {

struct FacingCorners {
    static constexpr int kMost = 32;  // larger faces are thinned to this many
    int count = 0;
    Vec3d points[kMost];
    std::uint32_t features[kMost] = {};  // of the shape alone: independent of where it lies, below 2^16
};

// The corners of the face, line or cap that the shape, turned by the orientation, shows to a plane of unit normal n below it.
// They depend on the shape, its orientation and n only, not on how the plane is cut into triangles. A cap has no corners: it
// shows four points of its rim, in directions that depend on n only. Relative to the shape's origin.
void findFacingCorners(const BuiltShape& convex, const Placement& orientation, const Vec3d& n, FacingCorners& out);

}  // namespace sunder::collision
