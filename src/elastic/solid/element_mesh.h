// Tetrahedra as finite elements. After a crack an element may hold material in a part of its volume only, and several elements
// may stand in the place of one: nodes that a crack has doubled coincide in space and are apart in the mesh.
//   [Bao07] VI   virtual nodes
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/tets/tet_mesh.h"

namespace sunder::elastic {

struct ElementMesh {
    geometry::TetMesh mesh;                // m, in the body's frame; nodes and elements
    std::vector<Real> fill;                // per element the share of its volume that is material, above 0, at most 1
    std::vector<std::uint32_t> uncutTet;   // per element the tetrahedron of the mesh before any crack
    std::vector<std::uint32_t> uncutNode;  // per node the node of that mesh
};

}  // namespace sunder::elastic
