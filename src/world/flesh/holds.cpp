#include "world/flesh/holds.h"

#include <algorithm>

#include "world/sleep/wake.h"
#include "world/state/handles.h"

namespace sunder::world {

namespace {

// Any unit vector: a hold is as stiff in all directions.
constexpr Vec3 kDirection{0, 1, 0};

bool moves(const Body& body) {
    return body.motion != Motion::Static && !isAsleep(body) &&
           (body.velocity != Vec3{} || body.angularVelocity != Vec3{} || body.target);
}

}  // namespace

void holdNode(WorldState& world, std::uint32_t slot, std::uint32_t node, BodyId holder) {
    Body& body = world.bodies[slot];
    const Body& other = world.bodies[holder.index];
    const WorldPoint place = userPosition(body) + rotate(userOrientation(body), body.vertices->positions[node]);
    const Vec3 point = inverseRotate(userOrientation(other), place - userPosition(other));
    std::erase_if(body.solid->holds, [&](const DeformableBody::Hold& hold) { return hold.node == node; });
    body.solid->holds.push_back({node, holder, point});
}

void holdNodes(WorldState& world, std::uint32_t slot, const DeformableHold& box, BodyId holder) {
    for (const std::uint32_t node : nodesIn(*world.bodies[slot].solid->model, box.low, box.high))
        holdNode(world, slot, node, holder);
}

void findHolds(const WorldState& world, std::uint32_t slot, std::vector<FleshContact>& out) {
    const Body& body = world.bodies[slot];
    for (const DeformableBody::Hold& hold : body.solid->holds) {
        if (!isAlive(world, hold.body))
            continue;
        const Body& other = world.bodies[hold.body.index];
        FleshContact contact;
        contact.isHold = true;
        contact.a.body = slot;
        contact.a.node[0] = hold.node;
        contact.a.weight[0] = 1;
        contact.a.nodes = 1;
        contact.a.point = userPosition(body) + rotate(userOrientation(body), body.vertices->positions[hold.node]);
        contact.b.body = hold.body.index;
        contact.b.point = userPosition(other) + rotate(userOrientation(other), hold.point);
        contact.normal = kDirection;
        const Vec3 apart = contact.a.point - contact.b.point;
        contact.gap = dot(apart, kDirection);
        contact.aside = apart - kDirection * contact.gap;
        out.push_back(contact);
    }
}

bool wakeHeld(WorldState& world) {
    bool any = false;
    for (const std::uint32_t slot : world.roster.deforming) {
        const Body& body = world.bodies[slot];
        if (!body.solid)
            continue;
        const std::vector<DeformableBody::Hold> holds = body.solid->holds;
        for (const DeformableBody::Hold& hold : holds) {
            if (!isAlive(world, hold.body))
                continue;
            const Body& other = world.bodies[hold.body.index];
            const bool wakesBody = isAsleep(body) && moves(other), wakesOther = isAsleep(other) && !isAsleep(body);
            if (wakesBody || wakesOther)
                wakeBody(world, wakesBody ? slot : hold.body.index);
            any = any || wakesBody || wakesOther;
        }
    }
    for (const JointFlesh& flesh : world.fleshJoints.held) {
        const JointDef& def = world.joints[flesh.joint].def;
        if (def.a.isNull() || def.b.isNull())
            continue;
        const std::uint32_t a = def.a.index, b = def.b.index;
        const bool sleepsA = isAsleep(world.bodies[a]);
        if (sleepsA == isAsleep(world.bodies[b]))
            continue;
        if (const Body& awake = world.bodies[sleepsA ? b : a]; awake.solid || moves(awake)) {
            wakeBody(world, sleepsA ? a : b);
            any = true;
        }
    }
    return any;
}

}  // namespace sunder::world
