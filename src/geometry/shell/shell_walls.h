// Thin shells: triangles with a thickness.
//   [Bao07] III   rigid bodies made of triangles alone
// Deviation: the paper's shells have no thickness and are kept apart by a pass over all points and edges that may deform them.
// Here every triangle is a convex wall, half of its thickness on either side, and walls collide as any convex bodies do.
#pragma once

#include <array>

#include "geometry/mass_properties.h"
#include "sunder/shapes.h"

namespace sunder::geometry {

// Contacts look at the bounds of all walls of a shell that comes near.
inline constexpr std::size_t kMostShellTriangles = 10000;

// m: of a triangle over its longest side; 0 where it has no area.
Real leastHeight(const Vec3& a, const Vec3& b, const Vec3& c);

struct Wall {
    Vec3 center;                   // of the triangle
    std::array<Vec3, 18> corners;  // of the wall, from there: three about each corner of the triangle, above and below
};
// The triangle must have an area.
Wall wallOf(const Shell& shell, std::size_t triangle);

// For density 1. Each wall counts whole: where two meet at an angle, what they share counts twice and what they leave open not
// at all, which are equal.
MassProperties shellMass(std::span<const Vec3> vertices, std::span<const std::array<std::uint32_t, 3>> triangles,
                         double thickness);

}  // namespace sunder::geometry
