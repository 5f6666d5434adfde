#include "elastic/shell/shell_stiffness.h"

#include <algorithm>
#include <cmath>

#include "core/union_find.h"
#include "elastic/shell/shell_bending.h"

namespace sunder::elastic {

namespace {

using Block = std::array<double, kBlockSize>;  // column by column

class Assembly {
public:
    Assembly(Stiffness& stiffness, const ColourOrder& order, std::span<const std::uint32_t> place)
        : stiffness_(stiffness), order_(order), place_(place) {}

    void add(std::uint32_t rowVertex, std::uint32_t columnVertex, const Block& block) {
        const std::uint32_t row = order_.row[place_[rowVertex]], column = order_.row[place_[columnVertex]];
        double* at = stiffness_.matrix.diagonal.data() + kBlockSize * row;
        if (row != column) {
            const std::vector<std::uint32_t>& columns = stiffness_.pattern.columns;
            const auto begin = columns.begin() + stiffness_.pattern.first[row];
            const auto found = std::lower_bound(begin, columns.begin() + stiffness_.pattern.first[row + 1], column);
            at = stiffness_.matrix.values.data() + kBlockSize * std::size_t(found - columns.begin());
        }
        for (std::size_t k = 0; k < kBlockSize; ++k)
            at[k] += block[k];
    }

private:
    Stiffness& stiffness_;
    const ColourOrder& order_;
    std::span<const std::uint32_t> place_;
};

std::array<double, 3> numbers(const Vec3d& v) { return {v.x, v.y, v.z}; }

void addOuter(Block& block, const Vec3d& left, const Vec3d& right, double factor) {
    const std::array<double, 3> a = numbers(left), b = numbers(right);
    for (std::size_t column = 0; column < 3; ++column)
        for (std::size_t row = 0; row < 3; ++row)
            block[3 * column + row] += factor * a[row] * b[column];
}

void addMembrane(const ShellMesh& mesh, std::uint32_t triangle, double poisson, Assembly& assembly) {
    const double mu = 1 / (2 * (1 + poisson)), lambda = poisson / (1 - poisson * poisson);  // over Young; plane stress
    const std::array<Vec3d, 3> g = gradientsOf(mesh, triangle);
    const Vec3d normal = normalOf(mesh, triangle);
    const double twice = std::sqrt(dot(normal, normal)), volume = twice / 2 * mesh.thickness;
    const Vec3d n = normal * (1 / twice);
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t d = 0; d < 3; ++d) {
            Block block{};
            addOuter(block, g[c], g[d], lambda * volume);
            addOuter(block, g[d], g[c], mu * volume);
            const double both = mu * volume * dot(g[c], g[d]);
            for (std::size_t a = 0; a < 3; ++a)
                block[4 * a] += both;
            addOuter(block, n, n, -both);
            assembly.add(mesh.triangles[triangle][c], mesh.triangles[triangle][d], block);
        }
}

void addPlate(const ShellMesh& mesh, const TriangleEdges& edges, std::uint32_t triangle, double poisson, Assembly& assembly) {
    const Bending bending = bendingOf(mesh, edges, triangle);
    const Vec3d normal = normalOf(mesh, triangle);
    const double t = mesh.thickness, area = std::sqrt(dot(normal, normal)) / 2;
    const double stiffness = area * t * t * t / (12 * (1 - poisson * poisson));
    for (std::size_t j = 0; j < bending.count; ++j) {
        const Vec3d mx = bending.xx[j] + bending.yy[j] * poisson, my = bending.yy[j] + bending.xx[j] * poisson,
                    mxy = bending.xy[j] * (2 * (1 - poisson));
        for (std::size_t i = 0; i < bending.count; ++i) {
            Block block{};
            addOuter(block, bending.xx[i], mx, stiffness);
            addOuter(block, bending.yy[i], my, stiffness);
            addOuter(block, bending.xy[i], mxy, stiffness);
            assembly.add(bending.vertices[i], bending.vertices[j], block);
        }
    }
}

constexpr std::uint32_t kElsewhere = 0xffffffffu;

// Corners and the vertices beyond the edges of a triangle are all neighbours.
void addBentGroups(const ShellMesh& mesh, const TriangleEdges& edges, std::uint32_t triangle,
                   std::span<const std::uint32_t> place, std::vector<std::array<std::uint32_t, 4>>& groups) {
    const ShellTriangle& t = mesh.triangles[triangle];
    const auto beyond = [&](std::uint32_t k) {
        const ShellEdge& edge = mesh.edges[edges.edges[k]];
        return place[edge.across[edge.triangles[0] == triangle ? 1 : 0]];
    };
    const std::uint32_t begin = edges.first[triangle], end = edges.first[triangle + 1];
    for (std::uint32_t k = begin; k < end; ++k) {
        groups.push_back({place[t[0]], place[t[1]], place[t[2]], beyond(k)});
        for (std::uint32_t other = begin; other < k; ++other)
            groups.push_back({beyond(k), beyond(other), beyond(other), beyond(other)});
    }
}

}  // namespace

std::array<Vec3d, 3> gradientsOf(const ShellMesh& mesh, std::uint32_t triangle) {
    const ShellTriangle& t = mesh.triangles[triangle];
    const Vec3d normal = normalOf(mesh, triangle);
    const double scale = 1 / dot(normal, normal);
    std::array<Vec3d, 3> gradients;
    for (std::size_t c = 0; c < 3; ++c)
        gradients[c] = cross(normal, mesh.vertices[t[(c + 2) % 3]] - mesh.vertices[t[(c + 1) % 3]]) * scale;
    return gradients;
}

ElasticSolid lumpedShell(const ShellMesh& mesh, const ElasticMaterial& material) {
    ElasticSolid lumped;
    lumped.material = material;
    lumped.nodes = mesh.vertices;
    lumped.masses.assign(mesh.vertices.size(), 0);
    UnionFind sets(mesh.vertices.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const Vec3d normal = normalOf(mesh, t);
        const double third = double(material.density) * mesh.thickness * std::sqrt(dot(normal, normal)) / 6;
        for (const std::uint32_t vertex : mesh.triangles[t]) {
            lumped.masses[vertex] += third;
            sets.join(mesh.triangles[t][0], vertex);
        }
    }
    lumped.component.resize(mesh.vertices.size());
    for (std::uint32_t i = 0; i < lumped.component.size(); ++i) {
        const std::uint32_t root = sets.root(i);
        lumped.component[i] = root == i ? lumped.componentCount++ : lumped.component[root];
    }
    return lumped;
}

Stiffness shellStiffness(const ShellMesh& mesh, const ElasticSolid& lumped, std::span<const std::uint32_t> nodes,
                         TaskRunner& runner) {
    std::vector<std::uint32_t> place(mesh.vertices.size(), kElsewhere);
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
        place[nodes[i]] = i;
    std::vector<std::array<std::uint32_t, 4>> groups;
    for (const ShellTriangle& t : mesh.triangles)
        if (place[t[0]] != kElsewhere)
            groups.push_back({place[t[0]], place[t[1]], place[t[2]], place[t[2]]});
    const TriangleEdges edges = edgesOfTriangles(mesh);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        if (place[mesh.triangles[t][0]] != kElsewhere)
            addBentGroups(mesh, edges, t, place, groups);
    const NodeGraph graph = graphOf(groups, incidenceOf(groups, nodes.size()), runner);
    const ColourOrder order = colourOrder(graph);
    Stiffness stiffness;
    stiffness.pattern = patternOf(graph, order, nullptr, runner);
    stiffness.matrix.resize(stiffness.pattern);
    for (const std::uint32_t i : order.node) {
        stiffness.node.push_back(nodes[i]);
        stiffness.positions.push_back(mesh.vertices[nodes[i]]);
        stiffness.volumes.push_back(lumped.masses[nodes[i]] / double(lumped.material.density));
    }
    Assembly assembly(stiffness, order, place);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        if (place[mesh.triangles[t][0]] != kElsewhere) {
            addMembrane(mesh, t, double(lumped.material.poisson), assembly);
            addPlate(mesh, edges, t, double(lumped.material.poisson), assembly);
        }
    return stiffness;
}

}  // namespace sunder::elastic
