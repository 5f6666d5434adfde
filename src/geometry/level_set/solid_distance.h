// Level sets of solid shapes and of functions.
#pragma once

#include <functional>
#include <string>

#include "geometry/level_set/level_set.h"
#include "sunder/shapes.h"

namespace sunder::geometry {

struct FieldResult {
    DistanceField field;
    std::string error;  // empty where the field is good
};

// Sphere, box, capsule, cylinder and hull by their exact distance; a compound as the union of its children (exact outside;
// inside exact but for what sweeping adds where children overlap). Meshes go through mesh_level_set.h.
FieldResult distanceOfShape(const Shape& shape, const Resolution& resolution);
// distanceOfShape on a given grid, which may cut through the shape.
FieldResult distanceOfShape(const Shape& shape, const Grid& grid);

// distance(p) in metres, negative inside; any function with slope about 1 near its zero serves.
DistanceField distanceOfFunction(const Grid& grid, const std::function<Real(const Vec3&)>& distance);

}  // namespace sunder::geometry
