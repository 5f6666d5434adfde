// Definitions of level sets become sampled solids.
#pragma once

#include <memory>

#include "collision/level_set/sampled_solid.h"
#include "sunder/shapes.h"

namespace sunder::collision {

// Samples a definition that has no `sampled`. Throws Error, naming the field, where it bounds no solid.
std::shared_ptr<const SampledSolid> sampleSolid(const LevelSet& definition);

}  // namespace sunder::collision
