// The convex hull of points on an integer grid, as triangles, with exact arithmetic: no tolerance can break its topology.
//   [BDH96] Barber, Dobkin, Huhdanpaa: The quickhull algorithm for convex hulls, ACM TOMS 22(4).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "math/vec3d.h"

namespace sunder::geometry {

struct GridPoint {
    std::int64_t x = 0, y = 0, z = 0;
};

constexpr GridPoint operator-(const GridPoint& a, const GridPoint& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr std::int64_t dot(const GridPoint& a, const GridPoint& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr GridPoint cross(const GridPoint& a, const GridPoint& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
constexpr Vec3d toDouble(const GridPoint& a) { return {double(a.x), double(a.y), double(a.z)}; }

// Coordinates from 0 to this: then the normal of three points has entries up to 2^41, and its product with a difference
// of points stays below 3 * 2^61, inside 64 bits.
inline constexpr std::int64_t kGridSize = std::int64_t(1) << 20;

struct HullTriangle {
    std::array<std::uint32_t, 3> vertices;   // counter-clockwise from outside
    std::array<std::uint32_t, 3> neighbors;  // across the edge from vertex i to vertex i + 1
};

struct GridHull {
    std::vector<HullTriangle> triangles;
    bool truncated = false;  // stopped at maxVertices with points still outside
};

// The four points of a first tetrahedron; empty where all points lie within `thickness` of a plane.
std::optional<std::array<std::uint32_t, 4>> findSimplex(std::span<const GridPoint> points, double thickness);

// Adds the farthest point first, until none is more than `tolerance` outside or maxVertices are in use. Points must be
// distinct; ties go to the lower index.
GridHull quickhull(std::span<const GridPoint> points, const std::array<std::uint32_t, 4>& simplex, double tolerance,
                   std::size_t maxVertices);

// Points whose hull holds all others up to about `tolerance`, ascending. Takes facets in the order in which they come and does
// not look again at dropped points, which takes a tenth of the time of quickhull.
std::vector<std::uint32_t> quickExtremes(std::span<const GridPoint> points, const std::array<std::uint32_t, 4>& simplex,
                                         double tolerance);

}  // namespace sunder::geometry
