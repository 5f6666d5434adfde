#include "dynamics/contact/scalar/bounce.h"

#include "dynamics/contact/scalar/bounce_clamp.h"

namespace sunder::dynamics {

namespace {

// A manifold of four points needs about ten sweeps; one point needs one, and a second to see that nothing changes.
constexpr int kMostBounceSweeps = 30;
constexpr int kMostBounceRounds = 8;      // of normal impulses and friction
constexpr Real kBounceDone = Real(1e-5);  // change of the impulses in a sweep, as a share of their sum
// Substeps: what would meet that soon after a point that hits leaves with it. A box that falls flat, but for half a thousandth
// of a radian, lands on all four corners, as real ones do that give way a little.
constexpr Real kTogether = 2;

// A body's velocities, or a copy where no impulse moves it: threads share the originals.
struct MovedPair {
    SolverBody stillA, stillB;
    SolverBody &a, &b;

    MovedPair(const ContactConstraint& constraint, std::span<SolverBody> bodies)
        : a(bodyOf(bodies[constraint.bodyA], stillA)), b(bodyOf(bodies[constraint.bodyB], stillB)) {}
    static SolverBody& bodyOf(SolverBody& body, SolverBody& still) { return canMove(body) ? body : still = body; }
};

// Takes friction back that push gave to points that had not left yet; returns what that does along the frame.
Screw takeFrictionBack(ContactConstraint& constraint, const ContactFrame& frame) {
    Vec3 normal;
    Screw back = impulseOf(constraint, frame);
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        normal += pushAt(point.normalImpulse, frame.plane.points[i].x, frame.plane.points[i].y);
        point.tangentImpulse1 = point.tangentImpulse2 = 0;
    }
    constraint.angular.spinning = constraint.angular.rolling1 = constraint.angular.rolling2 = 0;
    back.along = normal - back.along;
    back.across = -back.across;
    return back;
}

// Bits of the points that leave now. A gap that nothing has closed yet is left to the next substep, unless another point has
// hit and this one is about to: braking now would hide the impact speed from restitution.
int leavingPoints(const ContactConstraint& constraint, bool isJoined) {
    int met = 0, expected = 0;
    bool hasHit = isJoined;
    for (int i = 0; i < constraint.count; ++i) {
        const ConstraintPoint& point = constraint.points[i];
        const bool isExpected = point.bounceVelocity > 0;
        if (point.separation <= 0 || point.normalImpulse > 0) {
            met |= 1 << i;
            hasHit = hasHit || isExpected;
        }
        expected |= int(isExpected) << i;
    }
    return hasHit ? met | expected : met;
}

// Gives those points of a manifold the velocities that they must leave with: sweeps, in one order and the other, until nothing
// changes. Returns whether the first of them changed anything.
bool settleBounce(ContactConstraint& constraint, const ContactFrame& frame, int points, Vec3& along, Vec3& given,
                  const ContactSettings& settings) {
    PointOrder order = PointOrder::Backward;
    for (int sweeps = 0; sweeps < kMostBounceSweeps; ++sweeps, order = opposite(order)) {
        Real change = 0, sum = 0;
        for (int k = 0; k < constraint.count; ++k) {
            const int i = indexAt(constraint, k, order);
            ConstraintPoint& point = constraint.points[i];
            if ((points >> i & 1) == 0)
                continue;
            const Real before = point.normalImpulse;
            const Real target = point.bounceVelocity > 0 ? point.bounceVelocity
                                                         : -allowedApproach(point.separation, settings.recoveryRate, settings);
            solveNormal(point, frame, i, along, given, target, 1, 1);
            change += std::fabs(point.normalImpulse - before);
            sum += point.normalImpulse;
        }
        if (!(change > kBounceDone * sum))
            return sweeps > 0;
    }
    return true;
}

}  // namespace

Hits prepareBounce(ContactConstraint& constraint, std::span<const SolverBody> bodies,
                   std::span<const SolverBodyConstants> constants, const ContactSettings& settings) {
    const SolverBody& a = bodies[constraint.bodyA];
    const SolverBody& b = bodies[constraint.bodyB];
    const Vec3 relativeAcceleration = constants[constraint.bodyB].acceleration - constants[constraint.bodyA].acceleration;
    const Real acceleration = dot(relativeAcceleration, constraint.normal);
    Hits hits = Hits::No;
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        point.bounceVelocity = 0;
        const Vec3 velocity = b.freeVelocity + cross(b.freeAngularVelocity, point.armB) - a.freeVelocity -
                              cross(a.freeAngularVelocity, point.armA);
        const Real later = dot(velocity, constraint.normal);            // at the end of the substep, if nothing acts
        const Real normalVelocity = later - settings.h * acceleration;  // now
        const Real allowed = allowedApproach(point.separation, settings.recoveryRate, settings);
        if (!(kTogether * later < -allowed) || normalVelocity > -settings.restitutionThreshold)
            continue;
        // The speed at the moment of touching, not at the start of the substep: v^2 grows by 2 a s on the way.
        const Real impactSquared = normalVelocity * normalVelocity - 2 * acceleration * max(point.separation, 0);
        point.bounceVelocity = constraint.material.restitution * std::sqrt(max(impactSquared, 0));
        if (point.bounceVelocity > 0 && hits != Hits::Now)
            hits = later < -allowed ? Hits::Now : Hits::Soon;
    }
    return hits;
}

Bounce::Bounce(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings, bool isJoined)
    : constraint_(&constraint) {
    Vec3 before[collision::kMaxManifoldPoints];
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        before[i] = impulseOf(constraint, point);
        addAtArms(taken_, point, before[i]);
        point.totalNormalImpulse -= point.normalImpulse;  // finish sums them again
        point.totalTangentImpulse1 -= point.tangentImpulse1;
        point.totalTangentImpulse2 -= point.tangentImpulse2;
    }
    updateGeometry(constraint, bodies, settings.h);
    for (int i = 0; i < constraint.count; ++i)
        addAtArms(taken_, constraint.points[i], -before[i]);
    const MovedPair moved(constraint, bodies);
    frame_ = layFrame(constraint, moved.a, moved.b);
    points_ = leavingPoints(constraint, isJoined);
    applyScrew(constraint, frame_, moved.a, moved.b, takeFrictionBack(constraint, frame_));
}

// Normal impulses first, friction for what then still slips, and both until they agree.
bool Bounce::solve(std::span<SolverBody> bodies, const ContactSettings& settings) {
    const MovedPair moved(*constraint_, bodies);
    Screw motion = motionOf(*constraint_, frame_, moved.a, moved.b), done;
    int rounds = 0;
    for (; rounds < kMostBounceRounds; ++rounds) {
        Vec3 push;
        const bool isSettled = !settleBounce(*constraint_, frame_, points_, motion.along, push, settings);
        motion.across += acrossOf(frame_, push);
        done.along += push;
        if (isSettled && rounds > 0)
            break;
        solveAllFriction(*constraint_, frame_, motion, done, PointOrder::Forward);
    }
    applyScrew(*constraint_, frame_, moved.a, moved.b, done);
    return rounds > 1;
}

void Bounce::clamp(std::span<SolverBody> bodies) {
    const MovedPair moved(*constraint_, bodies);
    clampBounce(*constraint_, moved.a, moved.b);
}

void Bounce::finish(std::span<SolverBody> bodies) {
    ContactConstraint& constraint = *constraint_;
    sumImpulses(constraint);
    GivenImpulse given = taken_;
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        addAtArms(given, point, impulseOf(constraint, point));
        point.normalImpulse = point.tangentImpulse1 = point.tangentImpulse2 = 0;
    }
    const Vec3 turn = constraint.normal * constraint.angular.spinning + constraint.tangent1 * constraint.angular.rolling1 +
                      constraint.tangent2 * constraint.angular.rolling2;
    constraint.angular.spinning = constraint.angular.rolling1 = constraint.angular.rolling2 = 0;
    const MovedPair moved(constraint, bodies);
    SolverBody &a = moved.a, &b = moved.b;
    a.freeVelocity -= multiply(a.inverseMass, given.linear);
    a.freeAngularVelocity -= a.inverseInertia * (given.angularA + turn);
    b.freeVelocity += multiply(b.inverseMass, given.linear);
    b.freeAngularVelocity += b.inverseInertia * (given.angularB + turn);
}

void bounce(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings) {
    Bounce alone(constraint, bodies, settings, false);
    alone.solve(bodies, settings);
    if (settings.clampEnergy)
        alone.clamp(bodies);
    alone.finish(bodies);
}

}  // namespace sunder::dynamics
