// The closest point of a shape's surface.
#pragma once

#include "collision/query/hit.h"

namespace sunder::collision {

// Closest to the origin of the frame; nothing where the distance exceeds maxDistance. Negative inside solids; a mesh is one
// where it is closed.
std::optional<DistanceHit> findDistance(const ShapeAt& target, double maxDistance);

}  // namespace sunder::collision
