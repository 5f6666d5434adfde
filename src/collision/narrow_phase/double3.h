// Vectors and placements in double. Closest points are searched in double whatever Real is: the direction between two surfaces
// a micrometre apart is a difference of nearly equal numbers.
#pragma once

#include "geometry/vec3d.h"
#include "math/quat.h"

namespace sunder::collision {

using Double3 = geometry::Vec3d;

constexpr Double3 operator-(const Double3& a) { return {-a.x, -a.y, -a.z}; }
constexpr Double3& operator+=(Double3& a, const Double3& b) { return a = a + b; }
inline Double3 normalizeOr(const Double3& a, const Double3& fallback) {
    const double squared = dot(a, a);
    return squared > 1e-200 ? a * (1 / std::sqrt(squared)) : fallback;
}
inline Double3 anyPerpendicular(const Double3& n) {
    const double x = std::fabs(n.x), y = std::fabs(n.y), z = std::fabs(n.z);
    const Double3 axis = x < y ? (x < z ? Double3{1, 0, 0} : Double3{0, 0, 1}) : (y < z ? Double3{0, 1, 0} : Double3{0, 0, 1});
    return normalizeOr(cross(n, axis), {1, 0, 0});
}

constexpr double lesser(double a, double b) { return a < b ? a : b; }
constexpr double greater(double a, double b) { return a > b ? a : b; }
constexpr double limitTo(double x, double low, double high) { return x < low ? low : (x > high ? high : x); }

constexpr Double3 toDouble3(const Vec3& v) { return geometry::toDouble(v); }
constexpr Vec3 toVec3(const Double3& v) { return geometry::toReal(v); }

// outerFromInner: where a shape's own frame lies in another.
struct Placement {
    Double3 axisX{1, 0, 0}, axisY{0, 1, 0}, axisZ{0, 0, 1};  // the inner axes in the outer frame
    Double3 origin;
};

constexpr Double3 outerDirection(const Placement& p, const Double3& inner) {
    return p.axisX * inner.x + p.axisY * inner.y + p.axisZ * inner.z;
}
constexpr Double3 innerDirection(const Placement& p, const Double3& outer) {
    return {dot(p.axisX, outer), dot(p.axisY, outer), dot(p.axisZ, outer)};
}
constexpr Double3 outerPoint(const Placement& p, const Double3& inner) { return p.origin + outerDirection(p, inner); }
constexpr Double3 innerPoint(const Placement& p, const Double3& outer) { return innerDirection(p, outer - p.origin); }

// The orientation is normalised anew: in double its rounding to float would show.
inline Placement toPlacement(const Pose& pose) {
    double x = pose.orientation.x, y = pose.orientation.y, z = pose.orientation.z, w = pose.orientation.w;
    const double scale = 2 / (x * x + y * y + z * z + w * w);
    const double xs = x * scale, ys = y * scale, zs = z * scale;
    const double xx = x * xs, yy = y * ys, zz = z * zs, xy = x * ys, xz = x * zs, yz = y * zs;
    const double wx = w * xs, wy = w * ys, wz = w * zs;
    return {{1 - (yy + zz), xy + wz, xz - wy},
            {xy - wz, 1 - (xx + zz), yz + wx},
            {xz + wy, yz - wx, 1 - (xx + yy)},
            toDouble3(pose.position)};
}

// aFromB, given both in one frame.
constexpr Placement relativePlacement(const Placement& a, const Placement& b) {
    return {innerDirection(a, b.axisX), innerDirection(a, b.axisY), innerDirection(a, b.axisZ), innerPoint(a, b.origin)};
}

}  // namespace sunder::collision
