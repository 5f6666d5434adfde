// Restores a body's rotational kinetic energy by turning the body; its angular momentum is untouched [Su09] 2.2-2.4.
// SI units. Worked in double, because the energy error to remove may be far below the rounding of float.
#pragma once

#include <optional>

#include "math/quatd.h"

namespace sunder::dynamics {

// A turn about a unit axis, in the principal frame.
struct EnergyTurn {
    Vec3d axis;
    double sin = 0, cos = 1;
};

// Turns the body so that its kinetic energy for `angularMomentum` (world axes) becomes targetEnergy, or the nearest one
// that this angular momentum allows. All components of inversePrincipalInertia are positive.
Quat restoreRotationalEnergy(const Quat& worldFromPrincipal, const Vec3& angularMomentum, const Vec3& inversePrincipalInertia,
                             Real targetEnergy);

// The turn behind restoreRotationalEnergy, for the angular momentum L in the principal frame; none where the energy is
// already right to within rounding. The body turns by it, so that L becomes turnedBack(L, turn) in its new frame.
std::optional<EnergyTurn> findEnergyTurn(const Vec3d& L, const Vec3d& inverseInertia, double targetEnergy);

// [Su09] 2.2 eq. 3-6 in the form of 2.3: the turn about a given unit axis s, s . L = 0, that gives targetEnergy. None where
// the axis cannot reach it; a fall-back axis always can, so there failSafe takes a negative discriminant for rounding.
std::optional<EnergyTurn> solveEnergyTurn(const Vec3d& L, const Vec3d& inverseInertia, const Vec3d& s, double targetEnergy,
                                          bool failSafe);

double rotationalEnergy(const Vec3d& L, const Vec3d& inverseInertia);
// L in the frame of the body after its turn.
Vec3d turnedBack(const Vec3d& L, const EnergyTurn& turn);
// The orientation after the turn.
Quatd turned(const Quatd& worldFromPrincipal, const EnergyTurn& turn);

}  // namespace sunder::dynamics
