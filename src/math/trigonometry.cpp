#include "math/trigonometry.h"

#include <cmath>

namespace sunder {

namespace {

constexpr double kHalfPiHigh = 1.57079632673412561417e+00;  // the first 33 bits of pi/2, so that n * it is exact
constexpr double kHalfPiLow = 6.07710050650619224932e-11;   // the rest

// Taylor polynomials on [-pi/4, pi/4]; the first term left out is below 1e-17.
double sinePolynomial(double x) {
    const double s = x * x;
    double term = -1.0 / 1307674368000.0;
    term = term * s + 1.0 / 6227020800.0;
    term = term * s - 1.0 / 39916800.0;
    term = term * s + 1.0 / 362880.0;
    term = term * s - 1.0 / 5040.0;
    term = term * s + 1.0 / 120.0;
    term = term * s - 1.0 / 6.0;
    return x + x * s * term;
}

double cosinePolynomial(double x) {
    const double s = x * x;
    double term = 1.0 / 20922789888000.0;
    term = term * s - 1.0 / 87178291200.0;
    term = term * s + 1.0 / 479001600.0;
    term = term * s - 1.0 / 3628800.0;
    term = term * s + 1.0 / 40320.0;
    term = term * s - 1.0 / 720.0;
    term = term * s + 1.0 / 24.0;
    return 1.0 - 0.5 * s + s * s * term;
}

// Arc tangent of t in [0, 1]: one step of argument halving brings t below tan(pi/8), the series does the rest.
double arcTangentUnit(double t) {
    const double u = t / (1.0 + std::sqrt(1.0 + t * t));
    const double v = u / (1.0 + std::sqrt(1.0 + u * u));
    const double s = v * v;
    double sum = 0;
    for (int k = 12; k >= 0; --k)
        sum = (k % 2 == 0 ? 1.0 : -1.0) / (2 * k + 1) + sum * s;
    return 4.0 * v * sum;
}

}  // namespace

SinCos sinCos(Real angle) {
    const double x = angle;
    const double quarters = x * 0.63661977236758134308 + 0.5;
    if (quarters >= 0 && quarters < 1)  // most angles are small turns: the same bits without the reduction, which takes a third
        return {Real(sinePolynomial(x)), Real(cosinePolynomial(x))};
    const double n = std::floor(quarters);
    const double r = (x - n * kHalfPiHigh) - n * kHalfPiLow;
    const double s = sinePolynomial(r), c = cosinePolynomial(r);
    // Compared as a number: what is not finite has no quadrant, and converting it to an integer is undefined.
    const double quadrant = n - 4.0 * std::floor(n * 0.25);
    if (quadrant == 0)
        return {Real(s), Real(c)};
    if (quadrant == 1)
        return {Real(c), Real(-s)};
    if (quadrant == 2)
        return {Real(-s), Real(-c)};
    return {Real(-c), Real(s)};
}

Real arcTangent2(Real y, Real x) {
    const double ay = std::fabs(double(y)), ax = std::fabs(double(x));
    if (ax == 0 && ay == 0)
        return 0;
    double angle = ay <= ax ? arcTangentUnit(ay / ax) : 0.5 * 3.14159265358979323846 - arcTangentUnit(ax / ay);
    if (x < 0)
        angle = 3.14159265358979323846 - angle;
    return Real(y < 0 ? -angle : angle);
}

}  // namespace sunder
