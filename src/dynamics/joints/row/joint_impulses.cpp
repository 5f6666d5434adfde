#include "dynamics/joints/row/joint_impulses.h"

#include "dynamics/joints/row/joint_rows.h"
#include "math/linear/dense_cholesky.h"

namespace sunder::dynamics {

namespace {

// Share of a joint's impulse. One that forgets more than this has had a blow: its impulses are no guess for the next substep.
constexpr Real kBlowShare = Real(0.2);

void applyWrench(const Vec3& linear, const Vec3& angularA, const Vec3& angularB, SolverBody& a, SolverBody& b) {
    if (canMove(a)) {
        a.velocity -= multiply(a.inverseMass, linear);
        a.angularVelocity -= a.inverseInertia * angularA;
    }
    if (canMove(b)) {
        b.velocity += multiply(b.inverseMass, linear);
        b.angularVelocity += b.inverseInertia * angularB;
    }
}

}  // namespace

JointWrench wrenchOf(const JointConstraint& joint) {
    JointWrench wrench;
    for (int i = 0; i < joint.rowCount; ++i) {
        const JointRow& row = joint.rows[i];
        const Real impulse = joint.impulse[row.slot];
        wrench.linear += row.linear * impulse;
        wrench.angularA += row.angularA * impulse;
        wrench.angularB += row.angularB * impulse;
    }
    return wrench;
}

void refreshJoint(JointConstraint& joint, std::span<SolverBody> bodies, const JointSettings& settings) {
    SolverBody &a = bodies[joint.bodyA], &b = bodies[joint.bodyB];
    makeRows(joint, a, b, settings);
    const JointWrench now = wrenchOf(joint), &before = joint.given;
    applyWrench(now.linear - before.linear, now.angularA - before.angularA, now.angularB - before.angularB, a, b);
    joint.given = now;
}

void applyRow(const JointRow& row, Real change, SolverBody& a, SolverBody& b) {
    applyWrench(row.linear * change, row.angularA * change, row.angularB * change, a, b);
}

void solveBounded(JointConstraint& joint, std::span<SolverBody> bodies) {
    SolverBody &a = bodies[joint.bodyA], &b = bodies[joint.bodyB];
    for (int i = 0; i < joint.rowCount; ++i) {
        const JointRow& row = joint.rows[i];
        const Real k = responseOf(row, a, b);
        if (!row.bounded || !(k > 0))
            continue;
        Real& impulse = joint.impulse[row.slot];
        const Real softness = row.softness + (row.rigid ? yieldToLocks(row, a, b) : Real(0));
        const Real met = impulse - (velocityOf(row, a, b) + row.bias + softness * impulse) / (k + softness);
        const Real wanted = isLocked(row, a, b) ? Real(0) : met;
        const Real next = clamp(wanted, row.low, row.high);
        applyRow(row, next - impulse, a, b);
        impulse = next;
    }
}

// (K + Sigma) change = -(J v + bias + Sigma impulse), all rows of the joint at once; rigid rows then forget a share of their
// impulse, as contacts do (contact/scalar/soft_contact.h).
void solveHeld(JointConstraint& joint, std::span<SolverBody> bodies, const JointSettings& settings) {
    SolverBody &a = bodies[joint.bodyA], &b = bodies[joint.bodyB];
    JointRow* rows[kJointSlots];
    int count = 0;
    for (int i = 0; i < joint.rowCount; ++i)
        if (!joint.rows[i].bounded)
            rows[count++] = &joint.rows[i];
    double matrix[kJointSlots * kJointSlots], x[kJointSlots];
    for (int i = 0; i < count; ++i) {
        const JointRow& row = *rows[i];
        const Vec3 linear = multiply(a.inverseMass + b.inverseMass, row.linear);
        const Vec3 angularA = a.inverseInertia * row.angularA, angularB = b.inverseInertia * row.angularB;
        for (int j = 0; j <= i; ++j)
            matrix[i * kJointSlots + j] = double(dot(linear, rows[j]->linear)) + double(dot(angularA, rows[j]->angularA)) +
                                          double(dot(angularB, rows[j]->angularB));
        matrix[i * kJointSlots + i] += double(row.softness);
        x[i] = -(double(velocityOf(row, a, b)) + row.bias + double(row.softness) * joint.impulse[row.slot]);
    }
    constexpr double kLeastPivot = 1e-6;  // of its diagonal: entries are sums of floats, so less is rounding
    linear::choleskyFactor(matrix, count, kJointSlots, kLeastPivot);
    linear::choleskySolve(matrix, x, count, kJointSlots);
    for (int i = 0; i < count; ++i) {
        Real& impulse = joint.impulse[rows[i]->slot];
        const Real next = (impulse + Real(x[i])) * (rows[i]->rigid ? settings.kept : Real(1));
        applyRow(*rows[i], next - impulse, a, b);
        impulse = next;
    }
}

bool forgetBlow(JointConstraint& joint, std::span<SolverBody> bodies) {
    const auto steadyPart = [](Real now, Real before) {
        return now * before > 0 ? (now > 0 ? min(now, before) : max(now, before)) : Real(0);
    };
    const JointImpulses now = joint.impulse;
    Real forgotten = 0, given = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        joint.impulse[i] = steadyPart(now[i], joint.lastImpulse[i]);
        forgotten += std::fabs(now[i] - joint.impulse[i]);
        given += std::fabs(now[i]);
    }
    joint.lastImpulse = now;
    if (forgotten == 0)
        return false;
    const JointWrench kept = wrenchOf(joint);
    const Vec3 linear = joint.given.linear - kept.linear;
    const auto free = [&](SolverBody& body, const Vec3& angular, Real sign) {
        if (!canMove(body))
            return;
        body.freeVelocity += multiply(body.inverseMass, linear) * sign;
        body.freeAngularVelocity += body.inverseInertia * angular * sign;
    };
    free(bodies[joint.bodyA], joint.given.angularA - kept.angularA, -1);
    free(bodies[joint.bodyB], joint.given.angularB - kept.angularB, 1);
    joint.given = kept;
    return forgotten > kBlowShare * given;
}

void finishSubstep(JointConstraint& joint) {
    joint.given = wrenchOf(joint);
    joint.totalForce += joint.given.linear;
    joint.totalTorque += joint.given.angularB - cross(joint.armB, joint.given.linear);
    // Impulses whose row is gone are forgotten.
    JointImpulses kept{};
    for (int i = 0; i < joint.rowCount; ++i)
        kept[joint.rows[i].slot] = joint.impulse[joint.rows[i].slot];
    joint.impulse = kept;
}

}  // namespace sunder::dynamics
