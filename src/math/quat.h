// Rotations as unit quaternions, and poses. `aFromB` maps coordinates of frame b to frame a.
#pragma once

#include "math/mat3.h"

namespace sunder {

constexpr Quat operator*(const Quat& a, const Quat& b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
constexpr Quat conjugate(const Quat& q) { return {-q.x, -q.y, -q.z, q.w}; }
constexpr Real dot(const Quat& a, const Quat& b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
inline Quat normalize(const Quat& q) {
    const Real inverse = 1 / std::sqrt(dot(q, q));
    return {q.x * inverse, q.y * inverse, q.z * inverse, q.w * inverse};
}
inline bool isFinite(const Quat& q) {
    return std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w);
}

constexpr Vec3 rotate(const Quat& q, const Vec3& v) {
    const Vec3 u{q.x, q.y, q.z};
    const Vec3 t = 2 * cross(u, v);
    return v + q.w * t + cross(u, t);
}
constexpr Vec3 inverseRotate(const Quat& q, const Vec3& v) { return rotate(conjugate(q), v); }

constexpr Mat3 toMatrix(const Quat& q) {
    const Real xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const Real wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return {{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
            {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
            {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}};
}
Quat toQuat(const Mat3& rotation);

// The turn by |rotationVector| radians about it; deterministic, no libm beyond sqrt.
Quat quatFromRotationVector(const Vec3& rotationVector);
// The shortest turn, as a rotation vector, that takes `from` to `to`.
Vec3 rotationVectorBetween(const Quat& from, const Quat& to);

constexpr Vec3 transformPoint(const Pose& aFromB, const Vec3& pointInB) {
    return aFromB.position + rotate(aFromB.orientation, pointInB);
}
constexpr Vec3 inverseTransformPoint(const Pose& aFromB, const Vec3& pointInA) {
    return inverseRotate(aFromB.orientation, pointInA - aFromB.position);
}
constexpr Pose operator*(const Pose& aFromB, const Pose& bFromC) {
    return {transformPoint(aFromB, bFromC.position), aFromB.orientation * bFromC.orientation};
}
constexpr Pose inverse(const Pose& aFromB) {
    return {inverseRotate(aFromB.orientation, -aFromB.position), conjugate(aFromB.orientation)};
}

}  // namespace sunder
