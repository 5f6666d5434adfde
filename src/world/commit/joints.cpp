#include "world/commit/joints.h"

#include "world/sleep/wake.h"
#include "world/state/handles.h"
#include "world/state/proxies.h"

namespace sunder::world {

namespace {

// A frame with x along the axis and y as near to `second` as a right angle to x allows.
Quat frameAlong(const Vec3& axis, const Vec3& second) {
    const Vec3 x = normalizeOr(axis, {1, 0, 0});
    const Vec3 y = normalizeOr(second - x * dot(x, second), anyPerpendicular(x));
    return toQuat(transpose({x, y, cross(x, y)}));
}

// The shortest turn that takes one direction to another.
Quat turnBetween(const Vec3& from, const Vec3& to) {
    const Vec3 u = normalizeOr(from, {1, 0, 0}), v = normalizeOr(to, {1, 0, 0}), across = cross(u, v);
    const Real cosine = dot(u, v);
    if (1 + cosine > kEpsilon)
        return normalize({across.x, across.y, across.z, 1 + cosine});
    const Vec3 n = anyPerpendicular(u);
    return {n.x, n.y, n.z, 0};
}

Quat frameOfB(const JointDef& def, const Quat& frameOfA) {
    if (def.axleB)
        return frameAlong(def.axisB.value_or(def.axis), *def.axleB);
    return def.axisB ? turnBetween(def.axis, *def.axisB) * frameOfA : frameOfA;
}

Pose frameIn(const PagedVector<Body>& bodies, BodyId id, const Vec3& anchor, const Quat& orientation) {
    const Body* body = bodyOf(bodies, id);
    if (!body)
        return {anchor, orientation};
    const Quat q = userOrientation(*body);
    return {inverseRotate(q, toWorldPoint(anchor) - userPosition(*body)), conjugate(q) * orientation};
}

// Of a joint that holds a deformable body, the points by which it does.
void holdFlesh(WorldState& world, std::uint32_t slot) {
    const Joint& joint = world.joints[slot];
    const Body *a = bodyOf(world.bodies, joint.def.a), *b = bodyOf(world.bodies, joint.def.b);
    JointFlesh flesh;
    flesh.joint = slot;
    for (const Body* body : {a, b})
        if (body && body->solid) {
            const Real cell = modelOf(*body->solid, *body->shape).cell;
            flesh.reach = flesh.reach > 0 ? min(flesh.reach, cell) : cell;
        }
    if (!(flesh.reach > 0))
        return;
    const JointPoints points = pointsOf(joint.def.type, flesh.reach);
    if (a && a->solid)
        flesh.a = holdPoints(*a, points, joint.frameA);
    if (b && b->solid)
        flesh.b = holdPoints(*b, points, joint.frameB);
    std::vector<JointFlesh>& held = world.fleshJoints.held;
    held.insert(placeOf(world.fleshJoints, slot), std::move(flesh));
}

void wakeEnds(WorldState& world, const Joint& joint) {
    for (const BodyId id : {joint.def.a, joint.def.b})
        if (!id.isNull() && world.bodies[id.index].alive)
            wakeBody(world, id.index);
}

}  // namespace

JointEvent jointEventOf(const Joint& joint, std::uint32_t slot, JointEventKind kind) {
    JointEvent event;
    event.kind = kind;
    event.joint = {slot, joint.generation};
    event.a = joint.def.a;
    event.b = joint.def.b;
    event.userData = joint.def.userData;
    event.force = joint.force;
    event.torque = joint.torque;
    return event;
}

std::uint32_t commitAddJoint(WorldState& world, const JointDef& def) {
    std::uint32_t slot;
    if (world.jointRoster.freeSlots.empty()) {
        slot = static_cast<std::uint32_t>(world.joints.size());
        world.joints.emplace_back();
    } else {
        slot = world.jointRoster.freeSlots.back();
        world.jointRoster.freeSlots.pop_back();
    }
    Joint& joint = world.joints[slot];
    joint.alive = true;
    ++joint.generation;
    joint.serial = world.jointRoster.nextSerial++;
    joint.def = def;
    joint.traits.known = false;
    const Quat frame = frameAlong(def.axis, def.axle);
    joint.frameA = frameIn(world.bodies, def.a, def.anchor, frame);
    joint.frameB = frameIn(world.bodies, def.b, def.anchorB.value_or(def.anchor), frameOfB(def, frame));
    holdFlesh(world, slot);
    world.jointRoster.uncollidingKnown = world.jointRoster.uncollidingKnown && def.collideConnected;
    world.jointRoster.dueKnown = false;
    wakeEnds(world, joint);
    return slot;
}

void commitRemoveJoint(WorldState& world, std::uint32_t slot) {
    Joint& joint = world.joints[slot];
    wakeEnds(world, joint);
    const BodyId a = joint.def.a, b = joint.def.b;
    if (!joint.def.collideConnected && !a.isNull() && !b.isNull()) {
        findAgain(world.bodies, world.broadPhase, a.index);
        world.jointRoster.uncollidingKnown = false;
    }
    world.jointRoster.dueKnown = false;
    const std::uint32_t generation = joint.generation;
    joint = {};
    joint.generation = generation;
    if (fleshOf(world.fleshJoints, slot))
        world.fleshJoints.held.erase(placeOf(world.fleshJoints, slot));
    world.jointRoster.freeSlots.push_back(slot);
}

void commitChangeJoint(WorldState& world, std::uint32_t slot, const JointDef& def) {
    Joint& joint = world.joints[slot];
    const JointDef before = joint.def;
    joint.def = def;
    joint.def.type = before.type;
    joint.def.a = before.a;
    joint.def.b = before.b;
    joint.def.anchor = before.anchor;
    joint.def.anchorB = before.anchorB;
    joint.def.axis = before.axis;
    joint.def.axle = before.axle;
    joint.def.axisB = before.axisB;
    joint.def.axleB = before.axleB;
    joint.traits.known = false;
    world.jointRoster.dueKnown = false;
    wakeEnds(world, joint);
    if (def.collideConnected != before.collideConnected) {
        world.jointRoster.uncollidingKnown = false;
        if (!before.a.isNull())
            findAgain(world.bodies, world.broadPhase, before.a.index);
    }
}

void removeJointsOf(WorldState& world, std::uint32_t body) {
    for (std::uint32_t slot = 0; slot < world.joints.size(); ++slot) {
        const Joint& joint = world.joints[slot];
        if (!joint.alive || (joint.def.a.index != body && joint.def.b.index != body))
            continue;
        world.events.nextJoints.push_back(jointEventOf(joint, slot, JointEventKind::BodyRemoved));
        commitRemoveJoint(world, slot);
    }
}

std::vector<DetachedJoint> detachJoints(WorldState& world, std::uint32_t slot,
                                        const std::function<std::uint32_t(const Vec3&)>& pieceAt) {
    std::vector<DetachedJoint> detached;
    for (std::uint32_t i = 0; i < world.joints.size(); ++i) {
        Joint& joint = world.joints[i];
        for (const bool isB : {false, true}) {
            BodyId& id = isB ? joint.def.b : joint.def.a;
            if (!joint.alive || id.index != slot)
                continue;
            detached.push_back({i, pieceAt((isB ? joint.frameB : joint.frameA).position), isB});
            id = {};
        }
    }
    return detached;
}

void attachJoint(WorldState& world, const DetachedJoint& end, std::uint32_t slot, const Pose& placed) {
    Joint& joint = world.joints[end.joint];
    (end.isB ? joint.def.b : joint.def.a) = BodyId{slot, world.bodies[slot].generation};
    Pose& frame = end.isB ? joint.frameB : joint.frameA;
    frame = inverse(placed) * frame;
    joint.traits.known = false;
    world.jointRoster.uncollidingKnown = world.jointRoster.dueKnown = false;
    const auto moves = [&](BodyId id) { return !id.isNull() && world.bodies[id.index].motion == Motion::Dynamic; };
    if (moves(joint.def.a) || moves(joint.def.b))
        return;
    // Neither side moves any more: the piece is fixed to the world, and so is the other side.
    world.events.nextJoints.push_back(jointEventOf(joint, end.joint, JointEventKind::BodyRemoved));
    commitRemoveJoint(world, end.joint);
}

void reportJoints(EventState& events) {
    events.joints.swap(events.nextJoints);
    events.nextJoints.clear();
}

}  // namespace sunder::world
