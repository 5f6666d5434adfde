// Vectors in double for geometry that is prepared once: hulls and mass properties subtract large numbers.
#pragma once

#include <cmath>

#include "math/vec3.h"

namespace sunder::geometry {

struct Vec3d {
    double x = 0, y = 0, z = 0;
};

constexpr Vec3d toDouble(const Vec3& a) { return {a.x, a.y, a.z}; }
constexpr Vec3 toReal(const Vec3d& a) { return {Real(a.x), Real(a.y), Real(a.z)}; }
constexpr Vec3d operator+(const Vec3d& a, const Vec3d& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3d operator-(const Vec3d& a, const Vec3d& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3d operator*(const Vec3d& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
constexpr double dot(const Vec3d& a, const Vec3d& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3d cross(const Vec3d& a, const Vec3d& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(const Vec3d& a) { return std::sqrt(dot(a, a)); }

}  // namespace sunder::geometry
