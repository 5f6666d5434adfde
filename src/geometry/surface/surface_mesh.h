// A drawable closed surface: triangles with normals that break at sharp edges, texture coordinates and material slots.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "math/vec3.h"

namespace sunder::geometry {

struct TextureCoordinate {
    float u = 0, v = 0;
};
using VertexColor = std::array<std::uint8_t, 4>;  // red, green, blue, opacity

// Vertices are split where normals, texture coordinates or colours differ; `points` says which vertices are the same point, and
// in terms of points every edge belongs to exactly two triangles that run along it in opposite directions.
struct SurfaceMesh {
    std::vector<Vec3> positions;                          // per vertex, m
    std::vector<Vec3> normals;                            // per vertex, unit, outward
    std::vector<TextureCoordinate> textureCoordinates;    // per vertex, or empty
    std::vector<VertexColor> colors;                      // per vertex, or empty
    std::vector<std::uint32_t> points;                    // per vertex: the number of its point
    std::vector<std::array<std::uint32_t, 3>> triangles;  // vertices, counter-clockwise from outside
    std::vector<std::uint16_t> slots;                     // per triangle: what the label function gave its crossing
    std::uint32_t pointCount = 0;
};

}  // namespace sunder::geometry
