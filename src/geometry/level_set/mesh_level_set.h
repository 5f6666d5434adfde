// Level set of a closed triangle mesh; tolerates the faults of real meshes: holes, crossings, wrong sides.
#pragma once

#include <span>
#include <string>

#include "geometry/level_set/level_set.h"
#include "geometry/level_set/mesh_repair.h"

namespace sunder::geometry {

struct MeshFieldResult {
    DistanceField field;
    MeshReport report;
    std::string error;  // empty where the field is good: no triangles, not finite, no volume, too many nodes
};

// Exact distances within `bandCells` of the surface, first-order ones beyond. Sign: generalized winding number above 1/2.
MeshFieldResult distanceOfMesh(std::span<const Vec3> vertices, std::span<const TriangleIndices> triangles,
                               const Resolution& resolution, Real bandCells = 4);
// On the nodes of a given grid, which need not hold the whole mesh. No error where no node lies inside.
MeshFieldResult distanceOnGrid(std::span<const Vec3> vertices, std::span<const TriangleIndices> triangles, const Grid& grid,
                               Real bandCells = 4);

}  // namespace sunder::geometry
