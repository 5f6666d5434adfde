// The stress of a body that is not held anywhere, under loads that change slowly against its vibrations.
//   [Bao07] IV, V   K u = f on displacements; the mesh never moves
// A solver is made for one mesh and used for any number of loads. Every component of the mesh is a system of its own.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "elastic/solid/nodal_loads.h"
#include "elastic/stress/stress_field.h"

namespace sunder::elastic {

struct StressOptions {
    // How displacements are made unique. Both give the same stress.
    enum class RigidMotion {
        deflated,  // residual and displacements are kept free of the six rigid motions
        pinned     // [Bao07] V: three points are held by six rows
    };
    // What conjugate gradients are helped by.
    enum class Method {
        automatic,    // block Jacobi for small components, multigrid for others
        blockJacobi,  // the inverse of each node's own block
        multigrid,    // a cycle on coarser and coarser cubes
        factor        // a factor of the whole matrix, kept: for bodies that are struck often
    };
    RigidMotion rigidMotion = RigidMotion::deflated;
    Method method = Method::automatic;
    double tolerance = 1e-3;  // of the energy norm of the error, over that of the solution
    int iterations = 400;     // at most; of block Jacobi ten times as many
};

struct StressSolution {
    std::vector<Vec3d> displacements;  // m; without rigid motion (weighted by mass) where deflated
    std::vector<Stress> stresses;      // per element, not smoothed
    int iterations = 0;                // of the component that took the most
    double residual = 0;               // of the component where it is largest, as StressOptions::tolerance
    double pinReaction = 0;            // N: the largest force on a pin; 0 where none are
    bool converged = true;             // false: do not trust the stresses
};

class StressSolver {
public:
    StressSolver(const ElementMesh& mesh, const ElasticMaterial& material, const StressOptions& options, TaskRunner& runner);
    // For the solid of `before` after cracks have grown: takes over what they left as it was. nodeBefore: per node the node of
    // before's mesh that it was. The two must not be used at once.
    StressSolver(const ElementMesh& mesh, const StressSolver& before, std::span<const std::uint32_t> nodeBefore,
                 const StressOptions& options, TaskRunner& runner);
    ~StressSolver();
    StressSolver(StressSolver&&) noexcept;
    StressSolver& operator=(StressSolver&&) noexcept;

    // For NodalLoads, ElementFinder and the functions of stress_field.h.
    const ElasticSolid& solid() const;
    // Loads are balanced first. guess: displacements to begin with, or none. The same bits for any number of threads.
    StressSolution solve(const NodalLoads& loads, TaskRunner& runner, std::span<const Vec3d> guess = {});

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace sunder::elastic
