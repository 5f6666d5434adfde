// Springs and dampers as compliant constraints, and back [Li18] 3.2, 3.3.
//
// A constraint with error phi and Jacobian J, whose impulse lambda over a step h is a multiplier, obeys
//     J v + Sigma lambda = -Gamma phi / h
// with v the velocity at the end of the step. A spring k and a damper d, taken implicitly (lambda = -h (k phi' + d J v) with
// the error phi' = phi + h J v at the end), are exactly
//     Gamma = h k / (h k + d)        Sigma = 1 / (h (h k + d))
//     k = Gamma / (h^2 Sigma)        d = (1 - Gamma) / (h Sigma)
// so a mass on such a constraint moves as the implicit step of the linear spring does, whatever h is.
// Deviation: eq. 3 of the paper prints K = Gamma / (h Sigma), which holds where Sigma multiplies a force; here it is an
// impulse.
#pragma once

#include "math/vec3.h"

namespace sunder::dynamics {

struct Spring {
    Real stiffness = 0;  // N/m or N m/rad
    Real damping = 0;    // N s/m or N m s/rad
};

struct Compliance {
    Real gamma = 1;  // share of the error that a step removes
    Real sigma = 0;  // velocity per impulse that the constraint yields
};

// Stiffness and damping must not both be 0: no Sigma expresses "no force", and callers leave such a row out.
inline Compliance toCompliance(const Spring& spring, Real h) {
    const Real hk = h * spring.stiffness;
    return {hk / (hk + spring.damping), 1 / (h * (hk + spring.damping))};
}

inline Spring toSpring(const Compliance& compliance, Real h) {
    return {compliance.gamma / (h * h * compliance.sigma), (1 - compliance.gamma) / (h * compliance.sigma)};
}

// The spring on which a mass swings with that frequency (Hz) and damping ratio.
inline Spring springOfFrequency(Real frequency, Real dampingRatio, Real mass) {
    const Real omega = 2 * kPi * frequency;
    return {mass * omega * omega, 2 * dampingRatio * mass * omega};
}

}  // namespace sunder::dynamics
