// Springs and motors of joints that leave several directions free, and the steering of wheels. Each adds rows to the joint.
#pragma once

#include "dynamics/joints/row/row_builder.h"

namespace sunder::dynamics {

void springTurn(const RowBuilder& builder);   // of a ball and a cone_twist: 3 rows
void motorTurn(const RowBuilder& builder);    // 3 rows
void driveSixDof(const RowBuilder& builder);  // a row for each driven direction
Vec3 steerWheel(const RowBuilder& builder);   // holds the axle, up to 3 rows; the direction in which it lies, in the world

}  // namespace sunder::dynamics
