#include "world/exchange/joints.h"

#include <algorithm>

#include "dynamics/integrate/substep.h"
#include "world/exchange/joint_sides.h"
#include "world/sleep/wake.h"
#include "world/state/handles.h"

namespace sunder::world {

namespace {

bool sleeps(const Body* body) { return body && isAsleep(*body); }

// Whether a gathered body moves. Kinematic ones have the velocity that takes them to their target by the end of the step.
bool moves(const SolveState& solve, const Body* body) {
    return body && body->motion != Motion::Static && !isStill(solve.bodies[body->solverIndex]);
}

// Whether a step can leave out a joint of these bodies: one sleeps, and the other sleeps too or stays where it is.
bool isDormant(const Body* a, const Body* b) { return (sleeps(a) && (sleeps(b) || isAtRest(b))) || (sleeps(b) && isAtRest(a)); }

void findDueJoints(const PagedVector<Body>& bodies, std::vector<Joint>& joints, JointRoster& jointRoster) {
    if (jointRoster.dueKnown)
        return;
    jointRoster.due.clear();
    for (std::uint32_t slot = 0; slot < joints.size(); ++slot) {
        Joint& joint = joints[slot];
        if (joint.alive && !joint.known)
            know(joint);
        if (joint.alive && !isDormant(bodyOf(bodies, joint.bodyA), bodyOf(bodies, joint.bodyB)))
            jointRoster.due.push_back(slot);
    }
    jointRoster.dueKnown = true;
}

}  // namespace

bool wakeJoined(WorldState& world) {
    if (!isAnyAsleep(world.sleep))
        return false;
    findDueJoints(world.bodies, world.joints, world.jointRoster);
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

void gatherJoints(const PagedVector<Body>& bodies, std::vector<Joint>& joints, JointRoster& jointRoster, SolveState& solve,
                  Real scale) {
    findDueJoints(bodies, joints, jointRoster);
    solve.jointLinks.clear();
    solve.activeJoints.clear();
    solve.jointEnds.clear();
    for (const std::uint32_t slot : jointRoster.due) {
        Joint& joint = joints[slot];
        const Body *a = bodyOf(bodies, joint.bodyA), *b = bodyOf(bodies, joint.bodyB);
        if (sleeps(a) || sleeps(b))
            continue;
        dynamics::JointLink link;
        link.bodyA = solverIndexOf(a);
        link.bodyB = solverIndexOf(b);
        link.movesA = solve.constants[link.bodyA].isDynamic;
        link.movesB = solve.constants[link.bodyB].isDynamic;
        if ((!link.movesA && !link.movesB) || (a && a->quarantined) || (b && b->quarantined)) {
            joint.impulse = {};
            joint.force = joint.torque = {};
            continue;
        }
        const dynamics::SolverBodyConstants &bodyA = solve.constants[link.bodyA], &bodyB = solve.constants[link.bodyB];
        link.massA = bodyA.mass;
        link.massB = bodyB.mass;
        link.capacity = joint.capacity;
        link.turnRows = joint.turnRows;
        link.fitsBundle = joint.fitsBundle && bodyA.lockedAxes == 0 && bodyB.lockedAxes == 0;
        link.isPlainBall = joint.isPlainBall;
        link.isActive = joint.isActive || isKinematic(a) || isKinematic(b);
        const JointEnds ends = endsOf(joint, a, b);
        solve.jointLinks.push_back(link);
        solve.jointEnds.push_back(ends);
        solve.activeJoints.push_back(slot);
    }
    solve.jointSolver.plan(solve.jointLinks, solve.bodies.size());
    for (std::size_t i = 0; i < solve.activeJoints.size(); ++i) {
        const dynamics::JointLink& link = solve.jointLinks[i];
        const auto [isBall, index] = solve.jointSolver.place(i);
        if (isBall) {
            fillBall(solve.jointSolver.ball(index), link, solve.jointEnds[i], scale);
            continue;
        }
        const Joint& joint = joints[solve.activeJoints[i]];
        fillConstraint(solve.jointSolver.constraint(index), link.bodyA, link.bodyB, joint, bodyOf(bodies, joint.bodyA),
                       bodyOf(bodies, joint.bodyB), scale);
    }
}

void scatterJoints(const SolveState& solve, std::vector<Joint>& joints, Real dt) {
    const Real share = 1 / dt;
    for (std::size_t i = 0; i < solve.activeJoints.size(); ++i) {
        Joint& joint = joints[solve.activeJoints[i]];
        const auto [isBall, index] = solve.jointSolver.place(i);
        if (isBall) {
            const dynamics::BallJoint& ball = solve.jointSolver.ball(index);
            joint.impulse[0] = ball.impulse.x;
            joint.impulse[1] = ball.impulse.y;
            joint.impulse[2] = ball.impulse.z;
            joint.force = ball.total * share;
            joint.torque = {};
        } else {
            const dynamics::JointConstraint& constraint = solve.jointSolver.constraint(index);
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
}

}  // namespace sunder::world
