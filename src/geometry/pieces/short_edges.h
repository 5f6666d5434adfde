// Joins the ends of edges that a cut made too short. Nodes move along the surface only, so that it stays as it was; what gives
// way are the cracks, by less than the length that is asked for.
#pragma once

#include <vector>

#include "geometry/pieces/merged_faces.h"

namespace sunder::geometry {

// surface: whose look must not be drawn across its seams. shortest: m. Where the surface's own triangles have shorter edges,
// those count instead, with the same share: see kShareOfMesh.
// isHeld: by node, those that neither move nor take in others.
void joinShortEdges(const SurfaceMesh& surface, const Fragments& fragments, std::vector<MergedFace>& faces, double shortest,
                    const std::vector<std::uint8_t>& isHeld);

}  // namespace sunder::geometry
