#include "world/state/proxies.h"

namespace sunder::world {

namespace {

Bounds tightBounds(const Body& body) {
    Pose pose = shapePose(body, body.orientation);
    pose.position = toVec3(body.center + pose.position);
    return collision::worldBounds(*body.shape, pose);
}

}  // namespace

void addProxy(WorldState& world, std::uint32_t slot) {
    Body& body = world.bodies[slot];
    body.proxy = world.broadPhase.add(body.motion, collision::fatten(tightBounds(body), {}), slot);
}

void refreshProxy(WorldState& world, Body& body) {
    if (body.proxy != kNone)
        world.broadPhase.move(body.proxy, tightBounds(body), {});
}

void findAgain(WorldState& world, std::uint32_t slot) {
    const Body& body = world.bodies[slot];
    if (body.proxy == kNone)
        return;
    world.broadPhase.remove(body.proxy);
    addProxy(world, slot);
}

}  // namespace sunder::world
