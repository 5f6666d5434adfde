#include "elastic/shell/shell_mesh.h"

#include <algorithm>
#include <tuple>

#include "core/union_find.h"

namespace sunder::elastic {

namespace {

struct Side {
    std::uint32_t low, high, triangle, across;
};

std::size_t cornerOf(const ShellTriangle& triangle, std::uint32_t vertex) {
    return std::size_t(std::find(triangle.begin(), triangle.end(), vertex) - triangle.begin());
}

}  // namespace

ShellMesh shellMesh(std::vector<Vec3d> vertices, std::vector<ShellTriangle> triangles, double thickness) {
    ShellMesh mesh{std::move(vertices), std::move(triangles), thickness, {}};
    std::vector<Side> sides;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        for (std::size_t c = 0; c < 3; ++c) {
            const std::uint32_t a = mesh.triangles[t][c], b = mesh.triangles[t][(c + 1) % 3];
            sides.push_back({std::min(a, b), std::max(a, b), t, mesh.triangles[t][(c + 2) % 3]});
        }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
    });
    for (std::size_t i = 0; i + 1 < sides.size(); ++i)
        if (const Side& a = sides[i], &b = sides[i + 1]; a.low == b.low && a.high == b.high)
            mesh.edges.push_back({{a.low, a.high}, {a.triangle, b.triangle}, {a.across, b.across}});
    return mesh;
}

Vec3d normalOf(const ShellMesh& mesh, std::uint32_t triangle) {
    const ShellTriangle& t = mesh.triangles[triangle];
    return cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]]);
}

CrackedShell cutShell(const ShellMesh& mesh, std::span<const std::uint8_t> isCracked) {
    UnionFind corners(3 * mesh.triangles.size()), pieces(mesh.triangles.size());
    const auto cornerAt = [&](std::uint32_t triangle, std::uint32_t vertex) {
        return std::uint32_t(3 * triangle + cornerOf(mesh.triangles[triangle], vertex));
    };
    for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
        const ShellEdge& edge = mesh.edges[e];
        if (isCracked[e])
            continue;
        pieces.join(edge.triangles[0], edge.triangles[1]);
        for (const std::uint32_t end : edge.ends)
            corners.join(cornerAt(edge.triangles[0], end), cornerAt(edge.triangles[1], end));
    }
    CrackedShell cut;
    cut.mesh.thickness = mesh.thickness;
    cut.mesh.triangles.resize(mesh.triangles.size());
    cut.pieceOf.resize(mesh.triangles.size());
    std::vector<std::uint32_t> numbers(3 * mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        for (std::uint32_t c = 0; c < 3; ++c) {
            const std::uint32_t corner = 3 * t + c, root = corners.root(corner);
            if (root == corner) {
                numbers[corner] = std::uint32_t(cut.mesh.vertices.size());
                cut.mesh.vertices.push_back(mesh.vertices[mesh.triangles[t][c]]);
                cut.vertexBefore.push_back(mesh.triangles[t][c]);
            }
            cut.mesh.triangles[t][c] = numbers[root];
        }
        const std::uint32_t first = pieces.root(t);
        cut.pieceOf[t] = first == t ? cut.pieceCount++ : cut.pieceOf[first];
    }
    for (std::uint32_t e = 0; e < mesh.edges.size(); ++e) {
        if (isCracked[e])
            continue;
        ShellEdge edge = mesh.edges[e];
        const auto now = [&](std::uint32_t triangle, std::uint32_t vertex) {
            return cut.mesh.triangles[triangle][cornerOf(mesh.triangles[triangle], vertex)];
        };
        for (std::size_t i = 0; i < 2; ++i) {
            edge.across[i] = now(edge.triangles[i], mesh.edges[e].across[i]);
            edge.ends[i] = now(edge.triangles[0], mesh.edges[e].ends[i]);
        }
        cut.mesh.edges.push_back(edge);
        cut.edgeBefore.push_back(e);
    }
    return cut;
}

}  // namespace sunder::elastic
