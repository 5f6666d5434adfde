#include "elastic/crack/crack_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/roots.h"

namespace sunder::elastic {

namespace {

using geometry::TetCorners;

// A node that a plane passes through lies this share of a tetrahedron's size to its positive side.
constexpr Real kNodeOnPlane = Real(1e-3);

bool areApart(Real a, Real b) { return (a > 0) != (b > 0); }

void addTet(CrackState& state, std::uint16_t crack, std::uint32_t tet) {
    state.cracks[crack].tets.push_back(tet);
    std::vector<std::uint16_t>& here = state.ofTet[tet];
    here.insert(std::lower_bound(here.begin(), here.end(), crack), crack);
}

Real awayFromZero(Real distance, Real size) {
    const Real least = kNodeOnPlane * size;
    if (std::fabs(distance) >= least)
        return distance;
    return distance < 0 ? -least : least;
}

}  // namespace

UncutMesh uncut(geometry::TetMesh mesh) {
    UncutMesh solid;
    solid.neighbors = geometry::findNeighbors(mesh);
    solid.mesh = std::move(mesh);
    solid.sizes.reserve(solid.mesh.tets.size());
    for (std::uint32_t tet = 0; tet < solid.mesh.tets.size(); ++tet)
        solid.sizes.push_back(sizeOf(solid.mesh, tet));
    solid.firstOfNode.assign(solid.mesh.vertices.size() + 1, 0);
    for (const TetCorners& tet : solid.mesh.tets)
        for (const std::uint32_t node : tet)
            ++solid.firstOfNode[node + 1];
    for (std::size_t node = 0; node + 1 < solid.firstOfNode.size(); ++node)
        solid.firstOfNode[node + 1] += solid.firstOfNode[node];
    std::vector<std::uint32_t> next(solid.firstOfNode.begin(), solid.firstOfNode.end() - 1);
    solid.tetsOfNodes.resize(4 * solid.mesh.tets.size());
    for (std::uint32_t tet = 0; tet < solid.mesh.tets.size(); ++tet)
        for (const std::uint32_t node : solid.mesh.tets[tet])
            solid.tetsOfNodes[next[node]++] = tet;
    return solid;
}

std::uint32_t cornerAcross(const UncutMesh& solid, std::uint32_t from, int face) {
    const geometry::TriangleIndices shared = geometry::faceOf(solid.mesh.tets[from], face);
    const TetCorners& tet = solid.mesh.tets[solid.neighbors.across[from][std::size_t(face)]];
    for (const std::uint32_t node : tet)
        if (node != shared[0] && node != shared[1] && node != shared[2])
            return node;
    return tet[0];
}

CrackState noCracks(const UncutMesh& solid) {
    CrackState state;
    state.ofTet.resize(solid.mesh.tets.size());
    return state;
}

Vec3 middleOf(const geometry::TetMesh& mesh, std::uint32_t tet) {
    const TetCorners& c = mesh.tets[tet];
    return (mesh.vertices[c[0]] + mesh.vertices[c[1]] + mesh.vertices[c[2]] + mesh.vertices[c[3]]) * Real(0.25);
}

Real sizeOf(const geometry::TetMesh& mesh, std::uint32_t tet) {
    return Real(cubeRoot(6 * std::fabs(geometry::volumeOf(mesh, tet))));
}

double cutShare(Real first, Real second) {
    const double a = std::fabs(double(first)), b = std::fabs(double(second));
    return std::clamp(a / (a + b), kLeastShare, 1 - kLeastShare);
}

bool hasRoom(const CrackState& state, std::uint16_t crack, std::uint32_t tet) {
    const std::vector<std::uint16_t>& here = state.ofTet[tet];
    return here.size() < kMostCracksOfTet && !std::binary_search(here.begin(), here.end(), crack);
}

std::uint16_t startCrack(const UncutMesh& solid, CrackState& state, std::uint32_t tet, const Vec3& normal) {
    const auto number = static_cast<std::uint16_t>(state.cracks.size());
    Crack& crack = state.cracks.emplace_back();
    crack.distances.assign(solid.mesh.vertices.size(), 0);
    const Vec3 middle = middleOf(solid.mesh, tet);
    const Real size = solid.sizes[tet];
    for (const std::uint32_t node : solid.mesh.tets[tet])
        crack.distances[node] = awayFromZero(dot(solid.mesh.vertices[node] - middle, normal), size);
    addTet(state, number, tet);
    return number;
}

unsigned facesCrossed(const TetCorners& tet, const Crack& crack) {
    unsigned faces = 0;
    for (int face = 0; face < 4; ++face) {
        const geometry::TriangleIndices corners = geometry::faceOf(tet, face);
        const Real a = crack.distances[corners[0]], b = crack.distances[corners[1]], c = crack.distances[corners[2]];
        if (areApart(a, b) || areApart(a, c))
            faces |= 1u << unsigned(face);
    }
    return faces;
}

Vec3 normalIn(const UncutMesh& solid, const Crack& crack, std::uint32_t tet) {
    const TetCorners& c = solid.mesh.tets[tet];
    const Vec3& o = solid.mesh.vertices[c[0]];
    const Vec3 e1 = solid.mesh.vertices[c[1]] - o, e2 = solid.mesh.vertices[c[2]] - o, e3 = solid.mesh.vertices[c[3]] - o;
    const Real d0 = crack.distances[c[0]];
    const Vec3 gradient = cross(e2, e3) * (crack.distances[c[1]] - d0) + cross(e3, e1) * (crack.distances[c[2]] - d0) +
                          cross(e1, e2) * (crack.distances[c[3]] - d0);
    const Real size = max(max(length(e1), length(e2)), length(e3));
    return normalizeOr(gradient / (size * size * size), {0, 1, 0});
}

void shorten(CrackState& state, std::uint16_t crack, std::size_t tets) {
    std::vector<std::uint32_t>& cut = state.cracks[crack].tets;
    for (std::size_t i = tets; i < cut.size(); ++i) {
        std::vector<std::uint16_t>& here = state.ofTet[cut[i]];
        here.erase(std::lower_bound(here.begin(), here.end(), crack));
    }
    cut.resize(tets);
}

void growAcross(const UncutMesh& solid, CrackState& state, std::uint16_t crack, std::uint32_t from, int face, Real fourth) {
    const std::uint32_t tet = solid.neighbors.across[from][std::size_t(face)];
    Real& distance = state.cracks[crack].distances[cornerAcross(solid, from, face)];
    if (distance == 0)
        distance = awayFromZero(fourth, solid.sizes[tet]);
    addTet(state, crack, tet);
}

}  // namespace sunder::elastic
