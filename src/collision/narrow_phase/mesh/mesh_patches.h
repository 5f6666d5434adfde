// The contacts of single triangles near a convex shape, without those that only the seams between triangles cause.
#pragma once

#include <vector>

#include "collision/built_shape.h"
#include "collision/narrow_phase/mesh/mesh_reach.h"

namespace sunder::collision {

// Normals closer than this (chord, squared) differ by rounding only.
inline constexpr Real kSameNormal2 = Real(1e-8);
// cos(1 degree), as for the mesh's own flat edges: triangles whose normals are closer than this continue one plane, and contact
// normals closer than this to a triangle's cannot catch on a seam.
inline constexpr Real kFlatCosine = Real(0.99984770);

// One triangle's contact. Frame: the mesh's axes with the origin at the convex shape's, so that small shapes on large meshes
// keep their precision.
struct MeshPatch {
    ContactManifold manifold;  // normal from the triangle to the convex shape
    Real separation = 0;       // of the deepest point
    std::uint32_t triangle = 0;
    bool limited = false;  // the depth was limited to less than that below the triangle's plane
};

// Buffers of one thread, kept to reuse their memory.
struct MeshScratch {
    struct Corners {
        Vec3 corner[3];
    };
    // A contact whose normal its surroundings do not allow.
    struct Refused {
        std::uint32_t slot = 0;  // into triangles
        Vec3 normal;
        Real separation = 0;
    };
    std::vector<std::uint32_t> triangles;  // found by the mesh's tree, which may be touched or surround those that are
    std::vector<Corners> corners;          // of these
    std::vector<MeshPatch> patches;
    std::vector<std::uint32_t> beside;  // into triangles: those that the shape is beside
    std::vector<Refused> refused;
    std::vector<std::uint32_t> leaning;    // into triangles: the shape is in front of them and leans away, see MeshReach
    std::vector<std::uint32_t> overSeams;  // into triangles: near the shape, which is not over them
};

// Fills scratch.patches. centerInMesh and meshFromConvex: placement of the convex shape in the mesh's frame.
void findMeshPatches(const geometry::TriangleMesh& mesh, const BuiltShape& convex, const Vec3& centerInMesh,
                     const Quat& meshFromConvex, const MeshReach& reach, const Range& range, MeshScratch& scratch);

}  // namespace sunder::collision
