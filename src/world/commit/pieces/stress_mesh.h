// The tetrahedra with which a body that cracks by stress is filled.
//   [Bao07] IV   a lattice; ours is filled up to the surface by stuffTets()
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "elastic/crack/crack_regions.h"
#include "elastic/crack/grains.h"
#include "elastic/shell/factored_shell.h"
#include "elastic/stress/stress_solver.h"
#include "world/state/state.h"

namespace sunder::world {

struct StressMesh {
    elastic::UncutMesh solid;
    elastic::TetFinder finder;
    elastic::Grains grains;

    StressMesh(geometry::TetMesh mesh, const Stressed& method);
};

// What is made once for all blows on a body without cracks.
struct WholeSolver {
    elastic::ElasticMaterial material;
    // Of a solid.
    elastic::CrackedMesh cut;
    std::optional<elastic::StressSolver> solver;
    // Of a thin shell.
    elastic::FactoredShell shell;
};
// The mesh must be one that stressMesh() has just returned.
WholeSolver& wholeSolver(BreakingState& breaking, const StressMesh& mesh, const elastic::ElasticMaterial& material,
                         TaskRunner& runner);

// Room for one more in the cache; the oldest makes it.
StressMeshEntry& newEntry(BreakingState& breaking, const SharedShape& solid, const Stressed& method);

// m: of the lattice that gives a body of this volume (m^3) about as many tetrahedra as are asked for.
Real latticeCell(double volume, int elements);

// From the cache, or built. Null where the solid is too thin for tetrahedra of that size.
std::shared_ptr<const StressMesh> stressMesh(BreakingState& breaking, const BodyFracture& fracture, const Stressed& method);

// As stressMesh, but a mesh that had to be built is not put into the cache.
std::shared_ptr<const StressMesh> stressMeshAsKept(const BreakingState& breaking, const BodyFracture& fracture,
                                                   const Stressed& method);

// Throws Error where the body's solid cannot be filled: which number is wrong, and what would do.
void checkStressMesh(const BodyFracture& fracture, const Stressed& method);

}  // namespace sunder::world
