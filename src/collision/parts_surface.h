// The exact surface of a level set's parts: drawn, and cut, where the grid would round it.
#pragma once

#include "geometry/level_set/level_set.h"
#include "geometry/surface/surface_mesh.h"
#include "sunder/shapes.h"

namespace sunder::collision {

// The surface of a single part that is no compound; of several parts, the surface of the field with sharp edges kept. Throws
// Error where the part is a mesh that bounds no solid.
geometry::SurfaceMesh surfaceOfParts(const LevelSet& definition, const geometry::LevelSet16& field);

}  // namespace sunder::collision
