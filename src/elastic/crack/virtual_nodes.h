// The mesh that cracks leave: copies of tetrahedra for their parts, nodes doubled where cracks pass, and the pieces that hang
// together.
//   [Bao07] VII   virtual nodes
// A part of a tetrahedron is a group of its corners; two parts that meet in a face touch where a corner of the face is in both.
// Parts that touch have the three nodes of the face in common.
#pragma once

#include <vector>

#include "elastic/crack/corner_regions.h"
#include "elastic/solid/element_mesh.h"

namespace sunder::elastic {

struct CrackedMesh {
    ElementMesh elements;
    std::vector<CornerGroups> groups;         // per uncut tetrahedron
    std::vector<std::uint32_t> firstElement;  // per uncut tetrahedron; its parts follow in the order of their lowest corner
    std::vector<double> volumes;              // per element, m^3: of its material
    std::vector<std::uint32_t> pieceOf;       // per element
    std::vector<double> pieceVolumes;         // m^3, in the order of the pieces' first elements

    // The element that the corner of an uncut tetrahedron belongs to.
    std::uint32_t elementOf(std::uint32_t tet, int corner) const;
};

CrackedMesh cutMesh(const UncutMesh& solid, const CrackState& state);

// Of cutMesh(), in a third of its time.
std::size_t pieceCount(const UncutMesh& solid, const CrackState& state);

// After cracks have grown: per node of the mesh now the node of the mesh before that it was, or was a copy of.
std::vector<std::uint32_t> nodesBefore(const CrackedMesh& now, const CrackedMesh& before);

}  // namespace sunder::elastic
