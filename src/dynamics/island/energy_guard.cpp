#include "dynamics/island/energy_guard.h"

#include <cmath>

#include "core/fitted.h"

namespace sunder::dynamics {

namespace {

// m. A gain that lifts the island by less than this in a step comes from settling contacts. Taking it from the island's motion
// would freeze a slow slide over the floor for the last digits of a position.
constexpr double kSettling = 2e-5;
// Lift that is granted without payment to resting bodies which overlap after a landing too hard for the frame rate: the largest
// of this per step (m), this share of the mean overlap, and this share of the island's height, since the overlaps of a tall
// pile add up. docs/step.md 8 has the measurements.
constexpr double kUnpaidLift = 8e-5, kUnpaidShare = 0.04, kUnpaidHeight = 6e-5;
// Energy granted to resting bodies is collected from the rest of the island over several steps: the motion keeps at least this
// share of its energy per step, or a box that begins to topple would be held until its neighbours have come apart.
constexpr double kKept = 0.95;
constexpr std::size_t kGuardedPerTask = 512, kGuardLinksPerTask = 2048;  // per task

double dotDouble(const Vec3& a, const Vec3& b) { return double(a.x) * b.x + double(a.y) * b.y + double(a.z) * b.z; }

double massOf(const SolverBodyConstants& constants) { return constants.mass; }

double kineticEnergy(const SolverBody& body, const SolverBodyConstants& constants) {
    const Vec3 w = inverseRotate(body.orientation, body.angularVelocity);
    return 0.5 * massOf(constants) * dotDouble(body.velocity, body.velocity) +
           0.5 * dotDouble(multiply(constants.principalInertia, w), w);
}

// J. Gravity and forces act through the acceleration; their work is no gain.
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
        work += dotDouble(friction, constraint.material.surfaceVelocity);
    }
    return work > 0 ? work : 0;
}

}  // namespace

void EnergyGuard::begin(TaskRunner& tasks, std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants) {
    startKinetic_.resize(bodies.size());
    runRanges(tasks, bodies.size(), kGuardedPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            startKinetic_[i] = constants[i].isDynamic ? kineticEnergy(bodies[i], constants[i]) : 0;
    });
}

// Terms of the balance by body. Own lift is the gain that raised the body, own speed the gain that went into its speed. A body
// that falls, slides or flies pays for its rise with its speed and has neither. Nor has one on joints: what it gains may be
// what its neighbours lost, and held back alone it would be torn off.
void EnergyGuard::findEnergies(TaskRunner& tasks, std::span<const SolverBody> bodies,
                               std::span<const SolverBodyConstants> constants, std::span<const JointLink> joints, Real dt) {
    isJoined_.assign(bodies.size(), 0);
    for (const JointLink& joint : joints)
        isJoined_[joint.bodyA] = isJoined_[joint.bodyB] = 1;
    for (std::vector<double>& terms : terms_)
        terms.resize(bodies.size());
    heights_.resize(bodies.size());
    isLocked_.resize(bodies.size());
    runRanges(tasks, bodies.size(), kGuardedPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const double kinetic = kineticEnergy(bodies[i], constants[i]), work = workOfForces(bodies[i], constants[i], dt);
            const double gain = kinetic - startKinetic_[i] - work;
            const double acceleration = double(length(constants[i].acceleration));
            terms_[kGain][i] = gain;
            terms_[kKinetic][i] = kinetic;
            terms_[kLift][i] = -work;
            terms_[kWeight][i] = massOf(constants[i]) * acceleration;
            terms_[kOwnLift][i] = isJoined_[i] ? 0 : std::fmax(0, std::fmin(gain, -work));
            terms_[kOwnSpeed][i] = isJoined_[i] ? 0 : std::fmax(0, std::fmin(gain - terms_[kOwnLift][i], kinetic));
            heights_[i] =
                acceleration > 0 ? -dotDouble(constants[i].acceleration, constants[i].centerFromFirst) / acceleration : 0;
            isLocked_[i] = constants[i].lockedAxes != 0;
        }
    });
}

void EnergyGuard::sumBodies(TaskRunner& tasks, const Islands& islands) {
    balances_.assign(islands.count(), {});
    runTasks(tasks, kSums + 1, [&](int sum) {
        if (sum == kSums)
            return findExtents(islands);
        sums_[sum].assign(islands.count(), 0);
        for (std::size_t i = 0; i < terms_[sum].size(); ++i)
            if (const int island = islands.island(static_cast<std::uint32_t>(i)); island >= 0)
                sums_[sum][island] += terms_[sum][i];
    });
    for (int island = 0; island < islands.count(); ++island) {
        IslandBalance& balance = balances_[island];
        balance.gain = sums_[kGain][island];
        balance.kinetic = sums_[kKinetic][island];
        balance.lift = sums_[kLift][island];
        balance.weight = sums_[kWeight][island];
        balance.ownLift = sums_[kOwnLift][island];
        balance.ownSpeed = sums_[kOwnSpeed][island];
    }
}

// Height of each island, and whether one of its bodies has a locked axis, which grounds it.
void EnergyGuard::findExtents(const Islands& islands) {
    for (std::size_t i = 0; i < heights_.size(); ++i) {
        const int island = islands.island(static_cast<std::uint32_t>(i));
        if (island < 0)
            continue;
        IslandBalance& balance = balances_[island];
        balance.grounded = balance.grounded || isLocked_[i];
        if (terms_[kWeight][i] > 0) {
            balance.lowest = std::fmin(balance.lowest, heights_[i]);
            balance.highest = std::fmax(balance.highest, heights_[i]);
        }
    }
}

// Work of, and contact with, bodies outside all islands (fixed and kinematic ones).
void EnergyGuard::sumPartners(TaskRunner& tasks, std::span<const SolverBody> bodies,
                              std::span<const SolverBodyConstants> constants, std::span<const ContactConstraint> constraints,
                              std::span<const ContactLink> links, const Islands& islands) {
    resizeFitted(isOutward_, links.size());
    resizeFitted(partnerWork_, links.size());
    runRanges(tasks, links.size(), kGuardLinksPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const ContactLink& link = links[i];
            const bool aMoves = constants[link.bodyA].isDynamic, bMoves = constants[link.bodyB].isDynamic;
            isOutward_[i] = link.carriedLoad && (link.drives || !aMoves || !bMoves);
            if (isOutward_[i])
                partnerWork_[i] = workOfPartner(constraints[i], bodies[link.bodyA], bodies[link.bodyB], aMoves, bMoves);
        }
    });
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (!isOutward_[i])
            continue;
        const ContactLink& link = links[i];
        const bool aMoves = constants[link.bodyA].isDynamic, bMoves = constants[link.bodyB].isDynamic;
        const int island = islands.island(aMoves ? link.bodyA : link.bodyB);
        if (island < 0)
            continue;
        balances_[island].gain -= partnerWork_[i];
        balances_[island].grounded = balances_[island].grounded || !(aMoves && bMoves);
    }
}

void EnergyGuard::sumBalances(TaskRunner& tasks, std::span<const SolverBody> bodies,
                              std::span<const SolverBodyConstants> constants, std::span<const ContactConstraint> constraints,
                              std::span<const ContactLink> links, std::span<const Strike> strikes,
                              std::span<const JointLink> joints, const Islands& islands, Real dt) {
    findEnergies(tasks, bodies, constants, joints, dt);
    sumBodies(tasks, islands);
    sumPartners(tasks, bodies, constants, constraints, links, islands);
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
        if (balance.exempt || !(balance.gain > kSettling * balance.weight))
            continue;
        ++guardedIslands_;
        if (balance.grounded) {
            if (!hasOverlaps)
                sumOverlaps(tasks, constraints, links, islands);
            hasOverlaps = true;
            balance.judged = true;
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
        slowGrounded(tasks, bodies, islands);
}

// A grounded island exchanges momentum with the ground, so all of its motion may be slowed. Bodies that gained energy pay
// first, with their speed and then with their rise beyond a slight one; otherwise a ball that is lifted out of what it crushed
// would hold up the pile around it. The motion of all bodies pays the rest. A lift that even this cannot pay for is cut.
void EnergyGuard::judgeGrounded(IslandBalance& balance) {
    const double height = std::fmax(balance.highest - balance.lowest, 0);
    const double slight = std::fmax(kUnpaidLift, kUnpaidHeight * height);
    const double overlap = balance.load > 0 ? balance.overlap / balance.load : 0;
    const double allowed = std::fmax(kUnpaidShare * overlap, slight) * balance.weight;
    const auto pay = [](double& owed, double most) {
        const double paid = std::fmin(std::fmax(owed, 0), most);
        owed -= paid;
        return paid;
    };
    const auto share = [](double part, double whole) { return Real(whole > 0 ? part / whole : 0); };
    double owed = balance.gain;
    const double ownSpeed = pay(owed, balance.ownSpeed);
    double beyond = owed - allowed;
    const double ownLift = pay(beyond, balance.ownLift);
    owed -= ownLift;
    const double moving = balance.kinetic - ownSpeed;
    double speed = pay(beyond, moving);
    owed -= speed;
    speed = std::fmax(speed, std::fmin(speed + std::fmin(owed, allowed), (1 - kKept) * moving));
    balance.ownSpeedKept = 1 - share(ownSpeed, balance.ownSpeed);
    balance.ownLiftKept = 1 - share(ownLift, balance.ownLift);
    balance.speed = std::sqrt(1 - share(speed, moving));
    balance.way = 1 - share(pay(beyond, balance.lift - ownLift), balance.lift - ownLift);
    removedEnergy_ += ownSpeed + speed;
}

void EnergyGuard::sumOverlaps(TaskRunner& tasks, std::span<const ContactConstraint> constraints,
                              std::span<const ContactLink> links, const Islands& islands) {
    resizeFitted(overlaps_, links.size());
    runRanges(tasks, links.size(), kGuardLinksPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const int ofA = islands.island(links[i].bodyA);
            overlaps_[i] = {ofA >= 0 ? ofA : islands.island(links[i].bodyB)};
            for (int k = 0; links[i].carriedLoad && k < constraints[i].count; ++k)
                if (const ConstraintPoint& point = constraints[i].points[k]; point.totalNormalImpulse > 0) {
                    overlaps_[i].overlap -= point.separation < 0 ? point.separation * point.totalNormalImpulse : 0;
                    overlaps_[i].load += point.totalNormalImpulse;
                }
        }
    });
    for (const LinkOverlap& link : overlaps_)
        if (link.island >= 0) {
            balances_[link.island].overlap += link.overlap;
            balances_[link.island].load += link.load;
        }
}

void EnergyGuard::slowGrounded(TaskRunner& tasks, std::span<SolverBody> bodies, const Islands& islands) const {
    const auto slow = [&](std::size_t i, const IslandBalance& balance) {
        SolverBody& body = bodies[i];
        const double kinetic = terms_[kKinetic][i], lift = terms_[kLift][i];
        const double own = kinetic > 0 ? terms_[kOwnSpeed][i] / kinetic : 0;
        const Real speed = balance.speed * Real(std::sqrt(1 - own * double(1 - balance.ownSpeedKept)));
        body.velocity *= speed;
        body.angularVelocity *= speed;
        const double raised = lift > 0 ? terms_[kOwnLift][i] / lift : 0;
        if (!isJoined_[i])
            body.displacement *= balance.way * Real(1 - raised * double(1 - balance.ownLiftKept));
    };
    runRanges(tasks, bodies.size(), kGuardedPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (const int island = islands.island(static_cast<std::uint32_t>(i)); island >= 0 && balances_[island].judged)
                slow(i, balances_[island]);
    });
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
    // Filling from the back moved every start up by one: island k now begins at memberFirst_[k + 1].
}

// Only motion relative to the island's rigid motion may be slowed: v = V + W x r + s (v - V - W x r).
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
