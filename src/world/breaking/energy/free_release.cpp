#include "world/breaking/energy/free_release.h"

#include "core/union_find.h"
#include "dynamics/joints/row/joint_rows.h"
#include "fracture/bonds/free_motion.h"
#include "world/breaking/energy/release_body.h"
#include "world/exchange/joint_sides.h"
#include "world/sleep/wake.h"
#include "world/state/handles.h"

namespace sunder::world {

namespace {

constexpr std::uint32_t kWorldBody = 0;  // index of what no impulse moves in FreeGroup::bodies

// The bodies that joints connect to the two of a release, and the rows that hold them.
struct FreeGroup {
    std::vector<std::uint32_t> slots;           // of the bodies after the first
    std::vector<fracture::ReleaseBody> bodies;  // the world first
    std::vector<fracture::FreeRow> rows;
};

bool moves(const PagedVector<Body>& bodies, std::uint32_t slot) {
    return slot != kWorldSlot && bodies[slot].motion == Motion::Dynamic && !bodies[slot].quarantined;
}

dynamics::SolverBody solverBody(const Body* body) {
    dynamics::SolverBody out;
    if (!body || body->motion == Motion::Static)
        return out;
    out.orientation = body->orientation;
    out.inverseMass = {body->inverseMass, body->inverseMass, body->inverseMass};
    out.inverseInertia = rotateDiagonal(toMatrix(body->orientation), body->inversePrincipalInertia);
    return out;
}

// Rows that hold a direction, rigidly or by a spring; springs in free directions, motors, friction and limits do not.
void addRows(const WorldState& world, const Joint& joint, std::uint32_t indexA, std::uint32_t indexB, FreeGroup& group) {
    const Body *a = bodyOf(world.bodies, joint.def.a), *b = bodyOf(world.bodies, joint.def.b);
    Joint known = joint;
    know(known);
    dynamics::JointConstraint constraint;
    fillConstraint(constraint, 0, 1, known, a, b, 0);
    constexpr Real kAnyStep = Real(1e-3);  // s: the directions of the rows do not depend on it
    makeRows(constraint, solverBody(a), solverBody(b), {kAnyStep, 1 / kAnyStep, kInfinity, 1, 1});
    for (int i = 0; i < constraint.rowCount; ++i)
        if (const dynamics::JointRow& row = constraint.rows[i]; row.slot < dynamics::kLimitSlot && !row.bounded)
            group.rows.push_back({indexA, indexB, toDouble(row.linear), toDouble(row.angularA), toDouble(row.angularB)});
}

FreeGroup groupOf(const WorldState& world, BodyId a, BodyId b, const WorldPoint& point) {
    UnionFind joined(world.bodies.size());
    for (const Joint& joint : world.joints)
        if (joint.alive && !joint.def.a.isNull() && !joint.def.b.isNull() && moves(world.bodies, joint.def.a.index) &&
            moves(world.bodies, joint.def.b.index))
            joined.join(joint.def.a.index, joint.def.b.index);
    FreeGroup group;
    group.bodies.push_back(releaseBody(nullptr, point));
    std::vector<std::uint32_t> indexOf(world.bodies.size(), kWorldBody);
    const auto isIn = [&](std::uint32_t slot) {
        return moves(world.bodies, slot) && ((!a.isNull() && joined.root(slot) == joined.root(a.index)) ||
                                             (!b.isNull() && joined.root(slot) == joined.root(b.index)));
    };
    for (std::uint32_t slot = 0; slot < world.bodies.size(); ++slot)
        if (world.bodies[slot].alive && isIn(slot)) {
            indexOf[slot] = static_cast<std::uint32_t>(group.bodies.size());
            group.bodies.push_back(releaseBody(&world.bodies[slot], point));
            group.slots.push_back(slot);
        }
    const auto index = [&](BodyId id) { return id.isNull() ? kWorldBody : indexOf[id.index]; };
    for (const Joint& joint : world.joints)
        if (joint.alive && (index(joint.def.a) != kWorldBody || index(joint.def.b) != kWorldBody))
            addRows(world, joint, index(joint.def.a), index(joint.def.b), group);
    return group;
}

}  // namespace

fracture::Released releaseFreely(WorldState& world, BodyId a, BodyId b, const WorldPoint& point,
                                 const fracture::ReleaseForce& push, double energy) {
    FreeGroup group = groupOf(world, a, b, point);
    if (group.rows.empty())
        return {};
    const auto index = [&](BodyId id) {
        for (std::size_t i = 0; i < group.slots.size(); ++i)
            if (!id.isNull() && group.slots[i] == id.index)
                return static_cast<std::uint32_t>(i + 1);
        return kWorldBody;
    };
    const fracture::Released done = fracture::releaseFree(group.bodies, group.rows, index(a), index(b), push, energy);
    if (!(done.energy > 0))
        return done;
    for (std::size_t i = 0; i < group.slots.size(); ++i) {
        Body& body = world.bodies[group.slots[i]];
        body.velocity = toReal(group.bodies[i + 1].velocity);
        body.angularVelocity = toReal(group.bodies[i + 1].angularVelocity);
        wakeBody(world, group.slots[i]);
    }
    return done;
}

}  // namespace sunder::world
