#include "world/exchange/joints.h"

#include <algorithm>
#include <atomic>
#include <optional>

#include "dynamics/integrate/substep.h"
#include "sunder/steppers.h"
#include "world/exchange/joint_sides.h"
#include "world/sleep/wake.h"
#include "world/state/handles.h"

namespace sunder::world {

namespace {

constexpr std::size_t kJointsPerTask = 256;  // grain of the tasks

bool sleeps(const Body* body) { return body && isAsleep(*body); }

// Whether a gathered body moves. Kinematic ones have the velocity that takes them to their target by the end of the step.
bool moves(const SolveState& solve, const Body* body) {
    return body && body->motion != Motion::Static && !isStill(solve.bodies[body->solverIndex]);
}

// Whether a step can leave out a joint of these bodies: one sleeps, and the other sleeps too or stays where it is.
bool isDormant(const Body* a, const Body* b) { return (sleeps(a) && (sleeps(b) || isAtRest(b))) || (sleeps(b) && isAtRest(a)); }

void findDueJoints(const PagedVector<Body>& bodies, const FleshJointState& flesh, std::vector<Joint>& joints,
                   JointRoster& jointRoster) {
    if (jointRoster.dueKnown)
        return;
    jointRoster.due.clear();
    for (std::uint32_t slot = 0; slot < joints.size(); ++slot) {
        Joint& joint = joints[slot];
        if (joint.alive && !joint.traits.known)
            know(joint);
        if (joint.alive && !fleshOf(flesh, slot) && !isDormant(bodyOf(bodies, joint.bodyA), bodyOf(bodies, joint.bodyB)))
            jointRoster.due.push_back(slot);
    }
    jointRoster.dueKnown = true;
}

// A joint's bodies as the solver knows them; nothing where it has none to solve, as both are asleep, fixed or quarantined.
std::optional<dynamics::JointLink> linkOf(const SolveState& solve, const Joint& joint, const Body* a, const Body* b,
                                          bool hasSubsteps) {
    if (sleeps(a) || sleeps(b))
        return {};
    dynamics::JointLink link;
    link.bodyA = solverIndexOf(a);
    link.bodyB = solverIndexOf(b);
    const dynamics::SolverBodyConstants &bodyA = solve.constants[link.bodyA], &bodyB = solve.constants[link.bodyB];
    link.movesA = bodyA.isDynamic;
    link.movesB = bodyB.isDynamic;
    if ((!link.movesA && !link.movesB) || (a && a->quarantined) || (b && b->quarantined))
        return {};
    link.massA = bodyA.mass;
    link.massB = bodyB.mass;
    link.capacity = joint.traits.capacity;
    link.turnRows = joint.traits.turnRows;
    link.fitsBundle = joint.traits.fitsBundle && bodyA.lockedAxes == 0 && bodyB.lockedAxes == 0;
    // The wide solver of plain balls belongs to the loop over substeps.
    link.isPlainBall = joint.traits.isPlainBall && hasSubsteps;
    link.isActive = joint.traits.isActive || isKinematic(a) || isKinematic(b);
    return link;
}

// Links and ends of the due joints that have a body to move, in the order of their slots.
void gatherDue(WorldState& world) {
    SolveState& solve = world.solve;
    const std::vector<std::uint32_t>& due = world.jointRoster.due;
    solve.joints.links.resize(due.size());
    solve.joints.ends.resize(due.size());
    solve.joints.active.resize(due.size());
    std::atomic<bool> anyLeftOut{false};
    const bool hasSubsteps = abilitiesOf(world.def.stepper).substeps;
    runRanges(*world.tasks, due.size(), kJointsPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Joint& joint = world.joints[due[i]];
            const Body *a = bodyOf(world.bodies, joint.bodyA), *b = bodyOf(world.bodies, joint.bodyB);
            if (const std::optional<dynamics::JointLink> link = linkOf(solve, joint, a, b, hasSubsteps)) {
                solve.joints.links[i] = *link;
                solve.joints.ends[i] = endsOf(joint, a, b);
                solve.joints.active[i] = due[i];
                continue;
            }
            solve.joints.active[i] = kNone;
            anyLeftOut.store(true, std::memory_order_relaxed);
            if (!sleeps(a) && !sleeps(b)) {
                joint.impulse = {};
                joint.force = joint.torque = {};
            }
        }
    });
    if (!anyLeftOut)
        return;
    std::size_t count = 0;
    for (std::size_t i = 0; i < due.size(); ++i)
        if (solve.joints.active[i] != kNone) {
            solve.joints.links[count] = solve.joints.links[i];
            solve.joints.ends[count] = solve.joints.ends[i];
            solve.joints.active[count++] = solve.joints.active[i];
        }
    solve.joints.links.resize(count);
    solve.joints.ends.resize(count);
    solve.joints.active.resize(count);
}

// What the step did to the joint of a link. share: 1 / the length of the step (1/s).
void takeImpulses(const dynamics::JointSolver& solver, std::size_t link, Real share, Joint& joint) {
    const auto [isBall, index] = solver.place(link);
    if (isBall) {
        const dynamics::BallJoint& ball = solver.ball(index);
        joint.impulse[0] = ball.impulse.x;
        joint.impulse[1] = ball.impulse.y;
        joint.impulse[2] = ball.impulse.z;
        joint.force = ball.total * share;
        joint.torque = {};
    } else {
        const dynamics::JointConstraint& constraint = solver.constraint(index);
        joint.impulse = constraint.impulse;
        joint.force = constraint.totalForce * share;
        joint.torque = constraint.totalTorque * share;
    }
    // Not finite where one of its bodies was just quarantined.
    if (!isFinite(joint.force) || !isFinite(joint.torque)) {
        joint.impulse = {};
        joint.force = joint.torque = {};
    }
}

}  // namespace

bool wakeJoined(WorldState& world) {
    if (!isAnyAsleep(world.sleep))
        return false;
    findDueJoints(world.bodies, world.fleshJoints, world.joints, world.jointRoster);
    std::vector<std::uint32_t>& islands = world.sleep.reached;
    for (const std::uint32_t slot : world.jointRoster.due) {
        const Body *a = bodyOf(world.bodies, world.joints[slot].bodyA), *b = bodyOf(world.bodies, world.joints[slot].bodyB);
        if (sleeps(a) != sleeps(b) && moves(world.solve, sleeps(a) ? b : a))
            islands.push_back((sleeps(a) ? a : b)->island);
    }
    const bool any = !islands.empty();
    wakeIslands(world, islands);
    islands.clear();
    return any;
}

void gatherJoints(WorldState& world, Real scale) {
    findDueJoints(world.bodies, world.fleshJoints, world.joints, world.jointRoster);
    gatherDue(world);
    SolveState& solve = world.solve;
    solve.joints.solver.plan(*world.tasks, solve.joints.links, solve.bodies.size());
    runRanges(*world.tasks, solve.joints.active.size(), kJointsPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const dynamics::JointLink& link = solve.joints.links[i];
            const auto [isBall, index] = solve.joints.solver.place(i);
            if (isBall) {
                fillBall(solve.joints.solver.ball(index), link, solve.joints.ends[i], scale);
                continue;
            }
            const Joint& joint = world.joints[solve.joints.active[i]];
            fillConstraint(solve.joints.solver.constraint(index), link.bodyA, link.bodyB, joint,
                           bodyOf(world.bodies, joint.bodyA), bodyOf(world.bodies, joint.bodyB), scale);
        }
    });
}

void scatterJoints(TaskRunner& tasks, const SolveState& solve, std::vector<Joint>& joints, Real dt) {
    const Real share = 1 / dt;
    runRanges(tasks, solve.joints.active.size(), kJointsPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            takeImpulses(solve.joints.solver, i, share, joints[solve.joints.active[i]]);
    });
}

}  // namespace sunder::world
