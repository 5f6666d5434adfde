// Restores a body's rotational kinetic energy by turning the body; its angular momentum is untouched [Su09] 2.2-2.4.
// SI units. Worked in double, because the energy error to remove may be far below the rounding of float.
#pragma once

#include <optional>

#include "dynamics/integrate/double_math.h"
#include "math/quat.h"

namespace sunder::dynamics {

// A turn about a unit axis, in the principal frame.
struct EnergyTurn {
    DoubleVec3 axis;
    double sin = 0, cos = 1;
};

// Turns the body so that its kinetic energy for `angularMomentum` (world axes) becomes targetEnergy, or the nearest one
// that this angular momentum allows. All components of inversePrincipalInertia are positive.
Quat restoreRotationalEnergy(const Quat& worldFromPrincipal, const Vec3& angularMomentum, const Vec3& inversePrincipalInertia,
                             Real targetEnergy);

// The turn behind restoreRotationalEnergy, for the angular momentum L in the principal frame; none where the energy is
// already right to within rounding. The body turns by it, so that L becomes turnedBack(L, turn) in its new frame.
std::optional<EnergyTurn> findEnergyTurn(const DoubleVec3& L, const DoubleVec3& inverseInertia, double targetEnergy);

// [Su09] 2.2 eq. 3-6 in the form of 2.3: the turn about a given unit axis s, s . L = 0, that gives targetEnergy. None where
// the axis cannot reach it; a fall-back axis always can, so there failSafe takes a negative discriminant for rounding.
std::optional<EnergyTurn> solveEnergyTurn(const DoubleVec3& L, const DoubleVec3& inverseInertia, const DoubleVec3& s,
                                          double targetEnergy, bool failSafe);

double rotationalEnergy(const DoubleVec3& L, const DoubleVec3& inverseInertia);
// L in the frame of the body after its turn.
DoubleVec3 turnedBack(const DoubleVec3& L, const EnergyTurn& turn);
// The orientation after the turn.
DoubleQuat turned(const DoubleQuat& worldFromPrincipal, const EnergyTurn& turn);

}  // namespace sunder::dynamics
