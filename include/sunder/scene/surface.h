// The drawn form of a body: the solids of its shape, or triangles with normals, texture coordinates and material slots.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "sunder/shapes.h"

namespace sunder {

// Triangles that share a material slot, numbered as in DrawnSurface: 0 is the body's own surface, 1 what fractures laid open, 2
// and more are further materials of its mesh.
struct SurfaceRange {
    std::uint32_t firstTriangle = 0, triangleCount = 0;
    std::uint16_t slot = 0;
    friend bool operator==(const SurfaceRange&, const SurfaceRange&) = default;
};

struct Surface {
    std::vector<Vec3> positions;                           // m
    std::vector<Vec3> normals;                             // unit, per position
    std::vector<std::array<float, 2>> textureCoordinates;  // per position, or empty
    std::vector<std::array<std::uint32_t, 3>> triangles;   // counter-clockwise from outside
    std::vector<SurfaceRange> ranges;                      // in order, covering all triangles; empty: all are slot 0
    std::vector<std::array<std::uint8_t, 4>> colors{};     // per position, as in MeshLook, or empty
    std::shared_ptr<const MeshMaterials> materials{};      // of the mesh; may be null
};

using DrawnSolid = std::variant<Sphere, Box, Capsule, Cylinder, Hull, Mesh, Surface>;

struct PlacedSolid {
    Pose bodyFromSolid;
    DrawnSolid solid;
};

struct DrawnShape {
    std::vector<PlacedSolid> solids;
};

// The solids of a shape; compounds become those of their children, meshes with a look surfaces.
DrawnShape drawnShape(const Shape& shape);

// All solids as one surface in the body's frame; ranges are sorted by slot, one per slot. Round solids become facets of about
// 10 degrees with smooth normals; flat faces have normals of their own.
Surface tessellate(const DrawnShape& shape);

// Normals of a surface whose vertices have moved: of each vertex the mean by area over its triangles.
std::vector<Vec3> meanNormals(const Surface& surface, std::span<const Vec3> positions);

}  // namespace sunder
