// Sine, cosine and arc tangent that give the same bits on every machine: only + - * / and floor are used, because
// libm's own differ between C libraries by a unit in the last place.
#pragma once

#include "sunder/types.h"

namespace sunder {

inline constexpr double kPiDouble = 3.14159265358979323846;
inline constexpr double kDegree = 3.14159265358979323846 / 180;  // rad

struct SinCos {
    Real sin = 0, cos = 1;
};

// Error under 3e-16 for |angle| up to 1e5 (the reduction is done in double).
SinCos sinCos(Real angle);
// Angle of (x, y) in (-pi, pi]; 0 for (0, 0).
Real arcTangent2(Real y, Real x);

}  // namespace sunder
