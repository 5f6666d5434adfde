#include "world/record/given_tets.h"

#include <algorithm>
#include <cmath>

#include "core/union_find.h"
#include "geometry/tets/tet_mesh.h"
#include "sunder/describe.h"

namespace sunder::world {

namespace {

// Volume over that of a cube on the longest edge; 0.118 for a regular tetrahedron. Below it float cannot tell its shape.
constexpr double kLeastQuality = 1e-5;

std::string tetText(std::size_t tet) { return "tets[" + std::to_string(tet) + "]: "; }

std::string complaintAboutCorners(const DeformableDef& def, std::size_t tet) {
    const std::array<std::uint32_t, 4>& corners = def.tets[tet];
    for (std::size_t i = 0; i < 4; ++i) {
        if (corners[i] >= def.nodes.size())
            return tetText(tet) + "node " + std::to_string(corners[i]) + " is not allowed (0 to " +
                   std::to_string(def.nodes.size() - 1) + ")";
        if (std::count(corners.begin(), corners.end(), corners[i]) > 1)
            return tetText(tet) + "node " + std::to_string(corners[i]) + " twice is not allowed (four different nodes)";
    }
    return {};
}

std::string complaintAboutVolume(const geometry::TetMesh& mesh, std::size_t tet) {
    const geometry::TetCorners& corners = mesh.tets[tet];
    double longest = 0;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < i; ++j)
            longest = std::max(longest, double(length(mesh.vertices[corners[i]] - mesh.vertices[corners[j]])));
    const double volume = geometry::volumeOf(mesh, static_cast<std::uint32_t>(tet));
    const double least = kLeastQuality * longest * longest * longest;
    if (volume > least)
        return {};
    return tetText(tet) + "a volume of " + numberText(Real(volume)) + " m^3 is not allowed (above " + numberText(Real(least)) +
           " m^3" + (volume < -least ? "; it is inverted: swap two of its nodes)" : "; it is flat)");
}

std::string complaintAboutParts(const DeformableDef& def) {
    UnionFind parts(def.nodes.size());
    std::vector<bool> isUsed(def.nodes.size());
    for (const std::array<std::uint32_t, 4>& corners : def.tets)
        for (const std::uint32_t node : corners) {
            isUsed[node] = true;
            parts.join(corners[0], node);
        }
    if (const auto unused = std::find(isUsed.begin(), isUsed.end(), false); unused != isUsed.end())
        return "nodes[" + std::to_string(unused - isUsed.begin()) +
               "]: belongs to no tetrahedron (each belongs to one or more)";
    for (std::uint32_t i = 0; i < def.nodes.size(); ++i)
        if (parts.root(i) != parts.root(0))
            return "tets: node " + std::to_string(i) + " does not hang together with node 0 (one body is one part)";
    return {};
}

}  // namespace

std::string complaintAboutTets(const DeformableDef& def) {
    if (def.nodes.empty() && def.tets.empty())
        return {};
    if (def.nodes.empty() || def.tets.empty())
        return def.tets.empty() ? "tets: 0 are not allowed (1 or more, where nodes are given)"
                                : "nodes: 0 are not allowed (4 or more, where tets are given)";
    if (double(def.tets.size()) > kMostTets)
        return "tets: " + std::to_string(def.tets.size()) + " are not allowed (up to " + numberText(Real(kMostTets)) + ")";
    for (std::size_t t = 0; t < def.tets.size(); ++t)
        if (const std::string complaint = complaintAboutCorners(def, t); !complaint.empty())
            return complaint;
    const geometry::TetMesh mesh{def.nodes, {def.tets.begin(), def.tets.end()}};
    for (std::size_t t = 0; t < def.tets.size(); ++t)
        if (const std::string complaint = complaintAboutVolume(mesh, t); !complaint.empty())
            return complaint;
    return complaintAboutParts(def);
}

}  // namespace sunder::world
