// Puts the parts of a cut together to the surfaces of its pieces.
#pragma once

#include <string>
#include <vector>

#include "geometry/cutting/cut_polygons.h"

namespace sunder::geometry {

// A part of a triangle of the surface or of a face, as the surface of one piece. Two edges with the same seam lie back to back.
struct PiecePart {
    std::uint32_t piece = 0;
    bool isFace = false;
    std::uint32_t source = 0;  // triangle or face
    std::uint32_t firstCorner = 0, cornerCount = 0;
    std::uint32_t firstTriangle = 0, triangleCount = 0;
};

struct PieceParts {
    static constexpr std::uint32_t kNoSeam = 0xffffffffu;
    struct Corner {
        std::uint32_t node = 0, seam = kNoSeam;  // of the edge to the next corner
    };
    std::vector<PiecePart> parts;
    std::vector<Corner> corners;
    std::vector<std::array<std::uint32_t, 3>> triangles;        // into the corners of their part
    std::vector<std::pair<std::uint32_t, std::uint32_t>> same;  // corners that are the same
};

// Empty pieces where the error is not.
struct PieceMeshes {
    std::vector<SurfaceMesh> pieces;
    std::string error;
};
PieceMeshes assemblePieces(const PieceParts& parts, std::uint32_t seamCount, std::uint32_t pieceCount,
                           const SurfaceMesh& surface, const ClosedSurface& topology, const Crossings& cut,
                           const NodeNumbers& nodes, std::uint16_t slot);

}  // namespace sunder::geometry
