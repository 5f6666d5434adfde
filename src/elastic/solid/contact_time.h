// How long two elastic bodies touch when they collide, so that an impulse becomes a force.
//   [Hertz 1882] On the contact of elastic solids; [Landau, Lifshitz] Theory of elasticity, 9, problem 2
// Two spheres of radii R1, R2 that approach at v are pressed together by F = k h^(3/2), and touch for
//     t = 3.2181 (m^2 / (k^2 v))^(1/5),   k = 4/3 E* sqrt(R),   1/R = 1/R1 + 1/R2,
//     1/m = 1/m1 + 1/m2,   1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2.
//   [Bao07] VI   stress from impulses, so that it does not depend on the step. Deviation: an impulse alone gives Pa s.
#pragma once

namespace sunder::elastic {

struct ContactSide {
    double inverseMass = 0;  // 1/kg: at the contact point along the normal, rotation counted in; 0: does not move
    double curvature = 0;    // 1/m: 1 over the radius there; 0: flat
    double young = 1e9;      // Pa
    double poisson = 0.2;
};

// The largest force of such a contact over its mean, which is the impulse over the time.
inline constexpr double kPeakOverMean = 1.8395;

// s, above 0; at most `longest`, which also stands for sides that are both flat or both immovable.
double hertzContactTime(const ContactSide& a, const ContactSide& b, double closingSpeed, double longest);

}  // namespace sunder::elastic
