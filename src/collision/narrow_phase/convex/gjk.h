// Distance of two convex cores: the search for the point of their Minkowski difference that is closest to the origin
// (Gilbert, Johnson, Keerthi 1988), in double.
#pragma once

#include "collision/narrow_phase/convex/core.h"

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

ClosestPoints findClosestPoints(const PlacedCore& a, const PlacedCore& b, double maxDistance);

}  // namespace sunder::collision
