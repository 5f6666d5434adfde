// Adding, changing and removing joints, and the events that the next step reports of it.
#pragma once

#include <functional>
#include <vector>

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
void reportJoints(EventState& events);

// One end of a joint of a body that breaks, and the piece that takes it over.
struct DetachedJoint {
    std::uint32_t joint = 0, piece = 0;
    bool isB = false;
};
// Detaches the joints of a body, because removing it would remove them as well. pieceAt: the piece that holds a point of the
// body's frame.
std::vector<DetachedJoint> detachJoints(WorldState& world, std::uint32_t slot,
                                        const std::function<std::uint32_t(const Vec3&)>& pieceAt);
// Attaches an end to the body that its piece has become; placed: where that is in the frame of the body that broke.
void attachJoint(WorldState& world, const DetachedJoint& end, std::uint32_t slot, const Pose& placed);

}  // namespace sunder::world
