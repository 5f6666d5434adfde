// When a face's normal is preferred although another axis separates slightly better. A face gives a whole patch of points where
// an edge gives one, so a box that rests with a tilt of a milliradian must not hop between the two.
#pragma once

#include "math/vec3.h"

namespace sunder::collision {

// Share of the separation; at a distance this also amounts to an angle of 5.7 degrees.
inline constexpr Real kPreferenceRelative = Real(0.005);
inline constexpr Real kPreferenceAbsolute = Real(5e-4);  // share of the smaller shape's size

// Share of the smaller shape's size by which another axis must be better than the previous one.
inline constexpr Real kKeptPreference = Real(5e-3);

// Cosine of one degree: within it the cap of a cylinder lies flat on what it faces, and is a face like any other; beyond it the
// cylinder stands on its rim.
inline constexpr double kFlatCapCosine = 0.99985;

// m: how much better than a face's separation another axis must be. size: radius of the smaller shape.
inline Real preferenceTolerance(Real separation, Real size) {
    return kPreferenceRelative * std::fabs(separation) + kPreferenceAbsolute * size;
}

// m: no face whose separation is smaller than the best axis's by more than this is preferred to it.
inline Real mostTolerance(Real separation, Real size) { return preferenceTolerance(separation, size) + kKeptPreference * size; }

}  // namespace sunder::collision
