// A deformable body that tears: its parts take its place.
#pragma once

#include "deformable/frame/rotating_frame.h"
#include "deformable/tear/open_nodes.h"
#include "world/state/state.h"

namespace sunder::world {

// How the frame moves in which the nodes of a deformable body are kept.
inline deformable::FrameMotion frameMotionOf(const Body& body) {
    return {body.center, userOrientation(body), body.velocity, body.angularVelocity};
}

// The body becomes the first part, and keeps its handle; the others become bodies of their own, whose slots are returned. Nodes
// keep their places and velocities. Events say that it tore and, where it came apart, that it broke.
std::vector<std::uint32_t> commitTear(WorldState& world, std::uint32_t slot, const deformable::Torn& torn);

// Whether the world's limits on pieces allow so many more in this step.
bool hasRoomFor(const WorldState& world, std::size_t pieces);
// Cuts a deformable body along the plane that was asked for; nothing where the plane passes it by.
void cutSolid(WorldState& world, const BreakRequest& request);

}  // namespace sunder::world
