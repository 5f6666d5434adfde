#include "dynamics/energy_guard.h"

namespace sunder::dynamics {

namespace {

// A gain that lifts the island by less than this in a step (m) is a settling contact, and would be taken from motion that has
// nothing to do with it: a slow slide over the floor must not be frozen by the last digits of a position.
constexpr double kLift = 2e-5;
// Bodies at rest that overlap, after a landing too hard for the frame rate, are lifted apart by no more than this in a step
// (m).
constexpr double kUnpaidLift = 1e-4;

double dotDouble(const Vec3& a, const Vec3& b) { return double(a.x) * b.x + double(a.y) * b.y + double(a.z) * b.z; }

double massOf(const SolverBodyConstants& constants) { return constants.mass; }

double kineticEnergy(const SolverBody& body, const SolverBodyConstants& constants) {
    const Vec3 w = inverseRotate(body.orientation, body.angularVelocity);
    return 0.5 * massOf(constants) * dotDouble(body.velocity, body.velocity) +
           0.5 * dotDouble(multiply(constants.principalInertia, w), w);
}

// Gravity and forces act through the acceleration; what they give along the way is not a gain.
double workOfForces(const SolverBody& body, const SolverBodyConstants& constants, Real dt) {
    return massOf(constants) * dotDouble(constants.acceleration, body.displacement) +
           dotDouble(constants.torque, body.angularVelocity) * double(dt);
}

// Work that a kinematic partner or a moving surface does on the bodies through this contact.
double workOfPartner(const ContactConstraint& constraint, const SolverBody& a, const SolverBody& b, bool aMoves, bool bMoves) {
    double work = 0;
    for (int i = 0; i < constraint.count; ++i) {
        const ConstraintPoint& point = constraint.points[i];
        const Vec3 friction =
            constraint.tangent1 * point.totalTangentImpulse1 + constraint.tangent2 * point.totalTangentImpulse2;
        const Vec3 impulse = constraint.normal * point.totalNormalImpulse + friction;  // on B
        if (!aMoves)
            work += dotDouble(impulse, velocityAt(a, point.armA));
        if (!bMoves)
            work -= dotDouble(impulse, velocityAt(b, point.armB));
        work += dotDouble(friction, constraint.surfaceVelocity);
    }
    return work > 0 ? work : 0;
}

}  // namespace

void EnergyGuard::begin(std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants) {
    startKinetic_.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i)
        startKinetic_[i] = constants[i].isDynamic ? kineticEnergy(bodies[i], constants[i]) : 0;
}

void EnergyGuard::sumBalances(std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                              std::span<const ContactConstraint> constraints, std::span<const Strike> strikes,
                              const Islands& islands, Real dt) {
    balances_.assign(islands.count(), {});
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const int island = islands.island(static_cast<std::uint32_t>(i));
        if (island < 0)
            continue;
        const double kinetic = kineticEnergy(bodies[i], constants[i]);
        balances_[island].kinetic += kinetic;
        balances_[island].weight += massOf(constants[i]) * double(length(constants[i].acceleration));
        const double work = workOfForces(bodies[i], constants[i], dt);
        balances_[island].gain += kinetic - startKinetic_[i] - work;
        balances_[island].lift -= work;
        balances_[island].grounded = balances_[island].grounded || constants[i].lockedAxes != 0;
    }
    for (const ContactConstraint& constraint : constraints) {
        const bool aMoves = constants[constraint.bodyA].isDynamic, bMoves = constants[constraint.bodyB].isDynamic;
        const int island = islands.island(aMoves ? constraint.bodyA : constraint.bodyB);
        if (island < 0)
            continue;
        balances_[island].gain -= workOfPartner(constraint, bodies[constraint.bodyA], bodies[constraint.bodyB], aMoves, bMoves);
        if (aMoves && bMoves)
            continue;
        for (int i = 0; i < constraint.count; ++i)
            balances_[island].grounded = balances_[island].grounded || constraint.points[i].totalNormalImpulse > 0;
    }
    for (const Strike& strike : strikes) {
        const bool aMoves = constants[strike.bodyA].isDynamic, bMoves = constants[strike.bodyB].isDynamic;
        const int island = islands.island(aMoves ? strike.bodyA : strike.bodyB);
        if (island < 0 || (aMoves && bMoves))
            continue;
        balances_[island].grounded = true;
        balances_[island].gain -= strike.work > 0 ? strike.work : 0;
    }
}

void EnergyGuard::finish(std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                         std::span<const ContactConstraint> constraints, std::span<const Strike> strikes,
                         const Islands& islands, Real dt) {
    guardedIslands_ = 0;
    removedEnergy_ = 0;
    sumBalances(bodies, constants, constraints, strikes, islands, dt);
    for (int island = 0; island < islands.count(); ++island) {
        const IslandBalance& balance = balances_[island];
        if (!(balance.gain > kLift * balance.weight))
            continue;
        ++guardedIslands_;
        if (balance.grounded) {
            slowGrounded(bodies, islands, island);
        } else {
            slowFree(bodies, constants, islands, island);
        }
    }
}

// Something outside takes up momentum already: all motion may be slowed. What the motion cannot pay for is hardly lifted.
void EnergyGuard::slowGrounded(std::span<SolverBody> bodies, const Islands& islands, int island) {
    const IslandBalance& balance = balances_[island];
    const double left = balance.kinetic > balance.gain ? balance.kinetic - balance.gain : 0;
    const double unpaid = balance.gain - balance.kinetic - kUnpaidLift * balance.weight;
    const Real speed = Real(balance.kinetic > 0 ? std::sqrt(left / balance.kinetic) : 0);
    const Real way = Real(unpaid > 0 && balance.lift > 0 ? (unpaid < balance.lift ? 1 - unpaid / balance.lift : 0) : 1);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (islands.island(static_cast<std::uint32_t>(i)) != island)
            continue;
        bodies[i].velocity *= speed;
        bodies[i].angularVelocity *= speed;
        bodies[i].displacement *= way;
    }
    removedEnergy_ += balance.kinetic - left;
}

// Only the motion against the island's own rigid motion may be slowed: v = V + W x r + s (v - V - W x r).
void EnergyGuard::slowFree(std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants, const Islands& islands,
                           int island) {
    std::vector<std::uint32_t> members;
    double mass = 0;
    Vec3 momentum, center;
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        if (islands.island(i) != island)
            continue;
        members.push_back(i);
        const Real m = Real(massOf(constants[i]));
        mass += m;
        momentum += bodies[i].velocity * m;
        center += (constants[i].centerFromFirst + bodies[i].displacement) * m;
    }
    const Vec3 V = momentum / Real(mass);
    center = center / Real(mass);
    Vec3 L;
    Sym3 I;
    for (const std::uint32_t i : members) {
        const Real m = Real(massOf(constants[i]));
        const Vec3 r = constants[i].centerFromFirst + bodies[i].displacement - center;
        const Mat3 R = toMatrix(bodies[i].orientation);
        const Sym3 own = rotateDiagonal(R, constants[i].principalInertia);
        L += cross(r, bodies[i].velocity * m) + own * bodies[i].angularVelocity;
        const Real rr = dot(r, r);
        I = I + own + Sym3{m * (rr - r.x * r.x), m * (rr - r.y * r.y), m * (rr - r.z * r.z),
                           -m * r.x * r.y,       -m * r.x * r.z,       -m * r.y * r.z};
    }
    const Vec3 W = sunder::solve(I, L);
    double inner = 0;
    for (const std::uint32_t i : members) {
        const Vec3 r = constants[i].centerFromFirst + bodies[i].displacement - center;
        SolverBody relative = bodies[i];
        relative.velocity -= V + cross(W, r);
        relative.angularVelocity -= W;
        inner += kineticEnergy(relative, constants[i]);
    }
    if (!(inner > 0))
        return;
    const double gain = balances_[island].gain;
    const double left = inner > gain ? inner - gain : 0;
    const Real s = Real(std::sqrt(left / inner));
    for (const std::uint32_t i : members) {
        const Vec3 r = constants[i].centerFromFirst + bodies[i].displacement - center;
        const Vec3 rigid = V + cross(W, r);
        bodies[i].velocity = rigid + (bodies[i].velocity - rigid) * s;
        bodies[i].angularVelocity = W + (bodies[i].angularVelocity - W) * s;
    }
    removedEnergy_ += inner - left;
}

}  // namespace sunder::dynamics
