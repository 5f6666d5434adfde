// Mass, centre, inertia and motion of pieces, such that breaking conserves mass, momentum and energy.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/level_set/level_set.h"
#include "geometry/mass_properties.h"
#include "math/vec3d.h"

namespace sunder::fracture {

using Symmetric = std::array<double, 6>;  // xx yy zz xy xz yz
inline Vec3d times(const Symmetric& s, const Vec3d& v) {
    return {s[0] * v.x + s[3] * v.y + s[4] * v.z, s[3] * v.x + s[1] * v.y + s[5] * v.z, s[4] * v.x + s[5] * v.y + s[2] * v.z};
}

// Sums over the nodes of a piece, in integers so that the order does not matter: weight (0 to one full cell), and weight times
// x, y, z, xx, yy, zz, xy, xz, yz.
using NodeSums = std::array<std::int64_t, 10>;
geometry::MassProperties massOfSums(const NodeSums& sums, int fullCell, const geometry::Grid& grid);

// Makes the pieces add up to the whole in mass, centre and inertia, all in one frame. The solid share of a node is approximate,
// and the whole may have been measured in another way: the pieces are scaled in mass, then moved and stretched by the one
// affine map that takes their second moments to the whole's. Where that would stretch them too much, which is soon the case
// where the user gave the whole's inertia or centre (isGiven), only their masses are scaled.
void addUpTo(const geometry::MassProperties& whole, std::span<geometry::MassProperties> pieces, bool isGiven);

struct Motion {
    Vec3d velocity, angularVelocity;
};

// All pieces move on as the one rigid body they were: w_f = w_p, v_f = v_p + w_p x r_f ([Su09] 4.2, [MMDJ01]). Linear and
// angular momentum and kinetic energy are the body's. Where the inertias do not add up, the common angular velocity is the one
// that keeps the angular momentum, or a smaller one where that would have more energy.
std::vector<Motion> motionOfPieces(const geometry::MassProperties& whole, const Motion& motion,
                                   std::span<const geometry::MassProperties> pieces);

}  // namespace sunder::fracture
