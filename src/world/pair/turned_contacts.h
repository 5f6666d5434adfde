// Contacts of bodies that turn far within a step, by themselves or by the blow with which they meet: a rod that spins about its
// axis, or the far end of a plank that strikes with one corner, comes down on corners that are not near when the pair is looked
// at. They sank in by their thickness.
#pragma once

#include "world/pair/motion_bounds.h"

namespace sunder::world {

// Cosine of half a degree: contacts with normals no farther apart lie on one plane, where a pair is looked at again later in
// the step.
inline constexpr Real kSamePlane = Real(0.99996);

// Adds to the manifolds, which are of the moment `time` of the step, what would come near their planes if the two turned on
// from then without moving on: at their own spin, and at that with which the blow leaves them. Returns whether there was
// anything.
bool addTurned(const Flight& a, const Flight& b, const Reach& reach, Real time, Real dt, collision::ManifoldList& manifolds,
               collision::ManifoldList& scratch);

}  // namespace sunder::world
