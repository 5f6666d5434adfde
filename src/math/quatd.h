// Rotations in double: rounding to float inside a step would drift the invariants of a fast body.
#pragma once

#include "math/quat.h"
#include "math/vec3d.h"

namespace sunder {

struct Quatd {
    double x = 0, y = 0, z = 0, w = 1;
};

constexpr Quatd toDouble(const Quat& a) { return {a.x, a.y, a.z, a.w}; }
constexpr Quat toReal(const Quatd& a) { return {Real(a.x), Real(a.y), Real(a.z), Real(a.w)}; }

constexpr Quatd operator*(const Quatd& a, const Quatd& b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
constexpr Quatd conjugate(const Quatd& q) { return {-q.x, -q.y, -q.z, q.w}; }
inline Quatd normalize(const Quatd& q) {
    const double excess = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1;
    // A stored quaternion is off by rounding only: the series of 1 / sqrt is exact to the last bit and spares the divide.
    const bool nearlyUnit = std::fabs(excess) < 1e-5;
    const double scale = nearlyUnit ? 1 - excess * (0.5 - 0.375 * excess) : 1 / std::sqrt(1 + excess);
    return {q.x * scale, q.y * scale, q.z * scale, q.w * scale};
}
constexpr Vec3d rotate(const Quatd& q, const Vec3d& v) {
    const Vec3d u{q.x, q.y, q.z};
    const Vec3d t = cross(u, v) * 2;
    return v + t * q.w + cross(u, t);
}
constexpr Vec3d inverseRotate(const Quatd& q, const Vec3d& v) { return rotate(conjugate(q), v); }

}  // namespace sunder
