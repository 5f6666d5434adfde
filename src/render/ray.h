// A ray and what it may strike.
#pragma once

#include "math/vec3.h"

namespace sunder::render {

struct Ray {
    Vec3 origin;
    Vec3 direction;  // unit
    Vec3 inverse;    // 1 / direction per component, finite
    Real limit = kInfinity;
};

// Zero components are replaced by a tiny number: a slab test must never see 0 * infinity.
inline Vec3 safeInverse(const Vec3& direction) {
    constexpr Real kTiny = Real(1e-18);
    const auto invert = [](Real d) { return 1 / (std::fabs(d) > kTiny ? d : (d < 0 ? -kTiny : kTiny)); };
    return {invert(direction.x), invert(direction.y), invert(direction.z)};
}

inline Ray makeRay(const Vec3& origin, const Vec3& direction, Real limit = kInfinity) {
    return {origin, direction, safeInverse(direction), limit};
}

}  // namespace sunder::render
