// Few manifolds from the many points at which particles come near another surface.
#pragma once

#include <span>

#include "collision/narrow_phase/level_set/particle_contact.h"
#include "collision/narrow_phase/manifold/manifold.h"
#include "math/quat.h"

namespace sunder::collision {

inline constexpr int kMaxLevelSetManifolds = 4;

// Points that are farther from touching than the deepest by this many blends, and outside of the first manifold's patch by such
// a part of its width, make a second one. From one blend on the first manifold prefers nearer points.
struct FarPoints {
    Real blends, widths;
};

// Contacts whose normals agree become one manifold, the deepest first; at most kMaxLevelSetManifolds, what is left over is
// dropped. A manifold's normal is the mean over the contacts that are deeper than its deepest plus `blend`, so that it does
// not hop from particle to particle. Keys are the main axes of the normals in A's frame. known: of the last time.
void appendManifolds(std::span<const ParticleContact> contacts, const Quat& frameFromA, Real blend, const FarPoints& limits,
                     KnownManifolds known, ManifoldList& out);
// The same where all contacts have one normal.
void appendFlatManifolds(std::span<const ParticleContact> contacts, const Quat& frameFromA, Real blend, const FarPoints& limits,
                         KnownManifolds known, ManifoldList& out);

}  // namespace sunder::collision
