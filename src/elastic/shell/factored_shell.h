// The stiffness of a thin shell and its factor, for any number of loads.
#pragma once

#include <vector>

#include "elastic/shell/shell_mesh.h"
#include "elastic/solid/elastic_solid.h"
#include "elastic/solve/kept_factor.h"

namespace sunder::elastic {

// What hangs together.
struct FactoredComponent {
    Stiffness stiffness;
    KeptFactor factor;
};
FactoredComponent factoredComponent(const ShellMesh& mesh, const ElasticSolid& lumped, std::span<const std::uint32_t> nodes,
                                    TaskRunner& runner);

// By component of lumpedShell(). Of the material only Poisson's ratio counts, and the rounding of the density. May be used by
// several threads at once.
struct FactoredShell {
    std::vector<FactoredComponent> components;
};
FactoredShell factoredShell(const ShellMesh& mesh, const ElasticMaterial& material, TaskRunner& runner);

// By component of the solid, ascending.
std::vector<std::vector<std::uint32_t>> nodesByComponent(const ElasticSolid& solid);

}  // namespace sunder::elastic
