// Vectors in double whatever Real is: where large numbers are subtracted (hulls, mass properties), where a direction is the
// difference of nearly equal points (closest points), and where rounding would add up over a run (free rotation).
#pragma once

#include <cmath>

#include "math/vec3.h"

namespace sunder {

struct Vec3d {
    double x = 0, y = 0, z = 0;
};

constexpr Vec3d toDouble(const Vec3& a) { return {a.x, a.y, a.z}; }
constexpr Vec3d toDouble(const WorldPoint& a) { return {a.x, a.y, a.z}; }
constexpr Vec3 toReal(const Vec3d& a) { return {Real(a.x), Real(a.y), Real(a.z)}; }

constexpr Vec3d operator+(const Vec3d& a, const Vec3d& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3d operator-(const Vec3d& a, const Vec3d& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3d operator-(const Vec3d& a) { return {-a.x, -a.y, -a.z}; }
constexpr Vec3d operator*(const Vec3d& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
constexpr Vec3d& operator+=(Vec3d& a, const Vec3d& b) { return a = a + b; }

constexpr double dot(const Vec3d& a, const Vec3d& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3d cross(const Vec3d& a, const Vec3d& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
constexpr Vec3d multiply(const Vec3d& a, const Vec3d& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }  // per component
inline double length(const Vec3d& a) { return std::sqrt(dot(a, a)); }

// fallback where a is too short to have a direction.
inline Vec3d normalizeOr(const Vec3d& a, const Vec3d& fallback) {
    const double squared = dot(a, a);
    return squared > 1e-200 ? a * (1 / std::sqrt(squared)) : fallback;
}

// A unit vector perpendicular to the unit vector n.
inline Vec3d anyPerpendicular(const Vec3d& n) {
    const double x = std::fabs(n.x), y = std::fabs(n.y), z = std::fabs(n.z);
    const Vec3d axis = x < y ? (x < z ? Vec3d{1, 0, 0} : Vec3d{0, 0, 1}) : (y < z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1});
    return normalizeOr(cross(n, axis), {1, 0, 0});
}

}  // namespace sunder
