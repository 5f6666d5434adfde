#include "dynamics/contact/heavy_block.h"

#include <algorithm>

namespace sunder::dynamics {

namespace {

// Share of its own response that is added to each row: contacts of one face are redundant, and this picks the even solution.
constexpr double kRegularisation = 1e-6;
// rad: until its bodies have turned by so much a block keeps its matrix. What it is then off by, the next substep corrects.
constexpr Real kTurned = Real(2e-3);

double rowVelocity(const SolverBody& a, const SolverBody& b, const Vec3& direction, const Vec3& angularA,
                   const Vec3& angularB) {
    return double(dot(direction, b.velocity)) + double(dot(angularB, b.angularVelocity)) - double(dot(direction, a.velocity)) -
           double(dot(angularA, a.angularVelocity));
}

double target(const ConstraintPoint& point, const ContactSettings& settings) {
    return point.separation > kTouchingGap ? -allowedApproach(point.separation, settings)
                                           : min(-settings.recoveryRate * point.separation, settings.recoverySpeed);
}

// The impulse along a row that takes away what speed the body has along it.
double stopping(const SolverBody& body, const Vec3& direction, const Vec3& angular, double response) {
    const double speed = std::fabs(double(dot(direction, body.velocity)) + double(dot(angular, body.angularVelocity)));
    return response > 0 ? speed / response : 0;
}

}  // namespace

void HeavyBlock::begin(std::span<const std::uint32_t> members, std::span<const ContactLink> links,
                       std::span<const SolverBodyConstants> constants) {
    members_.clear();
    places_.clear();
    for (const std::uint32_t index : members) {
        const ContactLink& link = links[index];
        members_.push_back({index, placeOf(link.bodyA, constants[link.bodyA].isDynamic),
                            placeOf(link.bodyB, constants[link.bodyB].isDynamic)});
    }
    bodies_.resize(places_.size());
    isRough_ = 0;
    matrixOf_.clear();
}

std::uint32_t HeavyBlock::placeOf(std::uint32_t body, bool moves) {
    for (std::size_t i = 0; i < places_.size(); ++i)
        if (places_[i].body == body)
            return static_cast<std::uint32_t>(i);
    places_.push_back({body, moves});
    return static_cast<std::uint32_t>(places_.size() - 1);
}

// On copies of the bodies: what does not move belongs to other blocks too, and is not written.
void HeavyBlock::push(std::span<ContactConstraint> constraints, std::span<SolverBody> bodies, const ContactSettings& settings,
                      PointOrder order) {
    for (std::size_t i = 0; i < places_.size(); ++i)
        bodies_[i] = bodies[places_[i].body];
    for (const Member& member : members_) {
        ContactConstraint& constraint = constraints[member.constraint];
        constraint.bodyA = member.bodyA;
        constraint.bodyB = member.bodyB;
        followArms(constraint, bodies_, settings.h);
    }
    buildSystem(constraints, settings);
    if (solve()) {
        applyImpulses();
        for (const Member& member : members_)
            sumImpulses(constraints[member.constraint]);
    } else {
        pushOneByOne(constraints, settings, order);
    }
    for (const Member& member : members_) {
        constraints[member.constraint].bodyA = places_[member.bodyA].body;
        constraints[member.constraint].bodyB = places_[member.bodyB].body;
    }
    for (std::size_t i = 0; i < places_.size(); ++i)
        if (places_[i].moves)
            bodies[places_[i].body] = bodies_[i];
}

void HeavyBlock::pushOneByOne(std::span<ContactConstraint> constraints, const ContactSettings& settings, PointOrder order) {
    for (const Member& member : members_) {
        ContactConstraint& constraint = constraints[member.constraint];
        if (constraint.activePoints == 0)
            continue;
        ContactFrame frame = layFrame(constraint, bodies_[constraint.bodyA], bodies_[constraint.bodyB]);
        sunder::dynamics::push(constraint, frame, bodies_, settings, order);
    }
}

// m/s: of any point of the block. What one body of it brings may become the speed of the next.
Real HeavyBlock::fastestApproach(std::span<const ContactConstraint> constraints) const {
    Real fastest = 0;
    for (const Member& member : members_) {
        const ContactConstraint& constraint = constraints[member.constraint];
        for (int j = 0; j < constraint.count; ++j)
            if (constraint.activePoints >> j & 1)
                fastest =
                    max(fastest,
                        length(relativeVelocity(bodies_[constraint.bodyA], bodies_[constraint.bodyB], constraint.points[j])));
    }
    return fastest;
}

void HeavyBlock::buildSystem(std::span<ContactConstraint> constraints, const ContactSettings& settings) {
    listRows(constraints, settings);
    Real least = kInfinity, most = 0;  // inverse masses
    for (const Row& row : rows_)
        for (const std::uint32_t index : {row.bodyA, row.bodyB})
            if (const Vec3& inverse = bodies_[index].inverseMass; inverse.x > 0) {
                least = min(least, inverse.x);
                most = max(most, inverse.x);
            }
    massRatio_ = most > 0 ? double(most) / double(least) : 1;
    if (!isHeavy()) {
        matrixOf_.clear();
        return;
    }
    if (!keepsMatrix(settings.h))
        buildMatrix();
    findBrought();
}

void HeavyBlock::listRows(std::span<ContactConstraint> constraints, const ContactSettings& settings) {
    points_.clear();
    rows_.clear();
    wanted_.clear();
    targets_.clear();
    const Real reach = kTouchingGap + 2 * settings.h * fastestApproach(constraints);
    for (const Member& member : members_) {
        ContactConstraint& constraint = constraints[member.constraint];
        const SolverBody &a = bodies_[constraint.bodyA], &b = bodies_[constraint.bodyB];
        for (int j = 0; j < constraint.count; ++j) {
            ConstraintPoint& point = constraint.points[j];
            if (!(point.normalImpulse > 0) && !(point.separation < reach))
                continue;
            const Vec3 directions[3] = {constraint.normal, constraint.tangent1, constraint.tangent2};
            const double targets[3] = {target(point, settings), dot(constraint.surfaceVelocity, constraint.tangent1),
                                       dot(constraint.surfaceVelocity, constraint.tangent2)};
            for (int k = 0; k < 3; ++k) {
                const Vec3 &d = directions[k], angularA = cross(point.armA, d), angularB = cross(point.armB, d);
                rows_.push_back({constraint.bodyA, constraint.bodyB, d, angularA, angularB});
                targets_.push_back(targets[k]);
                wanted_.push_back(targets[k] - rowVelocity(a, b, d, angularA, angularB));
            }
            const bool pushes = point.normalImpulse > 0 || wanted_[wanted_.size() - 3] > 0;
            points_.push_back({&constraint, &point, pushes ? State::Sticking : State::Open, {}});
        }
    }
}

// Whether the matrix is that of these points, about as the bodies lie.
bool HeavyBlock::keepsMatrix(Real h) {
    Real fastest = 0;
    for (std::size_t i = 0; i < rows_.size(); i += 3)
        fastest = max(fastest, max(lengthSquared(bodies_[rows_[i].bodyA].angularVelocity),
                                   lengthSquared(bodies_[rows_[i].bodyB].angularVelocity)));
    turned_ += std::sqrt(fastest) * h;
    bool isSame = turned_ < kTurned && matrixOf_.size() == points_.size();
    for (std::size_t i = 0; isSame && i < points_.size(); ++i)
        isSame = matrixOf_[i] == points_[i].point;
    return isSame;
}

void HeavyBlock::buildMatrix() {
    turned_ = 0;
    matrixOf_.clear();
    for (const Point& p : points_)
        matrixOf_.push_back(p.point);
    const std::size_t n = rows_.size();
    matrix_.assign(n * n, 0);
    responses_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const Row& r = rows_[i];
        const SolverBody &a = bodies_[r.bodyA], &b = bodies_[r.bodyB];
        const Vec3 linearA = multiply(a.inverseMass, r.direction), linearB = multiply(b.inverseMass, r.direction);
        const Vec3 turnA = a.inverseInertia * r.angularA, turnB = b.inverseInertia * r.angularB;
        for (std::size_t j = 0; j <= i; ++j) {
            const Row& s = rows_[j];
            double sum = 0;
            if (s.bodyA == r.bodyA)
                sum += double(dot(linearA, s.direction)) + double(dot(turnA, s.angularA));
            if (s.bodyB == r.bodyB)
                sum += double(dot(linearB, s.direction)) + double(dot(turnB, s.angularB));
            if (s.bodyB == r.bodyA)
                sum -= double(dot(linearA, s.direction)) + double(dot(turnA, s.angularB));
            if (s.bodyA == r.bodyB)
                sum -= double(dot(linearB, s.direction)) + double(dot(turnB, s.angularA));
            matrix_[i * n + j] = matrix_[j * n + i] = sum;
        }
        matrix_[i * n + i] *= 1 + kRegularisation;
        responses_[i] = {double(dot(linearA, r.direction)) + double(dot(turnA, r.angularA)),
                         double(dot(linearB, r.direction)) + double(dot(turnB, r.angularB))};
    }
}

void HeavyBlock::findBrought() {
    double load = 0;
    for (const Point& p : points_)
        load = std::fmax(load, double(p.point->normalImpulse));
    brought_ = load;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Row& r = rows_[i];
        brought_ = std::fmax(brought_, load + stopping(bodies_[r.bodyA], r.direction, r.angularA, responses_[i].a) +
                                           stopping(bodies_[r.bodyB], r.direction, r.angularB, responses_[i].b));
    }
}

void HeavyBlock::applyImpulses() {
    for (std::size_t i = 0; i < points_.size(); ++i) {
        ConstraintPoint& point = *points_[i].point;
        point.normalImpulse = max(point.normalImpulse + Real(change_[3 * i]), 0);
        point.tangentImpulse1 += Real(change_[3 * i + 1]);
        point.tangentImpulse2 += Real(change_[3 * i + 2]);
        for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) {
            const Row& row = rows_[k];
            const Real x = Real(change_[k]);
            SolverBody &a = bodies_[row.bodyA], &b = bodies_[row.bodyB];
            a.velocity -= multiply(a.inverseMass, row.direction * x);
            a.angularVelocity -= a.inverseInertia * (row.angularA * x);
            b.velocity += multiply(b.inverseMass, row.direction * x);
            b.angularVelocity += b.inverseInertia * (row.angularB * x);
        }
    }
}

}  // namespace sunder::dynamics
