// Joins the ends of edges that a cut made too short. Nodes move along the surface only, so that it stays as it was; what gives
// way are the cracks, by less than the length that is asked for.
#pragma once

#include <vector>

#include "geometry/pieces/merged_faces.h"

namespace sunder::geometry {

// shortest: m. Where the surface's own triangles have shorter edges, those count instead, with the same share: see
// kShareOfMesh.
void joinShortEdges(const Fragments& fragments, std::vector<MergedFace>& faces, double shortest);

}  // namespace sunder::geometry
