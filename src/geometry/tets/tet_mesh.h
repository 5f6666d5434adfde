// Solids as tetrahedra: their volume, angles, neighbours and surface.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/level_set/mesh_repair.h"
#include "geometry/mass_properties.h"

namespace sunder::geometry {

using TetCorners = std::array<std::uint32_t, 4>;

struct TetMesh {
    std::vector<Vec3> vertices;    // m
    std::vector<TetCorners> tets;  // (b - a) x (c - a) . (d - a) > 0
};

inline constexpr std::uint32_t kNoTet = 0xffffffffu;

struct TetQuality {
    double smallestDihedral = 180, largestDihedral = 0;  // between two faces of a tetrahedron, degrees
    double volume = 0, smallestVolume = 0;               // m^3
    std::size_t inverted = 0;                            // without a positive volume
};

Bounds boundsOf(const TetMesh& mesh);
double volumeOf(const TetMesh& mesh, std::uint32_t tet);
TetQuality measureQuality(const TetMesh& mesh);
// For density 1; exact but for rounding.
MassProperties massOf(const TetMesh& mesh, std::span<const std::uint32_t> tets);

// Face i of a tetrahedron lies across from its corner i, counter-clockwise from outside.
TriangleIndices faceOf(const TetCorners& tet, int face);

// Per tetrahedron and face the tetrahedron across it, or kNoTet. A face that more than two share has no neighbours; their
// number is in `tangled`, which is 0 for every mesh of stuffTets().
struct TetNeighbors {
    std::vector<std::array<std::uint32_t, 4>> across;
    std::size_t tangled = 0;
};
TetNeighbors findNeighbors(const TetMesh& mesh);

struct TetSurface {
    std::vector<Vec3> vertices;
    std::vector<TriangleIndices> triangles;  // counter-clockwise from outside; a closed surface
    std::vector<std::uint32_t> across;       // per triangle the label on its other side, kNoTet on the surface of the mesh
};
// The surface of the tetrahedra with this label; `labels` per tetrahedron. Faces in the order of their tetrahedra, vertices in
// the mesh's.
TetSurface surfaceOf(const TetMesh& mesh, const TetNeighbors& neighbors, std::span<const std::uint32_t> labels,
                     std::uint32_t label);
// The surface of the whole mesh.
TetSurface surfaceOf(const TetMesh& mesh, const TetNeighbors& neighbors);

}  // namespace sunder::geometry
