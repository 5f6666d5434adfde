// When a face's normal is taken although another axis separates slightly better. A face gives a whole patch of points where
// an edge gives one, so a box that rests with a tilt of a milliradian must not hop between the two.
#pragma once

#include "math/vec3.h"

namespace sunder::collision {

inline constexpr Real kPreferenceRelative = Real(0.005);  // of the separation: also the cosine of 5.7 degrees at a distance
inline constexpr Real kPreferenceAbsolute = Real(5e-4);   // of the smaller shape's size

// How much better than the axis of the last time another must be, of the smaller shape's size.
inline constexpr Real kKeptPreference = Real(5e-3);

// How much better than a face's separation another axis must be. size: radius of the smaller shape.
inline Real preferenceTolerance(Real separation, Real size) {
    return kPreferenceRelative * std::fabs(separation) + kPreferenceAbsolute * size;
}

}  // namespace sunder::collision
