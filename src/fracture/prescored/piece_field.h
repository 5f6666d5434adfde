// The level set of one piece of a body, and its mass.
#pragma once

#include "fracture/prescored/piece_mass.h"
#include "fracture/prescored/share_out.h"
#include "geometry/level_set/cut_nodes.h"
#include "geometry/mass_properties.h"

namespace sunder::fracture {

using geometry::CutNodes;

// Fills in the field, cropped to the piece with one layer of outside nodes, and its cut nodes. The result is the mass for
// density 1, before it is made to add up (see piece_mass.h). `parentCuts` may be null.
template <class Stored>
geometry::MassProperties makePieceField(const geometry::LevelSet<Stored>& parent, const CutNodes* parentCuts,
                                        const PlacedPattern& pattern, const SharedNodes& shared, std::uint32_t piece,
                                        geometry::LevelSet<Stored>& field, CutNodes& cutNodes, const NodeSums& shares = {});

}  // namespace sunder::fracture
