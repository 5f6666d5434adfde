#include "dynamics/island/steady_system.h"

#include <algorithm>

#include "dynamics/contact/scalar/contact_frame.h"
#include "dynamics/contact/scalar/contact_law.h"
#include "math/linear/elimination_order.h"

namespace sunder::dynamics {

namespace {

// Share of a point's answer by which it yields. A tower of 25 cubes sways as if it had a million times the
// mass that a contact sees: at 1e-6 it takes half of the sway, at 1e-4 hardly any. Less makes the factor lose digits.
constexpr double kPointYield = 1e-8;
// A point sticks where its friction was below this share of its limit.
constexpr double kSticking = 0.95;
constexpr int kMostReleases = 3;  // of solving again without points that would pull or slip
constexpr int kSize = 6;          // velocity and angular velocity

}  // namespace

void SteadySystem::clear() {
    points_.clear();
    bodies_.clear();
}

SteadySystem::Point& SteadySystem::addPoint(std::uint32_t index, const ContactConstraint& constraint, int i, const Vec3& armA,
                                            const Vec3& armB, std::span<const SolverBody> bodies,
                                            std::span<const SolverBodyConstants> constants) {
    Point& point = points_.emplace_back();
    point.constraint = index;
    point.index = i;
    point.friction = constraint.material.friction;
    point.axes[0] = toDouble(constraint.normal);
    point.axes[1] = toDouble(constraint.tangent1);
    point.axes[2] = toDouble(constraint.tangent2);
    const std::uint32_t ends[2] = {constraint.bodyA, constraint.bodyB};
    double answer = 0;
    for (const int side : {0, 1}) {
        if (!constants[ends[side]].isDynamic)
            continue;
        const SolverBody& body = bodies[ends[side]];
        const Vec3 arm = side == 0 ? armA : armB, turn = cross(arm, constraint.normal);
        answer += double(dot(constraint.normal, multiply(body.inverseMass, constraint.normal))) +
                  double(dot(turn, body.inverseInertia * turn));
        point.sides[side] = {int(ends[side]), toDouble(arm)};  // numbered by plan() later
    }
    point.stiffness = 1 / (kPointYield * answer);
    return point;
}

void SteadySystem::addLoaded(std::uint32_t index, const ContactConstraint& constraint, std::span<const SolverBody> bodies,
                             std::span<const SolverBodyConstants> constants) {
    for (int i = 0; i < constraint.count; ++i) {
        const ConstraintPoint& from = constraint.points[i];
        if (!(from.normalImpulse > 0))
            continue;
        Point& point = addPoint(index, constraint, i, from.armA, from.armB, bodies, constants);
        point.load[0] = from.totalNormalImpulse;
        point.load[1] = from.totalTangentImpulse1;
        point.load[2] = from.totalTangentImpulse2;
        const double limit = kSticking * point.friction * point.load[0];
        point.hold =
            point.load[1] * point.load[1] + point.load[2] * point.load[2] < limit * limit ? Hold::Sticks : Hold::Slides;
    }
}

void SteadySystem::addTouching(std::uint32_t index, const ContactConstraint& constraint, std::span<const SolverBody> bodies,
                               std::span<const SolverBodyConstants> constants) {
    const ContactPlane plane = planeOf(constraint, bodies[constraint.bodyA], bodies[constraint.bodyB]);
    for (int i = 0; i < constraint.count; ++i) {
        const ContactPlane::Point& at = plane.points[i];
        if (at.separation > kTouchingGap)
            continue;
        const Vec3 side = constraint.tangent1 * at.x + constraint.tangent2 * at.y + constraint.normal * at.z;
        addPoint(index, constraint, i, plane.armA + side, plane.armB + side, bodies, constants);
    }
}

// placeOf: -1 for every solver body, and left so.
bool SteadySystem::plan(std::span<int> placeOf, double budget) {
    for (Point& point : points_)
        for (Side& side : point.sides) {
            if (side.body < 0)
                continue;
            int& place = placeOf[side.body];
            if (place < 0) {
                place = int(bodies_.size());
                bodies_.push_back(std::uint32_t(side.body));
            }
            side.body = place;
        }
    for (const std::uint32_t body : bodies_)
        placeOf[body] = -1;
    neighbours_.clear();
    for (const Point& point : points_)
        if (point.sides[0].body >= 0 && point.sides[1].body >= 0)
            neighbours_.push_back(std::minmax(point.sides[0].body, point.sides[1].body));
    std::sort(neighbours_.begin(), neighbours_.end());
    neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
    pairOf_.clear();
    for (const Point& point : points_) {
        const std::pair<int, int> ends = std::minmax(point.sides[0].body, point.sides[1].body);
        pairOf_.push_back(
            ends.first < 0 ? -1 : int(std::lower_bound(neighbours_.begin(), neighbours_.end(), ends) - neighbours_.begin()));
    }
    if (plannedBodies_ == int(bodies_.size()) && neighbours_ == planned_)
        return isPlanned_;
    planned_ = neighbours_;
    plannedBodies_ = int(bodies_.size());
    const std::vector<int> sizes(bodies_.size(), kSize);
    const auto order = linear::minimumDegreeOrder(sizes, neighbours_, budget);
    isPlanned_ = order.has_value();
    if (isPlanned_)
        matrix_ = linear::BlockCholesky<double, kSize>(std::make_shared<const linear::BlockPlan>(sizes, neighbours_, *order));
    return isPlanned_;
}

void SteadySystem::fill(std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants) {
    matrix_.clear();
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        double* block = matrix_.diagonal(int(i));
        const SolverBodyConstants& own = constants[bodies_[i]];
        const Quat& orientation = bodies[bodies_[i]].orientation;
        for (int d = 0; d < 3; ++d)
            block[d * (kSize + 1)] = own.mass;
        for (int column = 0; column < 3; ++column) {
            const Vec3 axis{Real(column == 0), Real(column == 1), Real(column == 2)};
            const Vec3 turned = rotate(orientation, multiply(own.principalInertia, inverseRotate(orientation, axis)));
            const double values[3] = {turned.x, turned.y, turned.z};
            for (int row = 0; row < 3; ++row)
                block[(3 + row) * kSize + 3 + column] = values[row];
        }
    }
    for (std::size_t p = 0; p < points_.size(); ++p) {
        const Point& point = points_[p];
        for (const Side& side : point.sides)
            if (side.body >= 0)
                addTo(matrix_.diagonal(side.body), point, point.stiffness, side.arm, side.arm);
        if (pairOf_[p] >= 0) {
            const auto pair = matrix_.pair(pairOf_[p]);
            const int row = point.sides[0].body == pair.row ? 0 : 1;
            addTo(pair.values, point, -point.stiffness, point.sides[row].arm, point.sides[1 - row].arm);
        }
    }
}

// Of a direction d, k (d; r x d) (d; c x d)^T. Where the point sticks the sum over three directions that are perpendicular to
// each other, which does not depend on them:    k (    I          -[c]      )
//                                            (   [r]   (r.c) I - c r^T )      [c]: the matrix of a cross product with c
void SteadySystem::addTo(double* block, const Point& point, double stiffness, const Vec3d& r, const Vec3d& c) {
    const double k = stiffness;
    if (point.hold == Hold::Sticks) {
        const double rc = dot(r, c);
        const double products[kSize][kSize] = {{k, 0, 0, 0, k * c.z, -k * c.y},
                                               {0, k, 0, -k * c.z, 0, k * c.x},
                                               {0, 0, k, k * c.y, -k * c.x, 0},
                                               {0, -k * r.z, k * r.y, k * (rc - c.x * r.x), -k * c.x * r.y, -k * c.x * r.z},
                                               {k * r.z, 0, -k * r.x, -k * c.y * r.x, k * (rc - c.y * r.y), -k * c.y * r.z},
                                               {-k * r.y, k * r.x, 0, -k * c.z * r.x, -k * c.z * r.y, k * (rc - c.z * r.z)}};
        for (int i = 0; i < kSize; ++i)
            for (int j = 0; j < kSize; ++j)
                block[i * kSize + j] += products[i][j];
    } else if (point.hold == Hold::Slides) {
        const Vec3d &d = point.axes[0], turnR = cross(r, d), turnC = cross(c, d);
        const double rows[kSize] = {d.x, d.y, d.z, turnR.x, turnR.y, turnR.z};
        const double columns[kSize] = {d.x, d.y, d.z, turnC.x, turnC.y, turnC.z};
        for (int i = 0; i < kSize; ++i)
            for (int j = 0; j < kSize; ++j)
                block[i * kSize + j] += k * rows[i] * columns[j];
    }
}

// m/s: of B's point relative to A's, at the velocities found.
Vec3d SteadySystem::motionOf(const Point& point) const {
    Vec3d motion;
    for (const int side : {0, 1}) {
        if (point.sides[side].body < 0)
            continue;
        const double* v = velocities_.data() + point.sides[side].body * kSize;
        const Vec3d own = Vec3d{v[0], v[1], v[2]} + cross({v[3], v[4], v[5]}, point.sides[side].arm);
        motion = side == 0 ? motion - own : motion + own;
    }
    return motion;
}

// What the points give at the velocities found; true where one of them would pull, or slip, and is let go.
bool SteadySystem::release() {
    bool isAny = false;
    for (Point& point : points_) {
        const Vec3d motion = motionOf(point);
        for (int d = 0; d < 3; ++d) {
            const bool isHeld = point.hold == Hold::Sticks || (point.hold == Hold::Slides && d == 0);
            point.given[d] = isHeld ? -point.stiffness * dot(point.axes[d], motion) : 0;
        }
        const double normal = point.load[0] + point.given[0], along = point.load[1] + point.given[1],
                     across = point.load[2] + point.given[2], limit = point.friction * normal;
        if (point.hold != Hold::Free && normal < 0) {
            point.hold = Hold::Free;
            isAny = true;
        } else if (point.hold == Hold::Sticks && along * along + across * across > limit * limit) {
            point.hold = Hold::Slides;
            isAny = true;
        }
    }
    return isAny;
}

void SteadySystem::setMomenta(std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants, Real h) {
    momenta_.resize(bodies_.size() * kSize);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const SolverBody& body = bodies[bodies_[i]];
        const SolverBodyConstants& own = constants[bodies_[i]];
        const Vec3 spin =
            rotate(body.orientation, multiply(own.principalInertia, inverseRotate(body.orientation, body.angularVelocity))) +
            own.torque * h;
        const Vec3 momentum = (body.velocity + own.acceleration * h) * own.mass;
        const double values[kSize] = {momentum.x, momentum.y, momentum.z, spin.x, spin.y, spin.z};
        std::copy(values, values + kSize, momenta_.begin() + std::ptrdiff_t(i * kSize));
    }
}

void SteadySystem::solve(std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants, Real h) {
    setMomenta(bodies, constants, h);
    for (int round = 0; round < kMostReleases; ++round) {
        fill(bodies, constants);
        matrix_.factor();
        velocities_ = momenta_;
        matrix_.solve(velocities_);
        if (!release())
            break;
    }
}

void SteadySystem::setVelocities(std::span<SolverBody> bodies) const {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const double* v = velocities_.data() + i * kSize;
        bodies[bodies_[i]].velocity = {Real(v[0]), Real(v[1]), Real(v[2])};
        bodies[bodies_[i]].angularVelocity = {Real(v[3]), Real(v[4]), Real(v[5])};
    }
}

void SteadySystem::carryOn(const Point& point, double share, ConstraintPoint& to) {
    to.normalImpulse = max(to.normalImpulse + Real(share * point.given[0]), 0);
    if (point.hold == Hold::Sticks) {
        to.tangentImpulse1 += Real(share * point.given[1]);
        to.tangentImpulse2 += Real(share * point.given[2]);
    }
    dropFrictionWithoutLoad(to);
}

}  // namespace sunder::dynamics
