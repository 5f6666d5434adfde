// Axis-aligned boxes.
#pragma once

#include "math/vec3.h"

namespace sunder {

struct Bounds {
    Vec3 low{kInfinity, kInfinity, kInfinity};
    Vec3 high{-kInfinity, -kInfinity, -kInfinity};
};

constexpr Bounds unite(const Bounds& a, const Bounds& b) { return {min(a.low, b.low), max(a.high, b.high)}; }
constexpr Bounds unite(const Bounds& a, const Vec3& p) { return {min(a.low, p), max(a.high, p)}; }
constexpr Bounds expand(const Bounds& a, Real margin) {
    const Vec3 m{margin, margin, margin};
    return {a.low - m, a.high + m};
}
constexpr bool overlaps(const Bounds& a, const Bounds& b) {
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y && a.low.z <= b.high.z &&
           b.low.z <= a.high.z;
}
constexpr bool contains(const Bounds& outer, const Bounds& inner) {
    return outer.low.x <= inner.low.x && outer.low.y <= inner.low.y && outer.low.z <= inner.low.z &&
           inner.high.x <= outer.high.x && inner.high.y <= outer.high.y && inner.high.z <= outer.high.z;
}
constexpr Real surfaceArea(const Bounds& a) {
    const Vec3 d = a.high - a.low;
    return 2 * (d.x * d.y + d.y * d.z + d.z * d.x);
}
// m^2: 0 inside.
constexpr Real squaredDistance(const Bounds& a, const Vec3& p) {
    return lengthSquared(max(max(a.low - p, p - a.high), Vec3{}));
}
constexpr Vec3 center(const Bounds& a) { return (a.low + a.high) * Real(0.5); }

}  // namespace sunder
