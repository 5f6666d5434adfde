// Joints come and go, are handed to the solver and read back; breaking ones are taken out.
#pragma once

#include "world/state.h"

namespace sunder::world {

std::uint32_t commitAddJoint(WorldState& world, const JointDef& def);
void commitRemoveJoint(WorldState& world, std::uint32_t slot);
// All but its bodies, type and frames.
void commitChangeJoint(WorldState& world, std::uint32_t slot, const JointDef& def);
// Of a body that is about to be removed; reported by the next step.
void removeJointsOf(WorldState& world, std::uint32_t body);

// Fills world.jointSolver; bodies have been gathered. h: the substep; scale: of the impulses of the last one.
void gatherJoints(WorldState& world, Real h, Real scale);
// Impulses and forces back into the joints.
void scatterJoints(WorldState& world, Real dt);
JointEvent jointEventOf(const Joint& joint, std::uint32_t slot, JointEventKind kind);
// The events of this step are those noted since the last.
void reportJoints(WorldState& world);

// Whether the two bodies, as a key of pairs, are joined and do not collide. After refreshJointPairs, which says whether any
// such pair came or went since it was last called.
bool refreshJointPairs(WorldState& world);
bool isJoinedPair(const WorldState& world, std::uint64_t key);

JointState stateOf(const WorldState& world, const Joint& joint);

}  // namespace sunder::world
