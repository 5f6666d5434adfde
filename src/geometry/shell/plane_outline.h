// The convex outline of points of space, seen along a normal.
#pragma once

#include <span>
#include <vector>

#include "geometry/polygon.h"
#include "math/vec3d.h"

namespace sunder::geometry {

// Share of the thickness: corners of an outline nearer than this to the line between their neighbours are left out.
inline constexpr double kOutlineTolerance = 0.02;

// Two axes that make a right-handed frame with the normal, a unit vector.
struct PlaneFrame {
    Vec3d x, y, normal;
    explicit PlaneFrame(const Vec3d& n) : x(anyPerpendicular(n)), y(cross(n, x)), normal(n) {}
    PlanePoint at(const Vec3d& p) const { return {dot(p, x), dot(p, y)}; }
};

// Corners of the convex hull, counter-clockwise, without those that lie within the tolerance (m) of the line between their
// neighbours. The points are sorted by this.
std::vector<PlanePoint> convexOutline(std::vector<PlanePoint>& points, double tolerance);

// m: how deep the point lies inside the outline; negative outside of it.
double depthInside(std::span<const PlanePoint> outline, const PlanePoint& point);

}  // namespace sunder::geometry
