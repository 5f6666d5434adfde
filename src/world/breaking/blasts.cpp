#include "world/breaking/blasts.h"

#include <algorithm>

#include "world/breaking/given_loads.h"
#include "world/commit/bodies.h"
#include "world/query/queries.h"
#include "world/sleep/wake.h"
#include "world/state/handles.h"

namespace sunder::world {

namespace {

constexpr double kShrinkTime = 0.5;  // s, long enough for the eye to see debris shrink and not vanish

// The impulse on a ball: that of the explosion times the share of the sphere of directions that the ball covers, falling
// linearly to zero at the explosion's radius.
Vec3 impulseOn(const WorldPoint& center, Real radius, const Explosion& explosion) {
    const Vec3 offset = center - toWorldPoint(explosion.point);
    const Real distance = length(offset);
    const Real gap = max(0, distance - radius);
    if (gap >= explosion.radius)
        return {};
    const Real share = Real(0.5) * (1 - distance / std::sqrt(square(distance) + square(radius)));
    return normalizeOr(offset, {0, 1, 0}) * (explosion.impulse * share * (1 - gap / explosion.radius));
}

// m: a body nearer than this to the explosion does not shield others: the explosion lies on its surface.
constexpr Real kLiesOn = Real(1e-3);
// Distance from a body's centre of the points that must be visible, as a share of its bounding radius.
constexpr Real kSeenShare = Real(0.5);

// The impulses of an explosion on the bodies around it.
class Blast {
public:
    Blast(const WorldState& world, const Explosion& explosion) : world_(world), explosion_(explosion) {
        if (explosion.isShielded)
            closestPointAll(world, toWorldPoint(explosion.point), kLiesOn, {}, around_);
    }

    // N s, on a ball that belongs to the body in this slot.
    Vec3 on(std::uint32_t slot, const WorldPoint& center, Real radius) const {
        const Vec3 impulse = impulseOn(center, radius, explosion_);
        return impulse == Vec3{} || !explosion_.isShielded ? impulse : impulse * seenShare(slot, center, kSeenShare * radius);
    }
    Vec3 on(std::uint32_t slot) const {
        return on(slot, world_.bodies[slot].center, world_.bodies[slot].shape->boundingRadius);
    }

private:
    // The share of seven points of the ball that are visible from the explosion.
    Real seenShare(std::uint32_t slot, const WorldPoint& center, Real radius) const {
        QueryFilter walls;
        walls.accept = [&](BodyId id) {
            const bool isAround =
                std::any_of(around_.begin(), around_.end(), [&](const PointHit& hit) { return hit.body == id; });
            return world_.bodies[id.index].motion != Motion::Dynamic && id.index != slot && !isAround;
        };
        const Vec3 points[] = {
            {}, {radius, 0, 0}, {-radius, 0, 0}, {0, radius, 0}, {0, -radius, 0}, {0, 0, radius}, {0, 0, -radius}};
        int seen = 0;
        for (const Vec3& point : points) {
            const Vec3 way = center + point - toWorldPoint(explosion_.point);
            seen += way == Vec3{} || !castRay(world_, {toWorldPoint(explosion_.point), way}, walls);
        }
        return Real(seen) / Real(std::size(points));
    }

    const WorldState& world_;
    const Explosion& explosion_;
    std::vector<PointHit> around_;
};

}  // namespace

void requestBlasts(WorldState& world) {
    for (const Explosion& explosion : world.breaking.explosions) {
        const Blast blast(world, explosion);
        for (std::uint32_t slot = 0; slot < world.bodies.size(); ++slot) {
            const Body& body = world.bodies[slot];
            if (!body.alive || !body.fracture)
                continue;
            const Vec3 impulse = blast.on(slot);
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
}

void pushByBlasts(WorldState& world) {
    for (const Explosion& explosion : world.breaking.explosions) {
        const Blast blast(world, explosion);
        for (std::uint32_t slot = 0; slot < world.bodies.size(); ++slot) {
            const Body& body = world.bodies[slot];
            if (!body.alive || body.motion == Motion::Kinematic || body.quarantined ||
                (body.motion == Motion::Static && !body.bonds))
                continue;
            const Vec3 impulse = blast.on(slot);
            if (impulse == Vec3{})
                continue;
            wakeBody(world, slot);
            world.bodies[slot].velocity += impulse * world.bodies[slot].inverseMass;
            if (body.bonds)
                giveBlast(world, world.bodies[slot], impulse,
                          [&](const WorldPoint& center, Real radius) { return blast.on(slot, center, radius); });
        }
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

void removeOldestDebris(WorldState& world) {
    std::vector<BodyId>& byAge = world.breaking.debrisByAge;
    std::erase_if(byAge, [&](BodyId id) { return !isAlive(world, id); });
    const auto most = static_cast<std::size_t>(world.def.mostDebris);
    if (most == 0 || byAge.size() <= most)
        return;
    const auto end = byAge.end() - static_cast<std::ptrdiff_t>(most);
    for (auto id = byAge.begin(); id != end; ++id)
        commitRemove(world, id->index);
    byAge.erase(byAge.begin(), end);
}

Real drawnScale(const WorldState& world, std::uint32_t slot) {
    const BodyId id{slot, world.bodies[slot].generation};
    for (const DebrisPiece& piece : world.breaking.debris)
        if (piece.body == id && piece.fate == Debris::Shrink)
            return clamp(Real(1 - (world.clock.time - piece.due) / kShrinkTime), 0, 1);
    return 1;
}

}  // namespace sunder::world
