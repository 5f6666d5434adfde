#include "world/commit/pieces/prepared_shell.h"

#include "world/commit/pieces/stress_mesh.h"
#include "world/commit/pieces/stress_of_body.h"

namespace sunder::world {

elastic::ShellMesh meshOfShell(const Shell& shell) {
    std::vector<Vec3d> vertices;
    for (const Vec3& v : shell.vertices)
        vertices.push_back(toDouble(v));
    return elastic::shellMesh(std::move(vertices), shell.triangles, double(shell.thickness));
}

void prepareShell(BreakingState& breaking, const Body& body, const Stressed& method, TaskRunner& runner) {
    if (factoredShellOf(breaking, body))
        return;
    std::vector<StressMeshEntry>& kept = breaking.stressMeshes;
    const SharedShape& solid = body.fracture->solid;
    std::erase_if(kept, [&](const StressMeshEntry& entry) { return entry.solid == solid; });
    const elastic::ElasticMaterial material = elasticMaterialOf(body);
    const elastic::ShellMesh mesh = meshOfShell(*shellOf(*solid));
    const elastic::CrackedShell whole = elastic::cutShell(mesh, std::vector<std::uint8_t>(mesh.edges.size(), 0));
    newEntry(breaking, solid, method).solver =
        std::make_shared<WholeSolver>(WholeSolver{material, {}, {}, elastic::factoredShell(whole.mesh, material, runner)});
}

const elastic::FactoredShell* factoredShellOf(const BreakingState& breaking, const Body& body) {
    const elastic::ElasticMaterial material = elasticMaterialOf(body);
    // The density counts by its rounding alone, but a body that is restored without the cache must crack by the same bits.
    for (const StressMeshEntry& entry : breaking.stressMeshes)
        if (entry.solid == body.fracture->solid && entry.solver && entry.solver->material.poisson == material.poisson &&
            entry.solver->material.density == material.density)
            return &entry.solver->shell;
    return nullptr;
}

}  // namespace sunder::world
