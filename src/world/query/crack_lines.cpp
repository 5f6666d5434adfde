#include "world/query/crack_lines.h"

#include "elastic/crack/crack_state.h"
#include "elastic/shell/shell_mesh.h"
#include "world/commit/pieces/stress_mesh.h"
#include "world/commit/pieces/stress_of_body.h"

namespace sunder::world {

namespace {

using Lines = std::vector<std::array<Vec3, 2>>;

// The edges of a shell along which it is cracked.
void addEdges(const Shell& shell, const KeptCrack& crack, Lines& lines) {
    std::vector<Vec3d> vertices;
    for (const Vec3& v : shell.vertices)
        vertices.push_back(toDouble(v));
    const elastic::ShellMesh mesh = elastic::shellMesh(std::move(vertices), shell.triangles, double(shell.thickness));
    for (const std::uint32_t edge : crack.tets)
        if (edge < mesh.edges.size())
            lines.push_back({shell.vertices[mesh.edges[edge].ends[0]], shell.vertices[mesh.edges[edge].ends[1]]});
}

// The line along which a crack, by its distances at the corners, crosses a triangle.
void addLine(const elastic::UncutMesh& solid, const std::vector<Real>& distances, const geometry::TriangleIndices& triangle,
             Lines& lines) {
    std::array<Vec3, 2> line;
    std::size_t count = 0;
    for (std::size_t i = 0; i < 3 && count < 2; ++i) {
        const std::uint32_t a = triangle[i], b = triangle[(i + 1) % 3];
        if (!(distances[a] * distances[b] < 0))
            continue;
        const Vec3 &p = solid.mesh.vertices[a], &q = solid.mesh.vertices[b];
        line[count++] = p + (q - p) * Real(elastic::cutShare(distances[a], distances[b]));
    }
    if (count == 2)
        lines.push_back(line);
}

void addLines(const elastic::UncutMesh& solid, const KeptCrack& crack, Lines& lines) {
    std::vector<Real> distances(solid.mesh.vertices.size(), 0);
    for (std::size_t i = 0; i < crack.nodes.size() && i < crack.distances.size(); ++i)
        if (crack.nodes[i] < distances.size())
            distances[crack.nodes[i]] = crack.distances[i];
    for (const std::uint32_t tet : crack.tets)
        for (int face = 0; tet < solid.mesh.tets.size() && face < 4; ++face)
            if (solid.neighbors.across[tet][std::size_t(face)] == geometry::kNoTet)
                addLine(solid, distances, geometry::faceOf(solid.mesh.tets[tet], face), lines);
}

}  // namespace

void drawCracks(const WorldState& world, CrackDraw& draw) {
    for (std::uint32_t slot = 0; slot < world.bodies.size(); ++slot) {
        const Body& body = world.bodies[slot];
        if (!body.alive || !body.fracture || body.fracture->stress.cracks.empty())
            continue;
        CrackLines found;
        found.body = {slot, body.generation};
        found.worldFromBody = {toVec3(userPosition(body)), userOrientation(body)};
        const Shell* shell = shellOf(*body.fracture->solid);
        const auto* method = std::get_if<Stressed>(&body.fracture->def.method);
        std::shared_ptr<const StressMesh> mesh;
        if (!shell && method)
            mesh = stressMeshAsKept(world.breaking, *body.fracture, *method);
        for (const KeptCrack& crack : body.fracture->stress.cracks) {
            if (shell)
                addEdges(*shell, crack, found.lines);
            else if (mesh)
                addLines(mesh->solid, crack, found.lines);
        }
        if (!found.lines.empty())
            draw.cracks(found);
    }
}

}  // namespace sunder::world
