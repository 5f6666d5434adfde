// The triangles of a thin shell, the edges between them, and what cracks along edges leave of both.
//   [Bao07] IV, VII   shells: cracks run along edges of the mesh
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "math/vec3d.h"

namespace sunder::elastic {

using ShellTriangle = std::array<std::uint32_t, 3>;

// Two triangles that meet along an edge. Where more than two meet, each and the next of them.
struct ShellEdge {
    std::array<std::uint32_t, 2> ends{};       // vertices
    std::array<std::uint32_t, 2> triangles{};  // on either side
    std::array<std::uint32_t, 2> across{};     // the vertex of each triangle that is not an end
};

struct ShellMesh {
    std::vector<Vec3d> vertices;  // m
    std::vector<ShellTriangle> triangles;
    double thickness = 0;  // m
    std::vector<ShellEdge> edges;
};
// Finds the edges. Triangles may face either way.
ShellMesh shellMesh(std::vector<Vec3d> vertices, std::vector<ShellTriangle> triangles, double thickness);

// The mesh with vertices doubled where cracks pass; edges that are cracked are gone.
struct CrackedShell {
    ShellMesh mesh;
    std::vector<std::uint32_t> vertexBefore;  // per vertex
    std::vector<std::uint32_t> edgeBefore;    // per edge
    std::vector<std::uint32_t> pieceOf;       // per triangle; triangles of a piece hang together by edges
    std::uint32_t pieceCount = 0;             // numbered by their first triangles
};
CrackedShell cutShell(const ShellMesh& mesh, std::span<const std::uint8_t> isCracked);

// m^2: twice the area, as a vector along the normal.
Vec3d normalOf(const ShellMesh& mesh, std::uint32_t triangle);

}  // namespace sunder::elastic
