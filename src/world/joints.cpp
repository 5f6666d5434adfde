#include "world/joints.h"

#include <algorithm>

#include "dynamics/integrate/substep.h"
#include "world/bodies.h"
#include "world/sleep.h"
#include "world/wake.h"

namespace sunder::world {

namespace {

const Body* bodyOf(const WorldState& world, BodyId id) { return id.isNull() ? nullptr : &world.bodies[id.index]; }

// x along the axis, y as near to `second` as a right angle allows.
Quat frameAlong(const Vec3& axis, const Vec3& second) {
    const Vec3 x = normalizeOr(axis, {1, 0, 0});
    const Vec3 y = normalizeOr(second - x * dot(x, second), anyPerpendicular(x));
    return toQuat(transpose({x, y, cross(x, y)}));
}

Pose frameIn(const WorldState& world, BodyId id, const Vec3& anchor, const Quat& orientation) {
    const Body* body = bodyOf(world, id);
    if (!body)
        return {anchor, orientation};
    const Quat q = userOrientation(*body);
    return {inverseRotate(q, toWorldPoint(anchor) - userPosition(*body)), conjugate(q) * orientation};
}

const Body* bodyOf(const WorldState& world, std::uint32_t slot) { return slot == kWorldSlot ? nullptr : &world.bodies[slot]; }

// Fills in what follows from the definition.
void know(Joint& joint) {
    joint.spec = dynamics::specOf(joint.def);
    joint.isPlainBall = joint.spec.isPlainBall();
    joint.isActive = joint.spec.isActive();
    joint.mayBreak = joint.def.breakForce || joint.def.breakTorque || joint.def.breakImpulse;
    joint.capacity = static_cast<std::uint8_t>(dynamics::rowCapacity(joint.spec));
    joint.bodyA = joint.def.a.isNull() ? kWorldSlot : joint.def.a.index;
    joint.bodyB = joint.def.b.isNull() ? kWorldSlot : joint.def.b.index;
    joint.known = true;
}

// One side of a joint as the solver wants it.
struct End {
    WorldPoint center;
    Pose frame;
};
End endOf(const Body* body, const Pose& frame) {
    if (!body)
        return {toWorldPoint(frame.position), {{}, frame.orientation}};
    if (body->motion == Motion::Static) {
        const Quat q = userOrientation(*body);
        return {userPosition(*body) + rotate(q, frame.position), {{}, q * frame.orientation}};
    }
    return {body->center, inverse(body->bodyFromPrincipal) * frame};
}

std::uint32_t solverIndexOf(const Body* body) {
    return body && body->motion != Motion::Static ? body->solverIndex : dynamics::kFixedBody;
}

bool isKinematic(const Body* body) { return body && body->motion == Motion::Kinematic; }

bool isAtRest(const Body* body) { return !body || body->motion == Motion::Static; }

JointEnds endsOf(const Joint& joint, const Body* a, const Body* b) {
    const auto anchor = [](const Body* body, const Pose& frame) {
        return isAtRest(body) ? Vec3{} : inverseTransformPoint(body->bodyFromPrincipal, frame.position);
    };
    const auto center = [](const Body* body, const Pose& frame) {
        return isAtRest(body) ? endOf(body, frame).center : body->center;
    };
    return {anchor(a, joint.frameA),
            anchor(b, joint.frameB),
            center(b, joint.frameB) - center(a, joint.frameA),
            {joint.impulse[0], joint.impulse[1], joint.impulse[2]}};
}

void fillBall(dynamics::BallJoint& out, const dynamics::JointLink& link, const JointEnds& ends, Real scale) {
    out.bodyA = link.bodyA;
    out.bodyB = link.bodyB;
    out.anchorA = ends.anchorA;
    out.anchorB = ends.anchorB;
    out.centerOffset = ends.offset;
    out.impulse = ends.impulse * scale;
    out.total = {};
}

// What a body answers an impulse at its end of a joint with, in the mean over all directions. It stays the same while the body
// turns, and is of the body as it is: not raised as steady() does.
dynamics::MeanAnswer meanAnswer(const Body* body, const Vec3& arm) {
    if (!body)
        return {};
    const Vec3 &i = body->inversePrincipalInertia, squared = multiply(arm, arm);
    const Real byTurning = i.x * (squared.y + squared.z) + i.y * (squared.x + squared.z) + i.z * (squared.x + squared.y);
    return {body->inverseMass + byTurning / 3, (i.x + i.y + i.z) / 3};
}

void fillConstraint(dynamics::JointConstraint& out, std::uint32_t bodyA, std::uint32_t bodyB, const Joint& joint, const Body* a,
                    const Body* b, Real scale) {
    const End endA = endOf(a, joint.frameA), endB = endOf(b, joint.frameB);
    out.bodyA = bodyA;
    out.bodyB = bodyB;
    out.spec = joint.spec;
    out.frameA = endA.frame;
    out.frameB = endB.frame;
    out.centerOffset = endB.center - endA.center;
    const dynamics::MeanAnswer answerA = meanAnswer(a, endA.frame.position), answerB = meanAnswer(b, endB.frame.position);
    out.answer = {answerA.linear + answerB.linear, answerA.angular + answerB.angular};
    for (std::size_t i = 0; i < joint.impulse.size(); ++i)
        out.impulse[i] = joint.impulse[i] * scale;
    out.given = {};
    out.totalForce = out.totalTorque = {};
    out.rowCount = 0;
}

// A light body between great forces F, which turn with it, swings about its centre with omega^2 = sum F r / I and sideways with
// sum F / (r m). Substeps follow that up to omega h = 2, and well up to about 1/sqrt(kSteady). Beyond, its inertia, and far
// beyond its mass, is raised for the step: a link that carries a thousand times its weight then swings more slowly than it
// would, which nobody sees, instead of flying apart.
constexpr Real kSteady = 2;
// Joints that contradict each other bear forces in proportion to the masses that they pull at. A body would be raised for them,
// they would pull the harder for it in the next step, and so on without end: no body is raised by more than this.
constexpr Real kMostRaised = 30;

// Whether a load is more than a hundredth of what a body of the size of its arm bears.
bool matters(Real pull, Real mass, const Vec3& arm) { return square(pull) > square(Real(0.01) * mass) * lengthSquared(arm); }

void noteLoad(WorldState& world, std::uint32_t index, const Body& body, const Vec3& arm, Real pull) {
    const Vec3 squared = multiply(arm, arm);
    JointLoad& load = world.jointLoads[index];
    load.inertia +=
        Vec3{std::sqrt(squared.y + squared.z), std::sqrt(squared.x + squared.z), std::sqrt(squared.x + squared.y)} * pull;
    load.mass += pull / max(length(arm), body.shape->boundingRadius);
}

void steady(dynamics::SolverBody& body, dynamics::SolverBodyConstants& constants, const JointLoad& load) {
    if (load.mass > constants.mass) {
        const Real mass = min(load.mass, kMostRaised * constants.mass);
        body.inverseMass *= constants.mass / mass;
        constants.mass = mass;
    }
    const Vec3 raised = max(constants.principalInertia, min(load.inertia, constants.principalInertia * kMostRaised));
    if (raised == constants.principalInertia)
        return;
    constants.principalInertia = raised;
    constants.inversePrincipalInertia = {1 / raised.x, 1 / raised.y, 1 / raised.z};
    body.inverseInertia = dynamics::worldInverseInertia(body.orientation, constants);
}

bool sleeps(const Body* body) { return body && isAsleep(*body); }

// What is joined sleeps and wakes together; a kinematic body that begins to move wakes what hangs on it.
void wakeNextStep(WorldState& world, const Body* a, const Body* b) {
    const auto moves = [](const Body* body) {
        return body && body->motion != Motion::Static && !isAsleep(*body) &&
               !(body->velocity == Vec3{} && body->angularVelocity == Vec3{});
    };
    if (sleeps(a) && moves(b))
        world.sleep.struck.push_back(a->island);
    if (sleeps(b) && moves(a))
        world.sleep.struck.push_back(b->island);
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
    if (world.freeJoints.empty()) {
        slot = static_cast<std::uint32_t>(world.joints.size());
        world.joints.emplace_back();
    } else {
        slot = world.freeJoints.back();
        world.freeJoints.pop_back();
    }
    Joint& joint = world.joints[slot];
    joint.alive = true;
    ++joint.generation;
    joint.serial = world.nextJointSerial++;
    joint.def = def;
    joint.known = false;
    const Quat frame = frameAlong(def.axis, def.axle);
    joint.frameA = frameIn(world, def.a, def.anchor, frame);
    joint.frameB = frameIn(world, def.b, def.anchorB.value_or(def.anchor), frame);
    world.jointPairsKnown = world.jointPairsKnown && def.collideConnected;
    world.dueJointsKnown = false;
    wakeEnds(world, joint);
    return slot;
}

void commitRemoveJoint(WorldState& world, std::uint32_t slot) {
    Joint& joint = world.joints[slot];
    wakeEnds(world, joint);
    const BodyId a = joint.def.a, b = joint.def.b;
    if (!joint.def.collideConnected && !a.isNull() && !b.isNull()) {
        findAgain(world, a.index);
        world.jointPairsKnown = false;
    }
    world.dueJointsKnown = false;
    const std::uint32_t generation = joint.generation;
    joint = {};
    joint.generation = generation;
    world.freeJoints.push_back(slot);
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
    joint.known = false;
    world.dueJointsKnown = false;
    wakeEnds(world, joint);
    if (def.collideConnected != before.collideConnected) {
        world.jointPairsKnown = false;
        if (!before.a.isNull())
            findAgain(world, before.a.index);
    }
}

void removeJointsOf(WorldState& world, std::uint32_t body) {
    for (std::uint32_t slot = 0; slot < world.joints.size(); ++slot) {
        const Joint& joint = world.joints[slot];
        if (!joint.alive || (joint.def.a.index != body && joint.def.b.index != body))
            continue;
        world.pendingJointEvents.push_back(jointEventOf(joint, slot, JointEventKind::BodyRemoved));
        commitRemoveJoint(world, slot);
    }
}

namespace {

// Whether nothing can move it: asleep at one end, at the other too or held by what stays where it is.
bool isDormant(const Body* a, const Body* b) { return (sleeps(a) && (sleeps(b) || isAtRest(b))) || (sleeps(b) && isAtRest(a)); }

void findDueJoints(WorldState& world) {
    if (world.dueJointsKnown)
        return;
    world.dueJoints.clear();
    for (std::uint32_t slot = 0; slot < world.joints.size(); ++slot) {
        Joint& joint = world.joints[slot];
        if (joint.alive && !joint.known)
            know(joint);
        if (joint.alive && !isDormant(bodyOf(world, joint.bodyA), bodyOf(world, joint.bodyB)))
            world.dueJoints.push_back(slot);
    }
    world.dueJointsKnown = true;
}

}  // namespace

void gatherJoints(WorldState& world, Real h, Real scale) {
    findDueJoints(world);
    world.jointLoads.assign(world.dueJoints.empty() ? 0 : world.solverBodies.size(), JointLoad{});
    world.jointLinks.clear();
    world.activeJoints.clear();
    world.jointEnds.clear();
    for (const std::uint32_t slot : world.dueJoints) {
        Joint& joint = world.joints[slot];
        const Body *a = bodyOf(world, joint.bodyA), *b = bodyOf(world, joint.bodyB);
        if (sleeps(a) || sleeps(b)) {
            wakeNextStep(world, a, b);
            continue;
        }
        dynamics::JointLink link;
        link.bodyA = solverIndexOf(a);
        link.bodyB = solverIndexOf(b);
        link.movesA = world.solverConstants[link.bodyA].isDynamic;
        link.movesB = world.solverConstants[link.bodyB].isDynamic;
        if ((!link.movesA && !link.movesB) || (a && a->quarantined) || (b && b->quarantined)) {
            joint.impulse = {};
            joint.force = joint.torque = {};
            continue;
        }
        link.capacity = joint.capacity;
        link.isPlainBall = joint.isPlainBall;
        link.isActive = joint.isActive || isKinematic(a) || isKinematic(b);
        const JointEnds ends = endsOf(joint, a, b);
        const Real pull = kSteady * h * h * length(joint.force);
        if (link.movesA && matters(pull, a->mass, ends.anchorA))
            noteLoad(world, link.bodyA, *a, ends.anchorA, pull);
        if (link.movesB && matters(pull, b->mass, ends.anchorB))
            noteLoad(world, link.bodyB, *b, ends.anchorB, pull);
        world.jointLinks.push_back(link);
        world.jointEnds.push_back(ends);
        world.activeJoints.push_back(slot);
    }
    for (std::size_t i = 1; i < world.jointLoads.size(); ++i)
        if (world.jointLoads[i].mass > 0)
            steady(world.solverBodies[i], world.solverConstants[i], world.jointLoads[i]);
    world.jointSolver.plan(world.jointLinks, world.solverBodies.size());
    for (std::size_t i = 0; i < world.activeJoints.size(); ++i) {
        const dynamics::JointLink& link = world.jointLinks[i];
        const auto [isBall, index] = world.jointSolver.place(i);
        if (isBall) {
            fillBall(world.jointSolver.ball(index), link, world.jointEnds[i], scale);
            continue;
        }
        const Joint& joint = world.joints[world.activeJoints[i]];
        fillConstraint(world.jointSolver.constraint(index), link.bodyA, link.bodyB, joint, bodyOf(world, joint.bodyA),
                       bodyOf(world, joint.bodyB), scale);
    }
}

void scatterJoints(WorldState& world, Real dt) {
    const Real share = 1 / dt;
    for (std::size_t i = 0; i < world.activeJoints.size(); ++i) {
        Joint& joint = world.joints[world.activeJoints[i]];
        const auto [isBall, index] = world.jointSolver.place(i);
        if (isBall) {
            const dynamics::BallJoint& ball = world.jointSolver.ball(index);
            joint.impulse[0] = ball.impulse.x;
            joint.impulse[1] = ball.impulse.y;
            joint.impulse[2] = ball.impulse.z;
            joint.force = ball.total * share;
            joint.torque = {};
        } else {
            const dynamics::JointConstraint& constraint = world.jointSolver.constraint(index);
            joint.impulse = constraint.impulse;
            joint.force = constraint.totalForce * share;
            joint.torque = constraint.totalTorque * share;
        }
        // Of a body that has just been taken out.
        if (!isFinite(joint.force) || !isFinite(joint.torque)) {
            joint.impulse = {};
            joint.force = joint.torque = {};
        }
    }
}

void reportJoints(WorldState& world) {
    world.jointEvents.swap(world.pendingJointEvents);
    world.pendingJointEvents.clear();
}

bool refreshJointPairs(WorldState& world) {
    if (world.jointPairsKnown)
        return false;
    world.jointPairs.clear();
    for (const Joint& joint : world.joints)
        if (joint.alive && !joint.def.collideConnected && !joint.def.a.isNull() && !joint.def.b.isNull())
            world.jointPairs.push_back(collision::pairKey(joint.def.a.index, joint.def.b.index));
    std::sort(world.jointPairs.begin(), world.jointPairs.end());
    world.jointPairsKnown = true;
    return true;
}

bool isJoinedPair(const WorldState& world, std::uint64_t key) {
    return std::binary_search(world.jointPairs.begin(), world.jointPairs.end(), key);
}

JointState stateOf(const WorldState& world, const Joint& joint) {
    using namespace dynamics;
    Joint known = joint;
    know(known);
    const Body *a = bodyOf(world, joint.def.a), *b = bodyOf(world, joint.def.b);
    SolverBody bodies[2];
    const auto place = [](SolverBody& out, const Body* body) {
        if (!body || body->motion == Motion::Static)
            return;
        out.orientation = body->orientation;
        out.inverseMass = {body->inverseMass, body->inverseMass, body->inverseMass};
        out.inverseInertia = rotateDiagonal(toMatrix(body->orientation), body->inversePrincipalInertia);
    };
    place(bodies[0], a);
    place(bodies[1], b);
    JointConstraint constraint;
    fillConstraint(constraint, 0, 1, known, a, b, 0);
    // Its rows say what is held, and by how much that is off: with a repair rate of 1 a rigid row's bias is its error.
    constexpr Real kAnyStep = Real(1e-3);
    makeRows(constraint, bodies[0], bodies[1], {kAnyStep, 1 / kAnyStep, kInfinity, 1, 1});
    const JointGeometry at = geometryOf(constraint, bodies[0], bodies[1]);
    JointState state;
    state.force = joint.force;
    state.torque = joint.torque;
    double linear = 0, angular = 0;
    for (int i = 0; i < constraint.rowCount; ++i) {
        const JointRow& row = constraint.rows[i];
        double error = row.bias;
        if (!row.rigid) {
            const bool isSpring = row.slot == kSpringSlot;
            const Spring spring = springOf(row, known.spec, bodies[0], bodies[1]);
            const Real gamma = toCompliance(spring, kAnyStep).gamma;
            error = gamma > 0 ? double(row.bias) * kAnyStep / gamma : 0;
            state.elasticEnergy += 0.5 * double(spring.stiffness) * error * error;
            if (isSpring)
                continue;
        } else if (row.bounded) {
            continue;
        }
        (row.linear == Vec3{} ? angular : linear) += error * error;
    }
    state.error = Real(std::sqrt(linear));
    state.angularError = Real(std::sqrt(angular));
    switch (joint.def.type) {
        case JointType::Slider: state.position = dot(at.gap, at.axesA.row0); break;
        case JointType::Wheel:
            state.position = dot(at.gap, at.axesA.row0);
            state.angle = angleAbout(at, 1);
            break;
        case JointType::Distance: state.position = length(at.gap); break;
        case JointType::Hinge: state.angle = angleAbout(at, 0); break;
        case JointType::ConeTwist:
            state.angle = angleAbout(at, 0);
            state.swing = swingAngle(at);
            break;
        case JointType::Ball:
        case JointType::Fixed:
        case JointType::SixDof: state.angle = length(turnVector(at)); break;
    }
    return state;
}

}  // namespace sunder::world
