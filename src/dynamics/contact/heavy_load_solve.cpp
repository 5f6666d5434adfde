// The system of a block of heavy loads, and its solution.
#include <algorithm>

#include "dynamics/contact/heavy_load.h"

namespace sunder::dynamics {

namespace {

// Rounds of the active set. A block at rest needs one; what is not settled by then is solved in two stages.
constexpr int kMaxRounds = 4, kMaxNormalRounds = 8;
constexpr int kFrictionSweeps = 2;
// A block whose friction did not settle is not asked again for so many substeps.
constexpr std::uint8_t kRoughSubsteps = 7;
// Where the bodies that touch at the moment differ by less, ordinary passes do.
constexpr double kHeavy = 10;
// Share of its own response that is added to each row: contacts of one face are redundant, and this picks the even solution.
constexpr double kRegularisation = 1e-6;

double rowVelocity(const SolverBody& a, const SolverBody& b, const Vec3& direction, const Vec3& angularA,
                   const Vec3& angularB) {
    return double(dot(direction, b.velocity)) + double(dot(angularB, b.angularVelocity)) - double(dot(direction, a.velocity)) -
           double(dot(angularA, a.angularVelocity));
}

double target(const ConstraintPoint& point, const ContactSettings& settings) {
    return point.separation > kTouchingGap ? -allowedApproach(point.separation, settings)
                                           : min(-settings.recoveryRate * point.separation, settings.recoverySpeed);
}

// Gaussian elimination with partial pivoting: sliding rows make the matrix unsymmetric. False where it is singular.
bool solveLinear(std::vector<double>& A, std::vector<double>& x, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i)
            pivot = std::fabs(A[i * n + k]) > std::fabs(A[pivot * n + k]) ? i : pivot;
        if (!(std::fabs(A[pivot * n + k]) > 0))
            return false;
        if (pivot != k) {
            std::swap_ranges(A.begin() + long(k * n), A.begin() + long(k * n + n), A.begin() + long(pivot * n));
            std::swap(x[k], x[pivot]);
        }
        for (std::size_t i = k + 1; i < n; ++i) {
            const double f = A[i * n + k] / A[k * n + k];
            if (f == 0)
                continue;
            for (std::size_t j = k + 1; j < n; ++j)
                A[i * n + j] -= f * A[k * n + j];
            x[i] -= f * x[k];
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k)
            x[i] -= A[i * n + k] * x[k];
        x[i] /= A[i * n + i];
    }
    return true;
}

// The impulse along a row that takes away what speed the body has along it.
double stopping(const SolverBody& body, const Vec3& direction, const Vec3& angular, const Vec3& linear, const Vec3& turn) {
    const double response = double(dot(linear, direction)) + double(dot(turn, angular));
    const double speed = std::fabs(double(dot(direction, body.velocity)) + double(dot(angular, body.angularVelocity)));
    return response > 0 ? speed / response : 0;
}

}  // namespace

// m/s: of any point of the block. What one body of it brings may become the speed of the next.
Real HeavyLoads::fastestApproach(std::span<const ContactConstraint> constraints, std::span<const SolverBody> bodies,
                                 std::uint32_t first, std::uint32_t last) const {
    Real fastest = 0;
    for (std::uint32_t i = first; i < last; ++i) {
        const ContactConstraint& constraint = constraints[constraints_[i]];
        for (int j = 0; j < constraint.count; ++j)
            if (constraint.activePoints >> j & 1)
                fastest =
                    max(fastest,
                        length(relativeVelocity(bodies[constraint.bodyA], bodies[constraint.bodyB], constraint.points[j])));
    }
    return fastest;
}

void HeavyLoads::buildSystem(std::span<ContactConstraint> constraints, std::span<SolverBody> bodies, std::uint32_t first,
                             std::uint32_t last, const ContactSettings& settings) {
    points_.clear();
    rows_.clear();
    wanted_.clear();
    targets_.clear();
    const Real reach = kTouchingGap + 2 * settings.h * fastestApproach(constraints, bodies, first, last);
    for (std::uint32_t i = first; i < last; ++i) {
        ContactConstraint& constraint = constraints[constraints_[i]];
        const SolverBody &a = bodies[constraint.bodyA], &b = bodies[constraint.bodyB];
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
    Real least = kInfinity, most = 0;  // inverse masses
    for (const Row& row : rows_)
        for (const std::uint32_t index : {row.bodyA, row.bodyB})
            if (const Vec3& inverse = bodies[index].inverseMass; inverse.x > 0) {
                least = min(least, inverse.x);
                most = max(most, inverse.x);
            }
    massRatio_ = most > 0 ? double(most) / double(least) : 1;
    if (massRatio_ < kHeavy)
        return;
    brought_ = 0;
    for (const Point& p : points_)
        brought_ = std::fmax(brought_, double(p.point->normalImpulse));
    const double load = brought_;
    const std::size_t n = rows_.size();
    matrix_.assign(n * n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        const Row& r = rows_[i];
        const SolverBody &a = bodies[r.bodyA], &b = bodies[r.bodyB];
        const Vec3 linearA = multiply(a.inverseMass, r.direction), linearB = multiply(b.inverseMass, r.direction);
        const Vec3 turnA = a.inverseInertia * r.angularA, turnB = b.inverseInertia * r.angularB;
        brought_ = std::fmax(brought_, load + stopping(a, r.direction, r.angularA, linearA, turnA) +
                                           stopping(b, r.direction, r.angularB, linearB, turnB));
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
    }
}

bool HeavyLoads::solve(std::uint8_t& isRough) {
    if (massRatio_ < kHeavy)
        return false;
    if (isRough > 0)
        --isRough;
    else if (solveActiveSet())
        return true;
    else
        isRough = kRoughSubsteps;
    return solveStaggered();
}

// False where the states do not settle, or where the result would add energy: sliding friction can make such systems
// insoluble, and then the ordinary passes, which always damp, must do.
bool HeavyLoads::solveActiveSet() {
    change_.assign(rows_.size(), 0);
    for (int round = 0; round < kMaxRounds; ++round) {
        if (!solveFreeRows())
            return false;
        if (!updateStates())
            return isSound();
    }
    return false;
}

// Normal impulses as friction is, exactly, then friction as the normal impulses are, point by point.
bool HeavyLoads::solveStaggered() {
    if (!solveNormals() || !isSound()) {
        // Without what overlaps ask for nothing is gained, whatever the impulses.
        for (std::size_t i = 0; i < rows_.size(); i += 3) {
            wanted_[i] -= std::fmax(targets_[i], 0);
            targets_[i] = std::fmin(targets_[i], 0);
        }
        if (!solveNormals() || !isSound())
            return false;
    }
    for (int sweep = 0; sweep < kFrictionSweeps; ++sweep)
        for (std::size_t i = 0; i < points_.size(); ++i)
            rub(sweep % 2 == 0 ? i : points_.size() - 1 - i);
    return true;
}

bool HeavyLoads::solveNormals() {
    const std::size_t n = rows_.size();
    for (std::size_t i = 0; i < points_.size(); ++i)
        points_[i].state = points_[i].point->normalImpulse > 0 || wanted_[3 * i] > 0 ? State::Sticking : State::Open;
    for (int round = 0; round < kMaxNormalRounds; ++round) {
        free_.clear();
        change_.assign(n, 0);
        for (std::size_t i = 0; i < points_.size(); ++i) {
            if (points_[i].state == State::Open)
                change_[3 * i] = -double(points_[i].point->normalImpulse);
            else
                free_.push_back(static_cast<std::uint32_t>(3 * i));
        }
        const std::size_t m = free_.size();
        factor_.resize(m * m);
        work_.resize(m);
        for (std::size_t i = 0; i < m; ++i) {
            const double* row = &matrix_[free_[i] * n];
            work_[i] = wanted_[free_[i]];
            for (std::size_t j = 0; j < n; j += 3)
                work_[i] -= row[j] * change_[j];
            for (std::size_t j = 0; j < m; ++j)
                factor_[i * m + j] = row[free_[j]];
        }
        if (!solveLinear(factor_, work_, m))
            return false;
        for (std::size_t i = 0; i < m; ++i)
            change_[free_[i]] = work_[i];
        bool changed = false;
        for (std::size_t i = 0; i < points_.size(); ++i) {
            Point& p = points_[i];
            const bool opens = p.state != State::Open && p.point->normalImpulse + change_[3 * i] < 0;
            const bool closes = p.state == State::Open && left(3 * i) > 1e-6;
            if (opens || closes)
                p.state = opens ? State::Open : State::Sticking;
            changed = changed || opens || closes;
        }
        if (!changed)
            return true;
    }
    return false;
}

// What the change has not yet given to a row of what it wants.
double HeavyLoads::left(std::size_t row) const {
    const std::size_t n = rows_.size();
    double sum = wanted_[row];
    for (std::size_t j = 0; j < n; ++j)
        sum -= matrix_[row * n + j] * change_[j];
    return sum;
}

// Friction at one point: what stops it, within the cone.
void HeavyLoads::rub(std::size_t point) {
    const std::size_t n = rows_.size(), i = 3 * point + 1, j = i + 1;
    const Point& p = points_[point];
    const double a = matrix_[i * n + i], b = matrix_[i * n + j], c = matrix_[j * n + j], determinant = a * c - b * b;
    if (!(determinant > 0))
        return;
    const double u = left(i), v = left(j);
    const double was1 = double(p.point->tangentImpulse1), was2 = double(p.point->tangentImpulse2);
    double t1 = was1 + change_[i] + (c * u - b * v) / determinant, t2 = was2 + change_[j] + (a * v - b * u) / determinant;
    const double most = p.constraint->friction * std::fmax(p.point->normalImpulse + change_[3 * point], 0);
    const double size = std::sqrt(t1 * t1 + t2 * t2);
    if (size > most) {
        t1 *= most / size;
        t2 *= most / size;
    }
    change_[i] = t1 - was1;
    change_[j] = t2 - was2;
}

// Impulses of open points are zero, those of sliding points follow their load; the others come from the linear system.
bool HeavyLoads::solveFreeRows() {
    const std::size_t n = rows_.size();
    free_.clear();
    change_.assign(n, 0);  // first the parts of the fixed rows that do not depend on the unknowns
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const ConstraintPoint& point = *points_[i].point;
        double* x = &change_[3 * i];
        const double load = points_[i].constraint->friction * point.normalImpulse;
        switch (points_[i].state) {
            case State::Open:
                x[0] = -double(point.normalImpulse);
                x[1] = -double(point.tangentImpulse1);
                x[2] = -double(point.tangentImpulse2);
                break;
            case State::Sliding:
                x[1] = load * points_[i].slide.x - point.tangentImpulse1;
                x[2] = load * points_[i].slide.y - point.tangentImpulse2;
                free_.push_back(static_cast<std::uint32_t>(3 * i));
                break;
            case State::Sticking:
                for (int k = 0; k < 3; ++k)
                    free_.push_back(static_cast<std::uint32_t>(3 * i + k));
                break;
        }
    }
    const std::size_t m = free_.size();
    factor_.assign(m * m, 0);
    work_.resize(m);
    for (std::size_t i = 0; i < m; ++i) {
        const double* row = &matrix_[free_[i] * n];
        double rest = wanted_[free_[i]];
        for (std::size_t j = 0; j < n; ++j)
            rest -= row[j] * change_[j];
        work_[i] = rest;
        for (std::size_t j = 0; j < m; ++j) {
            const std::uint32_t c = free_[j];
            const Point& p = points_[c / 3];
            factor_[i * m + j] = row[c];
            if (p.state == State::Sliding)  // friction grows with the load
                factor_[i * m + j] += p.constraint->friction * (p.slide.x * row[c + 1] + p.slide.y * row[c + 2]);
        }
    }
    if (!solveLinear(factor_, work_, m))
        return false;
    for (std::size_t i = 0; i < m; ++i) {
        const std::uint32_t c = free_[i];
        change_[c] += work_[i];
        const Point& p = points_[c / 3];
        if (p.state == State::Sliding) {
            change_[c + 1] += p.constraint->friction * p.slide.x * work_[i];
            change_[c + 2] += p.constraint->friction * p.slide.y * work_[i];
        }
    }
    return true;
}

// The work of the impulses, by the mean of the velocities before and after, is not beyond what the targets ask for. A body that
// is wedged wants what cannot be, and what comes out, impulses that all but cancel, asks for nothing: each impulse counts only
// up to what the heaviest body of the block would need. Nor may an impulse be far beyond all that the bodies bring along:
// squeezed between others a shard can be held by impulses of any size that cancel, until it has turned a little.
bool HeavyLoads::isSound() const {
    constexpr double kMostSqueezed = 8;
    const std::size_t n = rows_.size();
    for (const double change : change_)
        if (!(std::fabs(change) <= kMostSqueezed * brought_))
            return false;
    double work = 0, asked = 0;
    for (std::size_t i = 0; i < n; ++i) {
        double velocityChange = 0;
        for (std::size_t j = 0; j < n; ++j)
            velocityChange += matrix_[i * n + j] * change_[j];
        work += change_[i] * (targets_[i] - wanted_[i] + 0.5 * velocityChange);
        const double needed = massRatio_ * std::fabs(wanted_[i]) / matrix_[i * n + i];
        asked += std::fabs(targets_[i]) * std::fmin(std::fabs(change_[i]), needed);
    }
    return work <= asked + 1e-9;
}

// True where a point changed its state, so that the system must be solved again.
bool HeavyLoads::updateStates() {
    bool changed = false;
    for (std::size_t i = 0; i < points_.size(); ++i) {
        Point& p = points_[i];
        const double normal = p.point->normalImpulse + change_[3 * i];
        if (p.state == State::Open) {
            if (left(3 * i) > 1e-6) {
                p.state = State::Sticking;
                changed = true;
            }
            continue;
        }
        if (normal < 0) {
            p.state = State::Open;
            changed = true;
            continue;
        }
        if (p.state == State::Sliding)
            continue;
        const double t1 = p.point->tangentImpulse1 + change_[3 * i + 1], t2 = p.point->tangentImpulse2 + change_[3 * i + 2];
        const double size = std::sqrt(t1 * t1 + t2 * t2);
        if (size > p.constraint->friction * normal * (1 + 1e-6)) {
            p.state = State::Sliding;
            p.slide = {Real(t1 / size), Real(t2 / size), 0};
            changed = true;
        }
    }
    return changed;
}

void HeavyLoads::applyImpulses(std::span<SolverBody> bodies) {
    for (std::size_t i = 0; i < points_.size(); ++i) {
        ConstraintPoint& point = *points_[i].point;
        point.normalImpulse = max(point.normalImpulse + Real(change_[3 * i]), 0);
        point.tangentImpulse1 += Real(change_[3 * i + 1]);
        point.tangentImpulse2 += Real(change_[3 * i + 2]);
        for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) {
            const Row& row = rows_[k];
            const Real x = Real(change_[k]);
            SolverBody &a = bodies[row.bodyA], &b = bodies[row.bodyB];
            a.velocity -= multiply(a.inverseMass, row.direction * x);
            a.angularVelocity -= a.inverseInertia * (row.angularA * x);
            b.velocity += multiply(b.inverseMass, row.direction * x);
            b.angularVelocity += b.inverseInertia * (row.angularB * x);
        }
    }
}

}  // namespace sunder::dynamics
