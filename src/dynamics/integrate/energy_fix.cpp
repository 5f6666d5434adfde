// Restores a body's kinetic energy by turning it; its angular momentum is untouched.
//   [Su09] 2.2 eq. 3-6   the angle that restores the energy
//   [Su09] 2.3           the same roots without cancellation, and the guards
//   [Su09] 2.4           the axis: L x w, else the fail-safe L x r
// Deviations: eq. 5 gives sgn(y) = sgn(a) sgn(k - c y^2); the paper prints the second factor only, which turns the wrong way
// on the fall-back axis, where a < 0 in half of all cases. A target outside the energies that L allows is moved to the
// nearest one. Everything is worked in the principal frame, where the inertia is diagonal, instead of the world.
// SI units. L, s, r, a, b, c, k, n, g, p, x, y are the paper's symbols.
#include "dynamics/integrate/energy_fix.h"

#include <limits>

namespace sunder::dynamics {

namespace {

constexpr double kDoubleEpsilon = std::numeric_limits<double>::epsilon();

// Relative energy error that is left alone: a 64th of the rounding of the stored state, but not below what double resolves.
constexpr double kEnergyTolerance = double(kEpsilon) / 64 > 64 * kDoubleEpsilon ? double(kEpsilon) / 64 : 64 * kDoubleEpsilon;

// Relative slope |dKE/dangle| / KE below which the main axis cannot steer the energy: L x w has lost half of its digits.
constexpr double kMinEnergySlope = 1e-8;

// Zero counts as positive: the sign of a zero slope must not cancel the turn.
constexpr double signOf(double value) { return value < 0 ? -1.0 : 1.0; }

// The target, moved into the range of energies that bodies with this angular momentum can have.
double attainableEnergy(const Vec3d& L, const Vec3d& inverseInertia, double targetEnergy) {
    const Vec3d& i = inverseInertia;
    const double half = 0.5 * dot(L, L);
    const double lowest = half * (i.x < i.y ? (i.x < i.z ? i.x : i.z) : (i.y < i.z ? i.y : i.z));
    const double highest = half * (i.x > i.y ? (i.x > i.z ? i.x : i.z) : (i.y > i.z ? i.y : i.z));
    return targetEnergy < lowest ? lowest : (targetEnergy > highest ? highest : targetEnergy);
}

// [Su09] 2.4: L x r, with r the principal direction towards which the energy falls (largest inertia) or rises (smallest).
Vec3d fallBackDirection(const Vec3d& L, const Vec3d& inverseInertia, bool energyMustFall) {
    const double sign = energyMustFall ? 1 : -1;
    const double x = sign * inverseInertia.x, y = sign * inverseInertia.y, z = sign * inverseInertia.z;
    if (x <= y && x <= z)
        return {0, L.z, -L.y};
    if (y <= z)
        return {-L.z, 0, L.x};
    return {L.y, -L.x, 0};
}

std::optional<Vec3d> unit(const Vec3d& v) {
    const double squared = dot(v, v);
    if (!(squared > std::numeric_limits<double>::min()))
        return std::nullopt;
    return v * (1 / std::sqrt(squared));
}

}  // namespace

Quat restoreRotationalEnergy(const Quat& worldFromPrincipal, const Vec3& angularMomentum, const Vec3& inversePrincipalInertia,
                             Real targetEnergy) {
    const Quatd q = normalize(toDouble(worldFromPrincipal));
    const Vec3d L = inverseRotate(q, toDouble(angularMomentum));
    const std::optional<EnergyTurn> turn = findEnergyTurn(L, toDouble(inversePrincipalInertia), targetEnergy);
    return turn ? toReal(turned(q, *turn)) : worldFromPrincipal;
}

std::optional<EnergyTurn> findEnergyTurn(const Vec3d& L, const Vec3d& inverseInertia, double targetEnergy) {
    const double KE = rotationalEnergy(L, inverseInertia);
    const double KE0 = attainableEnergy(L, inverseInertia, targetEnergy);
    if (!(KE > std::numeric_limits<double>::min()) || std::fabs(KE - KE0) <= kEnergyTolerance * KE)
        return std::nullopt;
    const Vec3d w = multiply(inverseInertia, L);
    if (const auto s = unit(cross(L, w))) {
        if (const auto turn = solveEnergyTurn(L, inverseInertia, *s, KE0, false))
            return turn;
    }
    // Where L lies on r, the energy is at its extreme already.
    const auto s = unit(fallBackDirection(L, inverseInertia, KE > KE0));
    return s ? solveEnergyTurn(L, inverseInertia, *s, KE0, true) : std::nullopt;
}

std::optional<EnergyTurn> solveEnergyTurn(const Vec3d& L, const Vec3d& inverseInertia, const Vec3d& s, double targetEnergy,
                                          bool failSafe) {
    const double KE = rotationalEnergy(L, inverseInertia);
    const Vec3d sxL = cross(s, L);
    const double a = dot(sxL, multiply(inverseInertia, L));
    const double b = rotationalEnergy(sxL, inverseInertia);
    const double c = KE - b, k = KE - targetEnergy, n = c - 2 * k;
    double g = a * a + 4 * k * (c - k);
    if (failSafe)
        g = g > 0 ? g : 0;
    else if (g < 0 || std::fabs(a) < kMinEnergySlope * KE)
        return std::nullopt;

    const double p = a * a + g + 2 * std::fabs(a) * std::sqrt(g);
    const double r = std::sqrt(a * a + c * c);
    const double cosDivisor = 2 * r, sinDivisor = std::sqrt(p + (c - n) * (c - n));
    if (!(cosDivisor > 0) || !(sinDivisor > 0))
        return std::nullopt;
    const double x = std::sqrt(p + (c + n) * (c + n)) / cosDivisor;
    const double y = 2 * std::fabs(k) / sinDivisor;
    // x^2 + y^2 = 1 but for rounding, and for a discriminant that was raised to zero.
    const double scale = 1 / std::sqrt(x * x + y * y);
    return EnergyTurn{s, signOf(a) * signOf(k - c * y * y) * y * scale, x * scale};
}

double rotationalEnergy(const Vec3d& L, const Vec3d& inverseInertia) { return 0.5 * dot(L, multiply(inverseInertia, L)); }

Vec3d turnedBack(const Vec3d& L, const EnergyTurn& turn) { return L * turn.cos - cross(turn.axis, L) * turn.sin; }

Quatd turned(const Quatd& worldFromPrincipal, const EnergyTurn& turn) {
    const double cosHalf = std::sqrt(0.5 * (1 + turn.cos));
    const double sinHalf = 0.5 * turn.sin / cosHalf;  // the turn is at most a right angle, so cosHalf is not small
    const Vec3d u = turn.axis * sinHalf;
    return worldFromPrincipal * Quatd{u.x, u.y, u.z, cosHalf};
}

}  // namespace sunder::dynamics
