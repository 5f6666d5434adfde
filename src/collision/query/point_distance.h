// The closest point of a shape's surface.
#pragma once

#include "collision/query/hit.h"

namespace sunder::collision {

// The surface point closest to the origin of the frame; none where the distance exceeds maxDistance. The distance is negative
// inside solids, which includes closed meshes.
std::optional<DistanceHit> findDistance(const ShapeAt& target, double maxDistance);

}  // namespace sunder::collision
