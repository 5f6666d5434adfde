// Limits of angles. An angle comes round: what is beyond one end of its limits by less than half a turn may be beyond the other
// by more, and two angles of three may jump where the third is half a turn. Each part here measures how far B is beyond a limit
// so that no turn of B by a small angle changes it by much more, and with the rate that its row has: what a limit repairs has
// been brought about by motion.
#include "dynamics/joints/parts.h"
#include "math/trigonometry.h"

namespace sunder::dynamics {

namespace {

// Of a vector in A's frame.
Vec3 inWorld(const JointGeometry& at, const Vec3& v) { return at.axesA.row0 * v.x + at.axesA.row1 * v.y + at.axesA.row2 * v.z; }

// The angle about the frame's x axis less `middle`, in [-pi, pi].
Real angleFrom(const Quat& turn, Real middle) {
    const SinCos m = sinCos(middle / 2);
    const Real sine = turn.x * m.cos - turn.w * m.sin, cosine = turn.w * m.cos + turn.x * m.sin;
    return cosine < 0 ? 2 * arcTangent2(-sine, -cosine) : 2 * arcTangent2(sine, cosine);
}

// The least angle by which B has turned from where its twist is `wall`, and about what. s = x cos(wall / 2) - w sin(wall / 2)
// is the sine of half of it, and 2 ds/dt = g . (wB - wA) with |g|^2 = 1 - s^2, from dq/dt = (wB - wA) q / 2. `side`: q and -q
// are the same turn; the one is meant that has a sine of that sign.
FreeDirection fromTwistWall(const JointGeometry& at, Real wall, Real side) {
    const SinCos m = sinCos(wall / 2);
    const Quat& q = at.turn;
    const Real sine = q.x * m.cos - q.w * m.sin, sign = (sine < 0) == (side < 0) ? Real(1) : Real(-1);
    const Vec3 g = Vec3{q.w * m.cos + q.x * m.sin, q.z * m.cos + q.y * m.sin, q.z * m.sin - q.y * m.cos} * sign;
    return aboutDirection(normalizeOr(inWorld(at, g), at.axesA.row0), 2 * arcTangent2(sign * sine, length(g)));
}

// The turn q as a rotation vector, in A's frame: longer than half a turn where w < 0.
Vec3 rotationVector(const Quat& q) {
    const Vec3 u{q.x, q.y, q.z};
    const Real sine = length(u);
    return u * (sine > 0 ? 2 * arcTangent2(sine, q.w) / sine : Real(2));
}

bool isLimited(const JointSpec& spec, int axis) { return !(spec.freeAxes >> (3 + axis) & 1); }

// The sum of the squares of what it is beyond the limits.
Real excessOf(const Vec3& turn, const JointSpec& spec) {
    Real sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const Real angle = component(turn, axis);
        if (isLimited(spec, axis))
            sum += square(angle - clamp(angle, component(spec.angularLow, axis), component(spec.angularHigh, axis)));
    }
    return sum;
}

}  // namespace

Real hingeAngle(const PartContext& part) {
    const JointSpec& spec = part.joint.spec;
    const Real middle = spec.hasLimits ? (spec.limits.low + spec.limits.high) / 2 : spec.springRest;
    return middle + angleFrom(part.at.turn, middle);
}

// C = the angle between the axes, about their common normal u; dC/dt = u . (wB - wA). A cone of half a turn leaves nothing out,
// and its row would stop whatever swings past it.
void limitCone(const PartContext& part) {
    if (!(part.joint.spec.cone < kPi))
        return;
    const Vec3 normal = cross(part.at.axesA.row0, part.at.axesB.row0);
    const Vec3 u = normalizeOr(normal, part.at.axesA.row1);
    const Real swing = swingAngle(part.at);
    limit(part, aboutDirection(u, swing), {-kInfinity, part.joint.spec.cone}, kConeSlot);
}

// With q = (x, y, z, w) the turn of B's frame against A's, x = r sin(twist / 2) and w = r cos(twist / 2), where r is the cosine
// of half the swing: limits are two walls through r = 0 in the plane of x and w, and a swing of half a turn passes r = 0. There
// the twist may jump by any angle, but not what is measured here.
//   Within: C = r (limit - twist), n . (wB - wA) its rate, n halfway between the axes. What swings past r = 0 meets no wall.
//   Beyond: C = the angle by which B must turn to be back at the wall, about the direction that takes the least; 0 at r = 0.
// What has come past r = 0 beyond a limit leaves its wall as it leaves r = 0: the second stops it at once, and what it repairs
// in a substep is less than what it stops. The first would let it go on, and turn back later what no motion had brought about.
void limitTwist(const PartContext& part) {
    const Interval& limits = part.joint.spec.limits;
    const Real half = (limits.high - limits.low) / 2;
    const Real twist = angleFrom(part.at.turn, (limits.low + limits.high) / 2);
    const bool atLow = twist < 0;
    const Real toWall = atLow ? twist + half : half - twist;
    if (half == 0 || toWall < 0) {
        const FreeDirection beyond = fromTwistWall(part.at, atLow ? limits.low : limits.high, twist);
        const Interval free = atLow ? Interval{0, kInfinity} : Interval{-kInfinity, 0};
        return half == 0 ? hold(part, beyond, beyond.position, 0, kLimitSlot) : limit(part, beyond, free, kLimitSlot);
    }
    const Vec3 between = part.at.axesA.row0 + part.at.axesB.row0;
    const Real r = length(between) / 2;
    if (r * half > 0)
        limit(part, aboutDirection(normalizeOr(between, part.at.axesA.row0), r * twist), {-r * half, r * half}, kLimitSlot);
}

// C = the turn t as a rotation vector in A's frame. With w = wB - wA in that frame, from dq/dt = w q / 2,
//     dt/dt = w - t x w / 2 + k t x (t x w),   k = (1 - |t| / 2 cot(|t| / 2)) / |t|^2
// Of t and what leads to the same place the other way round, that which is less beyond the limits. Towards a whole turn its
// rate has no bound, since all directions lead to one place: the row is then scaled to what it is at half a turn at the most,
// pi / 2.
void limitTurn(const PartContext& part) {
    const JointSpec& spec = part.joint.spec;
    const Quat& turn = part.at.turn;
    const Real sign = turn.w < 0 ? Real(-1) : Real(1);
    Quat q{sign * turn.x, sign * turn.y, sign * turn.z, sign * turn.w};
    Vec3 t = rotationVector(q);
    constexpr Real kLeastSine = Real(1e-5);  // at a whole turn the other way has no direction
    const Real sine = length(Vec3{q.x, q.y, q.z});
    if (const Real excess = excessOf(t, spec); excess > 0 && sine > kLeastSine) {
        const Quat other{-q.x, -q.y, -q.z, -q.w};
        if (const Vec3 round = rotationVector(other); excessOf(round, spec) < excess) {
            t = round;
            q = other;
        }
    }
    constexpr Real kSmall = Real(0.1);  // k is 1 / 12 up to t^2 / 720
    const Real angle = length(t);
    const Real k = angle < kSmall ? Real(1) / 12 : (1 - angle / 2 * q.w / sine) / square(angle);
    for (int axis = 0; axis < 3; ++axis) {
        if (!isLimited(spec, axis))
            continue;
        const Vec3 e{Real(axis == 0), Real(axis == 1), Real(axis == 2)};
        const Vec3 across = cross(t, e);
        const Vec3 g = e + across / 2 + k * cross(t, across);
        const Real scale = min(kPi / (2 * length(g)), Real(1));
        limit(part, aboutDirection(inWorld(part.at, g * scale), component(t, axis) * scale),
              {component(spec.angularLow, axis) * scale, component(spec.angularHigh, axis) * scale}, kAngularSlot + axis);
    }
}

}  // namespace sunder::dynamics
