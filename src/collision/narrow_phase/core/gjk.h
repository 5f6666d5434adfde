// Distance of two convex cores: the search for the point of their Minkowski difference that is closest to the origin
// (Gilbert, Johnson, Keerthi 1988), in double.
#pragma once

#include "collision/narrow_phase/core/core.h"

namespace sunder::collision {

struct ClosestPoints {
    enum class Status : std::uint8_t {
        Apart,     // distance > 0; the points and the normal are the closest ones
        Touching,  // the cores overlap or are closer than rounding can tell; nothing else is set
        Beyond,    // further apart than asked for; distance is a lower bound, nothing else is set
    };
    Status status = Status::Beyond;
    Vec3d onA, onB;  // of the cores
    Vec3d normal;    // unit, from A to B
    double distance = 0;
};

// start: the direction from A to B that is tried first, such as one known to part them; the line between the centres where it
// is null. The nearer to the answer, the shorter the search.
ClosestPoints findClosestPoints(const PlacedCore& a, const PlacedCore& b, double maxDistance, const Vec3d* start = nullptr);

}  // namespace sunder::collision
