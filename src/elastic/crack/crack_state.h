// Cracks through a tetrahedral mesh that is never remeshed.
//   [Bao07] VII   virtual nodes: cracks pass through tetrahedra, of which copies stand for the parts
// Deviation: the paper moves each new plane onto cut points that exist already. A crack that grows round a ball then never
// meets itself. Here a crack decides once on which side of it a node lies, and keeps the node's distance; wherever it comes by
// again, the node is where it was.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/tets/tet_mesh.h"

namespace sunder::elastic {

// The tetrahedra of a body before any crack.
struct UncutMesh {
    geometry::TetMesh mesh;
    geometry::TetNeighbors neighbors;
    std::vector<Real> sizes;                              // m, per tetrahedron: sizeOf
    std::vector<std::uint32_t> firstOfNode, tetsOfNodes;  // node by node the tetrahedra with this corner; one more at the end

    std::span<const std::uint32_t> tetsOf(std::uint32_t node) const {
        return std::span(tetsOfNodes).subspan(firstOfNode[node], firstOfNode[node + 1] - firstOfNode[node]);
    }
};
UncutMesh uncut(geometry::TetMesh mesh);

// A tetrahedron holds at most this many cracks: its four corners are apart after three.
inline constexpr std::size_t kMostCracksOfTet = 3;

struct Crack {
    // Per node its signed distance (m) to the crack, whose sign is its side; 0 where the crack has not been near.
    std::vector<Real> distances;
    std::vector<std::uint32_t> tets;  // that it cuts, in the order in which it reached them
};

struct CrackState {
    std::vector<Crack> cracks;
    std::vector<std::vector<std::uint16_t>> ofTet;  // per tetrahedron the cracks that cut it, ascending
};
CrackState noCracks(const UncutMesh& solid);

// Whether the crack may be let into the tetrahedron: it is not there yet, and there is room.
bool hasRoom(const CrackState& state, std::uint16_t crack, std::uint32_t tet);

// Starts a crack: a plane through the middle of the tetrahedron. Returns its number.
std::uint16_t startCrack(const UncutMesh& solid, CrackState& state, std::uint32_t tet, const Vec3& normal);

// The faces of a tetrahedron through which a crack that cuts it goes on: their corners lie on both sides of it. Bit i: face i.
unsigned facesCrossed(const geometry::TetCorners& tet, const Crack& crack);
// The unit normal of a crack within a tetrahedron that it cuts, towards its positive side.
Vec3 normalIn(const UncutMesh& solid, const Crack& crack, std::uint32_t tet);

// The corner of the tetrahedron across a face that is not on the face.
std::uint32_t cornerAcross(const UncutMesh& solid, std::uint32_t from, int face);

// Lets a crack go on through a face of `from` into the tetrahedron across it. The fourth corner gets this distance unless it
// has one.
void growAcross(const UncutMesh& solid, CrackState& state, std::uint16_t crack, std::uint32_t from, int face, Real fourth);

// Keeps the first `tets` tetrahedra of a crack and drops the others. Nodes keep their sides.
void shorten(CrackState& state, std::uint16_t crack, std::size_t tets);

// Where an edge is cut: the share of its length from its first node. Cuts nearer to an end than kLeastShare are moved there,
// because parts of a tetrahedron of no volume have no stiffness.
inline constexpr double kLeastShare = 0.01;
double cutShare(Real first, Real second);

// The middle of a tetrahedron.
Vec3 middleOf(const geometry::TetMesh& mesh, std::uint32_t tet);
// m: a length for the size of a tetrahedron, the edge of a cube of six times its volume.
Real sizeOf(const geometry::TetMesh& mesh, std::uint32_t tet);

}  // namespace sunder::elastic
