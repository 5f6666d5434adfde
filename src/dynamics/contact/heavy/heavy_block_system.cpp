// Sets up the equations of a block.
#include <algorithm>

#include "dynamics/contact/heavy/heavy_block.h"

namespace sunder::dynamics {

namespace {

// Share of its diagonal that is added to each row: contacts of one face are redundant, and this selects the solution that
// spreads the load evenly.
constexpr double kRegularisation = 1e-6;

Vec3d turnedBy(const Sym3& s, const Vec3d& v) {
    return {s.xx * v.x + s.xy * v.y + s.xz * v.z, s.xy * v.x + s.yy * v.y + s.yz * v.z, s.xz * v.x + s.yz * v.y + s.zz * v.z};
}

double target(Real separation, const ContactSettings& settings) {
    return separation > kTouchingGap ? -allowedApproach(separation, settings.recoveryRate, settings)
                                     : min(-settings.recoveryRate * separation, settings.recoverySpeed);
}

}  // namespace

void HeavyBlock::buildSystem(std::span<const ContactConstraint> constraints) {
    points_.clear();
    Spot* spot = spots_.data();
    for (const Member& member : members_) {
        const ContactConstraint& constraint = constraints[member.constraint];
        for (int i = 0; i < member.spots; ++i, ++spot)
            if (spot->isInSystem)
                points_.push_back({&constraint,
                                   spot,
                                   {member.bodyA, member.bodyB},
                                   {constraint.normal, constraint.tangent1, constraint.tangent2},
                                   constraint.material.surfaceVelocity});
    }
    system_.resize(points_.size());
    for (std::size_t i = 0; i < points_.size(); ++i)
        system_.friction[i] = points_[i].constraint->material.friction;
    listRows();
    buildMatrix();
}

void HeavyBlock::listRows() {
    rows_.clear();
    for (const Point& p : points_) {
        for (const Vec3& axis : p.axes) {
            Row row;
            row.direction = toDouble(axis);
            for (const int side : {0, 1}) {
                const SolverBody& body = bodies_[p.bodies[side]];
                const Vec3d angular = cross(toDouble(side == 0 ? p.spot->armA : p.spot->armB), row.direction);
                row.sides[side] = {angular, multiply(toDouble(body.inverseMass), row.direction),
                                   turnedBy(body.inverseInertia, angular)};
            }
            rows_.push_back(row);
        }
    }
}

void HeavyBlock::buildMatrix() {
    const std::size_t n = system_.rowCount;
    double* matrix = system_.matrix.data();
    for (std::size_t i = 0; i < points_.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double answers[3][3] = {};
            for (const int side : {0, 1})
                for (const int otherSide : {0, 1})
                    if (points_[i].bodies[side] == points_[j].bodies[otherSide])
                        addAnswers(&rows_[3 * i], side, &rows_[3 * j], otherSide, answers);
            for (std::size_t k = 0; k < 3; ++k)
                for (std::size_t l = 0; l < 3; ++l) {
                    const std::size_t row = rowOf(i, k), column = rowOf(j, l);
                    matrix[row * n + column] = matrix[column * n + row] = answers[k][l];
                }
        }
    for (std::size_t i = 0; i < n; ++i)
        matrix[i * n + i] *= 1 + kRegularisation;
    system_.takeMatrix();
}

// Adds to answers, m/s along the rows of one point per N s along those of another, what they exchange through the body that
// they share: on `side` of the one and `otherSide` of the other.
void HeavyBlock::addAnswers(const Row* rows, int side, const Row* others, int otherSide, double (&answers)[3][3]) {
    const double sign = side == otherSide ? 1 : -1;
    for (int k = 0; k < 3; ++k) {
        const RowSide& one = rows[k].sides[side];
        for (int l = 0; l < 3; ++l)
            answers[k][l] += sign * (dot(one.linearAnswer, others[l].direction) +
                                     dot(one.angularAnswer, others[l].sides[otherSide].angular));
    }
}

void HeavyBlock::setWanted(const ContactSettings& settings) {
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const ConstraintPoint& point = *points_[i].spot->point;
        const Spot& spot = *points_[i].spot;
        const auto set = [&](std::size_t row, Real had, double goal, const Vec3& direction) {
            system_.had[row] = had;
            system_.targets[row] = goal;
            system_.wanted[row] = goal - dot(spot.velocity, toDouble(direction));
        };
        const std::size_t row = system_.tangentOf(i);
        const Vec3 &drive = points_[i].surfaceVelocity, *axes = points_[i].axes;
        set(i, point.normalImpulse, target(spot.separation, settings), axes[0]);
        set(row, point.tangentImpulse1, dot(drive, axes[1]), axes[1]);
        set(row + 1, point.tangentImpulse2, dot(drive, axes[2]), axes[2]);
    }
}

// N s: the impulse along a row that stops the motion of one of its bodies along it.
double HeavyBlock::stopping(const Row& row, int side, const SolverBody& body) {
    const RowSide& own = row.sides[side];
    const double answer = dot(own.linearAnswer, row.direction) + dot(own.angularAnswer, own.angular);
    const double speed = dot(row.direction, toDouble(body.velocity)) + dot(own.angular, toDouble(body.angularVelocity));
    return answer > 0 ? std::fabs(speed) / answer : 0;
}

// N s: over all rows, the largest sum of the impulses that would stop their two bodies.
double HeavyBlock::brought() const {
    double most = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Point& p = points_[i / 3];
        most = std::fmax(most, stopping(rows_[i], 0, bodies_[p.bodies[0]]) + stopping(rows_[i], 1, bodies_[p.bodies[1]]));
    }
    return most;
}

}  // namespace sunder::dynamics
