// Polygons: cut into triangles, and in a plane their area and what lies in them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "math/vec3.h"

namespace sunder::geometry {

// Appends corners.size() - 2 triangles, as indices into corners, with the orientation of the polygon. A convex polygon becomes
// a fan; any other is cut by its ears, in time that grows with the square of its corners. A polygon that crosses itself still
// gives that many triangles, which then overlap.
void triangulatePolygon(std::span<const Vec3> corners, std::vector<std::array<std::uint32_t, 3>>& triangles);

struct PlanePoint {
    double x = 0, y = 0;
};

// Twice the signed area of a triangle, and of a polygon: above 0 where the corners go counter-clockwise.
double twiceArea(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c);
double twiceArea(std::span<const PlanePoint> polygon);

// Whether the segments ab and cd cross; of those that touch, it depends on rounding.
bool doCross(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c, const PlanePoint& d);

bool contains(std::span<const PlanePoint> polygon, const PlanePoint& p);

// triangulatePolygon in a plane. The corners go counter-clockwise; a corner may occur twice, where a slit leads to a hole.
void triangulatePolygon(std::vector<PlanePoint> corners, std::vector<std::array<std::uint32_t, 3>>& triangles);

}  // namespace sunder::geometry
