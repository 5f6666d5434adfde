// Joints come, change and go, and what the next step reports of that.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

std::uint32_t commitAddJoint(WorldState& world, const JointDef& def);
void commitRemoveJoint(WorldState& world, std::uint32_t slot);
// All but its bodies, type and frames.
void commitChangeJoint(WorldState& world, std::uint32_t slot, const JointDef& def);
// Of a body that is about to be removed; reported by the next step.
void removeJointsOf(WorldState& world, std::uint32_t body);

JointEvent jointEventOf(const Joint& joint, std::uint32_t slot, JointEventKind kind);
// The events of this step are those noted since the last.
void reportJoints(WorldState& world);

}  // namespace sunder::world
