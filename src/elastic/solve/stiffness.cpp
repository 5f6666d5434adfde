#include "elastic/solve/stiffness.h"

#include <algorithm>

#include "math/roots.h"

namespace sunder::elastic {

namespace {

// A body-centred cubic lattice has twelve tetrahedra in every cube.
constexpr double kTetsPerCube = 12;

struct Modulus {
    double lambda, mu;  // over Young's modulus
};

void addBlock(double* block, const Modulus& m, const ElasticSolid::Element& element, int row, int column) {
    const Vec3d &g = element.gradients[row], &h = element.gradients[column];
    const double l = m.lambda * element.volume, s = m.mu * element.volume, trace = s * dot(g, h);
    const double own[3] = {g.x, g.y, g.z}, other[3] = {h.x, h.y, h.z};
    for (int b = 0; b < 3; ++b) {
        const double lh = l * other[b], sg = s * own[b];
        for (int a = 0; a < 3; ++a)
            block[3 * b + a] += lh * own[a] + sg * other[a];
        block[3 * b + b] += trace;
    }
}

struct Local {
    std::vector<std::array<std::uint32_t, 4>> tets;  // nodes of the component, by their places in its list
    Incidence incidence;
};

Local localElements(const ElasticSolid& solid, std::span<const std::uint32_t> nodes, std::span<const std::uint32_t> elements) {
    Local out;
    std::vector<std::uint32_t> place(solid.nodes.size());
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
        place[nodes[i]] = i;
    out.tets.reserve(elements.size());
    for (const std::uint32_t e : elements) {
        const geometry::TetCorners& tet = solid.tets[e];
        out.tets.push_back({place[tet[0]], place[tet[1]], place[tet[2]], place[tet[3]]});
    }
    out.incidence = incidenceOf(out.tets, nodes.size());
    return out;
}

// Cube root of the mean volume, each element counted by its volume: slivers at the surface hardly count.
double cubeSizeOf(const ElasticSolid& solid, std::span<const std::uint32_t> elements) {
    double volume = 0, square = 0;
    for (const std::uint32_t e : elements) {
        const auto& g = solid.elements[e].gradients;
        const double whole = 1 / (6 * dot(g[1], cross(g[2], g[3])));  // the fill not counted in
        volume += whole;
        square += whole * whole;
    }
    return cubeRoot(kTetsPerCube * square / volume);
}

}  // namespace

Stiffness::Stiffness(const ElasticSolid& solid, std::span<const std::uint32_t> nodes, std::span<const std::uint32_t> elements,
                     TaskRunner& runner) {
    const Local local = localElements(solid, nodes, elements);
    const NodeGraph graph = graphOf(local.tets, local.incidence, runner);
    const ColourOrder order = colourOrder(graph);
    pattern = patternOf(graph, order, nullptr, runner);
    matrix.resize(pattern);
    cubeSize = cubeSizeOf(solid, elements);
    const std::size_t rows = pattern.rows();
    node.resize(rows);
    positions.resize(rows);
    volumes.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        node[row] = nodes[order.node[row]];
        positions[row] = solid.nodes[node[row]];
        volumes[row] = solid.masses[node[row]] / double(solid.material.density);
    }

    const double young = solid.material.young;
    const Modulus modulus{solid.lambda() / young, solid.shearModulus() / young};
    const int blocks = static_cast<int>((rows + kRowsPerBlock - 1) / kRowsPerBlock);
    runTasks(runner, blocks, [&](int block) {
        std::vector<std::uint32_t> slot(rows);  // by column: where its block of the row lies
        const std::size_t end = std::min(rows, (std::size_t(block) + 1) * kRowsPerBlock);
        for (std::size_t row = block * kRowsPerBlock; row < end; ++row) {
            for (std::uint32_t k = pattern.first[row]; k < pattern.first[row + 1]; ++k)
                slot[pattern.columns[k]] = k;
            const std::uint32_t own = order.node[row];
            for (std::uint32_t k = local.incidence.first[own]; k < local.incidence.first[own + 1]; ++k) {
                const std::uint32_t tet = local.incidence.corners[k] / 4;
                const int corner = int(local.incidence.corners[k] % 4);
                const ElasticSolid::Element& element = solid.elements[elements[tet]];
                for (int d = 0; d < 4; ++d) {
                    const std::uint32_t column = order.row[local.tets[tet][d]];
                    double* at = d == corner ? matrix.diagonal.data() + kBlockSize * row
                                             : matrix.values.data() + kBlockSize * slot[column];
                    addBlock(at, modulus, element, corner, d);
                }
            }
        }
    });
}

}  // namespace sunder::elastic
