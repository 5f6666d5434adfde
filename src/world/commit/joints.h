// Adding, changing and removing joints, and the events that the next step reports of it.
#pragma once

#include <functional>
#include <vector>

#include "world/state/state.h"

namespace sunder::world {

std::uint32_t commitAddJoint(WorldState& world, const JointDef& def);
void commitRemoveJoint(WorldState& world, std::uint32_t slot);
// Changes a joint, but for its bodies, type and frames.
void commitChangeJoint(WorldState& world, std::uint32_t slot, const JointDef& def);
// Removes the joints of a body that is about to be removed; the next step reports it.
void removeJointsOf(WorldState& world, std::uint32_t body);

JointEvent jointEventOf(const Joint& joint, std::uint32_t slot, JointEventKind kind);
// Publishes the events that were noted since the last step.
void reportJoints(EventState& events);

// One end of a joint of a body that breaks, and the piece that takes it over.
struct DetachedJoint {
    std::uint32_t joint = 0, piece = 0;
    bool isB = false;
};
// Detaches the joints of a body that breaks, because removing it would remove them too. pieceAt: the piece that contains a
// point of the body's frame.
std::vector<DetachedJoint> detachJoints(WorldState& world, std::uint32_t slot,
                                        const std::function<std::uint32_t(const Vec3&)>& pieceAt);
// Attaches an end to the body that its piece has become; placed: pose of the piece in the frame of the body that broke.
void attachJoint(WorldState& world, const DetachedJoint& end, std::uint32_t slot, const Pose& placed);

}  // namespace sunder::world
