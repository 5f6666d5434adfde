// Prepares a triangle mesh to bound a solid, and says what was wrong with it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "geometry/level_set/mesh_level_set.h"
#include "math/vec3d.h"

namespace sunder::geometry {

struct RepairedMesh {
    std::vector<Vec3d> vertices;             // welded
    std::vector<TriangleIndices> triangles;  // facing outwards
    Bounds bounds;
    MeshReport report;
    std::string error;  // empty where the mesh can bound a solid
};

RepairedMesh repairMesh(std::span<const Vec3> vertices, std::span<const TriangleIndices> triangles);

// Pairs of triangles without a common vertex that cross. Coplanar overlap does not count.
std::size_t countSelfIntersections(std::span<const Vec3d> vertices, std::span<const TriangleIndices> triangles);

}  // namespace sunder::geometry
