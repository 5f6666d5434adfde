// Limits of angles. An angle is periodic: a body that is a little beyond one end of its limits is also far beyond the other
// end, and two of three angles may jump where the third is half a turn. A limit repairs the error it measures, so an error that
// jumps would add energy. Each error here therefore changes by no more than B turns, at the rate that its row states.
#include "dynamics/joints/row/row_builder.h"
#include "math/trigonometry.h"

namespace sunder::dynamics {

namespace {

// The angle about the frame's x axis less `middle`, in [-pi, pi].
Real angleFrom(const Quat& turn, Real middle) {
    const SinCos m = sinCos(middle / 2);
    const Real sine = turn.x * m.cos - turn.w * m.sin, cosine = turn.w * m.cos + turn.x * m.sin;
    return cosine < 0 ? 2 * arcTangent2(-sine, -cosine) : 2 * arcTangent2(sine, cosine);
}

// The least angle by which B has turned from where its twist is `wall`, and about what. s = x cos(wall / 2) - w sin(wall / 2)
// is the sine of half of it, and 2 ds/dt = g . (wB - wA) with |g|^2 = 1 - s^2, from dq/dt = (wB - wA) q / 2. q and -q are the
// same turn; `side` is the sign that s must have, which chooses between them.
FreeDirection fromTwistWall(const JointGeometry& at, Real wall, Real side) {
    const SinCos m = sinCos(wall / 2);
    const Quat& q = at.turn;
    const Real sine = q.x * m.cos - q.w * m.sin, sign = (sine < 0) == (side < 0) ? Real(1) : Real(-1);
    const Vec3 g = Vec3{q.w * m.cos + q.x * m.sin, q.z * m.cos + q.y * m.sin, q.z * m.sin - q.y * m.cos} * sign;
    return aboutDirection(normalizeOr(inWorld(at, g), at.axesA.row0), 2 * arcTangent2(sign * sine, length(g)));
}

// One angle of a six_dof: the component t of its turn as a rotation vector, whose gradient is g. At half a turn the vector
// changes its sign, so t may be beyond a limit all at once. The error beyond a limit is therefore multiplied by the cosine r of
// half the turn, which is 0 there: half a turn acts as a wall for a body that would come out beyond a limit.
// dr/dt = -v . (wB - wA) / 2 with v the vector of q.
void limitComponent(const RowBuilder& builder, const Quat& q, Real t, const Vec3& g, const Interval& limits, int slot) {
    const Real beyond = t - clamp(t, limits.low, limits.high);
    if (beyond == 0 || limits.low == limits.high)
        return limit(builder, aboutDirection(inWorld(builder.at, g), t), limits, slot);
    const Vec3 gradient = q.w * g - Vec3{q.x, q.y, q.z} * (beyond / 2);
    const Real rate = length(gradient);
    if (rate > 0)
        limit(builder, aboutDirection(inWorld(builder.at, gradient / rate), q.w * beyond / rate),
              beyond < 0 ? Interval{0, kInfinity} : Interval{-kInfinity, 0}, slot);
}

}  // namespace

Real hingeAngle(const RowBuilder& builder) {
    const JointSpec& spec = builder.joint.spec;
    const Real middle = spec.hasLimits ? (spec.limits.low + spec.limits.high) / 2 : spec.springRest;
    return middle + angleFrom(builder.at.turn, middle);
}

namespace {

// A cone whose largest swing is a about the frame's y axis and b about its z axis. The swing is s = angle u, with u = (0, uy,
// uz) the direction in A's frame that B's axis has turned about; f = sqrt((sy / a)^2 + (sz / b)^2) is 1 on the cone. With d the
// direction in which B's axis leans, u = x x d,
//     ds/dt = u (w . u) - angle d (w . x - cot(angle) w . d)
// and C = (f - 1) / |g| with g the gradient of f: the way to the cone, to first order, with a rate of one about g / |g|.
void limitOvalCone(const RowBuilder& builder) {
    constexpr Real kSmall = Real(1e-3);  // rad: a swing below this has no direction
    const Real a = builder.joint.spec.cone, b = builder.joint.spec.coneZ, angle = swingAngle(builder.at);
    const Vec3& axisB = builder.at.axesB.row0;
    const Real y = dot(axisB, builder.at.axesA.row1), z = dot(axisB, builder.at.axesA.row2), sine = std::sqrt(y * y + z * z);
    const bool hasDirection = sine > kSmall;
    const Vec3 d = hasDirection ? Vec3{0, y / sine, z / sine} : Vec3{0, 0, 1}, u{0, -d.z, d.y};
    const Vec3 scaled{0, u.y / a, u.z / b};
    const Real f = length(scaled) * angle;
    const Vec3 slope = Vec3{0, scaled.y / a, scaled.z / b} / length(scaled);
    const Real cotangent = hasDirection ? angle * dot(axisB, builder.at.axesA.row0) / sine : Real(1);
    const Vec3 g = u * dot(slope, u) - Vec3{angle, 0, 0} * dot(slope, d) + d * (cotangent * dot(slope, d));
    const Real rate = length(g);
    if (rate > 0)
        limit(builder, aboutDirection(inWorld(builder.at, g / rate), (f - 1) / rate), {-kInfinity, 0}, kConeSlot);
}

}  // namespace

// C = the angle between the axes, about their common normal u; dC/dt = u . (wB - wA). A cone of half a turn allows every swing
// and gets no row: the row would stop bodies that swing past half a turn.
void limitCone(const RowBuilder& builder) {
    if (builder.joint.spec.hasConeZ)
        return limitOvalCone(builder);
    if (!(builder.joint.spec.cone < kPi))
        return;
    const Vec3 normal = cross(builder.at.axesA.row0, builder.at.axesB.row0);
    const Vec3 u = normalizeOr(normal, builder.at.axesA.row1);
    const Real swing = swingAngle(builder.at);
    limit(builder, aboutDirection(u, swing), {-kInfinity, builder.joint.spec.cone}, kConeSlot);
}

// With q = (x, y, z, w) the turn of B's frame against A's, x = r sin(twist / 2) and w = r cos(twist / 2), where r is the cosine
// of half the swing: limits are two walls through r = 0 in the plane of x and w, and a swing of half a turn passes r = 0. There
// the twist may jump by any angle, but not what is measured here.
//   Within: C = r (limit - twist), n . (wB - wA) its rate, n halfway between the axes. A body that swings past r = 0 meets no
//           wall.
//   Beyond: C = the angle by which B must turn to be back at the wall, about the direction that takes the least; 0 at r = 0.
// A body that passes r = 0 and comes out beyond a limit moves away from that wall from r = 0 on. The second form stops it at
// once, and repairs in a substep less than it stops. The first form would let it go on, and would later turn it back by an
// angle that no motion had brought about, which adds energy.
void limitTwist(const RowBuilder& builder) {
    const Interval& limits = builder.joint.spec.limits;
    const Real half = (limits.high - limits.low) / 2;
    const Real twist = angleFrom(builder.at.turn, (limits.low + limits.high) / 2);
    const bool atLow = twist < 0;
    const Real toWall = atLow ? twist + half : half - twist;
    if (half == 0 || toWall < 0) {
        const FreeDirection beyond = fromTwistWall(builder.at, atLow ? limits.low : limits.high, twist);
        const Interval free = atLow ? Interval{0, kInfinity} : Interval{-kInfinity, 0};
        return half == 0 ? hold(builder, beyond, beyond.position, 0, kLimitSlot) : limit(builder, beyond, free, kLimitSlot);
    }
    const Vec3 between = builder.at.axesA.row0 + builder.at.axesB.row0;
    const Real r = length(between) / 2;
    if (r * half > 0)
        limit(builder, aboutDirection(normalizeOr(between, builder.at.axesA.row0), r * twist), {-r * half, r * half},
              kLimitSlot);
}

// C = the turn t as a rotation vector in A's frame.
void limitTurn(const RowBuilder& builder) {
    const JointSpec& spec = builder.joint.spec;
    const Quat q = shortWay(builder.at.turn);
    const Vec3 t = turnVector(builder.at);
    for (int axis = 0; axis < 3; ++axis) {
        if (spec.freeAxes >> (3 + axis) & 1)
            continue;
        limitComponent(builder, q, component(t, axis), turnGradient(q, t, axis),
                       {component(spec.angularLow, axis), component(spec.angularHigh, axis)}, kAngularSlot + axis);
    }
}

}  // namespace sunder::dynamics
