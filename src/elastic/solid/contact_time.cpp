#include "elastic/solid/contact_time.h"

#include <algorithm>
#include <cmath>

#include "math/roots.h"

namespace sunder::elastic {

namespace {

// Twice the integral of dx / sqrt(1 - x^(5/2)) from 0 to 1, which is 2.94328, times (5/4)^(2/5).
constexpr double kHertzTime = 3.218065;

}  // namespace

double hertzContactTime(const ContactSide& a, const ContactSide& b, double closingSpeed, double longest) {
    const double inverseMass = a.inverseMass + b.inverseMass, curvature = a.curvature + b.curvature;
    if (!(inverseMass > 0 && curvature > 0 && closingSpeed > 0))
        return longest;
    const double m = 1 / inverseMass;
    const double stiffness = 1 / ((1 - a.poisson * a.poisson) / a.young + (1 - b.poisson * b.poisson) / b.young);
    const double k = 4.0 / 3 * stiffness * std::sqrt(1 / curvature);
    return std::min(longest, kHertzTime * fifthRoot(m * m / (k * k * closingSpeed)));
}

}  // namespace sunder::elastic
