#include "world/state/proxies.h"

namespace sunder::world {

Bounds tightBounds(const Body& body, std::uint32_t child) {
    Pose pose = shapePose(body, body.orientation);
    pose.position = toVec3(body.center + pose.position);
    return body.vertices ? boundsOf(*body.vertices, child, pose) : collision::worldBounds(*body.shape, pose);
}

void addProxies(PagedVector<Body>& bodies, collision::BroadPhase& broadPhase, std::uint32_t slot) {
    Body& body = bodies[slot];
    for (std::uint32_t child = 0; child < colliderCount(body); ++child) {
        std::uint32_t& proxy = child == 0 ? body.proxy : body.vertices->colliders[child].proxy;
        proxy = broadPhase.add(body.motion, collision::fatten(tightBounds(body, child), {}), colliderOf(slot, child));
    }
}

void removeProxies(collision::BroadPhase& broadPhase, Body& body) {
    if (body.proxy == kNone)
        return;
    for (std::uint32_t child = 0; child < colliderCount(body); ++child)
        broadPhase.remove(proxyOf(body, child));
    body.proxy = kNone;
}

void refreshProxies(collision::BroadPhase& broadPhase, const Body& body) {
    for (std::uint32_t child = 0; body.proxy != kNone && child < colliderCount(body); ++child)
        broadPhase.move(proxyOf(body, child), tightBounds(body, child), {});
}

Bounds fatBounds(const collision::BroadPhase& broadPhase, const Body& body) {
    Bounds bounds = broadPhase.fatBounds(body.proxy);
    for (std::uint32_t child = 1; child < colliderCount(body); ++child)
        bounds = unite(bounds, broadPhase.fatBounds(proxyOf(body, child)));
    return bounds;
}

void touchProxies(collision::BroadPhase& broadPhase, const Body& body) {
    for (std::uint32_t child = 0; child < colliderCount(body); ++child)
        broadPhase.touch(proxyOf(body, child));
}

void findAgain(PagedVector<Body>& bodies, collision::BroadPhase& broadPhase, std::uint32_t slot) {
    Body& body = bodies[slot];
    if (body.proxy == kNone)
        return;
    removeProxies(broadPhase, body);
    addProxies(bodies, broadPhase, slot);
}

}  // namespace sunder::world
