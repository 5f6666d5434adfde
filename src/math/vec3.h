// Arithmetic on the public Vec3, and the scalar helpers that go with it.
#pragma once

#include <cmath>
#include <limits>

#include "sunder/types.h"

namespace sunder {

inline constexpr Real kEpsilon = std::numeric_limits<Real>::epsilon();
inline constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
inline constexpr Real kPi = Real(3.14159265358979323846);

// Comparisons instead of std::min and std::max, so that the choice for equal and unordered arguments is ours.
constexpr Real min(Real a, Real b) { return a < b ? a : b; }
constexpr Real max(Real a, Real b) { return a > b ? a : b; }
constexpr Real clamp(Real x, Real low, Real high) { return x < low ? low : (x > high ? high : x); }
constexpr Real square(Real x) { return x * x; }

constexpr Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
constexpr Vec3 operator*(const Vec3& a, Real s) { return {a.x * s, a.y * s, a.z * s}; }
constexpr Vec3 operator*(Real s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
constexpr Vec3 operator/(const Vec3& a, Real s) { return {a.x / s, a.y / s, a.z / s}; }
constexpr Vec3& operator+=(Vec3& a, const Vec3& b) { return a = a + b; }
constexpr Vec3& operator-=(Vec3& a, const Vec3& b) { return a = a - b; }
constexpr Vec3& operator*=(Vec3& a, Real s) { return a = a * s; }

constexpr Real dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(const Vec3& a, const Vec3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
constexpr Vec3 multiply(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }  // per component
constexpr Vec3 min(const Vec3& a, const Vec3& b) { return {min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)}; }
constexpr Vec3 max(const Vec3& a, const Vec3& b) { return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)}; }
inline Vec3 abs(const Vec3& a) { return {std::fabs(a.x), std::fabs(a.y), std::fabs(a.z)}; }
constexpr Real lengthSquared(const Vec3& a) { return dot(a, a); }
inline Real length(const Vec3& a) { return std::sqrt(dot(a, a)); }
inline bool isFinite(const Vec3& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

// fallback where a is too short to have a direction.
inline Vec3 normalizeOr(const Vec3& a, const Vec3& fallback) {
    const Real squared = dot(a, a);
    return squared > std::numeric_limits<Real>::min() ? a / std::sqrt(squared) : fallback;
}

constexpr Real component(const Vec3& a, int axis) { return axis == 0 ? a.x : (axis == 1 ? a.y : a.z); }
constexpr void setComponent(Vec3& a, int axis, Real value) { (axis == 0 ? a.x : (axis == 1 ? a.y : a.z)) = value; }

// A unit vector perpendicular to the unit vector n; continuous except where two components of n are equal in size.
inline Vec3 anyPerpendicular(const Vec3& n) {
    const Vec3 a = abs(n);
    const Vec3 axis = a.x < a.y ? (a.x < a.z ? Vec3{1, 0, 0} : Vec3{0, 0, 1}) : (a.y < a.z ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
    return normalizeOr(cross(n, axis), {1, 0, 0});
}

// Differences of world points are taken first, then rounded.
constexpr Vec3 operator-(const WorldPoint& a, const WorldPoint& b) {
    return {Real(a.x - b.x), Real(a.y - b.y), Real(a.z - b.z)};
}
constexpr WorldPoint operator+(const WorldPoint& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr WorldPoint toWorldPoint(const Vec3& a) { return {a.x, a.y, a.z}; }
constexpr Vec3 toVec3(const WorldPoint& a) { return {Real(a.x), Real(a.y), Real(a.z)}; }

}  // namespace sunder
