// The convex hull of a point cloud.
#pragma once

#include <span>
#include <string>

#include "geometry/polyhedron.h"

namespace sunder::geometry {

inline constexpr std::size_t kMaxHullVertices = 256;

struct HullResult {
    Polyhedron hull;
    std::string error;   // empty where the hull is good; else why none could be made (too few points, flat, not finite)
    Real deviation = 0;  // m: how far the farthest input point lies outside the hull
};

// Robust to duplicates, coplanar and nearly coplanar points (they are merged into one face). Every input point lies inside or
// on the result to within 1e-5 of its size (the largest extent) plus the rounding of its coordinates. Deterministic; does not
// depend on the order of the points. With more than kMaxHullVertices the hull takes the farthest points first and stops there;
// deviation says how far the rest is outside.
HullResult buildConvexHull(std::span<const Vec3> points);

}  // namespace sunder::geometry
