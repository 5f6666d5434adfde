#include "elastic/shell/factored_shell.h"

#include "elastic/shell/shell_stiffness.h"

namespace sunder::elastic {

FactoredComponent factoredComponent(const ShellMesh& mesh, const ElasticSolid& lumped, std::span<const std::uint32_t> nodes,
                                    TaskRunner& runner) {
    Stiffness stiffness = shellStiffness(mesh, lumped, nodes, runner);
    KeptFactor factor(stiffness);
    return {std::move(stiffness), factor};
}

std::vector<std::vector<std::uint32_t>> nodesByComponent(const ElasticSolid& solid) {
    std::vector<std::vector<std::uint32_t>> nodes(solid.componentCount);
    for (std::uint32_t i = 0; i < solid.nodes.size(); ++i)
        nodes[solid.component[i]].push_back(i);
    return nodes;
}

FactoredShell factoredShell(const ShellMesh& mesh, const ElasticMaterial& material, TaskRunner& runner) {
    const ElasticSolid lumped = lumpedShell(mesh, material);
    FactoredShell out;
    for (const std::vector<std::uint32_t>& nodes : nodesByComponent(lumped))
        out.components.push_back(factoredComponent(mesh, lumped, nodes, runner));
    return out;
}

}  // namespace sunder::elastic
