#include "elastic/crack/virtual_nodes.h"

#include <algorithm>
#include <span>

#include "core/union_find.h"

namespace sunder::elastic {

namespace {

using geometry::TetCorners;
constexpr std::uint32_t kUnnumbered = 0xffffffffu;
// Splinters of less are given to the solver as if they were so much: it does not converge where stiffnesses differ by millions,
// and no stress depends on so little. Volumes of pieces are exact.
constexpr double kLeastFill = 0.05;

// Per tetrahedron its parts, each an element with its share of the material.
void addElements(const UncutMesh& solid, const CrackState& state, CrackedMesh& cut) {
    const std::size_t count = solid.mesh.tets.size();
    cut.groups.resize(count);
    cut.firstElement.resize(count);
    for (std::uint32_t tet = 0; tet < count; ++tet) {
        cut.firstElement[tet] = std::uint32_t(cut.volumes.size());
        const double volume = geometry::volumeOf(solid.mesh, tet);
        std::array<double, 4> shares{1, 0, 0, 0};
        if (!state.ofTet[tet].empty()) {
            cut.groups[tet] = groupsOf(solid, state, tet);
            shares = CornerRegions(solid, state, tet).shares();
        }
        for (std::uint8_t group = 0; group < 4; ++group) {
            if (cut.groups[tet][group] != group)
                continue;
            double share = 0;
            for (std::size_t corner = 0; corner < 4; ++corner)
                share += cut.groups[tet][corner] == group ? shares[corner] : 0;
            cut.volumes.push_back(share * volume);
            cut.elements.fill.push_back(Real(std::clamp(share, kLeastFill, 1.0)));
            cut.elements.uncutTet.push_back(tet);
        }
    }
}

int cornerOf(const TetCorners& tet, std::uint32_t node) {
    int corner = 0;
    while (tet[std::size_t(corner)] != node)
        ++corner;
    return corner;
}

struct Joined {
    UnionFind corners;   // four per element
    UnionFind elements;  // that touch
};

// Nodes of tetrahedra that cracks cut: only they may have copies.
std::vector<std::uint8_t> besideCuts(const UncutMesh& solid, const CrackState& state) {
    std::vector<std::uint8_t> isBeside(solid.mesh.vertices.size(), 0);
    for (const Crack& crack : state.cracks)
        for (const std::uint32_t tet : crack.tets)
            for (const std::uint32_t node : solid.mesh.tets[tet])
                isBeside[node] = 1;
    return isBeside;
}

// Between tetrahedra that no crack cuts.
void joinWhole(const UncutMesh& solid, const CrackedMesh& cut, std::uint32_t tet, int face, std::uint32_t other,
               std::span<const std::uint8_t> isBeside, Joined& joined) {
    const std::uint32_t elementA = cut.firstElement[tet], elementB = cut.firstElement[other];
    joined.elements.join(elementA, elementB);
    const TetCorners &a = solid.mesh.tets[tet], &b = solid.mesh.tets[other];
    for (const std::uint32_t node : geometry::faceOf(a, face))
        if (isBeside[node])
            joined.corners.join(elementA * 4 + std::uint32_t(cornerOf(a, node)),
                                elementB * 4 + std::uint32_t(cornerOf(b, node)));
}

void joinAcross(const UncutMesh& solid, const CrackedMesh& cut, std::uint32_t tet, int face, std::uint32_t other,
                Joined& joined) {
    const TetCorners &a = solid.mesh.tets[tet], &b = solid.mesh.tets[other];
    const geometry::TriangleIndices shared = geometry::faceOf(a, face);
    for (const std::uint32_t node : shared) {
        const std::uint32_t elementA = cut.elementOf(tet, cornerOf(a, node)),
                            elementB = cut.elementOf(other, cornerOf(b, node));
        joined.elements.join(elementA, elementB);
        for (const std::uint32_t common : shared)
            joined.corners.join(elementA * 4 + std::uint32_t(cornerOf(a, common)),
                                elementB * 4 + std::uint32_t(cornerOf(b, common)));
    }
}

Joined joinAll(const UncutMesh& solid, const CrackState& state, const CrackedMesh& cut,
               std::span<const std::uint8_t> isBeside) {
    Joined joined{UnionFind(cut.volumes.size() * 4), UnionFind(cut.volumes.size())};
    for (std::uint32_t tet = 0; tet < solid.mesh.tets.size(); ++tet)
        for (int face = 0; face < 4; ++face)
            if (const std::uint32_t other = solid.neighbors.across[tet][std::size_t(face)];
                other != geometry::kNoTet && other > tet) {
                if (state.ofTet[tet].empty() && state.ofTet[other].empty())
                    joinWhole(solid, cut, tet, face, other, isBeside, joined);
                else
                    joinAcross(solid, cut, tet, face, other, joined);
            }
    return joined;
}

}  // namespace

std::uint32_t CrackedMesh::elementOf(std::uint32_t tet, int corner) const {
    const CornerGroups& of = groups[tet];
    std::uint32_t element = firstElement[tet];
    for (std::uint8_t lower = 0; lower < of[std::size_t(corner)]; ++lower)
        element += of[lower] == lower;
    return element;
}

CrackedMesh cutMesh(const UncutMesh& solid, const CrackState& state) {
    CrackedMesh cut;
    addElements(solid, state, cut);
    const std::vector<std::uint8_t> isBeside = besideCuts(solid, state);
    Joined joined = joinAll(solid, state, cut, isBeside);
    ElementMesh& elements = cut.elements;
    std::vector<std::uint32_t> numbers(cut.volumes.size() * 4, kUnnumbered), ofNode(isBeside.size(), kUnnumbered);
    elements.mesh.tets.resize(cut.volumes.size());
    cut.pieceOf.resize(cut.volumes.size());
    for (std::uint32_t element = 0; element < cut.volumes.size(); ++element) {
        for (std::uint32_t corner = 0; corner < 4; ++corner) {
            const std::uint32_t node = solid.mesh.tets[elements.uncutTet[element]][corner];
            std::uint32_t& number = isBeside[node] ? numbers[joined.corners.root(element * 4 + corner)] : ofNode[node];
            if (number == kUnnumbered) {
                number = std::uint32_t(elements.mesh.vertices.size());
                elements.uncutNode.push_back(node);
                elements.mesh.vertices.push_back(solid.mesh.vertices[node]);
            }
            elements.mesh.tets[element][corner] = number;
        }
        const std::uint32_t first = joined.elements.root(element);
        if (first == element) {
            cut.pieceOf[element] = std::uint32_t(cut.pieceVolumes.size());
            cut.pieceVolumes.push_back(0);
        } else
            cut.pieceOf[element] = cut.pieceOf[first];
        cut.pieceVolumes[cut.pieceOf[element]] += cut.volumes[element];
    }
    return cut;
}

std::size_t pieceCount(const UncutMesh& solid, const CrackState& state) {
    // Only the groups of corners, and the number of elements before each tetrahedron's.
    CrackedMesh cut;
    const auto count = std::uint32_t(solid.mesh.tets.size());
    cut.groups.resize(count);
    cut.firstElement.resize(count);
    std::uint32_t elements = 0;
    for (std::uint32_t tet = 0; tet < count; ++tet) {
        cut.firstElement[tet] = elements;
        if (state.ofTet[tet].empty()) {
            ++elements;
            continue;
        }
        cut.groups[tet] = groupsOf(solid, state, tet);
        for (std::uint8_t group = 0; group < 4; ++group)
            elements += cut.groups[tet][group] == group;
    }
    UnionFind sets(elements);
    for (std::uint32_t tet = 0; tet < count; ++tet)
        for (int face = 0; face < 4; ++face) {
            const std::uint32_t other = solid.neighbors.across[tet][std::size_t(face)];
            if (other == geometry::kNoTet || other < tet)
                continue;
            if (state.ofTet[tet].empty() && state.ofTet[other].empty())
                sets.join(cut.firstElement[tet], cut.firstElement[other]);
            else
                for (const std::uint32_t node : geometry::faceOf(solid.mesh.tets[tet], face))
                    sets.join(cut.elementOf(tet, cornerOf(solid.mesh.tets[tet], node)),
                              cut.elementOf(other, cornerOf(solid.mesh.tets[other], node)));
        }
    std::size_t pieces = 0;
    for (std::uint32_t element = 0; element < elements; ++element)
        pieces += sets.root(element) == element;
    return pieces;
}

std::vector<std::uint32_t> nodesBefore(const CrackedMesh& now, const CrackedMesh& before) {
    std::vector<std::uint32_t> nodes(now.elements.mesh.vertices.size(), 0);
    for (std::uint32_t tet = 0; tet < now.groups.size(); ++tet)
        for (int corner = 0; corner < 4; ++corner) {
            // Of a part, its lowest corner.
            if (now.groups[tet][std::size_t(corner)] != corner)
                continue;
            const geometry::TetCorners& part = now.elements.mesh.tets[now.elementOf(tet, corner)];
            const geometry::TetCorners& whole = before.elements.mesh.tets[before.elementOf(tet, corner)];
            for (std::size_t i = 0; i < 4; ++i)
                nodes[part[i]] = whole[i];
        }
    return nodes;
}

}  // namespace sunder::elastic
