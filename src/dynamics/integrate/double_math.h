// The little vector algebra that free rotation does in double whatever Real is: rounding to float inside a step would drift
// the invariants of a fast body. Where Real is double the plain types serve.
#pragma once

#include <cmath>

#include "math/quat.h"

namespace sunder::dynamics {

struct DoubleVec3 {
    double x = 0, y = 0, z = 0;
};

struct DoubleQuat {
    double x = 0, y = 0, z = 0, w = 1;
};

constexpr DoubleVec3 toDouble(const Vec3& a) { return {a.x, a.y, a.z}; }
constexpr Vec3 toReal(const DoubleVec3& a) { return {Real(a.x), Real(a.y), Real(a.z)}; }
constexpr DoubleQuat toDouble(const Quat& a) { return {a.x, a.y, a.z, a.w}; }
constexpr Quat toReal(const DoubleQuat& a) { return {Real(a.x), Real(a.y), Real(a.z), Real(a.w)}; }

constexpr DoubleVec3 operator+(const DoubleVec3& a, const DoubleVec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr DoubleVec3 operator-(const DoubleVec3& a, const DoubleVec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr DoubleVec3 operator*(const DoubleVec3& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
constexpr double dot(const DoubleVec3& a, const DoubleVec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr DoubleVec3 cross(const DoubleVec3& a, const DoubleVec3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
constexpr DoubleVec3 multiply(const DoubleVec3& a, const DoubleVec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

constexpr DoubleQuat operator*(const DoubleQuat& a, const DoubleQuat& b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
constexpr DoubleQuat conjugate(const DoubleQuat& q) { return {-q.x, -q.y, -q.z, q.w}; }
inline DoubleQuat normalize(const DoubleQuat& q) {
    const double excess = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1;
    // A stored quaternion is off by rounding only: the series of 1 / sqrt is exact to the last bit and spares the divide.
    const bool nearlyUnit = std::fabs(excess) < 1e-5;
    const double scale = nearlyUnit ? 1 - excess * (0.5 - 0.375 * excess) : 1 / std::sqrt(1 + excess);
    return {q.x * scale, q.y * scale, q.z * scale, q.w * scale};
}
constexpr DoubleVec3 rotate(const DoubleQuat& q, const DoubleVec3& v) {
    const DoubleVec3 u{q.x, q.y, q.z};
    const DoubleVec3 t = cross(u, v) * 2;
    return v + t * q.w + cross(u, t);
}
constexpr DoubleVec3 inverseRotate(const DoubleQuat& q, const DoubleVec3& v) { return rotate(conjugate(q), v); }

}  // namespace sunder::dynamics
