// A closed triangle mesh as a surface that can be drawn and cut.
#pragma once

#include <span>
#include <string>

#include "geometry/level_set/mesh_repair.h"
#include "geometry/surface/surface_mesh.h"
#include "sunder/mesh_look.h"

namespace sunder::geometry {

struct MeshSurface {
    SurfaceMesh surface;  // normals that break at sharp edges, and the look of the mesh; without one texture along the axes
    std::string error;    // what keeps it from bounding a solid: "12 edges are open"; empty where nothing does
};
// Vertices in the same place are joined, triangles without area are left out, wrong sides turned. Where that leaves open edges,
// edges of more than two triangles, or triangles that cross, there is no surface.
MeshSurface surfaceOfMesh(std::span<const Vec3> vertices, std::span<const TriangleIndices> triangles,
                          const MeshLook* look = nullptr);

// Whether its tables fit together and it is closed.
bool isSound(const SurfaceMesh& surface);

// A surface of revolution about the y axis. profile: (radius, y) from the lowest point of the axis to the highest, radii above
// 0 in between.
SurfaceMesh surfaceOfRevolution(std::span<const std::array<Real, 2>> profile, int sectors);

}  // namespace sunder::geometry
