// Thin shells: triangles with a thickness.
//   [Bao07] III   rigid bodies made of triangles alone
// Deviation: the paper's shells have no thickness and are kept apart by a pass over all points and edges that may deform them.
// Here triangles are convex walls, half of the thickness on either side, and walls collide as any convex bodies do.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/mass_properties.h"
#include "math/quat.h"
#include "sunder/shapes.h"

namespace sunder::geometry {

// Contacts look at the bounds of all walls of a shell that comes near.
inline constexpr std::size_t kMostShellTriangles = 10000;

// m: of a triangle over its longest side; 0 where it has no area.
Real leastHeight(const Vec3& a, const Vec3& b, const Vec3& c);

// A convex prism around some triangles that nearly lie in a plane: half of the thickness above and below them, and beyond their
// outline. Without that rim edges that meet would cross at once.
struct Wall {
    Pose pose;                  // its middle; z is the normal of the plane
    std::vector<Vec3> corners;  // from there
    std::uint32_t triangle;     // the first of them
};
// Every triangle is in one (wall_patches.h). Triangles must have an area.
std::vector<Wall> wallsOf(const Shell& shell);
// Share of the thickness: no corner of a wall is farther from a vertex of the shell.
inline constexpr Real kWallReach = Real(1.25);

// For density 1. Each wall counts whole: where two meet at an angle, what they share counts twice and what they leave open not
// at all, which are equal.
MassProperties shellMass(std::span<const Vec3> vertices, std::span<const std::array<std::uint32_t, 3>> triangles,
                         double thickness);

}  // namespace sunder::geometry
