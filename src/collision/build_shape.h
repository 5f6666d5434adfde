// Shapes that are not built from a definition. buildShape itself is declared in sunder/shapes.h.
#pragma once

#include <memory>

#include "sunder/shapes.h"

namespace sunder::collision {

// The shape of a body from a solid that is sampled already, as the pieces of a fracture are: cheap, nothing is copied. The
// solid must have inside nodes and particles. Its centre of mass should be the origin of its frame, because speeds and bounds
// are judged by its extent from there.
SharedShape buildLevelSetShape(std::shared_ptr<const SampledSolid> solid);

}  // namespace sunder::collision
