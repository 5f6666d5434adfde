// The surfaces of pieces from the fragments of a cut.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "geometry/cutting/fragments.h"
#include "geometry/surface/surface_mesh.h"
#include "sunder/tasks.h"

namespace sunder::geometry {

struct CutResult {
    // By piece. Every edge of a piece lies between two of its triangles; a piece that has no volume is empty. The old surface
    // keeps normals, texture coordinates and slots; crack faces have the slot that was asked for. Neighbouring pieces have the
    // same points along the face between them, to the bit.
    std::vector<SurfaceMesh> pieces;
    std::string error;  // empty where all pieces are closed
};

struct AssembleOptions {
    std::uint32_t pieceCount = 0;
    std::uint16_t slot = 0;   // of crack faces
    double shortestEdge = 0;  // m: shorter ones that the cut made are removed; 0: none
};

// surface: what was cut; it has texture coordinates or none. pieceOfFragment: the same for all fragments of a shell.
CutResult assemblePieces(const SurfaceMesh& surface, Fragments fragments, const CellComplex& complex,
                         std::span<const std::uint32_t> pieceOfFragment, const AssembleOptions& options, TaskRunner& tasks);

}  // namespace sunder::geometry
