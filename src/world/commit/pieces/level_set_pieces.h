// Pieces of a body whose cracks are known: every node of its level set has a label, and the connected nodes of one label become
// a piece. Fracture methods find the labels.
//   [Su09] 4.2
#pragma once

#include <functional>
#include <memory>

#include "fracture/prescored/place_pattern.h"
#include "geometry/patterns/build_pattern.h"
#include "world/state/state.h"

namespace sunder::world {

// What the pieces of a body must add up to: its mass for density 1, centre and inertia, in its frame.
geometry::MassProperties wholeOf(const Body& body);

// Makes the exact regions behind the labels; called only where pieces are drawn with surfaces cut from the body's own.
using MakeRegions = std::function<std::unique_ptr<geometry::RegionSource>()>;

// Pieces in the order of their first node. Those that are too small or too many (FractureDef) stay with a neighbour.
std::vector<CutPiece> cutByLabels(TaskRunner& tasks, const Body& body, const fracture::PlacedPattern& labels,
                                  const MakeRegions& makeRegions, int mostPieces);

// Cuts the body by the plane of the request, whatever its fracture method.
std::vector<CutPiece> cutByPlane(TaskRunner& tasks, const Body& body, const BreakRequest& request, int mostPieces);

}  // namespace sunder::world
