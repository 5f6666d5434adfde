// The surface of a level set's parts as they were given: what is drawn, and cut, where the grid would round it.
#pragma once

#include "geometry/level_set/level_set.h"
#include "geometry/surface/surface_mesh.h"
#include "sunder/shapes.h"

namespace sunder::collision {

// Of one part that is no compound; of several parts the surface of the field, sharp edges kept. Throws Error where it is a mesh
// that bounds no solid.
geometry::SurfaceMesh surfaceOfParts(const LevelSet& definition, const geometry::LevelSet16& field);

}  // namespace sunder::collision
