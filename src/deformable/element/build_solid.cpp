// A model is built once, when a body is added: nodes sorted, masses lumped, rest shapes inverted, neighbours listed.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "deformable/element/aggregates.h"
#include "deformable/element/rest_shape.h"
#include "deformable/element/solid_model.h"

namespace sunder::deformable {

namespace {

// Aggregates per square root of the number of nodes, and the most: a dense system of six rows for each must stay cheap beside
// the sweeps that it saves (measured: 16 at 700 nodes, 30 at 2,500, 64 at 11,000).
constexpr double kAggregatesPerRootNode = 0.6;
constexpr double kMostAggregates = 64;

std::string complaintAbout(const geometry::TetMesh& mesh) {
    if (mesh.tets.empty())
        return "has no tetrahedra";
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
        if (!isFinite(mesh.vertices[i]))
            return "node " + std::to_string(i) + " is not finite";
    std::vector<bool> isUsed(mesh.vertices.size());
    for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
        for (const std::uint32_t node : mesh.tets[t]) {
            if (node >= mesh.vertices.size())
                return "tetrahedron " + std::to_string(t) + " names node " + std::to_string(node) + ", of " +
                       std::to_string(mesh.vertices.size());
            isUsed[node] = true;
        }
        const double volume = geometry::volumeOf(mesh, static_cast<std::uint32_t>(t));
        if (!(volume > 0))
            return "tetrahedron " + std::to_string(t) + " has the volume " + std::to_string(volume) +
                   " m^3; it must be above 0 (is it inverted?)";
    }
    const auto unused = std::find(isUsed.begin(), isUsed.end(), false);
    if (unused != isUsed.end())
        return "node " + std::to_string(unused - isUsed.begin()) + " belongs to no tetrahedron";
    return {};
}

void sortNodes(SolidModel& model) {
    const std::size_t count = model.nodeCount();
    const double wanted = kAggregatesPerRootNode * std::sqrt(double(count));
    const Aggregates found =
        findAggregates(model.mesh.vertices, static_cast<std::uint32_t>(std::min(kMostAggregates, std::max(1.0, wanted))));
    std::vector<std::uint32_t> newOf(count);
    std::vector<Vec3> sorted(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        newOf[found.order[i]] = i;
        sorted[i] = model.mesh.vertices[found.order[i]];
    }
    model.mesh.vertices = std::move(sorted);
    for (geometry::TetCorners& tet : model.mesh.tets)
        for (std::uint32_t& node : tet)
            node = newOf[node];
    // Neighbours in memory where they are neighbours in space.
    const auto firstNode = [&](std::uint32_t tet) {
        return *std::min_element(model.mesh.tets[tet].begin(), model.mesh.tets[tet].end());
    };
    model.givenTet.resize(model.tetCount());
    std::iota(model.givenTet.begin(), model.givenTet.end(), 0u);
    std::stable_sort(model.givenTet.begin(), model.givenTet.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return firstNode(a) < firstNode(b); });
    std::vector<geometry::TetCorners> tets;
    for (const std::uint32_t tet : model.givenTet)
        tets.push_back(model.mesh.tets[tet]);
    model.mesh.tets = std::move(tets);
    model.givenNode = found.order;
    model.firstOfAggregate = found.firstOf;
}

void addMass(SolidModel& model) {
    model.nodeMass.assign(model.nodeCount(), 0);
    double mass = 0, x = 0, y = 0, z = 0;
    for (std::uint32_t t = 0; t < model.tetCount(); ++t) {
        const double quarter = geometry::volumeOf(model.mesh, t) * double(model.material.elastic.density) / 4;
        for (const std::uint32_t node : model.mesh.tets[t])
            model.nodeMass[node] += Real(quarter);
    }
    for (std::size_t i = 0; i < model.nodeCount(); ++i) {
        const double m = model.nodeMass[i];
        const Vec3& p = model.mesh.vertices[i];
        mass += m;
        x += m * p.x;
        y += m * p.y;
        z += m * p.z;
    }
    model.mass = Real(mass);
    model.center = {Real(x / mass), Real(y / mass), Real(z / mass)};
}

void addBlocks(SolidModel& model) {
    const std::size_t count = model.tetCount();
    model.blocks.resize((count + wide::kLanes - 1) / wide::kLanes);
    for (std::size_t b = 0; b < model.blocks.size(); ++b)
        for (int lane = 0; lane < wide::kLanes; ++lane) {
            const std::size_t wanted = b * wide::kLanes + std::size_t(lane);
            const geometry::TetCorners& tet = model.mesh.tets[wanted < count ? wanted : b * wide::kLanes];
            TetBlock& block = model.blocks[b];
            const RestShape shape = restShapeOf(model.mesh.vertices, tet);
            for (int k = 0; k < 4; ++k)
                block.node[k][lane] = tet[k];
            for (int k = 0; k < 9; ++k) {
                block.beta[k][lane] = Real(shape.beta[k]);
                block.clamped[k][lane] = Real(shape.clamped[k]);
                block.edges[k][lane] = Real(shape.edges[k]);
            }
            block.rootVolume[lane] = Real(std::sqrt(shape.volume));
            model.clampedTets += shape.isClamped && wanted < count;
        }
}

// Which tetrahedra a node belongs to, ascending.
void addCorners(SolidModel& model) {
    NodeGraph& graph = model.graph;
    graph.firstCorner.assign(model.nodeCount() + 1, 0);
    for (const geometry::TetCorners& tet : model.mesh.tets)
        for (const std::uint32_t node : tet)
            ++graph.firstCorner[node + 1];
    std::partial_sum(graph.firstCorner.begin(), graph.firstCorner.end(), graph.firstCorner.begin());
    graph.cornerList.resize(4 * model.tetCount());
    std::vector<std::uint32_t> next(graph.firstCorner.begin(), graph.firstCorner.end() - 1);
    for (std::uint32_t t = 0; t < model.tetCount(); ++t)
        for (std::uint32_t k = 0; k < 4; ++k)
            graph.cornerList[next[model.mesh.tets[t][k]]++] = {t, k};
}

// The columns of a row ascend, and so do the tetrahedra in which a row and a column share.
void addGraph(SolidModel& model) {
    addCorners(model);
    NodeGraph& graph = model.graph;
    const std::size_t count = model.nodeCount();
    graph.firstOf.assign(count + 1, 0);
    std::vector<std::uint32_t> seenIn(count, ~0u), sharesOf(count), columns;
    for (std::uint32_t row = 0; row < count; ++row) {
        columns.clear();
        const auto forEachShare = [&](auto&& function) {
            for (std::uint32_t c = graph.firstCorner[row]; c < graph.firstCorner[row + 1]; ++c)
                for (std::uint8_t j = 0; j < 4; ++j)
                    if (const auto [tet, i] = graph.cornerList[c]; j != i)
                        function(model.mesh.tets[tet][j], EdgeShare{tet, static_cast<std::uint8_t>(i), j});
        };
        forEachShare([&](std::uint32_t column, const EdgeShare&) {
            if (seenIn[column] != row) {
                seenIn[column] = row;
                sharesOf[column] = 0;
                columns.push_back(column);
            }
            ++sharesOf[column];
        });
        std::sort(columns.begin(), columns.end());
        auto next = static_cast<std::uint32_t>(graph.shares.size());
        for (const std::uint32_t column : columns) {
            graph.neighbor.push_back(column);
            graph.firstShare.push_back(next);
            const std::uint32_t shares = row < column ? sharesOf[column] : 0;
            sharesOf[column] = next;  // from here on: where its next share goes
            next += shares;
        }
        graph.shares.resize(next);
        forEachShare([&](std::uint32_t column, const EdgeShare& share) {
            if (row < column)
                graph.shares[sharesOf[column]++] = share;
        });
        graph.firstOf[row + 1] = static_cast<std::uint32_t>(graph.neighbor.size());
    }
    graph.firstShare.push_back(static_cast<std::uint32_t>(graph.shares.size()));
    // Rows ascend, so the entries of a column are met in the order in which its own row lists them.
    graph.mirror.resize(graph.neighbor.size());
    std::vector<std::uint32_t> next(graph.firstOf.begin(), graph.firstOf.end() - 1);
    for (std::uint32_t k = 0; k < graph.neighbor.size(); ++k)
        graph.mirror[k] = next[graph.neighbor[k]]++;
}

void addSurface(SolidModel& model) {
    model.neighbors = geometry::findNeighbors(model.mesh);
    std::vector<bool> isOnSurface(model.nodeCount());
    double edges = 0;
    for (std::uint32_t t = 0; t < model.tetCount(); ++t)
        for (int face = 0; face < 4; ++face)
            if (model.neighbors.across[t][face] == geometry::kNoTet) {
                const auto corners = geometry::faceOf(model.mesh.tets[t], face);
                model.triangles.push_back({corners[0], corners[1], corners[2]});
                model.triangleTet.push_back(t);
                for (int k = 0; k < 3; ++k) {
                    isOnSurface[corners[k]] = true;
                    edges += double(length(model.mesh.vertices[corners[k]] - model.mesh.vertices[corners[(k + 1) % 3]]));
                }
            }
    for (std::uint32_t i = 0; i < model.nodeCount(); ++i)
        if (isOnSurface[i])
            model.surfaceNodes.push_back(i);
    model.cell = Real(edges / (3 * double(model.triangles.size())));
}

}  // namespace

SolidResult buildSolid(const geometry::TetMesh& mesh, const FleshMaterial& material) {
    const std::string complaint = complaintAbout(mesh);
    if (!complaint.empty())
        return {nullptr, complaint};
    auto model = std::make_shared<SolidModel>();
    model->material = material;
    model->mesh = mesh;
    sortNodes(*model);
    addMass(*model);
    addBlocks(*model);
    addGraph(*model);
    addSurface(*model);
    return {model, {}};
}

}  // namespace sunder::deformable
