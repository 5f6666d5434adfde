// Joints do no work. A rigid row that is met at the end of a substep never adds energy, but repairing errors and following the
// curvature of paths may: hardly any in smooth motion, where the next substep takes back what one gave, without bound where a
// slack chain snaps taut. So the kinetic energy of the group is checked in every substep. Where it rose, bodies still go where
// the joints want them, but keep less of the velocity that brought them there.
#include <algorithm>
#include <cmath>

#include "dynamics/joints/direct/direct_group.h"
#include "dynamics/joints/row/joint_impulses.h"

namespace sunder::dynamics {

namespace {

// Share of the energies compared that is rounding: float velocities are good to about 1e-7, and their squares are summed.
constexpr double kEnergyRounding = 1e-6;

// The share of a row's bias that repairs an error, m/s or rad/s. Of a limit that is not reached yet it is none: its bias is the
// gap that is left.
double repairOf(const JointRow& row) {
    if (!isPassive(row))
        return 0;
    const bool isAhead = row.bounded && (row.low == 0 ? row.bias > 0 : row.bias < 0);
    return isAhead ? 0 : double(row.bias);
}

double speedAlong(const double* jacobian, const BodyMotion& motion) {
    double sum = 0;
    for (std::size_t i = 0; i < motion.size(); ++i)
        sum += jacobian[i] * motion[i];
    return sum;
}

void addAnswer(BodyMotion& motion, const double* answer, double impulse) {
    for (std::size_t i = 0; i < motion.size(); ++i)
        motion[i] += answer[i] * impulse;
}

// The smallest t in [0, 1] with a + b t + c t^2 <= 0, for a > 0 and c >= 0; where there is none, the t of the least value.
double firstRoot(double a, double b, double c) {
    if (!(b < 0))
        return 0;
    const double discriminant = b * b - 4 * a * c;
    const double t = discriminant > 0 ? 2 * a / (-b + std::sqrt(discriminant)) : -b / (2 * c);
    return std::fmin(t, 1);
}

}  // namespace

template <class Visit>
void DirectGroup::forEachRow(Visit&& visit) const {
    for (int i = 0; i < static_cast<int>(rowCounts_.size()); ++i)
        for (int r = 0; r < rowCounts_[i]; ++r)
            if (const int k = matrix_.plan().offset(i) + r; sigma_[k] != kNoAnswer)
                visit(static_cast<std::size_t>(i), k, *rows_[k]);
}

// Adds the velocities that an impulse along a row gives the two bodies of its joint.
void DirectGroup::addImpulse(std::vector<BodyMotion>& motions, std::size_t joint, int row, double impulse) const {
    const GroupBodies::Sides& sides = groupBodies_.sides(joint);
    if (sides.a >= 0)
        addAnswer(motions[sides.a], data_[row].answer[0], impulse);
    if (sides.b >= 0)
        addAnswer(motions[sides.b], data_[row].answer[1], impulse);
}

double DirectGroup::speedOf(const std::vector<BodyMotion>& motions, std::size_t joint, int row) const {
    const GroupBodies::Sides& sides = groupBodies_.sides(joint);
    return (sides.a >= 0 ? speedAlong(data_[row].jacobian[0], motions[sides.a]) : 0) +
           (sides.b >= 0 ? speedAlong(data_[row].jacobian[1], motions[sides.b]) : 0);
}

// m/s or rad/s: the velocity along a row of the side that no impulse moves, as a kinematic body.
double DirectGroup::driveOf(const JointConstraint& joint, std::size_t index, const JointRow& row,
                            std::span<const SolverBody> bodies) const {
    const GroupBodies::Sides& sides = groupBodies_.sides(index);
    const SolverBody &a = bodies[joint.bodyA], &b = bodies[joint.bodyB];
    return (sides.a >= 0 ? 0 : double(dot(row.linear, a.velocity)) + double(dot(row.angularA, a.angularVelocity))) -
           (sides.b >= 0 ? 0 : double(dot(row.linear, b.velocity)) + double(dot(row.angularB, b.angularVelocity)));
}

// Motors and friction at a bound act without being in the system.
void DirectGroup::addBoundRows(std::span<const JointConstraint> joints, std::span<const SolverBody> bodies) {
    const auto give = [&](std::int32_t member, const SolverBody& body, const Vec3& linear, const Vec3& angular, Real impulse) {
        if (member < 0)
            return;
        const Vec3 velocity = multiply(body.inverseMass, linear) * impulse, spin = body.inverseInertia * angular * impulse;
        addScaled(driven_[std::size_t(member)], motionOf(velocity, spin), 1);
    };
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const JointConstraint& joint = joints[i];
        const auto chosen = rows_.begin() + matrix_.plan().offset(static_cast<int>(i));
        for (int r = 0; r < joint.rowCount; ++r) {
            const JointRow& row = joint.rows[r];
            const Real impulse = joint.impulse[row.slot];
            if (impulse == 0 || isPassive(row) || std::find(chosen, chosen + rowCounts_[i], &row) != chosen + rowCounts_[i])
                continue;
            give(groupBodies_.sides(i).a, bodies[joint.bodyA], row.linear, row.angularA, -impulse);
            give(groupBodies_.sides(i).b, bodies[joint.bodyB], row.linear, row.angularB, impulse);
        }
    }
}

// Finds the motions now and before the passive rows acted, and the work of kinematic bodies through them.
DirectGroup::Balance DirectGroup::findBalance(std::span<const JointConstraint> joints, std::span<const SolverBody> bodies) {
    Balance balance;
    now_.resize(groupBodies_.size());
    before_.assign(groupBodies_.size(), {});
    driven_.assign(groupBodies_.size(), {});
    forEachRow([&](std::size_t i, int k, const JointRow& row) {
        const double impulse = joints[i].impulse[row.slot];
        addImpulse(isPassive(row) ? before_ : driven_, i, k, isPassive(row) ? -impulse : impulse);
        if (isPassive(row))
            balance.drive += impulse * driveOf(joints[i], i, row, bodies);
    });
    addBoundRows(joints, bodies);
    for (std::size_t i = 0; i < groupBodies_.size(); ++i) {
        const SolverBody& body = bodies[groupBodies_.body(i)];
        now_[i] = motionOf(body.velocity, body.angularVelocity);
        addScaled(before_[i], now_[i], 1);
        addScaled(driven_[i], groupBodies_.start(i), 1);
        const double before = groupBodies_.product(i, body, before_[i], before_[i]) / 2;
        const double driven = groupBodies_.product(i, body, driven_[i], driven_[i]) / 2;
        balance.now += groupBodies_.product(i, body, now_[i], now_[i]) / 2;
        balance.before += before;
        balance.free += driven;
        balance.given += groupBodies_.mostGiven(i, before - driven, driven_[i], before_[i]);
    }
    return balance;
}

// Takes two things out of the velocities, as far as needed for the energy not to have risen: the velocity that repaired errors,
// and the spin that raised bodies have in excess of the momentum of their true inertia. With both taken out in full no energy
// is gained. Positions still move as if nothing had been taken; returns the potential energy (J) which that adds.
double DirectGroup::denyWork(std::span<const JointConstraint> joints, std::span<SolverBody> bodies,
                             std::span<const SolverBodyConstants> constants, const Balance& balance, Real h) {
    for (std::size_t i = 0; i < groupBodies_.size(); ++i)
        before_[i] = groupBodies_.lostByRaising(i, before_[i]);
    std::vector<BodyMotion>& change = before_;
    std::fill(x_.begin(), x_.end(), 0.0);
    forEachRow([&](std::size_t i, int k, const JointRow& row) { x_[k] = -repairOf(row) - speedOf(change, i, k); });
    matrix_.solve(x_);
    double linear = 0, quadratic = 0, lift = 0;
    forEachRow([&](std::size_t i, int k, const JointRow& row) {
        addImpulse(change, i, k, x_[k]);
        if (isPassive(row))
            linear += x_[k] * driveOf(joints[i], i, row, bodies);
    });
    for (std::size_t i = 0; i < groupBodies_.size(); ++i) {
        const SolverBody& body = bodies[groupBodies_.body(i)];
        linear -= groupBodies_.product(i, body, now_[i], change[i]);
        quadratic += groupBodies_.product(i, body, change[i], change[i]) / 2;
        const Vec3& a = constants[groupBodies_.body(i)].acceleration;
        lift -= groupBodies_.mass(i) * double(h) * (a.x * change[i][0] + a.y * change[i][1] + a.z * change[i][2]);
    }
    lift = std::fmax(lift, 0);
    const double share = firstRoot(balance.now - balance.before - balance.drive, linear + lift, quadratic);
    for (std::size_t i = 0; i < groupBodies_.size(); ++i) {
        addScaled(now_[i], change[i], -share);
        SolverBody& body = bodies[groupBodies_.body(i)];
        const auto part = [&](int first) {
            return Vec3{Real(change[i][first] * share), Real(change[i][first + 1] * share), Real(change[i][first + 2] * share)};
        };
        const Vec3 velocity = part(0), spin = part(3), half = spin * (h / 2);
        body.velocity -= velocity;
        body.angularVelocity -= spin;
        body.displacement += velocity * h;
        body.turned += spin * h;
        body.orientation = normalize(Quat{half.x, half.y, half.z, 1} * body.orientation);
    }
    return lift * share;
}

// Contacts act on bodies one by one, as if no joint held them, and may so add energy to a group. Energy that no body outside
// the group can have given is taken from the motion of all its bodies, about their common velocity where nothing grounds the
// group.
void DirectGroup::slowDown(std::span<SolverBody> bodies, double excess) const {
    Vec3 common;
    double mass = 0, relative = 0;
    for (std::size_t i = 0; i < groupBodies_.size() && !groupBodies_.isGrounded(); ++i) {
        const double m = groupBodies_.mass(i);
        common += bodies[groupBodies_.body(i)].velocity * Real(m);
        mass += m;
    }
    if (mass > 0)
        common = common / Real(mass);
    for (std::size_t i = 0; i < groupBodies_.size(); ++i) {
        const SolverBody& body = bodies[groupBodies_.body(i)];
        const BodyMotion motion = motionOf(body.velocity - common, body.angularVelocity);
        relative += groupBodies_.product(i, body, motion, motion) / 2;
    }
    const Real kept = relative > excess ? Real(std::sqrt((relative - excess) / relative)) : Real(0);
    for (std::size_t i = 0; i < groupBodies_.size(); ++i) {
        SolverBody& body = bodies[groupBodies_.body(i)];
        body.velocity = common + (body.velocity - common) * kept;
        body.angularVelocity *= kept;
    }
}

void DirectGroup::keepEnergy(std::span<const JointConstraint> joints, std::span<SolverBody> bodies,
                             std::span<const SolverBodyConstants> constants, Real h) {
    const Balance balance = findBalance(joints, bodies);
    const double rounding = kEnergyRounding * (balance.now + balance.before);
    const auto gain = [&](double now) { return now - balance.before - balance.drive; };
    double now = balance.now;
    if (gain(now) > rounding) {
        now = denyWork(joints, bodies, constants, balance, h);
        for (std::size_t i = 0; i < groupBodies_.size(); ++i)
            now += groupBodies_.product(i, bodies[groupBodies_.body(i)], now_[i], now_[i]) / 2;
    }
    const double fromContacts = groupBodies_.isTouched() ? now - balance.free - balance.given - std::fmax(balance.drive, 0) : 0;
    const double excess = std::fmax(gain(now), fromContacts);
    if (excess > rounding)
        slowDown(bodies, excess);
}

}  // namespace sunder::dynamics
