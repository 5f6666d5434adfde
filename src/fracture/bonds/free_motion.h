// Releases energy in the directions that constraints leave free: the null space of their Jacobian.
//   [Li18] 5
// The change of motion u = M^-1 G^T of a push is projected, u' = u - M^-1 J^T (J M^-1 J^T)^-1 J u, so that J u' = 0: of all
// motions that the constraints allow the nearest one, by kinetic energy. The impulses of the projection are those of the
// constraints, equal and opposite, so that momenta are kept as far as nothing is held by the world.
// World axes, SI units, double.
#pragma once

#include <span>

#include "fracture/bonds/energy_release.h"

namespace sunder::fracture {

// A row of a constraint between two of the bodies: n . (vB - vA) + b . wB - a . wA = 0.
struct FreeRow {
    std::uint32_t a = 0, b = 0;  // indices into the bodies
    Vec3d linear, angularA, angularB;
};

// Pushes bodies[b] along G and bodies[a] against it, as far as the rows allow, so that `energy` (J) is added: exactly where
// the motion already goes that way, else without the cross term. Nothing where the rows leave less than kLeastFree of the push.
Released releaseFree(std::span<ReleaseBody> bodies, std::span<const FreeRow> rows, std::uint32_t a, std::uint32_t b,
                     const ReleaseForce& G, double energy);

}  // namespace sunder::fracture
