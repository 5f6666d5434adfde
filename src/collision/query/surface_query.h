// Queries of a closed surface whose vertices move, as that of a deformable body: nothing is prepared, every triangle is looked
// at. The surface is a solid, like a closed mesh; it is given in the frame of the query.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "collision/query/hit.h"
#include "math/bounds.h"

namespace sunder::collision {

struct MovingSurface {
    std::vector<Vec3> points;                                 // m
    std::span<const std::array<std::uint32_t, 3>> triangles;  // counter-clockwise from outside
};

// As castRay of ray.h: the ray starts at the origin.
std::optional<CastHit> castRay(const MovingSurface& surface, const Vec3d& displacement, double maxFraction);
// As findDistance of point_distance.h.
std::optional<DistanceHit> findDistance(const MovingSurface& surface, double maxDistance);
// As castShape and findOverlap of shape_cast.h. A shape that is wholly inside overlaps it.
std::optional<CastHit> castShape(const ShapeAt& moving, const Vec3d& displacement, const MovingSurface& target,
                                 double maxFraction);
bool findOverlap(const ShapeAt& shape, const MovingSurface& target);

}  // namespace sunder::collision
