#include "world/exchange/joints.h"

#include <algorithm>

#include "dynamics/integrate/substep.h"
#include "world/exchange/joint_sides.h"
#include "world/state/handles.h"

namespace sunder::world {

namespace {

// A light body between great forces F, which turn with it, swings about its centre with omega^2 = sum F r / I and sideways with
// sum F / (r m). Substeps follow that up to omega h = 2, and well up to about 1/sqrt(kSteady). Beyond, its inertia, and far
// beyond its mass, is raised for the step: a link that carries a thousand times its weight then swings more slowly than it
// would, which nobody sees, instead of flying apart.
constexpr Real kSteady = 2;
// Joints that contradict each other bear forces in proportion to the masses that they pull at. A body would be raised for them,
// they would pull the harder for it in the next step, and so on without end: no body is raised by more than this.
constexpr Real kMostRaised = 30;
// Loads below this share of what a body of the size of its arm bears are left out: all of them together raise nothing.
constexpr Real kLeastLoad = Real(0.01);

bool matters(Real pull, Real mass, const Vec3& arm) { return square(pull) > square(kLeastLoad * mass) * lengthSquared(arm); }

void noteLoad(WorldState& world, std::uint32_t index, const Body& body, const Vec3& arm, Real pull) {
    const Vec3 squared = multiply(arm, arm);
    JointLoad& load = world.solve.jointLoads[index];
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

// Whether nothing can move it: asleep at one end, at the other too or held by what stays where it is.
bool isDormant(const Body* a, const Body* b) { return (sleeps(a) && (sleeps(b) || isAtRest(b))) || (sleeps(b) && isAtRest(a)); }

void findDueJoints(WorldState& world) {
    if (world.jointRoster.dueKnown)
        return;
    world.jointRoster.due.clear();
    for (std::uint32_t slot = 0; slot < world.joints.size(); ++slot) {
        Joint& joint = world.joints[slot];
        if (joint.alive && !joint.known)
            know(joint);
        if (joint.alive && !isDormant(bodyOf(world, joint.bodyA), bodyOf(world, joint.bodyB)))
            world.jointRoster.due.push_back(slot);
    }
    world.jointRoster.dueKnown = true;
}

}  // namespace

void gatherJoints(WorldState& world, Real h, Real scale) {
    findDueJoints(world);
    world.solve.jointLoads.assign(world.jointRoster.due.empty() ? 0 : world.solve.bodies.size(), JointLoad{});
    world.solve.jointLinks.clear();
    world.solve.activeJoints.clear();
    world.solve.jointEnds.clear();
    for (const std::uint32_t slot : world.jointRoster.due) {
        Joint& joint = world.joints[slot];
        const Body *a = bodyOf(world, joint.bodyA), *b = bodyOf(world, joint.bodyB);
        if (sleeps(a) || sleeps(b)) {
            wakeNextStep(world, a, b);
            continue;
        }
        dynamics::JointLink link;
        link.bodyA = solverIndexOf(a);
        link.bodyB = solverIndexOf(b);
        link.movesA = world.solve.constants[link.bodyA].isDynamic;
        link.movesB = world.solve.constants[link.bodyB].isDynamic;
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
        world.solve.jointLinks.push_back(link);
        world.solve.jointEnds.push_back(ends);
        world.solve.activeJoints.push_back(slot);
    }
    for (std::size_t i = 1; i < world.solve.jointLoads.size() && !isWithout(world, Mechanism::JointMass); ++i)
        if (world.solve.jointLoads[i].mass > 0)
            steady(world.solve.bodies[i], world.solve.constants[i], world.solve.jointLoads[i]);
    world.solve.jointSolver.plan(world.solve.jointLinks, world.solve.bodies.size());
    for (std::size_t i = 0; i < world.solve.activeJoints.size(); ++i) {
        const dynamics::JointLink& link = world.solve.jointLinks[i];
        const auto [isBall, index] = world.solve.jointSolver.place(i);
        if (isBall) {
            fillBall(world.solve.jointSolver.ball(index), link, world.solve.jointEnds[i], scale);
            continue;
        }
        const Joint& joint = world.joints[world.solve.activeJoints[i]];
        fillConstraint(world.solve.jointSolver.constraint(index), link.bodyA, link.bodyB, joint, bodyOf(world, joint.bodyA),
                       bodyOf(world, joint.bodyB), scale);
    }
}

void scatterJoints(WorldState& world, Real dt) {
    const Real share = 1 / dt;
    for (std::size_t i = 0; i < world.solve.activeJoints.size(); ++i) {
        Joint& joint = world.joints[world.solve.activeJoints[i]];
        const auto [isBall, index] = world.solve.jointSolver.place(i);
        if (isBall) {
            const dynamics::BallJoint& ball = world.solve.jointSolver.ball(index);
            joint.impulse[0] = ball.impulse.x;
            joint.impulse[1] = ball.impulse.y;
            joint.impulse[2] = ball.impulse.z;
            joint.force = ball.total * share;
            joint.torque = {};
        } else {
            const dynamics::JointConstraint& constraint = world.solve.jointSolver.constraint(index);
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

}  // namespace sunder::world
