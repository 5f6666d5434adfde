// Results of a query on one shape. Placements are in double, in a frame whose origin the caller puts near the query.
#pragma once

#include <optional>

#include "collision/built_shape.h"
#include "collision/narrow_phase/core/placement.h"

namespace sunder::collision {

inline constexpr std::uint32_t kNoIndex = 0xffffffffu;

// A shape with its placement in the frame of the query.
struct ShapeAt {
    const BuiltShape& shape;
    Vec3d position;
    Quat orientation;

    Placement placement() const {
        Placement placed = toPlacement({{}, orientation});
        placed.origin = position;
        return placed;
    }
};

struct CastHit {
    double fraction = 0;  // of the displacement
    Vec3d point;          // on the shape that was hit
    Vec3d normal;         // unit, out of it
    double depth = 0;     // of an overlap at the start
    bool startsInside = false;
    std::uint32_t child = kNoIndex, triangle = kNoIndex;  // of the shape that was hit
    std::uint32_t castChild = kNoIndex;                   // of the shape that moved
};

struct DistanceHit {
    double distance = 0;  // negative inside
    Vec3d point;          // of the surface
    Vec3d normal;         // unit, out of the surface
    std::uint32_t child = kNoIndex, triangle = kNoIndex;
};

}  // namespace sunder::collision
