// Free rotation of a rigid body over a step: its angular momentum is kept, its kinetic energy restored [Su09] 2.1.
// The body frame is the principal frame; angular velocity and momentum are along world axes. SI units.
#pragma once

#include "math/quat.h"

namespace sunder::dynamics {

// rad: beyond this half of an angle the reduction of sinCos loses its digits; such a spin has no meaning left.
inline constexpr double kMaxHalfAngle = 1e5;

struct RotationState {
    Quat orientation;  // world from principal frame
    Vec3 angularVelocity;
};

// The state of a body after turning freely for dt. Without energyFix the energy is only as good as the integrator.
// A component 0 of inversePrincipalInertia marks an infinite inertia: the body then turns by its angular velocity, which
// stays as it is. A body at rest, or dt = 0, gives back the same bits.
// An axis locked in the world while the inertia is finite is the caller's to enforce: the gyroscopic motion may enter it.
RotationState advanceFreeRotation(const RotationState& state, const Vec3& principalInertia, const Vec3& inversePrincipalInertia,
                                  Real dt, bool energyFix);

}  // namespace sunder::dynamics
