// Free rotation by splitting: exact turns about fixed lines, so that L is kept whatever the step.
//
//   [Su09] 2.1        L moves the orientation and never changes; the energy is restored by turning the body
//   [TW94] Touma and Wisdom, Lie-Poisson integrators for rigid body dynamics in the solar system, Astron. J. 107 (1994)
//   [BM02] Blanes and Moan, Practical symplectic partitioned Runge-Kutta methods, J. Comput. Appl. Math. 142 (2002)
//
// With the principal inertias I1 <= I2 <= I3 the energy is |L|^2 / 2 I2 + (d1 L1^2 + d3 L3^2) / 2, where d1 = 1/I1 - 1/I2 and
// d3 = 1/I3 - 1/I2. The first part turns the body about L at the steady rate |L| / I2 and commutes with the others. Each of
// the others turns it about one principal axis at a rate that the turn itself leaves constant. So a symmetric body moves
// exactly, and what is left to split is the asymmetry alone [TW94].
// Deviation: Su09 takes one explicit step and the fix, which keeps the invariants but not the motion (flips come too early or
// late). Here the splitting's error is bounded first, in as many substeps as this body needs, and the fix takes the rest.
//
// L is in the principal frame unless it says world. SI units. Only sqrt and floor of libm.
#include "dynamics/integrate/free_rotation.h"

#include "dynamics/integrate/energy_fix.h"
#include "math/trigonometry.h"

namespace sunder::dynamics {

namespace {

// Relative difference of the principal inertias below which a body turns like a sphere: rounding of the mass properties.
constexpr Real kSphericalSpread = 8 * kEpsilon;

// Bound of the error of one call, in rad and relative to the velocity. A second-order step errs by at most kSecondOrderError
// nu mu^2 and a fourth-order one by kFourthOrderError nu mu^4 (nu, mu as in Asymmetry, times the step): the largest seen over
// 20,000 random boxes with edges up to 1 : 100, mu up to 0.3 rad.
constexpr double kStepTolerance = 1e-6;
constexpr double kSecondOrderError = 1.0 / 6;
constexpr double kFourthOrderError = 1.0 / 2500;

// Enough for the tolerance up to some 8 rad of asymmetric motion in a call. Beyond that the error grows with the fifth power of
// the angle, to 1 degree at 60 rad, a blur at any frame rate; the fix keeps the energy.
constexpr double kMaxSubsteps = 64;

struct HalfAngle {
    double sin, cos;
};

struct TurningBody {
    Quatd q;  // world from principal
    Vec3d L;  // in the principal frame
};

// The principal frame with its axes in order of inertia, so that x is axis 1 and z is axis 3.
struct SortedFrame {
    int axis[3];  // sorted x, y, z in the principal frame
    double sign;  // -1 turns an odd permutation into a rotation
};

// The asymmetry, which has to be split, in the sorted frame: turns about x at the rate d1 L1 and about z at d3 L3.
struct Asymmetry {
    double d1 = 0, d3 = 0;
    double nuSquared = 0;  // rad^2/s^2: bound of the exchange between the two turns, zero for a symmetric body
    double muSquared = 0;  // rad^2/s^2: bound of the rates of the turns and of their exchange
};

SortedFrame sortByInertia(const Vec3d& inverseInertia);
Vec3d toSorted(const SortedFrame& frame, const Vec3d& v);
Vec3d fromSorted(const SortedFrame& frame, const Vec3d& v);
Asymmetry findAsymmetry(const Vec3d& L, const Vec3d& sortedInverseInertia);
void splitSteps(TurningBody& motion, const Asymmetry& asymmetry, double dt);
Quatd rotationBy(const Vec3d& rotationVector);

bool turnsLikeASphere(const Vec3& principalInertia, const Vec3& inversePrincipalInertia) {
    const Vec3 &I = principalInertia, &i = inversePrincipalInertia;
    if (i.x == 0 || i.y == 0 || i.z == 0)
        return true;
    const Real largest = max(I.x, max(I.y, I.z)), smallest = min(I.x, min(I.y, I.z));
    return largest - smallest <= kSphericalSpread * largest;
}

void advanceSplit(TurningBody& motion, const Vec3d& inverseInertia, double dt) {
    const SortedFrame frame = sortByInertia(inverseInertia);
    const Vec3d sortedInverse = toSorted(frame, inverseInertia) * frame.sign;
    const Quatd steady = rotationBy(motion.L * (dt * sortedInverse.y));
    TurningBody turn{{}, toSorted(frame, motion.L)};
    splitSteps(turn, findAsymmetry(turn.L, sortedInverse), dt);
    const Vec3d u = fromSorted(frame, {turn.q.x, turn.q.y, turn.q.z});
    motion.q = motion.q * (steady * Quatd{u.x, u.y, u.z, turn.q.w});
    motion.L = fromSorted(frame, turn.L);
}

}  // namespace

RotationState advanceFreeRotation(const RotationState& state, const Vec3& principalInertia, const Vec3& inversePrincipalInertia,
                                  Real dt, bool energyFix) {
    if (state.angularVelocity == Vec3{} || dt == 0)
        return state;
    const Quatd q = normalize(toDouble(state.orientation));
    const Vec3d w = toDouble(state.angularVelocity);
    if (turnsLikeASphere(principalInertia, inversePrincipalInertia))
        return {toReal(normalize(rotationBy(w * dt) * q)), state.angularVelocity};

    // The caller's inverse is rounded: L = I w and w = I^-1 L would not cancel, and w would creep by that each step.
    const Vec3d inertia = toDouble(principalInertia);
    const Vec3d inverseInertia{1 / inertia.x, 1 / inertia.y, 1 / inertia.z};
    TurningBody motion{q, multiply(inertia, inverseRotate(q, w))};
    const double KE0 = rotationalEnergy(motion.L, inverseInertia);
    advanceSplit(motion, inverseInertia, dt);
    if (energyFix) {
        if (const auto turn = findEnergyTurn(motion.L, inverseInertia, KE0))
            motion = {turned(motion.q, *turn), turnedBack(motion.L, *turn)};
    }
    // Rounding the orientation takes L along: its length and the energy belong to the body frame and stay, and only its
    // direction walks, without bias, by a rounding each step. With L held in the world instead, the energy walked, and at 360
    // steps per second the ill-conditioned spinner flipped 98 to 118 times instead of 111.
    const Quat orientation = toReal(normalize(motion.q));
    const Quatd stored = normalize(toDouble(orientation));
    return {orientation, toReal(rotate(stored, multiply(inverseInertia, motion.L)))};
}

namespace {

SortedFrame sortByInertia(const Vec3d& inverseInertia) {
    const Vec3d& i = inverseInertia;
    if (i.x >= i.y) {
        if (i.y >= i.z)
            return {{0, 1, 2}, 1};
        return i.x >= i.z ? SortedFrame{{0, 2, 1}, -1} : SortedFrame{{2, 0, 1}, 1};
    }
    if (i.x >= i.z)
        return {{1, 0, 2}, -1};
    return i.y >= i.z ? SortedFrame{{1, 2, 0}, 1} : SortedFrame{{2, 1, 0}, -1};
}

Vec3d toSorted(const SortedFrame& frame, const Vec3d& v) {
    const double principal[3] = {v.x, v.y, v.z};
    return {frame.sign * principal[frame.axis[0]], frame.sign * principal[frame.axis[1]],
            frame.sign * principal[frame.axis[2]]};
}

Vec3d fromSorted(const SortedFrame& frame, const Vec3d& v) {
    double principal[3];
    principal[frame.axis[0]] = frame.sign * v.x;
    principal[frame.axis[1]] = frame.sign * v.y;
    principal[frame.axis[2]] = frame.sign * v.z;
    return {principal[0], principal[1], principal[2]};
}

Asymmetry findAsymmetry(const Vec3d& L, const Vec3d& sortedInverseInertia) {
    const Vec3d& i = sortedInverseInertia;
    const Vec3d squared = multiply(L, L);
    // The largest L1 and L3 that |L| and the energy let the body ever reach.
    const double d1 = i.x - i.y, d3 = i.y - i.z, inverseSpan = 1 / (d1 + d3);
    const double largest1 = squared.x + squared.y * d3 * inverseSpan;
    const double largest3 = squared.z + squared.y * d1 * inverseSpan;
    const double rate1 = d1 * d1 * largest1, rate3 = d3 * d3 * largest3, rate = rate1 > rate3 ? rate1 : rate3;
    const double exchange = d1 * d3 * (squared.x + squared.y + squared.z);
    return {d1, -d3, exchange, rate > exchange ? rate : exchange};
}

// For s = x^2 up to 1/16; the first terms left out of the series are below 1e-14 of the result.
HalfAngle smallAngle(double x, double s) {
    if (s <= 1.0 / 4096)
        return {x * (1 + s * (-1.0 / 6 + s * (1.0 / 120))), 1 + s * (-0.5 + s * (1.0 / 24 - s * (1.0 / 720)))};
    return {x * (1 + s * (-1.0 / 6 + s * (1.0 / 120 + s * (-1.0 / 5040 + s * (1.0 / 362880))))),
            1 + s * (-0.5 + s * (1.0 / 24 + s * (-1.0 / 720 + s * (1.0 / 40320 - s * (1.0 / 3628800)))))};
}

// Sine and cosine of half the angle, in double up to 16 rad. sinCos rounds to Real, and the turns of a step would pass its
// errors on to each other; beyond 16 rad only a body that needs no accuracy comes here.
HalfAngle halfAngle(double angle) {
    const double x = 0.5 * angle, s = x * x;
    if (s <= 1.0 / 16)
        return smallAngle(x, s);
    if (s <= 64) {
        HalfAngle result = smallAngle(x / 32, s / 1024);
        for (int doubling = 0; doubling < 5; ++doubling)
            result = {2 * result.sin * result.cos, 1 - 2 * result.sin * result.sin};
        return result;
    }
    const SinCos rounded = sinCos(Real(x < -kMaxHalfAngle ? -kMaxHalfAngle : (x > kMaxHalfAngle ? kMaxHalfAngle : x)));
    const double sin = rounded.sin, cos = rounded.cos;
    const double inverse = 1 / std::sqrt(sin * sin + cos * cos);
    return {sin * inverse, cos * inverse};
}

Quatd rotationBy(const Vec3d& rotationVector) {
    const double angle = std::sqrt(dot(rotationVector, rotationVector));
    if (!(angle > 0))
        return {};
    const HalfAngle half = halfAngle(angle);
    const Vec3d u = rotationVector * (half.sin / angle);
    return {u.x, u.y, u.z, half.cos};
}

// The exact motion under d L1^2 / 2 alone: a turn about x at the rate d L1, which the turn leaves constant; turn = d dt.
void turnAboutX(TurningBody& motion, double turn) {
    const auto [q, L] = motion;
    const HalfAngle half = halfAngle(turn * L.x);
    const double sin = 2 * half.sin * half.cos, cos = 1 - 2 * half.sin * half.sin;
    motion.L = {L.x, cos * L.y + sin * L.z, cos * L.z - sin * L.y};
    motion.q = {half.cos * q.x + half.sin * q.w, half.cos * q.y + half.sin * q.z, half.cos * q.z - half.sin * q.y,
                half.cos * q.w - half.sin * q.x};
}

// The exact motion under d L3^2 / 2 alone: a turn about z at the rate d L3; turn = d dt.
void turnAboutZ(TurningBody& motion, double turn) {
    const auto [q, L] = motion;
    const HalfAngle half = halfAngle(turn * L.z);
    const double sin = 2 * half.sin * half.cos, cos = 1 - 2 * half.sin * half.sin;
    motion.L = {cos * L.x + sin * L.y, cos * L.y - sin * L.x, L.z};
    motion.q = {half.cos * q.x + half.sin * q.y, half.cos * q.y - half.sin * q.x, half.cos * q.z + half.sin * q.w,
                half.cos * q.w - half.sin * q.z};
}

// [BM02] S6: order four with error constants some hundred times below the shortest composition's.
void fourthOrderStep(TurningBody& motion, double turn1, double turn3) {
    constexpr double a1 = 0.0792036964311957, a2 = 0.353172906049774, a3 = -0.0420650803577195;
    constexpr double b1 = 0.209515106613362, b2 = -0.143851773179818;
    constexpr double a[7] = {a1, a2, a3, 1 - 2 * (a1 + a2 + a3), a3, a2, a1};
    constexpr double b[6] = {b1, b2, 0.5 - (b1 + b2), 0.5 - (b1 + b2), b2, b1};
    for (int stage = 0; stage < 6; ++stage) {
        turnAboutZ(motion, a[stage] * turn3);
        turnAboutX(motion, b[stage] * turn1);
    }
    turnAboutZ(motion, a[6] * turn3);
}

void splitSteps(TurningBody& motion, const Asymmetry& asymmetry, double dt) {
    const double turn1 = asymmetry.d1 * dt, turn3 = asymmetry.d3 * dt;
    const double nuSquared = asymmetry.nuSquared * dt * dt, muSquared = asymmetry.muSquared * dt * dt;
    constexpr double kSecondOrderBound = kStepTolerance / kSecondOrderError;
    if (nuSquared * muSquared * muSquared <= kSecondOrderBound * kSecondOrderBound) {
        turnAboutZ(motion, 0.5 * turn3);
        turnAboutX(motion, turn1);
        turnAboutZ(motion, 0.5 * turn3);
        return;
    }
    const double needed = std::sqrt(std::sqrt(kFourthOrderError / kStepTolerance * std::sqrt(nuSquared)) * muSquared);
    const int count = needed < kMaxSubsteps ? int(needed) + 1 : int(kMaxSubsteps);
    for (int substep = 0; substep < count; ++substep)
        fourthOrderStep(motion, turn1 / count, turn3 / count);
}

}  // namespace

}  // namespace sunder::dynamics
