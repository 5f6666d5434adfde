// Volume, centre and inertia of a level set, and of the pieces to which its nodes are assigned.
//   [Su09] 4.2, with x - C in the inertia and each cell's own m h^2 / 6 per axis
// A node stands for the cube of one cell about it. The solid fraction of the cube is what a plane at the node's distance,
// normal to the gradient, cuts off ([SZ00] Scardovelli, Zaleski: Analytical relations connecting linear interfaces and volume
// fractions): second order in the cell size.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/level_set/level_set.h"
#include "geometry/mass_properties.h"

namespace sunder::geometry {

// Solid fraction per node, in [0, 1]. Outside nodes near the surface have a fraction too.
template <class Stored>
std::vector<float> solidFractions(const LevelSet<Stored>& field);
std::vector<float> solidFractions(const DistanceField& field);

// For density 1, in the grid's frame.
MassProperties massOfFractions(const Grid& grid, std::span<const float> fractions);
// Per label 1 .. labelCount (result[label - 1]), each node's fraction going to its label alone: the results add up to the whole
// except for rounding. Nodes with label 0 must have fraction 0 or are left out.
std::vector<MassProperties> massOfLabels(const Grid& grid, std::span<const float> fractions,
                                         std::span<const std::uint16_t> labels, std::size_t labelCount);
// Gives every node without a label but with a fraction the label of a neighbour (26): the one with the largest fraction, the
// first in node order among equals. Nodes with no labelled neighbour keep 0 and are counted in the result.
std::size_t labelBorder(const Grid& grid, std::span<const float> fractions, std::span<std::uint16_t> labels);

}  // namespace sunder::geometry
