// Level sets that have gone through each other. A particle sees the nearest surface alone: of two shards of glass that cross,
// the particles on one side of the middle are pushed one way and those on the other side the other way, for ever. Where both
// are nearly convex, the hulls of their particles know the shortest way out.
#pragma once

#include <span>

#include "collision/built_shape.h"
#include "collision/narrow_phase/level_set/particle_contact.h"
#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// Appends how the hulls of A and B meet, where `contacts` (not empty) go deep and lead nowhere; else gives false.
bool collideTangled(const LevelSetShape& a, const Pose& poseA, const LevelSetShape& b, const Pose& poseB,
                    std::span<const ParticleContact> contacts, const Range& range, ManifoldList& out);

}  // namespace sunder::collision
