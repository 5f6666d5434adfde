// Free rotation by one explicit step, as [Su09] 2 starts from it: to show what its energy fix is for. free_rotation.h is what
// steps use otherwise.
#pragma once

#include "dynamics/integrate/free_rotation.h"

namespace sunder::dynamics {

// One step of the midpoint rule, whatever its error: the body turns by I^-1 L dt, with the orientation of the middle of the
// step and the angular momentum of its start. That momentum is kept; without energyFix the energy is not, and a thin body that
// spins fast may gain several times what it has. Arguments as of advanceFreeRotation.
RotationState advanceByOneStep(const RotationState& state, const Vec3& principalInertia, const Vec3& inversePrincipalInertia,
                               Real dt, bool energyFix);

}  // namespace sunder::dynamics
