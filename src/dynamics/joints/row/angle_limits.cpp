// Limits of angles. An angle comes round: what is beyond one end of its limits by less than half a turn may be beyond the other
// by more, and two angles of three may jump where the third is half a turn. Each part here measures how far B is beyond a limit
// so that no turn of B by a small angle changes it by much more, and with the rate that its row has: what a limit repairs has
// been brought about by motion.
#include "dynamics/joints/row/parts.h"
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

// One angle of a six_dof: the component t of its turn as a rotation vector, whose gradient is g. At half a turn the vector
// changes its sign, and t may be beyond a limit all at once. Beyond it counts times the cosine r of half the turn, which is
// nothing there: half a turn is then a wall to what would come out beyond a limit. dr/dt = -v . (wB - wA) / 2 with v the vector
// part of q.
void limitComponent(const PartContext& part, const Quat& q, Real t, const Vec3& g, const Interval& limits, int slot) {
    const Real beyond = t - clamp(t, limits.low, limits.high);
    if (beyond == 0 || limits.low == limits.high)
        return limit(part, aboutDirection(inWorld(part.at, g), t), limits, slot);
    const Vec3 gradient = q.w * g - Vec3{q.x, q.y, q.z} * (beyond / 2);
    const Real rate = length(gradient);
    if (rate > 0)
        limit(part, aboutDirection(inWorld(part.at, gradient / rate), q.w * beyond / rate),
              beyond < 0 ? Interval{0, kInfinity} : Interval{-kInfinity, 0}, slot);
}

}  // namespace

Real hingeAngle(const PartContext& part) {
    const JointSpec& spec = part.joint.spec;
    const Real middle = spec.hasLimits ? (spec.limits.low + spec.limits.high) / 2 : spec.springRest;
    return middle + angleFrom(part.at.turn, middle);
}

namespace {

// A cone whose largest swing is a about the frame's y axis and b about its z axis. The swing is s = angle u, with u = (0, uy,
// uz) the direction in A's frame that B's axis has turned about; f = sqrt((sy / a)^2 + (sz / b)^2) is 1 on the cone. With d the
// direction in which B's axis leans, u = x x d,
//     ds/dt = u (w . u) - angle d (w . x - cot(angle) w . d)
// and C = (f - 1) / |g| with g the gradient of f: the way to the cone, to first order, with a rate of one about g / |g|.
void limitOvalCone(const PartContext& part) {
    constexpr Real kSmall = Real(1e-3);  // rad: a swing below this has no direction
    const Real a = part.joint.spec.cone, b = part.joint.spec.coneZ, angle = swingAngle(part.at);
    const Vec3& axisB = part.at.axesB.row0;
    const Real y = dot(axisB, part.at.axesA.row1), z = dot(axisB, part.at.axesA.row2), sine = std::sqrt(y * y + z * z);
    const bool hasDirection = sine > kSmall;
    const Vec3 d = hasDirection ? Vec3{0, y / sine, z / sine} : Vec3{0, 0, 1}, u{0, -d.z, d.y};
    const Vec3 scaled{0, u.y / a, u.z / b};
    const Real f = length(scaled) * angle;
    const Vec3 slope = Vec3{0, scaled.y / a, scaled.z / b} / length(scaled);
    const Real cotangent = hasDirection ? angle * dot(axisB, part.at.axesA.row0) / sine : Real(1);
    const Vec3 g = u * dot(slope, u) - Vec3{angle, 0, 0} * dot(slope, d) + d * (cotangent * dot(slope, d));
    const Real rate = length(g);
    if (rate > 0)
        limit(part, aboutDirection(inWorld(part.at, g / rate), (f - 1) / rate), {-kInfinity, 0}, kConeSlot);
}

}  // namespace

// C = the angle between the axes, about their common normal u; dC/dt = u . (wB - wA). A cone of half a turn leaves nothing out,
// and its row would stop whatever swings past it.
void limitCone(const PartContext& part) {
    if (part.joint.spec.hasConeZ)
        return limitOvalCone(part);
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

// C = the turn t as a rotation vector in A's frame.
void limitTurn(const PartContext& part) {
    const JointSpec& spec = part.joint.spec;
    const Quat& turn = part.at.turn;
    const Real sign = turn.w < 0 ? Real(-1) : Real(1);
    const Quat q{sign * turn.x, sign * turn.y, sign * turn.z, sign * turn.w};
    const Vec3 t = turnVector(part.at);
    for (int axis = 0; axis < 3; ++axis) {
        if (spec.freeAxes >> (3 + axis) & 1)
            continue;
        limitComponent(part, q, component(t, axis), turnGradient(q, t, axis),
                       {component(spec.angularLow, axis), component(spec.angularHigh, axis)}, kAngularSlot + axis);
    }
}

}  // namespace sunder::dynamics
