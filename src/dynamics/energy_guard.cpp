#include "dynamics/energy_guard.h"

#include <cmath>

namespace sunder::dynamics {

namespace {

// A gain that lifts the island by less than this in a step (m) is a settling contact, and would be taken from motion that has
// nothing to do with it: a slow slide over the floor must not be frozen by the last digits of a position.
constexpr double kLift = 2e-5;
// Bodies at rest that overlap, after a landing too hard for the frame rate, are lifted apart slowly: by this in a step (m), by
// this share of their mean overlap, or by this share of the island's height, which in a tall pile is the sum of many overlaps.
constexpr double kUnpaidLift = 1e-4, kUnpaidShare = 0.04, kUnpaidHeight = 3e-5;
// What bodies at rest would be let have is not taken from the others all at once either: the motion of a step keeps at least
// this share of its energy, or a box that begins to topple would be held until its neighbours have come apart.
constexpr double kKept = 0.8;
constexpr std::size_t kBodiesPerRange = 512;

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

void EnergyGuard::begin(TaskRunner& tasks, std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants) {
    energies_.resize(bodies.size());
    runRanges(tasks, bodies.size(), kBodiesPerRange, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            energies_[i].startKinetic = constants[i].isDynamic ? kineticEnergy(bodies[i], constants[i]) : 0;
    });
}

void EnergyGuard::sumBalances(TaskRunner& tasks, std::span<const SolverBody> bodies,
                              std::span<const SolverBodyConstants> constants, std::span<const ContactConstraint> constraints,
                              std::span<const ContactLink> links, std::span<const Strike> strikes,
                              std::span<const JointLink> joints, const Islands& islands, Real dt) {
    runRanges(tasks, bodies.size(), kBodiesPerRange, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            energies_[i].kinetic = kineticEnergy(bodies[i], constants[i]);
            energies_[i].work = workOfForces(bodies[i], constants[i], dt);
        }
    });
    balances_.assign(islands.count(), {});
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const int island = islands.island(static_cast<std::uint32_t>(i));
        if (island < 0)
            continue;
        const BodyEnergy& energy = energies_[i];
        balances_[island].kinetic += energy.kinetic;
        const double acceleration = double(length(constants[i].acceleration));
        balances_[island].weight += massOf(constants[i]) * acceleration;
        if (acceleration > 0) {
            const double height = -dotDouble(constants[i].acceleration, constants[i].centerFromFirst) / acceleration;
            balances_[island].lowest = std::fmin(balances_[island].lowest, height);
            balances_[island].highest = std::fmax(balances_[island].highest, height);
        }
        balances_[island].gain += energy.kinetic - energy.startKinetic - energy.work;
        balances_[island].lift -= energy.work;
        balances_[island].grounded = balances_[island].grounded || constants[i].lockedAxes != 0;
    }
    for (std::size_t i = 0; i < links.size(); ++i) {
        const ContactLink& link = links[i];
        const bool aMoves = constants[link.bodyA].isDynamic, bMoves = constants[link.bodyB].isDynamic;
        const int island = islands.island(aMoves ? link.bodyA : link.bodyB);
        if (island < 0 || !link.carriedLoad || (aMoves && bMoves && !link.drives))
            continue;
        balances_[island].gain -= workOfPartner(constraints[i], bodies[link.bodyA], bodies[link.bodyB], aMoves, bMoves);
        balances_[island].grounded = balances_[island].grounded || !(aMoves && bMoves);
    }
    for (const Strike& strike : strikes) {
        const bool aMoves = constants[strike.bodyA].isDynamic, bMoves = constants[strike.bodyB].isDynamic;
        const int island = islands.island(aMoves ? strike.bodyA : strike.bodyB);
        if (island < 0 || (aMoves && bMoves))
            continue;
        balances_[island].grounded = true;
        balances_[island].gain -= strike.work > 0 ? strike.work : 0;
    }
    for (const JointLink& joint : joints) {
        const int island = islands.island(joint.movesA ? joint.bodyA : joint.bodyB);
        if (island < 0)
            continue;
        balances_[island].exempt = balances_[island].exempt || joint.isActive;
        balances_[island].grounded = balances_[island].grounded || !joint.movesA || !joint.movesB;
    }
}

void EnergyGuard::finish(TaskRunner& tasks, std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants,
                         std::span<const ContactConstraint> constraints, std::span<const ContactLink> links,
                         std::span<const Strike> strikes, std::span<const JointLink> joints, const Islands& islands, Real dt) {
    guardedIslands_ = 0;
    removedEnergy_ = 0;
    sumBalances(tasks, bodies, constants, constraints, links, strikes, joints, islands, dt);
    bool anyGrounded = false, hasMembers = false, hasOverlaps = false;
    for (int island = 0; island < islands.count(); ++island) {
        IslandBalance& balance = balances_[island];
        if (balance.exempt || !(balance.gain > kLift * balance.weight))
            continue;
        ++guardedIslands_;
        if (balance.grounded) {
            if (!hasOverlaps && balance.gain - balance.kinetic > kUnpaidLift * balance.weight) {
                sumOverlaps(constraints, links, constants, islands);
                hasOverlaps = true;
            }
            judgeGrounded(balance);
            anyGrounded = true;
            continue;
        }
        if (!hasMembers)
            collectMembers(bodies.size(), islands);
        hasMembers = true;
        slowFree(bodies, constants, island);
    }
    if (anyGrounded)
        slowGrounded(bodies, islands);
}

// Something outside takes up momentum already: all motion may be slowed. What the motion cannot pay for is hardly lifted.
void EnergyGuard::judgeGrounded(IslandBalance& balance) {
    double left = balance.kinetic > balance.gain ? balance.kinetic - balance.gain : 0;
    const double height = std::fmax(balance.highest - balance.lowest, 0);
    const double slight = std::fmax(kUnpaidLift, kUnpaidHeight * height);
    if (balance.gain < slight * balance.weight && left < kKept * balance.kinetic)
        left = kKept * balance.kinetic;
    const double overlap = balance.points > 0 ? balance.overlap / balance.points : 0;
    const double lift = std::fmax(kUnpaidShare * overlap, slight);
    const double unpaid = balance.gain - balance.kinetic - lift * balance.weight;
    balance.speed = Real(balance.kinetic > 0 ? std::sqrt(left / balance.kinetic) : 0);
    if (unpaid > 0 && balance.lift > 0)
        balance.way = Real(unpaid < balance.lift ? 1 - unpaid / balance.lift : 0);
    removedEnergy_ += balance.kinetic - left;
}

void EnergyGuard::sumOverlaps(std::span<const ContactConstraint> constraints, std::span<const ContactLink> links,
                              std::span<const SolverBodyConstants> constants, const Islands& islands) {
    for (std::size_t i = 0; i < links.size(); ++i) {
        const int island = islands.island(constants[links[i].bodyA].isDynamic ? links[i].bodyA : links[i].bodyB);
        if (island < 0 || !links[i].carriedLoad)
            continue;
        for (int k = 0; k < constraints[i].count; ++k)
            if (const ConstraintPoint& point = constraints[i].points[k]; point.totalNormalImpulse > 0) {
                balances_[island].overlap -= point.separation < 0 ? point.separation : 0;
                ++balances_[island].points;
            }
    }
}

void EnergyGuard::slowGrounded(std::span<SolverBody> bodies, const Islands& islands) const {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const int island = islands.island(static_cast<std::uint32_t>(i));
        if (island < 0 || balances_[island].speed == 1)
            continue;
        bodies[i].velocity *= balances_[island].speed;
        bodies[i].angularVelocity *= balances_[island].speed;
        bodies[i].displacement *= balances_[island].way;
    }
}

void EnergyGuard::collectMembers(std::size_t bodyCount, const Islands& islands) {
    memberFirst_.assign(islands.count() + 1, 0);
    for (std::uint32_t i = 0; i < bodyCount; ++i)
        if (islands.island(i) >= 0)
            ++memberFirst_[islands.island(i) + 1];
    for (int island = 0; island < islands.count(); ++island)
        memberFirst_[island + 1] += memberFirst_[island];
    members_.resize(memberFirst_.back());
    for (std::uint32_t i = static_cast<std::uint32_t>(bodyCount); i-- > 0;)
        if (islands.island(i) >= 0)
            members_[--memberFirst_[islands.island(i) + 1]] = i;
    // Filling from the back moved every start one place up: island k now begins at memberFirst_[k + 1].
}

// Only the motion against the island's own rigid motion may be slowed: v = V + W x r + s (v - V - W x r).
void EnergyGuard::slowFree(std::span<SolverBody> bodies, std::span<const SolverBodyConstants> constants, int island) {
    const std::size_t begin = memberFirst_[island + 1];
    const std::size_t end = std::size_t(island) + 2 < memberFirst_.size() ? memberFirst_[island + 2] : members_.size();
    const std::span<const std::uint32_t> members = std::span(members_).subspan(begin, end - begin);
    double mass = 0;
    Vec3 momentum, center;
    for (const std::uint32_t i : members) {
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
