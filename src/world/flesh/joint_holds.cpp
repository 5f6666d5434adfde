#include "world/flesh/joint_holds.h"

#include <algorithm>

#include "world/state/handles.h"

namespace sunder::world {

namespace {

constexpr int kMostJointRounds = 16;  // of the search for bodies that joints connect with those found before

using Side = FleshContact::Side;

// One side of a joint: its points in the world, with the nodes that they move with.
struct JointSide {
    int count = 0;
    Side point[4];
};

JointSide sideOf(const WorldState& world, BodyId id, const Pose& frame, const std::vector<FleshPoint>& flesh,
                 const JointPoints& points) {
    JointSide out;
    out.count = points.count;
    const Body* body = bodyOf(world.bodies, id);
    for (int k = 0; k < points.count; ++k) {
        Side& side = out.point[k];
        side.body = body ? id.index : kNone;
        if (!body) {
            side.point = toWorldPoint(transformPoint(frame, points.point[k]));
            continue;
        }
        Vec3 place = transformPoint(frame, points.point[k]);
        if (body->solid) {
            const geometry::TetCorners& nodes = modelOf(*body->solid, *body->shape).mesh.tets[flesh[k].tet];
            side.nodes = 4;
            std::copy(nodes.begin(), nodes.end(), side.node);
            std::copy(flesh[k].weight.begin(), flesh[k].weight.end(), side.weight);
            place = placeOf(*body, flesh[k]);
        }
        side.point = userPosition(*body) + rotate(userOrientation(*body), place);
    }
    return out;
}

// Two points that stay together, or, along the normal alone, at a distance by which `gap` is greater than 0.
FleshContact holdOf(std::uint32_t joint, const Side& a, const Side& b) {
    FleshContact contact;
    contact.a = a;
    contact.b = b;
    contact.joint = joint;
    contact.isHold = true;
    contact.normal = {0, 1, 0};
    const Vec3 apart = a.point - b.point;
    contact.gap = apart.y;
    contact.aside = {apart.x, 0, apart.z};
    return contact;
}

void addDistance(const Joint& joint, std::uint32_t slot, const Side& a, const Side& b, std::vector<FleshContact>& out) {
    const Vec3 apart = a.point - b.point;
    const Real distance = length(apart);
    FleshContact contact = holdOf(slot, a, b);
    contact.normal = normalizeOr(apart, {0, 1, 0});
    contact.aside = {};
    const Real given = length(joint.def.anchorB.value_or(joint.def.anchor) - joint.def.anchor);
    const Interval limits = joint.def.limits.value_or(Interval{given, given});
    if (limits.low == limits.high) {
        contact.isAlong = true;
        contact.gap = distance - limits.low;
        out.push_back(contact);
        return;
    }
    contact.isHold = false;
    contact.gap = distance - limits.low;
    if (limits.low > 0)
        out.push_back(contact);
    contact.normal = -contact.normal;
    contact.gap = limits.high - distance;
    out.push_back(contact);
}

void addJoint(const WorldState& world, std::uint32_t slot, std::vector<FleshContact>& out) {
    const Joint& joint = world.joints[slot];
    const JointFlesh* held = fleshOf(world.fleshJoints, slot);
    const JointFlesh flesh = held ? *held : JointFlesh{};
    const auto radiusOf = [&](BodyId id) {
        const Body* body = bodyOf(world.bodies, id);
        return body ? boundingRadius(*body) : kInfinity;
    };
    const Real reach = held ? flesh.reach : min(radiusOf(joint.def.a), radiusOf(joint.def.b)) / 2;
    const JointPoints points = pointsOf(joint.def.type, reach);
    const JointSide a = sideOf(world, joint.def.a, joint.frameA, flesh.a, points);
    const JointSide b = sideOf(world, joint.def.b, joint.frameB, flesh.b, points);
    if (joint.def.type == JointType::Distance)
        return addDistance(joint, slot, a.point[0], b.point[0], out);
    for (int k = 0; k < points.count; ++k)
        out.push_back(holdOf(slot, a.point[k], b.point[k]));
}

// Joints that are rigid in what points express of them.
bool isFirm(const JointDef& def) {
    if (def.stiffness > 0 || def.frequency > 0 || def.damping > 0 || def.yieldForce)
        return false;
    const bool isSprung = def.springStiffness > 0 || def.springFrequency > 0 || def.springDamping > 0;
    return def.type != JointType::Distance || (!isSprung && !(def.motorStrength > 0));
}

// Adds the joints among rigid bodies of which at least one is reached from these.
void addChains(const WorldState& world, std::span<const std::uint32_t> reached, std::vector<FleshContact>& out) {
    if (reached.empty())
        return;
    std::vector<std::uint32_t> rigid;
    for (std::uint32_t slot = 0; slot < world.joints.size(); ++slot)
        if (const Joint& joint = world.joints[slot];
            joint.alive && !fleshOf(world.fleshJoints, slot) && isFirm(joint.def) && pointsOf(joint.def.type, 0).count > 0)
            rigid.push_back(slot);
    std::vector<bool> isReached(world.bodies.size());
    for (const std::uint32_t slot : reached)
        isReached[slot] = true;
    const auto has = [&](BodyId id) { return !id.isNull() && isReached[id.index]; };
    std::vector<bool> isTaken(rigid.size());
    bool grows = true;
    for (int round = 0; grows && round < kMostJointRounds; ++round) {
        grows = false;
        for (std::size_t i = 0; i < rigid.size(); ++i) {
            const JointDef& def = world.joints[rigid[i]].def;
            if (isTaken[i] || (!has(def.a) && !has(def.b)))
                continue;
            isTaken[i] = grows = true;
            for (const BodyId id : {def.a, def.b})
                if (!id.isNull() && canTakePart(world.bodies[id.index]))
                    isReached[id.index] = true;
        }
    }
    Real heaviest = 0;
    for (std::uint32_t slot = 0; slot < isReached.size(); ++slot)
        if (isReached[slot])
            heaviest = max(heaviest, world.bodies[slot].mass);
    const std::size_t first = out.size();
    for (std::size_t i = 0; i < rigid.size(); ++i)
        if (isTaken[i])
            addJoint(world, rigid[i], out);
    for (std::size_t i = first; i < out.size(); ++i)
        out[i].carried = heaviest;
}

}  // namespace

bool canTakePart(const Body& body) {
    return body.motion == Motion::Dynamic && !body.quarantined && !isAsleep(body) && !body.vertices && !body.sensor &&
           body.lockedAxes == 0;
}

void findJointHolds(const WorldState& world, std::span<const std::uint32_t> solids, std::vector<FleshContact>& out) {
    if (world.joints.size() == world.jointRoster.freeSlots.size())
        return;
    std::vector<bool> isIn(world.bodies.size());
    for (const std::uint32_t slot : solids)
        isIn[slot] = true;
    std::vector<std::uint32_t> reached;
    const auto reach = [&](std::uint32_t slot) {
        if (canTakePart(world.bodies[slot]))
            reached.push_back(slot);
    };
    for (const FleshContact& contact : out)
        if (contact.isHold)
            reach(contact.b.body);
    for (const JointFlesh& flesh : world.fleshJoints.held) {
        const JointDef& def = world.joints[flesh.joint].def;
        const auto has = [&](BodyId id) { return !id.isNull() && isIn[id.index]; };
        if (!has(def.a) && !has(def.b))
            continue;
        addJoint(world, flesh.joint, out);
        for (const BodyId id : {def.a, def.b})
            if (!id.isNull())
                reach(id.index);
    }
    addChains(world, reached, out);
}

void JointLoads::add(const FleshContact& found, const deformable::IslandContact& solved) {
    const Vec3 onFirst = found.isHold ? solved.held : found.normal * solved.normalImpulse;
    pulls_.push_back({found.joint, found.b.point, -onFirst});
}

void JointLoads::take(WorldState& world, Real dt) {
    std::vector<FleshJointLoad>& loads = world.fleshJoints.loads;
    loads.clear();
    std::stable_sort(pulls_.begin(), pulls_.end(), [](const Pull& a, const Pull& b) { return a.joint < b.joint; });
    for (std::size_t i = 0, end = 0; i < pulls_.size(); i = end) {
        FleshJointLoad load;
        load.joint = pulls_[i].joint;
        Vec3 middle;  // from the first point
        for (end = i; end < pulls_.size() && pulls_[end].joint == load.joint; ++end)
            middle += pulls_[end].point - pulls_[i].point;
        middle = middle / Real(end - i);
        for (std::size_t k = i; k < end; ++k) {
            load.sample.impulse += pulls_[k].impulse;
            load.sample.angularImpulse += cross(pulls_[k].point - pulls_[i].point - middle, pulls_[k].impulse);
        }
        load.sample.duration = dt;
        Joint& joint = world.joints[load.joint];
        if (!fleshOf(world.fleshJoints, load.joint) || !isFinite(load.sample.impulse) || !isFinite(load.sample.angularImpulse))
            continue;
        joint.force = load.sample.endForce = load.sample.impulse / dt;
        joint.torque = load.sample.endTorque = load.sample.angularImpulse / dt;
        loads.push_back(load);
    }
    pulls_.clear();
    world.fleshJoints.areLoadsNews = true;
}

}  // namespace sunder::world
