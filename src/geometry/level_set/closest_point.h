// The point of a triangle closest to a given point.
#pragma once

#include <array>

#include "math/vec3d.h"

namespace sunder::geometry {

struct TrianglePoint {
    double squaredDistance = 0;
    std::array<double, 3> weights{};  // barycentric, of the closest point
};

// Any triangle, degenerate ones too.
TrianglePoint closestPoint(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c);

// Barycentric weights of a point in the triangle's plane, beyond its borders too; the first corner of one without an area.
std::array<double, 3> planeWeights(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c);

}  // namespace sunder::geometry
