// Reduces the many points at which particles are near another surface to few manifolds.
#pragma once

#include <span>

#include "collision/narrow_phase/level_set/particle_contact.h"
#include "collision/narrow_phase/manifold/manifold.h"
#include "math/quat.h"

namespace sunder::collision {

inline constexpr int kMaxLevelSetManifolds = 4;  // directions of contact at once; the deepest are kept

struct PointLimits {
    // Which points make the second manifold: those farther from touching than the deepest by this many blends, and outside the
    // first manifold's patch by this share of its width.
    Real farBlends, farWidths;
    Real band = 1;  // in blends: beyond it the first manifold prefers nearer points to such as are wide apart
};

// Contacts whose normals agree become one manifold, deepest first; at most kMaxLevelSetManifolds, the rest is dropped. A
// manifold's normal is the weighted mean over the contacts within `blend` (m) of its deepest one, so that it does not hop from
// particle to particle. Keys are the main axes of the normals in A's frame. known: the previous manifolds.
void appendManifolds(std::span<const ParticleContact> contacts, const Quat& frameFromA, Real blend, const PointLimits& limits,
                     KnownManifolds known, ManifoldList& out);
// appendManifolds for contacts that all have one normal.
void appendFlatManifolds(std::span<const ParticleContact> contacts, const Quat& frameFromA, Real blend,
                         const PointLimits& limits, KnownManifolds known, ManifoldList& out);

}  // namespace sunder::collision
