// How a block's system is set up.
#include <algorithm>

#include "dynamics/contact/heavy_block.h"

namespace sunder::dynamics {

namespace {

// Share of its own response that is added to each row: contacts of one face are redundant, and this picks the even solution.
constexpr double kRegularisation = 1e-6;

double target(const ConstraintPoint& point, const ContactSettings& settings) {
    return point.separation > kTouchingGap ? -allowedApproach(point.separation, settings)
                                           : min(-settings.recoveryRate * point.separation, settings.recoverySpeed);
}

// The impulse along a row that takes away what speed the body has along it; answer: m/s per N s.
double stopping(const SolverBody& body, const Vec3& direction, const Vec3& angular, double answer) {
    const double speed = std::fabs(double(dot(direction, body.velocity)) + double(dot(angular, body.angularVelocity)));
    return answer > 0 ? speed / answer : 0;
}

}  // namespace

void HeavyBlock::buildSystem(std::span<const ContactConstraint> constraints) {
    points_.clear();
    Spot* spot = spots_.data();
    for (const Member& member : members_) {
        const ContactConstraint& constraint = constraints[member.constraint];
        for (int i = 0; i < constraint.count; ++i, ++spot)
            if (spot->isInSystem)
                points_.push_back({&constraint, spot, member.bodyA, member.bodyB});
    }
    system_.resize(points_.size());
    for (std::size_t i = 0; i < points_.size(); ++i)
        system_.friction[i] = points_[i].constraint->friction;
    listRows();
    buildMatrix();
}

void HeavyBlock::listRows() {
    rows_.clear();
    for (const Point& p : points_) {
        const ContactConstraint& constraint = *p.constraint;
        const SolverBody &a = bodies_[p.bodyA], &b = bodies_[p.bodyB];
        for (const Vec3& d : {constraint.normal, constraint.tangent1, constraint.tangent2}) {
            Row row;
            row.direction = d;
            row.angularA = cross(p.spot->point->armA, d);
            row.angularB = cross(p.spot->point->armB, d);
            row.linearAnswerA = multiply(a.inverseMass, d);
            row.linearAnswerB = multiply(b.inverseMass, d);
            row.angularAnswerA = a.inverseInertia * row.angularA;
            row.angularAnswerB = b.inverseInertia * row.angularB;
            rows_.push_back(row);
        }
    }
}

// m/s along s per N s along r, by way of the bodies that both have.
double HeavyBlock::answer(const Row& r, const Row& s, const Shared& shared) {
    double sum = 0;
    if (shared.aWithA)
        sum += double(dot(r.linearAnswerA, s.direction) + dot(r.angularAnswerA, s.angularA));
    if (shared.bWithB)
        sum += double(dot(r.linearAnswerB, s.direction) + dot(r.angularAnswerB, s.angularB));
    if (shared.aWithB)
        sum -= double(dot(r.linearAnswerA, s.direction) + dot(r.angularAnswerA, s.angularB));
    if (shared.bWithA)
        sum -= double(dot(r.linearAnswerB, s.direction) + dot(r.angularAnswerB, s.angularA));
    return sum;
}

void HeavyBlock::buildMatrix() {
    const std::size_t n = system_.rowCount;
    double* matrix = system_.matrix.data();
    for (std::size_t i = 0; i < points_.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            const Point &p = points_[i], &q = points_[j];
            const Shared shared{p.bodyA == q.bodyA, p.bodyB == q.bodyB, p.bodyA == q.bodyB, p.bodyB == q.bodyA};
            for (std::size_t k = 0; k < 3; ++k)
                for (std::size_t l = 0; l < 3; ++l) {
                    const std::size_t row = rowOf(i, k), column = rowOf(j, l);
                    const double value = answer(rows_[3 * i + k], rows_[3 * j + l], shared);
                    matrix[row * n + column] = matrix[column * n + row] = value;
                }
        }
    for (std::size_t i = 0; i < n; ++i)
        matrix[i * n + i] *= 1 + kRegularisation;
}

void HeavyBlock::setWanted(const ContactSettings& settings) {
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const ConstraintPoint& point = *points_[i].spot->point;
        const ContactConstraint& constraint = *points_[i].constraint;
        const Vec3& velocity = points_[i].spot->velocity;
        const auto set = [&](std::size_t row, Real had, double goal, const Vec3& direction) {
            system_.had[row] = had;
            system_.targets[row] = goal;
            system_.wanted[row] = goal - double(dot(velocity, direction));
        };
        const std::size_t row = system_.tangentOf(i);
        const Vec3& drive = constraint.surfaceVelocity;
        set(i, point.normalImpulse, target(point, settings), constraint.normal);
        set(row, point.tangentImpulse1, dot(drive, constraint.tangent1), constraint.tangent1);
        set(row + 1, point.tangentImpulse2, dot(drive, constraint.tangent2), constraint.tangent2);
    }
}

// N s: the largest impulse that would stop both bodies of a row.
double HeavyBlock::brought() const {
    double most = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Row& r = rows_[i];
        const Point& p = points_[i / 3];
        const double answerA = answer(r, r, {true, false, false, false}), answerB = answer(r, r, {false, true, false, false});
        most = std::fmax(most, stopping(bodies_[p.bodyA], r.direction, r.angularA, answerA) +
                                   stopping(bodies_[p.bodyB], r.direction, r.angularB, answerB));
    }
    return most;
}

}  // namespace sunder::dynamics
