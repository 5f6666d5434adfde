// Springs and motors of joints that leave several directions free, and the steering of wheels. Each adds rows to the joint.
#pragma once

#include "dynamics/joints/row/parts.h"

namespace sunder::dynamics {

void springTurn(const PartContext& part);   // of a ball and a cone_twist: 3 rows
void motorTurn(const PartContext& part);    // 3 rows
void driveSixDof(const PartContext& part);  // a row for each driven direction
Vec3 steerWheel(const PartContext& part);   // holds the axle, up to 3 rows; the direction in which it lies, in the world

}  // namespace sunder::dynamics
