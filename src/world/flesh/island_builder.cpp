#include "world/flesh/island_builder.h"

#include <algorithm>
#include <cmath>

#include "world/commit/torn_parts.h"
#include "world/flesh/grips.h"
#include "world/pair/mixing.h"

namespace sunder::world {

namespace {

// In a strike part, whose end is some milliseconds from the next, less is asked of the contacts of shards. But with a tolerance
// of 1e-3 the noise of the solve tears, and cracks of a pane are up to a third longer.
constexpr int kStrikeRounds = 4;
constexpr Real kStrikeTolerance = Real(3e-4);
// What the solve leaves undone of a step's weight keeps nodes trembling: those of five stacked cubes by 1 mm/s at a tolerance
// of 1e-4, by 0.1 mm/s at this. Steps at rest are few, until the bodies sleep.
constexpr Real kRestTolerance = Real(1e-5);
// In whole steps of 1/30 s, rough rounds lead to contacts that tear.
constexpr Real kRoughTolerance = Real(0.03);

Vec3 accelerationOf(const WorldDef& def, const Body& body) {
    return def.gravity * body.gravityFactor + body.force * body.inverseMass;
}

}  // namespace

bool isRigidPair(const WorldState& world, const ContactPair& pair) {
    return pair.manifoldCount > 0 && !world.bodies[pair.bodyA].vertices && !world.bodies[pair.bodyB].vertices;
}

IslandBuilder::IslandBuilder(WorldState& world, const Cast& cast, const FleshStep& step, const Guesses& guesses)
    : world_(world), cast_(cast), guesses_(guesses), dt_(step.dt), placeOf_(cast.slots.size(), kNone) {
    if (step.isStrike) {
        island_.settings.mostRounds = kStrikeRounds;
        island_.settings.frictionRounds = kStrikeRounds / 2;
        island_.settings.limits.tolerance = kStrikeTolerance;
        island_.settings.roughTolerance = kRoughTolerance;
    }
}

void IslandBuilder::add(std::uint32_t member) {
    const std::uint32_t slot = cast_.slots[member];
    Body& body = world_.bodies[slot];
    const bool isSolid = member < cast_.solids && !isStiff(body);
    placeOf_[member] = static_cast<std::uint32_t>(isSolid ? solids_.size() : rigid_.size());
    const auto guess = guesses_.find(slot);
    if (isSolid) {
        solids_.push_back(slot);
        addSolid(body);
        if (guess != guesses_.end())
            island_.solids.back().guess = guess->second;
        return;
    }
    rigid_.push_back({slot, {}});
    if (body.solid)
        addStiff(body);
    else
        addRigid(body);
    if (guess != guesses_.end()) {
        island_.bodies.back().guess = guess->second[0];
        island_.bodies.back().angularGuess = guess->second[1];
    }
}

void IslandBuilder::keepGuesses(Guesses& guesses) const {
    const auto changeAt = [&](std::uint32_t row) {
        const Vec3 change = island_.changeOf(row);
        return isFinite(change) ? change : Vec3{};
    };
    for (std::size_t i = 0; i < solids_.size(); ++i) {
        std::vector<Vec3>& guess = guesses[solids_[i]];
        guess.clear();
        for (std::uint32_t node = 0; node < island_.solids[i].model->nodeCount(); ++node)
            guess.push_back(changeAt(island_.rowOf(i, node)));
    }
    for (std::size_t i = 0; i < rigid_.size(); ++i) {
        const std::uint32_t row = island_.rowOfBody(i);
        guesses[rigid_[i].slot] = {changeAt(row), changeAt(row + 1)};
    }
}

std::size_t IslandBuilder::size() const {
    std::size_t rows = 2 * island_.bodies.size();
    for (const deformable::IslandSolid& solid : island_.solids)
        rows += solid.model->nodeCount();
    return rows;
}

bool IslandBuilder::isAtRest() const {
    const auto rests = [&](std::uint32_t slot) { return world_.bodies[slot].restTime > 0; };
    return std::all_of(solids_.begin(), solids_.end(), rests) &&
           std::all_of(rigid_.begin(), rigid_.end(), [&](const Rigid& rigid) { return rests(rigid.slot); });
}

void IslandBuilder::solve(TaskRunner& tasks, std::span<const FleshContact> contacts) {
    if (isAtRest())
        island_.settings.limits.tolerance = min(island_.settings.limits.tolerance, kRestTolerance);
    island_.step = world_.clock.steps;
    for (const FleshContact& contact : contacts)
        if (contact.carried > 0)
            raiseInertia(contact);
    island_.predict(tasks, dt_);
    for (std::uint32_t i = 0; i < contacts.size(); ++i)
        if ((isMine(contacts[i].a.body) || isMine(contacts[i].b.body)) && addContact(contacts[i]))
            given_.push_back(i);
    if (!island_.bodies.empty())
        for (const ContactPair& pair : world_.pairs)
            if (isRigidPair(world_, pair) && (isMine(pair.bodyA) || isMine(pair.bodyB)))
                addRigidContacts(pair);
    island_.solve(tasks, dt_);
    island_.finish(dt_);
}

void IslandBuilder::apply() {
    for (std::size_t i = 0; i < solids_.size(); ++i)
        takeSolid(world_.bodies[solids_[i]], island_.solids[i].motion);
    for (std::size_t i = 0; i < rigid_.size(); ++i) {
        Body& body = world_.bodies[rigid_[i].slot];
        const deformable::IslandBody& moved = island_.bodies[i];
        if (rigid_[i].flight)
            takeSolid(body, deformable::landRigidly(frameMotionOf(body), *rigid_[i].flight, moved.velocity,
                                                    moved.angularVelocity, dt_));
        else
            takeRigid(body, moved);
    }
}

void IslandBuilder::report(std::span<const FleshContact> contacts, FleshTouches& touches, JointLoads& loads) const {
    Grips grips(world_);
    for (std::size_t i = 0; i < given_.size(); ++i) {
        if (contacts[given_[i]].joint != kNone) {
            loads.add(contacts[given_[i]], island_.contacts[i]);
            continue;
        }
        touches.add(world_.bodies, contacts[given_[i]], island_.contacts[i]);
        grips.add(contacts[given_[i]], island_.contacts[i]);
    }
    grips.take(solids_);
}

void IslandBuilder::addSolid(Body& body) {
    deformable::IslandSolid& solid = island_.solids.emplace_back();
    solid.model = &modelOf(*body.solid, *body.shape);
    solid.motion = frameMotionOf(body);
    solid.nodes = {body.vertices->positions, body.vertices->velocities};
    solid.memory = &body.solid->memory;
    solid.acceleration = accelerationOf(world_.def, body);
    for (const DeformableBody::Pin& pin : body.solid->pins)
        solid.pins.push_back({pin.node, pin.place});
    for (const DeformableBody::Force& given : body.solid->forces)
        solid.forces.push_back({given.node, given.force});
}

void IslandBuilder::addRigid(const Body& body) {
    deformable::IslandBody& rigid = island_.bodies.emplace_back();
    rigid.center = body.center;
    rigid.mass = body.mass;
    rigid.inertia = rotateDiagonal(toMatrix(body.orientation), body.principalInertia);
    rigid.velocity = body.velocity + accelerationOf(world_.def, body) * dt_;
    rigid.angularVelocity = body.angularVelocity + sunder::solve(rigid.inertia, body.torque) * dt_;
}

// A piece that does not deform: its nodes rest in its frame. The vibration that it had when it came off is dropped.
void IslandBuilder::addStiff(Body& body) {
    const deformable::SolidModel& model = modelOf(*body.solid, *body.shape);
    std::fill(body.vertices->velocities.begin(), body.vertices->velocities.end(), Vec3{});
    const deformable::RigidFlight flight =
        deformable::flyRigidly(model, frameMotionOf(body), body.vertices->positions, accelerationOf(world_.def, body), dt_);
    rigid_.back().flight = flight;
    island_.bodies.push_back(
        {body.center, model.mass, flight.inertia, flight.motion.velocity, flight.motion.angularVelocity, {}, {}, flight.turn});
}

// Adds one side to the gradient; returns its displacement in the step if nothing acts on it.
Vec3 IslandBuilder::addSide(const FleshContact::Side& side, Real sign, deformable::ContactGradient& gradient) const {
    if (side.body == kNone)
        return {};
    const Body& body = world_.bodies[side.body];
    if (side.nodes == 0 || isStiff(body))
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

Vec3 IslandBuilder::addPoint(std::uint32_t slot, const Vec3& arm, Real sign, deformable::ContactGradient& gradient) const {
    const Body& body = world_.bodies[slot];
    if (!isMine(slot))
        return body.motion == Motion::Static || isAsleep(body) ? Vec3{}
                                                               : (body.velocity + cross(body.angularVelocity, arm)) * dt_;
    gradient.body[gradient.bodyCount] = placeOf(slot);
    gradient.arm[gradient.bodyCount] = arm;
    gradient.sign[gradient.bodyCount++] = sign;
    return island_.bodyDisplacement(placeOf(slot), arm, dt_);
}

// Light links of a chain under a heavy load swing faster than long steps can follow, because the direction of the load is that
// of the start of the step. As in the solver of rigid bodies (world/step/raised_inertia.h) they turn as if they had the inertia
// with which the step can: dt^2 times the load times its arm.
void IslandBuilder::raiseInertia(const FleshContact& found) {
    for (const FleshContact::Side* side : {&found.a, &found.b}) {
        if (!isMine(side->body) || world_.bodies[side->body].solid || !(world_.bodies[side->body].mass < found.carried))
            continue;
        const Body& body = world_.bodies[side->body];
        const Real load = found.carried * length(world_.def.gravity), arm = length(side->point - body.center);
        const Real raised = square(dt_) * load * arm;
        Sym3& inertia = island_.bodies[placeOf(side->body)].inertia;
        inertia.xx += raised;
        inertia.yy += raised;
        inertia.zz += raised;
    }
}

// The rigid side of a hold. It turns with its body: points that went straight on would open the hold by r (w dt)^2 / 2 in every
// step. What acts on it acts in the line in which the nodes feel it, those of the solid turned as in this step: so both sides
// together keep their angular momentum.
void IslandBuilder::alignHold(const FleshContact& found, deformable::IslandContact& contact) const {
    deformable::ContactGradient& gradient = contact.gradient;
    for (int k = 0; k < gradient.bodyCount; ++k) {
        const Rigid& rigid = rigid_[gradient.body[k]];
        if (rigid.flight)
            continue;
        const Body& body = world_.bodies[rigid.slot];
        const Vec3 way = island_.bodies[gradient.body[k]].angularVelocity * dt_, arm = gradient.arm[k];
        contact.displacement += (rotate(quatFromRotationVector(way), arm) - arm - cross(way, arm)) * gradient.sign[k];
        for (const FleshContact::Side* side : {&found.a, &found.b}) {
            if (side->nodes == 0 || gradient.nodeCount == 0)
                continue;
            Vec3 offset;
            for (int i = 0; i < side->nodes; ++i)
                offset += island_.nodeOffset(placeOf(side->body), side->node[i]) * side->weight[i];
            gradient.arm[k] = world_.bodies[side->body].center - body.center + offset;
        }
    }
}

// Contact responses for comparison with the default one. The point stands for an area A of the surface and lies d deep: the
// overlap has the volume V = A d.
//   damping   force sqrt(E rho) V / h per m/s of closing speed, the impedance of the material at the depth h, 0.1 cells
//   mortar    force E V / cell, the pressure of a layer of one cell that is thinner by d
void IslandBuilder::chooseResponse(const FleshContact& found, deformable::IslandContact& contact) const {
    constexpr Real kReferenceDepth = Real(0.1);  // of a cell
    for (const FleshContact::Side* side : {&found.a, &found.b}) {
        const Body& body = world_.bodies[side->body];
        if (found.isHold || !body.solid || body.solid->def.contactResponse == FleshResponse::Springs)
            continue;
        const elastic::ElasticMaterial& material = body.solid->material.elastic;
        const Real cell = modelOf(*body.solid, *body.shape).cell;
        if (body.solid->def.contactResponse == FleshResponse::Damping) {
            contact.response = deformable::ContactResponse::Damping;
            contact.given =
                dt_ * std::sqrt(material.young * material.density) * found.area * max(0, -found.gap) / (kReferenceDepth * cell);
        } else {
            contact.response = deformable::ContactResponse::Penalty;
            contact.given = square(dt_) * material.young / cell * found.area;
        }
        return;
    }
}

bool IslandBuilder::addContact(const FleshContact& found) {
    if (isElsewhere(found.a) || isElsewhere(found.b))
        return false;
    deformable::IslandContact contact;
    const Vec3 displacementA =
        addSide(found.a, 1, contact.gradient);  // before that of B: compilers differ in which comes first
    contact.displacement = displacementA - addSide(found.b, -1, contact.gradient);
    contact.normal = found.normal;
    contact.gap = found.gap;
    contact.isHold = found.isHold;
    contact.isAlong = found.isAlong;
    contact.carried = found.carried;
    if (found.isHold || found.joint != kNone)
        alignHold(found, contact);
    contact.aside = found.aside;
    if (found.joint != kNone) {
        contact.slides = !found.isHold;
        island_.contacts.push_back(contact);
        return true;
    }
    contact.friction =
        mixedFriction(world_.bodies[found.a.body].material.friction, world_.bodies[found.b.body].material.friction);
    chooseResponse(found, contact);
    holdGrip(world_, found, contact);
    island_.contacts.push_back(contact);
    return true;
}

// Contacts of rigid bodies with each other, as the last step left them.
void IslandBuilder::addRigidContacts(const ContactPair& pair) {
    for (std::uint32_t m = 0; m < pair.manifoldCount; ++m) {
        const dynamics::ContactConstraint& manifold = world_.constraints[pair.firstManifold + m];
        for (int i = 0; i < manifold.count; ++i) {
            deformable::IslandContact contact;
            const dynamics::ConstraintPoint& point = manifold.points[i];
            const Vec3 displacementB = addPoint(pair.bodyB, point.armB, 1, contact.gradient);
            contact.displacement = displacementB - addPoint(pair.bodyA, point.armA, -1, contact.gradient);
            contact.normal = manifold.normal;
            contact.gap = point.separation;
            contact.friction = manifold.material.friction;
            contact.carries = true;
            island_.contacts.push_back(contact);
        }
    }
}

void IslandBuilder::takeSolid(Body& body, const deformable::FrameMotion& motion) const {
    const Real kept = 1 / (1 + body.linearDamping * dt_), keptSpin = 1 / (1 + body.angularDamping * dt_);
    body.center = motion.center;
    body.orientation = motion.worldFromBody * body.bodyFromPrincipal.orientation;
    body.velocity = motion.velocity * kept;
    body.angularVelocity = motion.angularVelocity * keptSpin;
}

// The solver of rigid bodies moves it on by this velocity: the force takes out the gravity that is in it already.
void IslandBuilder::takeRigid(Body& body, const deformable::IslandBody& rigid) const {
    body.velocity = rigid.velocity;
    body.angularVelocity = rigid.angularVelocity;
    body.force = world_.def.gravity * (-body.gravityFactor * body.mass);
    body.torque = {};
}

}  // namespace sunder::world
