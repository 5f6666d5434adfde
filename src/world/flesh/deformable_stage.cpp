#include "world/flesh/deformable_stage.h"

#include <algorithm>

#include "core/union_find.h"
#include "deformable/contact/island.h"
#include "world/commit/torn_parts.h"
#include "world/flesh/flesh_contacts.h"
#include "world/flesh/flesh_touches.h"
#include "world/flesh/wake_flesh.h"
#include "world/pair/mixing.h"

namespace sunder::world {

namespace {

constexpr std::size_t kMostRigid = 96;  // rigid bodies in islands: six rows of a dense matrix for each
constexpr int kMostRounds = 16;         // of the search for bodies that touch bodies of an island
// In a strike part, whose end is some milliseconds from the next, less is asked of the contacts of shards. But with a tolerance
// of 1e-3 the noise of the solve tears, and cracks of a pane are up to a third longer.
constexpr int kStrikeRounds = 8;
constexpr Real kStrikeTolerance = Real(3e-4);

// The bodies of all islands: deformable ones first, then rigid ones, each once.
struct Cast {
    std::vector<std::uint32_t> slots;
    std::size_t solids = 0;
    std::vector<std::uint32_t> indexOf;  // by slot; kNone where it takes no part

    bool has(std::uint32_t slot) const { return indexOf[slot] != kNone; }
    void add(std::uint32_t slot) {
        if (has(slot))
            return;
        indexOf[slot] = static_cast<std::uint32_t>(slots.size());
        slots.push_back(slot);
    }
};

// Rigid bodies that a system can move; others are obstacles that go their way.
bool canTakePart(const Body& body) {
    return body.motion == Motion::Dynamic && !body.quarantined && !isAsleep(body) && !body.vertices && !body.sensor &&
           body.lockedAxes == 0;
}

bool isRigidPair(const WorldState& world, const ContactPair& pair) {
    return pair.manifoldCount > 0 && !world.bodies[pair.bodyA].vertices && !world.bodies[pair.bodyB].vertices;
}

Cast findCast(const WorldState& world, std::span<const std::uint32_t> solids, std::span<const FleshContact> contacts) {
    Cast cast;
    cast.indexOf.assign(world.bodies.size(), kNone);
    for (const std::uint32_t slot : solids)
        cast.add(slot);
    cast.solids = cast.slots.size();
    for (const FleshContact& contact : contacts)
        for (const FleshContact::Side* side : {&contact.a, &contact.b})
            if (canTakePart(world.bodies[side->body]) && cast.slots.size() < cast.solids + kMostRigid)
                cast.add(side->body);
    bool grows = cast.slots.size() > cast.solids;
    for (int round = 0; grows && round < kMostRounds; ++round) {
        grows = false;
        for (const ContactPair& pair : world.pairs) {
            if (!isRigidPair(world, pair) || cast.has(pair.bodyA) == cast.has(pair.bodyB))
                continue;
            const std::uint32_t other = cast.has(pair.bodyA) ? pair.bodyB : pair.bodyA;
            if (!canTakePart(world.bodies[other]) || cast.slots.size() >= cast.solids + kMostRigid)
                continue;
            cast.add(other);
            grows = true;
        }
    }
    return cast;
}

Vec3 accelerationOf(const WorldDef& def, const Body& body) {
    return def.gravity * body.gravityFactor + body.force * body.inverseMass;
}

// One island while it is made and solved.
class IslandBuilder {
public:
    IslandBuilder(WorldState& world, const Cast& cast, const FleshStep& step) : world_(world), cast_(cast), dt_(step.dt) {
        placeOf_.assign(cast.slots.size(), kNone);
        if (step.isStrike) {
            island_.settings.mostRounds = kStrikeRounds;
            island_.settings.frictionRounds = kStrikeRounds / 2;
            island_.settings.limits.tolerance = kStrikeTolerance;
        }
    }

    void add(std::uint32_t member) {
        Body& body = world_.bodies[cast_.slots[member]];
        if (member < cast_.solids) {
            placeOf_[member] = static_cast<std::uint32_t>(island_.solids.size());
            members_.push_back(member);
            addSolid(body);
        } else {
            placeOf_[member] = static_cast<std::uint32_t>(island_.bodies.size());
            rigid_.push_back(member);
            addRigid(body);
        }
    }

    void solve(std::span<const FleshContact> contacts) {
        island_.step = world_.clock.steps;
        island_.predict(*world_.tasks, dt_);
        for (std::uint32_t i = 0; i < contacts.size(); ++i)
            if ((isMine(contacts[i].a.body) || isMine(contacts[i].b.body)) && addContact(contacts[i]))
                given_.push_back(i);
        if (!island_.bodies.empty())
            for (const ContactPair& pair : world_.pairs)
                if (isRigidPair(world_, pair) && (isMine(pair.bodyA) || isMine(pair.bodyB)))
                    addRigidContacts(pair);
        island_.solve(*world_.tasks, dt_);
        island_.finish(dt_);
        for (std::size_t i = 0; i < members_.size(); ++i)
            takeSolid(world_.bodies[cast_.slots[members_[i]]], island_.solids[i]);
        for (std::size_t i = 0; i < rigid_.size(); ++i)
            takeRigid(world_.bodies[cast_.slots[rigid_[i]]], island_.bodies[i]);
    }

    // What the solve did at the contacts of deformable bodies, in the order in which they were given to it.
    void report(std::span<const FleshContact> contacts, FleshTouches& touches) const {
        for (std::size_t i = 0; i < given_.size(); ++i)
            touches.add(world_.bodies, contacts[given_[i]], island_.contacts[i]);
    }

private:
    bool isMine(std::uint32_t slot) const { return cast_.has(slot) && placeOf_[cast_.indexOf[slot]] != kNone; }
    std::uint32_t placeOf(std::uint32_t slot) const { return placeOf_[cast_.indexOf[slot]]; }

    void addSolid(Body& body) {
        deformable::IslandSolid& solid = island_.solids.emplace_back();
        solid.model = &modelOf(*body.solid, *body.shape);
        solid.motion = {body.center, userOrientation(body), body.velocity, body.angularVelocity};
        solid.nodes = {body.vertices->positions, body.vertices->velocities};
        solid.memory = &body.solid->memory;
        solid.acceleration = accelerationOf(world_.def, body);
        for (const DeformableBody::Pin& pin : body.solid->pins)
            solid.pins.push_back({pin.node, pin.place});
    }

    void addRigid(const Body& body) {
        deformable::IslandBody& rigid = island_.bodies.emplace_back();
        rigid.center = body.center;
        rigid.mass = body.mass;
        rigid.inertia = rotateDiagonal(toMatrix(body.orientation), body.principalInertia);
        rigid.velocity = body.velocity + accelerationOf(world_.def, body) * dt_;
        rigid.angularVelocity = body.angularVelocity + sunder::solve(rigid.inertia, body.torque) * dt_;
    }

    // Adds one side to the gradient; returns its displacement in the step if nothing acts on it.
    Vec3 addSide(const FleshContact::Side& side, Real sign, deformable::ContactGradient& gradient) const {
        const Body& body = world_.bodies[side.body];
        if (side.nodes == 0)
            return addPoint(side.body, side.point - body.center, sign, gradient);
        const std::uint32_t solid = placeOf(side.body);
        Vec3 displacement;
        for (int k = 0; k < side.nodes; ++k) {
            gradient.node[gradient.nodeCount] = island_.rowOf(solid, side.node[k]);
            gradient.weight[gradient.nodeCount++] = sign * side.weight[k];
            displacement += island_.nodeDisplacement(solid, side.node[k]) * side.weight[k];
        }
        return displacement;
    }

    Vec3 addPoint(std::uint32_t slot, const Vec3& arm, Real sign, deformable::ContactGradient& gradient) const {
        const Body& body = world_.bodies[slot];
        if (!isMine(slot))
            return body.motion == Motion::Static || isAsleep(body) ? Vec3{}
                                                                   : (body.velocity + cross(body.angularVelocity, arm)) * dt_;
        gradient.body[gradient.bodyCount] = placeOf(slot);
        gradient.arm[gradient.bodyCount] = arm;
        gradient.sign[gradient.bodyCount++] = sign;
        return island_.bodyDisplacement(placeOf(slot), arm, dt_);
    }

    // A deformable body that sleeps is passed over: what comes near wakes it.
    bool isElsewhere(const FleshContact::Side& side) const { return side.nodes > 0 && !isMine(side.body); }

    bool addContact(const FleshContact& found) {
        if (isElsewhere(found.a) || isElsewhere(found.b))
            return false;
        deformable::IslandContact contact;
        const Vec3 displacementA =
            addSide(found.a, 1, contact.gradient);  // before that of B: compilers differ in which comes first
        contact.displacement = displacementA - addSide(found.b, -1, contact.gradient);
        contact.normal = found.normal;
        contact.gap = found.gap;
        contact.friction =
            mixedFriction(world_.bodies[found.a.body].material.friction, world_.bodies[found.b.body].material.friction);
        island_.contacts.push_back(contact);
        return true;
    }

    // Contacts of rigid bodies with each other, as the last step left them.
    void addRigidContacts(const ContactPair& pair) {
        for (std::uint32_t m = 0; m < pair.manifoldCount; ++m) {
            const dynamics::ContactConstraint& manifold = world_.constraints[pair.firstManifold + m];
            for (int i = 0; i < manifold.count; ++i) {
                deformable::IslandContact contact;
                const dynamics::ConstraintPoint& point = manifold.points[i];
                const Vec3 displacementB = addPoint(pair.bodyB, point.armB, 1, contact.gradient);
                contact.displacement = displacementB - addPoint(pair.bodyA, point.armA, -1, contact.gradient);
                contact.normal = manifold.normal;
                contact.gap = point.separation;
                contact.friction = manifold.friction;
                island_.contacts.push_back(contact);
            }
        }
    }

    void takeSolid(Body& body, const deformable::IslandSolid& solid) const {
        const Real kept = 1 / (1 + body.linearDamping * dt_), keptSpin = 1 / (1 + body.angularDamping * dt_);
        body.center = solid.motion.center;
        body.orientation = solid.motion.worldFromBody * body.bodyFromPrincipal.orientation;
        body.velocity = solid.motion.velocity * kept;
        body.angularVelocity = solid.motion.angularVelocity * keptSpin;
    }

    // The solver of rigid bodies moves it on by this velocity: the force takes out the gravity that is in it already.
    void takeRigid(Body& body, const deformable::IslandBody& rigid) const {
        body.velocity = rigid.velocity;
        body.angularVelocity = rigid.angularVelocity;
        body.force = world_.def.gravity * (-body.gravityFactor * body.mass);
        body.torque = {};
    }

    WorldState& world_;
    const Cast& cast_;
    Real dt_;
    std::vector<std::uint32_t> placeOf_;  // by member of the cast: its place in the island
    std::vector<std::uint32_t> members_, rigid_;
    std::vector<std::uint32_t> given_;  // contacts of deformable bodies that the island has, before those of rigid ones
    deformable::Island island_;
};

// A body that is to be taken apart.
struct FoundTear {
    std::uint32_t slot;
    deformable::Torn torn;
    bool isTakenBack = false;
};

// All islands of these deformable bodies, once. Islands in which something tears are taken back, as long as there are rounds
// left; after the last, bodies are taken apart as they are at the end of the step.
class Round {
public:
    Round(WorldState& world, const FleshStep& step, int number, FleshTouches& touches)
        : world_(world), step_(step), number_(number), touches_(touches) {}

    void run(std::span<const std::uint32_t> solids) {
        for (const std::uint32_t slot : solids)
            findFleshContacts(world_, slot, step_.dt, contacts_);
        const Cast cast = findCast(world_, solids, contacts_);
        UnionFind groups = groupsOf(cast);
        for (std::uint32_t root = 0; root < cast.solids; ++root) {
            if (groups.root(root) != root)
                continue;
            std::vector<std::uint32_t> members;
            for (std::uint32_t member = root; member < cast.slots.size(); ++member)
                if (groups.root(member) == root)
                    members.push_back(member);
            solveIsland(cast, members);
        }
    }

    // Takes apart what tore. Returns the deformable bodies that the next round has to move.
    std::vector<std::uint32_t> commit() {
        for (const FoundTear& tear : tears_)
            for (const std::uint32_t slot : commitTear(world_, tear.slot, tear.torn))
                if (tear.isTakenBack)
                    again_.push_back(slot);
        const auto bySerial = [&](std::uint32_t a, std::uint32_t b) {
            return world_.bodies[a].serial < world_.bodies[b].serial;
        };
        std::sort(again_.begin(), again_.end(), bySerial);
        return std::move(again_);
    }

private:
    UnionFind groupsOf(const Cast& cast) const {
        UnionFind groups(cast.slots.size());
        const auto join = [&](std::uint32_t a, std::uint32_t b) {
            if (cast.has(a) && cast.has(b))
                groups.join(cast.indexOf[a], cast.indexOf[b]);
        };
        for (const FleshContact& contact : contacts_)
            join(contact.a.body, contact.b.body);
        for (const ContactPair& pair : world_.pairs)
            if (isRigidPair(world_, pair))
                join(pair.bodyA, pair.bodyB);
        return groups;
    }

    void solveIsland(const Cast& cast, std::span<const std::uint32_t> members) {
        IslandBuilder builder(world_, cast, step_);
        SavedBodies saved;
        const bool mayTear = std::any_of(members.begin(), members.end(), [&](std::uint32_t member) {
            const Body& body = world_.bodies[cast.slots[member]];
            return body.solid && body.solid->def.tears;
        });
        for (const std::uint32_t member : members) {
            builder.add(member);
            if (mayTear)
                saved.save(world_.bodies, cast.slots[member]);
        }
        builder.solve(contacts_);
        const std::size_t before = tears_.size();
        bool isTakenBack = false;
        for (const std::uint32_t member : members)
            if (const std::uint32_t slot = cast.slots[member]; mayTear && member < cast.solids)
                if (deformable::Torn torn = findTear(world_, slot, step_); !torn.parts.empty()) {
                    tears_.push_back({slot, std::move(torn)});
                    isTakenBack = isTakenBack || number_ < world_.bodies[slot].solid->def.tearRounds;
                }
        if (!isTakenBack) {
            builder.report(contacts_, touches_);
            return;
        }
        for (std::size_t i = before; i < tears_.size(); ++i)
            tears_[i].isTakenBack = true;
        saved.restore(world_.bodies);
        for (const std::uint32_t member : members)
            if (member < cast.solids)
                again_.push_back(cast.slots[member]);
    }

    WorldState& world_;
    const FleshStep& step_;
    int number_;
    FleshTouches& touches_;
    std::vector<FleshContact> contacts_;
    std::vector<FoundTear> tears_;
    std::vector<std::uint32_t> again_;
};

}  // namespace

void stepDeformables(WorldState& world, const FleshStep& step) {
    wakeNearFlesh(world, step.dt);
    std::vector<std::uint32_t> solids = movingSolids(world);
    FleshTouches touches;
    for (int number = 0; !solids.empty(); ++number) {
        Round round(world, step, number, touches);
        round.run(solids);
        solids = round.commit();
    }
    touches.take(world.solve.fleshTouches);
    world.solve.areFleshTouchesNews = true;
}

}  // namespace sunder::world
