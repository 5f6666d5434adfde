#include "dynamics/contact/scalar/bounce.h"

#include "dynamics/contact/scalar/bounce_clamp.h"

namespace sunder::dynamics {

namespace {

// A manifold of four points needs about ten sweeps; one point needs one, and a second to see that nothing changes.
constexpr int kMostBounceSweeps = 30;
constexpr Real kBounceDone = Real(1e-5);  // change of the impulses in a sweep, as a share of their sum
// Of the arm of a point: what is that much farther away than the point that hits first leaves with it. A box that falls flat,
// but for some thousandths of a radian, lands on all four corners, as real ones do that give way a little.
constexpr Real kTogether = Real(5e-3);

// A body's velocities, or a copy where no impulse moves it: threads share the originals.
struct MovedPair {
    SolverBody stillA, stillB;
    SolverBody &a, &b;

    MovedPair(const ContactConstraint& constraint, std::span<SolverBody> bodies)
        : a(bodyOf(bodies[constraint.bodyA], stillA)), b(bodyOf(bodies[constraint.bodyB], stillB)) {}
    static SolverBody& bodyOf(SolverBody& body, SolverBody& still) { return canMove(body) ? body : still = body; }
};

// Whether a point has met, and leaves now. One that would hit later than the first is left to the next substep, since the first
// one's bounce turns the body; so is a gap that nothing has closed: braking it would hide the impact speed from restitution.
bool leavesNow(const ConstraintPoint& point, bool isTogether) {
    return isTogether || (!(point.bounceVelocity > 0) && (point.separation <= 0 || point.normalImpulse > 0));
}

// Takes back what push gave to points that do not leave now, and all friction; returns what that does along the frame.
Screw takePushBack(ContactConstraint& constraint, const ContactFrame& frame, int leaving) {
    Vec3 kept;
    Screw back = impulseOf(constraint, frame);
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        if ((leaving >> i & 1) == 0)
            point.normalImpulse = 0;
        kept += pushAt(point.normalImpulse, frame.plane.points[i].x, frame.plane.points[i].y);
        point.tangentImpulse1 = point.tangentImpulse2 = 0;
    }
    constraint.angular.spinning = constraint.angular.rolling1 = constraint.angular.rolling2 = 0;
    back.along = kept - back.along;
    back.across = -back.across;
    return back;
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

Meeting prepareBounce(ContactConstraint& constraint, std::span<const SolverBody> bodies,
                      std::span<const SolverBodyConstants> constants, const ContactSettings& settings) {
    const SolverBody& a = bodies[constraint.bodyA];
    const SolverBody& b = bodies[constraint.bodyB];
    const Vec3 relativeAcceleration = constants[constraint.bodyB].acceleration - constants[constraint.bodyA].acceleration;
    const Real acceleration = dot(relativeAcceleration, constraint.normal);
    Meeting meeting;
    Real times[collision::kMaxManifoldPoints], slack[collision::kMaxManifoldPoints];
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        point.bounceVelocity = 0;
        times[i] = kInfinity;
        const Vec3 velocity = b.freeVelocity + cross(b.freeAngularVelocity, point.armB) - a.freeVelocity -
                              cross(a.freeAngularVelocity, point.armA);
        const Real later = dot(velocity, constraint.normal);            // at the end of the substep, if nothing acts
        const Real normalVelocity = later - settings.h * acceleration;  // now
        if (!(later < 0) || normalVelocity > -settings.restitutionThreshold)
            continue;
        const Real arm = min(canMove(a) ? length(point.armA) : kInfinity, canMove(b) ? length(point.armB) : kInfinity);
        const bool hitsNow = later < -allowedApproach(point.separation, settings.recoveryRate, settings);
        slack[i] = kTogether * arm / -later;
        times[i] = max(point.separation, 0) / -later;
        if (!hitsNow && !(times[i] < settings.h + slack[i]))
            continue;
        // The speed at the moment of touching, not at the start of the substep: v^2 grows by 2 a s on the way.
        const Real impactSquared = normalVelocity * normalVelocity - 2 * acceleration * max(point.separation, 0);
        point.bounceVelocity = constraint.material.restitution * std::sqrt(max(impactSquared, 0));
        if (!(point.bounceVelocity > 0))
            continue;
        if (meeting.hits != Hits::Now)
            meeting.hits = hitsNow ? Hits::Now : Hits::Soon;
        meeting.first = min(meeting.first, times[i]);
        meeting.joinsFrom = min(meeting.joinsFrom, times[i] - slack[i]);
    }
    for (int i = 0; i < constraint.count; ++i)
        if (constraint.points[i].bounceVelocity > 0 && times[i] - slack[i] <= meeting.first)
            meeting.points = static_cast<std::uint8_t>(meeting.points | 1 << i);
    return meeting;
}

Bounce::Bounce(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings, int together)
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
    for (int i = 0; i < constraint.count; ++i)
        points_ |= int(leavesNow(constraint.points[i], (together >> i & 1) != 0)) << i;
    applyScrew(constraint, frame_, moved.a, moved.b, takePushBack(constraint, frame_, points_));
}

bool Bounce::separate(std::span<SolverBody> bodies, const ContactSettings& settings) {
    const MovedPair moved(*constraint_, bodies);
    Screw done;
    Vec3 along = motionOf(*constraint_, frame_, moved.a, moved.b).along;
    const bool changes = settleBounce(*constraint_, frame_, points_, along, done.along, settings);
    applyScrew(*constraint_, frame_, moved.a, moved.b, done);
    return changes;
}

void Bounce::rub(std::span<SolverBody> bodies) {
    const MovedPair moved(*constraint_, bodies);
    Screw motion = motionOf(*constraint_, frame_, moved.a, moved.b), done;
    solveAllFriction(*constraint_, frame_, motion, done, PointOrder::Forward);
    applyScrew(*constraint_, frame_, moved.a, moved.b, done);
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

void bounce(ContactConstraint& constraint, std::span<SolverBody> bodies, const ContactSettings& settings, int together) {
    Bounce alone(constraint, bodies, settings, together);
    alone.separate(bodies, settings);
    alone.rub(bodies);
    if (settings.clampEnergy)
        alone.clamp(bodies);
    alone.finish(bodies);
}

}  // namespace sunder::dynamics
