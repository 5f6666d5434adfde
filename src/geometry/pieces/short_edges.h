// Joins the ends of edges that a cut made too short. Nodes move along the surface only, so that it stays as it was; what gives
// way are the cracks, by less than the length that is asked for.
#pragma once

#include <vector>

#include "geometry/pieces/shared_triangles.h"

namespace sunder::geometry {

struct SurfaceMesh;
struct Fragments;

// surface: whose look must not be drawn across its seams. shortest: m. Where the surface's own triangles have shorter edges,
// those count instead, with the same share: see kShareOfMesh. May add nodes within the cracks.
void joinShortEdges(const SurfaceMesh& surface, Fragments& fragments, SharedTriangles& triangles, double shortest);

}  // namespace sunder::geometry
