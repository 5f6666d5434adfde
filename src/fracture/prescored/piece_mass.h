// Mass, centre and inertia of pieces, and their motion, such that nothing is lost or made by breaking.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/level_set/level_set.h"
#include "geometry/mass_properties.h"
#include "math/vec3d.h"

namespace sunder::fracture {

// Sums over the nodes of a piece, in whole numbers so that no order of summing matters: weight (of 0 to one full cell), and
// weight times x, y, z, xx, yy, zz, xy, xz, yz.
using NodeSums = std::array<std::int64_t, 10>;
geometry::MassProperties massOfSums(const NodeSums& sums, int fullCell, const geometry::Grid& grid);

// Makes the parts add up to the whole in mass, centre and inertia, all about one frame. A node's share of the solid is known
// only so well, and the whole may have been measured otherwise: the parts are scaled in mass, then moved and stretched
// together by the one affine map that takes their second moments to the whole's. Where that would stretch them by more than
// a tenth (the user gave another inertia) only their masses are scaled.
void addUpTo(const geometry::MassProperties& whole, std::span<geometry::MassProperties> parts);

struct Motion {
    Vec3d velocity, angularVelocity;
};

// All pieces go on as the one rigid body they were: w_f = w_p, v_f = v_p + w_p x r_f ([Su09] 4.2, [MMDJ01]). Linear and angular
// momentum and kinetic energy are the body's; where the inertias do not add up, the common angular velocity is the one that
// keeps the angular momentum, or less where that would have more energy.
std::vector<Motion> motionOfPieces(const geometry::MassProperties& whole, const Motion& motion,
                                   std::span<const geometry::MassProperties> parts);

}  // namespace sunder::fracture
