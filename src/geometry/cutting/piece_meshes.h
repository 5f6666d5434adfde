// Assembles the surfaces of pieces from the fragments of a cut.
#pragma once

#include <string>
#include <vector>

#include "geometry/cutting/cut_polygons.h"

namespace sunder::geometry {

// A fragment of a triangle of the surface or of a face, as part of the surface of one piece. Two edges with one seam lie back
// to back.
struct Fragment {
    std::uint32_t piece = 0;
    bool isFace = false;
    std::uint32_t source = 0;  // triangle or face
    std::uint32_t firstCorner = 0, cornerCount = 0;
    std::uint32_t firstTriangle = 0, triangleCount = 0;
};

struct Fragments {
    static constexpr std::uint32_t kNoSeam = 0xffffffffu;
    struct Corner {
        std::uint32_t node = 0, seam = kNoSeam;  // of the edge to the next corner
    };
    std::vector<Fragment> all;
    std::vector<Corner> corners;
    std::vector<std::array<std::uint32_t, 3>> triangles;        // into the corners of their fragment
    std::vector<std::pair<std::uint32_t, std::uint32_t>> same;  // pairs of corners that coincide
};

// The pieces are empty where the error is not.
struct PieceMeshes {
    std::vector<SurfaceMesh> pieces;
    std::string error;
};
PieceMeshes assemblePieces(const Fragments& fragments, std::uint32_t seamCount, std::uint32_t pieceCount,
                           const SurfaceMesh& surface, const ClosedSurface& topology, const Crossings& cut,
                           const NodeNumbers& nodes, std::uint16_t slot);

}  // namespace sunder::geometry
