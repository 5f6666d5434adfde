// Shapes that are not built from a definition; buildShape itself is declared in sunder/shapes.h.
#pragma once

#include <memory>

#include "sunder/shapes.h"

namespace sunder::collision {

// A body's shape from a solid that was sampled already, as the pieces of a fracture are: cheap, and nothing is copied. The
// solid must have inside nodes and particles, and should have its centre of mass at the origin of its frame, because speeds
// and bounds are judged by how far it reaches from there.
SharedShape buildLevelSetShape(std::shared_ptr<const SampledSolid> solid);

}  // namespace sunder::collision
