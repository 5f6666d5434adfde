//   [Li18] 3.2   constraints with compliance and error reduction
//   [Andersen 1983] RATTLE: a "velocity" version of the SHAKE algorithm for molecular dynamics calculations
#include "dynamics/impulse/joint_phase.h"

#include <algorithm>

#include "core/union_find.h"
#include "dynamics/impulse/predicted_motion.h"
#include "dynamics/joints/row/joint_impulses.h"
#include "dynamics/joints/row/joint_rows.h"

namespace sunder::dynamics {

namespace {

// m/s, rad/s: the fastest repair of a joint that was torn open, such as one between bodies that were put apart.
constexpr Real kJointRepairSpeed = 3;
constexpr int kCurvaturePasses = 3;  // of line 3 in which the curvature is found again
// Share of a spring's impulse that acts in line 3.
constexpr Real kSpringShare = Real(0.5);

JointSettings settingsOf(const ImpulseStep& step) {
    JointSettings settings;
    settings.h = step.settings.dt;
    settings.inverseH = 1 / step.settings.dt;
    settings.recoverySpeed = kJointRepairSpeed;
    settings.repairRate = settings.inverseH;
    settings.curves = false;
    return settings;
}

void makeAllRows(ImpulseStep& step) {
    const JointSettings settings = settingsOf(step);
    for (JointConstraint* joint : step.scratch.joints.joints()) {
        joint->impulse = {};
        makeRows(*joint, step.bodies[joint->bodyA], step.bodies[joint->bodyB], settings);
    }
}

// A limit lets bodies move one way only.
bool isOneSided(const JointRow& row) { return row.rigid && (row.low == 0 || row.high == 0); }

void solveBoundedRow(JointConstraint& joint, const JointRow& row, SolverBody& a, SolverBody& b, Real springShare) {
    const Real k = responseOf(row, a, b);
    if (!(k > 0) || isLocked(row, a, b))
        return;
    const Real share = row.rigid ? Real(1) : springShare;
    const Real softness = row.rigid ? yieldToLocks(row, a, b) : row.softness / share;
    Real& impulse = joint.impulse[row.slot];
    const Real met = impulse - (velocityOf(row, a, b) + row.bias + softness * impulse) / (k + softness);
    const Real next = clamp(met, row.low * share, row.high * share);
    applyRow(row, next - impulse, a, b);
    impulse = next;
}

// One visit of the rows with bounds, limits last: no motor may push through them. Springs act by their share.
void solveBoundedRows(ImpulseStep& step, Real springShare) {
    for (JointConstraint* joint : step.scratch.joints.joints())
        for (const bool limits : {false, true})
            for (int i = 0; i < joint->rowCount; ++i)
                if (const JointRow& row = joint->rows[i]; row.bounded && isOneSided(row) == limits)
                    solveBoundedRow(*joint, row, step.bodies[joint->bodyA], step.bodies[joint->bodyB], springShare);
}

// What the impulses of the chosen rows do to both bodies.
template <class Choice>
JointWrench sumRows(const JointConstraint& joint, Choice&& isChosen) {
    JointWrench wrench;
    for (int i = 0; i < joint.rowCount; ++i) {
        const JointRow& row = joint.rows[i];
        if (!isChosen(row))
            continue;
        const Real impulse = joint.impulse[row.slot];
        wrench.linear += row.linear * impulse;
        wrench.angularA += row.angularA * impulse;
        wrench.angularB += row.angularB * impulse;
    }
    return wrench;
}

void addToTotal(JointConstraint& joint, const JointWrench& wrench, bool isSteady) {
    const Vec3 torque = wrench.angularB - cross(joint.armB, wrench.linear);
    joint.totalForce += wrench.linear;
    joint.totalTorque += torque;
    if (isSteady) {
        joint.given.linear += wrench.linear;
        joint.given.angularB += torque;  // about the anchor; finishJoints moves it to the centre
    }
}

}  // namespace

void beginJoints(ImpulseStep& step, std::span<JointConstraint* const> joints, std::span<const JointLink> links) {
    step.scratch.joints.plan(joints, links);
    for (JointConstraint* joint : joints) {
        joint->given = {};
        joint->totalForce = joint->totalTorque = {};
    }
    UnionFind joined(step.bodies.size());
    step.scratch.isJoined.assign(step.bodies.size(), 0);
    for (const JointLink& link : links) {
        step.scratch.isJoined[link.bodyA] = step.scratch.isJoined[link.bodyB] = 1;
        if (link.movesA && link.movesB)
            joined.join(link.bodyA, link.bodyB);
    }
    step.scratch.jointGroup.resize(step.bodies.size());
    for (std::uint32_t i = 0; i < step.bodies.size(); ++i)
        step.scratch.jointGroup[i] = joined.root(i);
}

// All bodies of a group take the blow at the time of its latest impact.
void passBlowsOn(ImpulseStep& step) {
    JointSystem& joints = step.scratch.joints;
    if (joints.empty())
        return;
    makeAllRows(step);
    joints.factor(step.bodies, JointSystem::Rows::Rigid, 1);
    std::vector<SolverBody> before(step.bodies.begin(), step.bodies.end());
    joints.findLack([&](const JointConstraint& joint, const JointRow& row) {
        return velocityOf(row, step.bodies[joint.bodyA], step.bodies[joint.bodyB]);
    });
    joints.give(step.bodies);
    std::vector<Real> latest(step.bodies.size(), 0);
    for (std::size_t i = 0; i < latest.size(); ++i)
        latest[step.scratch.jointGroup[i]] = max(latest[step.scratch.jointGroup[i]], step.scratch.lastImpact[i]);
    for (std::uint32_t i = 0; i < latest.size(); ++i) {
        const Vec3 change = step.bodies[i].velocity - before[i].velocity;
        step.scratch.setback[i] -= change * latest[step.scratch.jointGroup[i]];
    }
    for (JointConstraint* joint : joints.joints())
        addToTotal(*joint, sumRows(*joint, [](const JointRow& row) { return row.rigid && !row.bounded; }), false);
}

void beginPositionJoints(ImpulseStep& step) {
    if (step.scratch.joints.empty())
        return;
    makeAllRows(step);
    step.scratch.joints.factor(step.bodies, JointSystem::Rows::All, 1 / double(kSpringShare));
}

// The rows are linear in the velocities but for the turning of the arms, which the curvature adds to second order; it follows
// the velocities for a few passes. Newton's method on the places at the end of the step would be exact, but throws light links
// that bear a load about when they turn far in a step.
void solvePositionJoints(ImpulseStep& step, int pass) {
    JointSystem& joints = step.scratch.joints;
    if (joints.empty())
        return;
    if (pass < kCurvaturePasses) {
        const JointSettings settings = settingsOf(step);
        for (JointConstraint* joint : joints.joints())
            updateCurvature(*joint, step.bodies[joint->bodyA], step.bodies[joint->bodyB], settings);
    }
    solveBoundedRows(step, kSpringShare);
    joints.findLack([&](const JointConstraint& joint, const JointRow& row) {
        return velocityOf(row, step.bodies[joint.bodyA], step.bodies[joint.bodyB]) + row.bias;
    });
    joints.give(step.bodies);
}

void keepJointImpulses(ImpulseStep& step) {
    for (JointConstraint* joint : step.scratch.joints.joints()) {
        const JointWrench wrench = sumRows(*joint, [](const JointRow& row) { return row.rigid && !row.bounded; });
        const auto keep = [&](std::uint32_t index, const Vec3& angular, Real sign) {
            const SolverBody& body = step.bodies[index];
            if (!canMove(body))
                return;
            step.scratch.kept[index].velocity += multiply(body.inverseMass, wrench.linear) * sign;
            step.scratch.kept[index].angularVelocity += body.inverseInertia * angular * sign;
        };
        keep(joint->bodyA, wrench.angularA, -1);
        keep(joint->bodyB, wrench.angularB, 1);
        addToTotal(*joint, wrench, true);
    }
}

// Rows at x^(n+1): rigid ones let nothing move along them, a limit lets bodies come as near as the next step may bring them.
void beginVelocityJoints(ImpulseStep& step) {
    if (step.scratch.joints.empty())
        return;
    makeAllRows(step);
    for (JointConstraint* joint : step.scratch.joints.joints())
        for (int i = 0; i < joint->rowCount; ++i) {
            JointRow& row = joint->rows[i];
            if (row.bounded && row.rigid && row.low == 0)
                row.bias = max(row.bias, 0);
            else if (row.bounded && row.rigid && row.high == 0)
                row.bias = min(row.bias, 0);
        }
    step.scratch.joints.factor(step.bodies, JointSystem::Rows::All, 1);
}

void solveVelocityJoints(ImpulseStep& step) {
    JointSystem& joints = step.scratch.joints;
    if (joints.empty())
        return;
    solveBoundedRows(step, 1);
    joints.findLack([&](const JointConstraint& joint, const JointRow& row) {
        return velocityOf(row, step.bodies[joint.bodyA], step.bodies[joint.bodyB]) + (row.rigid ? Real(0) : row.bias);
    });
    joints.give(step.bodies);
}

void finishJoints(ImpulseStep& step) {
    for (JointConstraint* joint : step.scratch.joints.joints()) {
        addToTotal(*joint, sumRows(*joint, [](const JointRow&) { return true; }), true);
        joint->given.angularB += cross(joint->armB, joint->given.linear);
    }
}

}  // namespace sunder::dynamics
