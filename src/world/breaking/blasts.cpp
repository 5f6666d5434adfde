#include "world/breaking/blasts.h"

#include <algorithm>

#include "world/breaking/given_loads.h"
#include "world/commit/bodies.h"
#include "world/query/queries.h"
#include "world/sleep/wake.h"
#include "world/state/handles.h"

namespace sunder::world {

namespace {

constexpr double kShrinkTime = 0.5;  // s

// The impulse on a ball: the share of all directions that it fills as seen from the explosion, less what the
// distance takes.
Vec3 impulseOn(const WorldPoint& center, Real radius, const Explosion& explosion) {
    const Vec3 way = center - toWorldPoint(explosion.point);
    const Real distance = length(way);
    const Real gap = max(0, distance - radius);
    if (gap >= explosion.radius)
        return {};
    const Real share = Real(0.5) * (1 - distance / std::sqrt(square(distance) + square(radius)));
    return normalizeOr(way, {0, 1, 0}) * (explosion.impulse * share * (1 - gap / explosion.radius));
}
Vec3 impulseOn(const Body& body, const Explosion& explosion) {
    return impulseOn(body.center, body.shape->boundingRadius, explosion);
}

}  // namespace

void requestBlasts(WorldState& world) {
    for (const Explosion& explosion : world.breaking.explosions)
        for (std::uint32_t slot = 0; slot < world.bodies.size(); ++slot) {
            const Body& body = world.bodies[slot];
            if (!body.alive || !body.fracture)
                continue;
            const Vec3 impulse = impulseOn(body, explosion);
            if (!(length(impulse) > thresholdOf(body) * (1 - body.fracture->damage)))
                continue;
            const PointHit nearest = closestPointOn(world, slot, toWorldPoint(explosion.point));
            const Quat orientation = userOrientation(body);
            BreakRequest& request = world.breaking.waiting.emplace_back();
            request.body = {slot, body.generation};
            request.point = inverseRotate(orientation, nearest.point - userPosition(body));
            request.normal = inverseRotate(orientation, normalizeOr(-impulse, {0, 1, 0}));
            request.impulse = length(impulse);
        }
}

void pushByBlasts(WorldState& world) {
    for (const Explosion& explosion : world.breaking.explosions)
        for (std::uint32_t slot = 0; slot < world.bodies.size(); ++slot) {
            const Body& body = world.bodies[slot];
            if (!body.alive || body.motion == Motion::Kinematic || body.quarantined ||
                (body.motion == Motion::Static && !body.bonds))
                continue;
            const Vec3 impulse = impulseOn(body, explosion);
            if (impulse == Vec3{})
                continue;
            wakeBody(world, slot);
            world.bodies[slot].velocity += impulse * world.bodies[slot].inverseMass;
            if (body.bonds)
                giveBlast(world, world.bodies[slot], impulse,
                          [&](const WorldPoint& center, Real radius) { return impulseOn(center, radius, explosion); });
        }
    world.breaking.explosions.clear();
}

void endDebris(WorldState& world) {
    std::vector<DebrisPiece>& debris = world.breaking.debris;
    std::erase_if(debris, [&](const DebrisPiece& piece) {
        if (!isAlive(world, piece.body))
            return true;
        if (world.clock.time < piece.due + (piece.fate == Debris::Shrink ? kShrinkTime : 0))
            return false;
        if (piece.fate == Debris::Freeze) {
            wakeAround(world, piece.body.index);
            commitMotion(world, piece.body.index, Motion::Static);
        } else {
            commitRemove(world, piece.body.index);
        }
        return true;
    });
}

Real drawnScale(const WorldState& world, std::uint32_t slot) {
    const BodyId id{slot, world.bodies[slot].generation};
    for (const DebrisPiece& piece : world.breaking.debris)
        if (piece.body == id && piece.fate == Debris::Shrink)
            return clamp(Real(1 - (world.clock.time - piece.due) / kShrinkTime), 0, 1);
    return 1;
}

}  // namespace sunder::world
