// The matrix of one solid's linearised step, and the loads that go with it.
//   [Parker09] 4: (M + dt C + dt^2 K) v+ = M v + dt f with Rayleigh's C = a M + b K, solved for the change of velocity
// K_ij of two nodes is the sum over their tetrahedra of lambda G_i G_j^T + mu G_j G_i^T + mu (G_i . G_j) I, with G the
// gradients of a TetRecord; what a row leaves over stands on the diagonal, so that K has no forces on rigid displacement, to
// the last bit.
// Stress makes a solid stiffer or softer against turning, by G_i . S G_j of each tetrahedron (geometric stiffness; forces are
// not changed by it). Without that a stiff beam which a load bends far swings ever wider in long steps: the load stiffens it
// more than twice over.
#pragma once

#include "core/task_runner.h"
#include "deformable/element/element_kernels.h"
#include "deformable/step/node_blocks.h"

namespace sunder::deformable {

struct SolidMatrix {
    std::vector<TetRecord> records;  // per tetrahedron
    std::vector<Block> offDiagonal;  // kg, by NodeGraph::neighbor
    std::vector<Block> diagonal;     // kg, per node
    Real stiffnessFactor = 0;        // s^2: of K in the matrix
};

// Factors of mass and stiffness in the matrix for a step of dt (s).
struct StepFactors {
    Real mass = 1, stiffness = 0;
};
StepFactors stepFactors(const FleshMaterial& material, Real dt);

// What every tetrahedron does now. plastic may be empty; usesQr has an entry per block.
void deformElements(TaskRunner& tasks, const SolidModel& model, const Four* positions, const ElementSettings& settings,
                    std::vector<wide::LaneMask>& usesQr, std::vector<StrainBlock>& plastic, SolidMatrix& out);
// Fills the blocks from the records. withStress: with geometric stiffness, by which the matrix may have negative eigenvalues
// where a solid is about to buckle.
void assemble(TaskRunner& tasks, const SolidModel& model, Real dt, SolidMatrix& matrix, bool withStress);
// N: elastic force on a node.
Four elasticForce(const SolidModel& model, const SolidMatrix& matrix, std::uint32_t node);
// Row of K times the stiffness factor, applied to `vectors`.
Four stiffnessRow(const SolidModel& model, const SolidMatrix& matrix, std::uint32_t node, const Four* vectors);

}  // namespace sunder::deformable
