// Prepares a triangle mesh to bound a solid, and says what was wrong with it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "math/bounds.h"
#include "math/vec3d.h"

namespace sunder::geometry {

using TriangleIndices = std::array<std::uint32_t, 3>;

// What was found and what was done about it. All zero for a clean mesh.
struct MeshReport {
    std::size_t welded = 0;                // vertices joined with another in the same place
    std::size_t degenerate = 0;            // triangles without area or with bad indices, left out
    std::size_t duplicate = 0;             // triangles that occur before, left out
    std::size_t openEdges = 0;             // with one triangle; the hole is closed where the winding number is 1/2
    std::size_t nonManifoldEdges = 0;      // with three or more triangles
    std::size_t flipped = 0;               // triangles turned to agree with their neighbours
    bool inverted = false;                 // the whole surface faced inwards and was turned
    std::size_t selfIntersections = 0;     // pairs of triangles that cross; the solid is their union
    bool selfIntersectionsCounted = true;  // false for meshes so large that they were not looked for
    std::size_t cappedNodes = 0;           // grid nodes whose distance is to a closed hole
    bool isClean() const;
    // One line in words; empty where clean.
    std::string text() const;
};

struct RepairedMesh {
    std::vector<Vec3d> vertices;             // welded
    std::vector<TriangleIndices> triangles;  // facing outwards
    std::vector<std::uint32_t> sources;      // by triangle: its number in the list that was given; its first corner is the same
    std::vector<std::uint32_t> weld;         // by vertex that was given: the one that stands for it
    Bounds bounds;
    MeshReport report;
    std::string error;  // empty where the mesh can bound a solid
};

RepairedMesh repairMesh(std::span<const Vec3> vertices, std::span<const TriangleIndices> triangles);

// Pairs of triangles without a common vertex that cross. Coplanar overlap does not count.
std::size_t countSelfIntersections(std::span<const Vec3d> vertices, std::span<const TriangleIndices> triangles);

}  // namespace sunder::geometry
