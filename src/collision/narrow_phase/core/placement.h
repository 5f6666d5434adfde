// The placement of a shape, in double. Closest points are searched in double whatever Real is: the direction between two
// surfaces a micrometre apart is a difference of nearly equal numbers.
#pragma once

#include "math/quat.h"
#include "math/vec3d.h"

namespace sunder::collision {

constexpr double lesser(double a, double b) { return a < b ? a : b; }
constexpr double greater(double a, double b) { return a > b ? a : b; }
constexpr double limitTo(double x, double low, double high) { return x < low ? low : (x > high ? high : x); }

// outerFromInner: the placement of a shape's frame in another.
struct Placement {
    Vec3d axisX{1, 0, 0}, axisY{0, 1, 0}, axisZ{0, 0, 1};  // the inner axes in the outer frame
    Vec3d origin;
};

constexpr Vec3d outerDirection(const Placement& p, const Vec3d& inner) {
    return p.axisX * inner.x + p.axisY * inner.y + p.axisZ * inner.z;
}
constexpr Vec3d innerDirection(const Placement& p, const Vec3d& outer) {
    return {dot(p.axisX, outer), dot(p.axisY, outer), dot(p.axisZ, outer)};
}
constexpr Vec3d outerPoint(const Placement& p, const Vec3d& inner) { return p.origin + outerDirection(p, inner); }
constexpr Vec3d innerPoint(const Placement& p, const Vec3d& outer) { return innerDirection(p, outer - p.origin); }

// Normalises the orientation again: in double its rounding to float would show.
inline Placement toPlacement(const Pose& pose) {
    double x = pose.orientation.x, y = pose.orientation.y, z = pose.orientation.z, w = pose.orientation.w;
    const double scale = 2 / (x * x + y * y + z * z + w * w);
    const double xs = x * scale, ys = y * scale, zs = z * scale;
    const double xx = x * xs, yy = y * ys, zz = z * zs, xy = x * ys, xz = x * zs, yz = y * zs;
    const double wx = w * xs, wy = w * ys, wz = w * zs;
    return {{1 - (yy + zz), xy + wz, xz - wy},
            {xy - wz, 1 - (xx + zz), yz + wx},
            {xz + wy, yz - wx, 1 - (xx + yy)},
            toDouble(pose.position)};
}

// aFromB, given both in one frame.
constexpr Placement relativePlacement(const Placement& a, const Placement& b) {
    return {innerDirection(a, b.axisX), innerDirection(a, b.axisY), innerDirection(a, b.axisZ), innerPoint(a, b.origin)};
}

}  // namespace sunder::collision
