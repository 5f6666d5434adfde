// [Egan03] 5.3 and DampenObjects of A.2. The constants k and epsilon are DampedOptions (sunder/definitions.h).
// Deviations:
// - Speeds are those over what carries the body, and only bodies that stand on the ground are damped; the thesis has one fixed
//   ground. Thresholds are on velocities, so mass drops out; spin counts by the speed that it gives the body's farthest point.
// - The small speeds of A.2 (e5, e8 to e11) become one: a share of the speed that gravity gives in a step. What gravity and
//   contacts accelerate by more than that share of g is never held back, whatever the size of the step.
// - Line 20 of A.2 stops one sign of the spin about the vertical only; here both.
// - [Egan03] 6.3 asks for chatter to be recognised from history: a body whose mean place has not moved for a while is held by a
//   larger share (kKnownChatter).
// - Chatter changes its direction: a slow body that goes on as in the step before is damped by contactDamping only. And up to a
//   few chatter speeds restShare of g is taken from it as friction takes it, so that nothing creeps for ever.
// - Alignment turns a face to the face that it lies on, at any slope and of any shape, where the thesis turns a box's face to
//   the horizontal. What was put to rest stays as it is: turned a little in every step, and lifted out of what it was turned
//   into, it would never sleep.
#include "dynamics/damped/settle.h"

#include "dynamics/damped/carriers.h"
#include "dynamics/integrate/substep.h"
#include "sunder/definitions.h"

namespace sunder::dynamics {

namespace {

// s at one place on average after which motion is known to be chatter, and how many times restShare may then be.
constexpr Real kChatterTime = Real(0.08);
constexpr Real kKnownChatter = 15;
// How many times the chatter speed a body may have that loses restShare of g, as if by friction: damping alone would let what
// gravity hardly moves creep on for ever.
constexpr Real kSlowChatter = 3;
// Least cosine between the motions of two steps of which one goes on with the other.
constexpr Real kSameWay = Real(0.9);
// Least cosine between the normals of the footholds that a body is aligned to: one plane.
constexpr Real kOnePlane = Real(0.999);

struct Motion6 {
    Vec3 velocity, spin;
};

// How the body would move if it stood still on what carries it: the mean of its footholds, by load.
Motion6 carriedMotion(std::span<const SolverBody> bodies, std::span<const Foothold> footholds) {
    Motion6 sum;
    Real load = 0;
    for (const Foothold& hold : footholds) {
        const SolverBody& carrier = bodies[hold.carrier];
        sum.velocity += (velocityAt(carrier, hold.carrierArm - hold.arm) + hold.surfaceVelocity) * hold.load;
        sum.spin += carrier.angularVelocity * hold.load;
        load += hold.load;
    }
    return {sum.velocity / load, sum.spin / load};
}

Real speedOver(const SolverBody& body, const Motion6& carried, Real radius) {
    return length(body.velocity - carried.velocity) + length(body.angularVelocity - carried.spin) * radius;
}

void keepLocked(Vec3& value, const Vec3& before, std::uint8_t x, std::uint8_t y, std::uint8_t z) {
    value = {x ? before.x : value.x, y ? before.y : value.y, z ? before.z : value.z};
}

void keepLocked(SolverBody& body, const SolverBodyConstants& constants, const Motion6& before) {
    const std::uint8_t locked = constants.lockedAxes;
    keepLocked(body.velocity, before.velocity, locked & kLockX, locked & kLockY, locked & kLockZ);
    keepLocked(body.angularVelocity, before.spin, locked & kLockRx, locked & kLockRy, locked & kLockRz);
}

// Scales the motion over what carries the body; locked axes keep theirs.
void scale(SolverBody& body, const SolverBodyConstants& constants, const Motion6& carried, Real linear, Real angular) {
    const Vec3 velocity = body.velocity, spin = body.angularVelocity;
    body.velocity = carried.velocity + (velocity - carried.velocity) * linear;
    body.angularVelocity = carried.spin + (spin - carried.spin) * angular;
    keepLocked(body, constants, {velocity, spin});
}

// The carriers have been damped: what moved along with them loses what they lost. It would else be pushed on in every step by a
// motion that never happens.
void follow(SolverBody& body, const SolverBodyConstants& constants, const Motion6& was, const Motion6& is) {
    SolverBody left = body;
    left.velocity += is.velocity - was.velocity;
    left.angularVelocity += is.spin - was.spin;
    keepLocked(left, constants, {body.velocity, body.angularVelocity});
    if (speedOver(left, is, constants.radius) < speedOver(body, is, constants.radius))
        body = left;
}

Real chatterSpeed(const DampingSettings& settings, const SolverBodyConstants& constants) {
    return settings.chatterSpeed * std::sqrt(length(constants.acceleration) * constants.radius);
}

// Whether the body moves as it did before the step. That is no chatter, however slow: damped like it, what slides would creep.
bool goesOn(const SolverBody& body, const Momentary& before, const Motion6& carried, Real radius) {
    const Vec3 v = body.velocity - carried.velocity, v0 = before.velocity - carried.velocity;
    const Vec3 w = (body.angularVelocity - carried.spin) * radius, w0 = (before.angularVelocity - carried.spin) * radius;
    const Real both = dot(v, v0) + dot(w, w0);
    return both > 0 && square(both) > square(kSameWay) * (dot(v, v) + dot(w, w)) * (dot(v0, v0) + dot(w0, w0));
}

// undamped: all bodies as contact left them.
void dampenBody(DampedStep& step, std::uint32_t index, std::span<const Foothold> footholds,
                std::span<const SolverBody> undamped) {
    const DampingSettings& settings = step.settings;
    const Real dt = step.impulse.settings.dt;
    SolverBody& body = step.impulse.bodies[index];
    const SolverBodyConstants& constants = step.impulse.constants[index];
    const Motion6 carried = carriedMotion(step.impulse.bodies, footholds), was = carriedMotion(undamped, footholds);
    follow(body, constants, was, carried);
    scale(body, constants, carried, 1 / (1 + settings.contactDamping * dt), 1 / (1 + settings.spinDamping * dt));
    if (speedOver(body, carried, constants.radius) < chatterSpeed(settings, constants) &&
        !goesOn(body, step.impulse.scratch.kept[index], carried, constants.radius)) {
        const Real factor = 1 / (1 + settings.chatterDamping * dt);
        scale(body, constants, carried, factor, factor);
    }
    const Real rest = settings.restShare * length(constants.acceleration) * dt *
                      (step.restTimes[index] > kChatterTime ? kKnownChatter : Real(1));
    const Real speed = speedOver(body, carried, constants.radius);
    if (speed < kSlowChatter * chatterSpeed(settings, constants)) {
        const Real left = speed > rest ? 1 - rest / speed : Real(0);
        scale(body, constants, carried, left, left);
    }
}

// The slope of the gap under a body: how the separation of its footholds grows along their plane (no unit), by least squares.
// False where the footholds lie on a line, or not in one plane.
bool findSlope(std::span<const Foothold> footholds, Vec3& slope, Vec3& normal) {
    normal = footholds.front().normal;
    Vec3 mean;
    Real meanGap = 0;
    for (const Foothold& hold : footholds) {
        if (dot(hold.normal, normal) < kOnePlane)
            return false;
        mean += hold.arm;
        meanGap += hold.separation;
    }
    mean = mean / Real(footholds.size());
    meanGap /= Real(footholds.size());
    const Vec3 x = anyPerpendicular(normal), y = cross(normal, x);
    Real xx = 0, xy = 0, yy = 0, xs = 0, ys = 0;
    for (const Foothold& hold : footholds) {
        const Real px = dot(hold.arm - mean, x), py = dot(hold.arm - mean, y), gap = hold.separation - meanGap;
        xx += px * px;
        xy += px * py;
        yy += py * py;
        xs += px * gap;
        ys += py * gap;
    }
    const Real determinant = xx * yy - xy * xy;
    if (!(determinant > Real(1e-4) * square(xx + yy)))  // on a line: the slope across it is not known
        return false;
    slope = x * ((yy * xs - xy * ys) / determinant) + y * ((xx * ys - xy * xs) / determinant);
    return true;
}

void alignBody(DampedStep& step, std::uint32_t index, std::span<const Foothold> footholds) {
    const DampingSettings& settings = step.settings;
    SolverBody& body = step.impulse.bodies[index];
    const SolverBodyConstants& constants = step.impulse.constants[index];
    const Motion6 carried = carriedMotion(step.impulse.bodies, footholds);
    Vec3 slope, normal;
    const Real speed = speedOver(body, carried, constants.radius);
    if (footholds.size() < 3 || speed == 0 || (constants.lockedAxes & (kLockRx | kLockRy | kLockRz)) != 0 ||
        !(speed < chatterSpeed(settings, constants)) || !findSlope(footholds, slope, normal) ||
        !(length(slope) < settings.alignAngle))
        return;
    const Foothold* pivot = &footholds.front();
    for (const Foothold& hold : footholds)
        if (hold.separation < pivot->separation)
            pivot = &hold;
    const Real rate = settings.alignRate * step.impulse.settings.dt;
    const Quat turn = quatFromRotationVector(cross(normal, slope) * (rate / (1 + rate)));
    const Vec3 shift = pivot->arm - rotate(turn, pivot->arm);
    if (!(dot(shift, settings.up) <= 0))
        return;
    body.displacement += shift;
    body.orientation = normalize(turn * body.orientation);
    body.inverseInertia = worldInverseInertia(body.orientation, constants);
}

}  // namespace

void dampen(DampedStep& step) {
    const Carriers carriers(step.impulse);
    const std::vector<SolverBody> undamped(step.impulse.bodies.begin(), step.impulse.bodies.end());
    for (const std::uint32_t body : carriers.bodies())
        dampenBody(step, body, carriers.of(body), undamped);
}

void align(DampedStep& step) {
    if (!(step.settings.alignAngle > 0) || !(step.settings.alignRate > 0))
        return;
    const Carriers carriers(step.impulse);
    for (const std::uint32_t body : carriers.bodies())
        alignBody(step, body, carriers.of(body));
}

}  // namespace sunder::dynamics
