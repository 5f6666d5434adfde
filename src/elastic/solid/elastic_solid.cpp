#include "elastic/solid/elastic_solid.h"

#include "core/union_find.h"

namespace sunder::elastic {

namespace {

ElasticSolid::Element elementOf(const std::vector<Vec3d>& nodes, const geometry::TetCorners& tet, double fill) {
    const Vec3d a = nodes[tet[0]];
    const Vec3d b = nodes[tet[1]] - a, c = nodes[tet[2]] - a, d = nodes[tet[3]] - a;
    const Vec3d cd = cross(c, d), db = cross(d, b), bc = cross(b, c);
    const double determinant = dot(b, cd), inverse = 1 / determinant;
    ElasticSolid::Element out;
    out.gradients[1] = cd * inverse;
    out.gradients[2] = db * inverse;
    out.gradients[3] = bc * inverse;
    out.gradients[0] = -(out.gradients[1] + out.gradients[2] + out.gradients[3]);
    out.volume = determinant / 6 * fill;
    return out;
}

// Numbers the roots in the order of their nodes.
std::uint32_t numberComponents(UnionFind& sets, std::vector<std::uint32_t>& component) {
    std::uint32_t count = 0;
    component.resize(sets.size());
    for (std::uint32_t i = 0; i < component.size(); ++i) {
        const std::uint32_t root = sets.root(i);
        component[i] = root == i ? count++ : component[root];
    }
    return count;
}

}  // namespace

ElasticSolid::ElasticSolid(const ElementMesh& mesh, const ElasticMaterial& materialOfAll, TaskRunner& runner)
    : material(materialOfAll), tets(mesh.mesh.tets) {
    nodes.reserve(mesh.mesh.vertices.size());
    for (const Vec3& p : mesh.mesh.vertices)
        nodes.push_back(toDouble(p));
    elements.resize(tets.size());
    runRanges(runner, tets.size(), kElementsPerBlock, [&](std::size_t begin, std::size_t end) {
        for (std::size_t e = begin; e < end; ++e)
            elements[e] = elementOf(nodes, tets[e], mesh.fill.empty() ? 1.0 : double(mesh.fill[e]));
    });

    masses.assign(nodes.size(), 0);
    UnionFind sets(nodes.size());
    const double quarter = double(material.density) / 4;
    for (std::size_t e = 0; e < tets.size(); ++e) {
        for (const std::uint32_t node : tets[e])
            masses[node] += quarter * elements[e].volume;
        for (int c = 1; c < 4; ++c)
            sets.join(tets[e][0], tets[e][c]);
    }
    componentCount = numberComponents(sets, component);
}

double ElasticSolid::lambda() const {
    const double E = material.young, nu = material.poisson;
    return E * nu / ((1 + nu) * (1 - 2 * nu));
}

double ElasticSolid::shearModulus() const { return double(material.young) / (2 * (1 + double(material.poisson))); }

}  // namespace sunder::elastic
