#include "deformable/step/solid_matrix.h"

namespace sunder::deformable {

namespace {

constexpr std::size_t kBlocksPerTask = 32;
constexpr std::array<std::array<int, 2>, 6> kEdges = {{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
constexpr int kEdgeOf[4][4] = {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}};

// Share of the shear modulus up to which a stress counts in the matrix: beyond, strains are not small, and what a
// tetrahedron does next says little of what it does now.
constexpr Real kMostStress = Real(0.2);

// G_i . S G_j of all tetrahedra, 0 where it is not to be used: f = -sqrt(V) S G.
std::vector<std::array<Real, 6>> turningStiffness(TaskRunner& tasks, const SolidModel& model,
                                                  const std::vector<TetRecord>& records) {
    const Real most = kMostStress * lameOf(model.material.elastic).mu;
    std::vector<std::array<Real, 6>> found(model.tetCount());
    runRanges(tasks, model.tetCount(), kTetsPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            const Real root = model.blocks[t / wide::kLanes].rootVolume.lane[t % wide::kLanes];
            const TetRecord& record = records[t];
            Real forces = 0, areas = 0;
            for (int k = 0; k < 4; ++k) {
                forces += lengthSquared(toVec3(record.force[k]));
                areas += lengthSquared(toVec3(record.gradient[k]));
            }
            if (!(forces < square(most * root) * areas))
                continue;
            for (int k = 0; k < 6; ++k) {
                const auto [i, j] = kEdges[k];
                found[t][std::size_t(k)] = -(dot(toVec3(record.gradient[i]), toVec3(record.force[j])) +
                                             dot(toVec3(record.gradient[j]), toVec3(record.force[i]))) /
                                           (2 * root);
            }
        }
    });
    return found;
}

// Block of K for one entry above the diagonal.
Block stiffnessOf(const NodeGraph& graph, const std::vector<TetRecord>& records, const LameConstants& lame,
                  std::span<const std::array<Real, 6>> turning, Real turningFactor, std::uint32_t entry) {
    Block sum;          // of G_i G_j^T
    Real stressed = 0;  // of G_i . S G_j
    for (std::uint32_t s = graph.firstShare[entry]; s < graph.firstShare[entry + 1]; ++s) {
        const EdgeShare& share = graph.shares[s];
        const TetRecord& record = records[share.tet];
        if (!turning.empty())
            stressed += turning[share.tet][std::size_t(kEdgeOf[share.i][share.j])];
        const Four &gi = record.gradient[share.i], &gj = record.gradient[share.j];
        for (int k = 0; k < 3; ++k)
            sum.column[k] += gi * fourOf(gj[k]);
    }
    const Real trace = lame.mu * (sum.column[0][0] + sum.column[1][1] + sum.column[2][2]);
    const Block swapped = transposed(sum);
    Block out = diagonalBlock(trace + turningFactor * stressed);
    for (int k = 0; k < 3; ++k)
        out.column[k] += fourOf(lame.lambda) * sum.column[k] + fourOf(lame.mu) * swapped.column[k];
    return out;
}

}  // namespace

StepFactors stepFactors(const FleshMaterial& material, Real dt) {
    return {1 + dt * material.massDamping, dt * (dt + material.stiffnessDamping)};
}

void deformElements(TaskRunner& tasks, const SolidModel& model, const Four* positions, const ElementSettings& settings,
                    std::vector<wide::LaneMask>& usesQr, std::vector<StrainBlock>& plastic, SolidMatrix& out) {
    out.records.resize(model.tetCount());
    const ElementKernels& kernels = elementKernels();
    ElementKernels::Deform* const deform =
        settings.plasticity == Plasticity::Multiplicative && !plastic.empty() ? kernels.deformReshaped : kernels.deform;
    runRanges(tasks, model.blocks.size(), kBlocksPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            const std::size_t first = b * wide::kLanes, left = model.tetCount() - first;
            deform(model.blocks[b], positions, settings, usesQr[b], plastic.empty() ? nullptr : &plastic[b],
                   &out.records[first], left < wide::kLanes ? static_cast<int>(left) : wide::kLanes);
        }
    });
}

void assemble(TaskRunner& tasks, const SolidModel& model, Real dt, SolidMatrix& matrix, bool withStress) {
    const NodeGraph& graph = model.graph;
    const StepFactors factors = stepFactors(model.material, dt);
    LameConstants lame = lameOf(model.material.elastic);
    lame.lambda *= factors.stiffness;
    lame.mu *= factors.stiffness;
    std::vector<std::array<Real, 6>> turning;
    if (withStress)
        turning = turningStiffness(tasks, model, matrix.records);
    matrix.stiffnessFactor = factors.stiffness;
    matrix.offDiagonal.resize(graph.neighbor.size());
    matrix.diagonal.resize(model.nodeCount());
    runRanges(tasks, model.nodeCount(), kNodesPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t a = begin; a < end; ++a)
            for (std::uint32_t k = graph.firstOf[a]; k < graph.firstOf[a + 1]; ++k)
                if (graph.neighbor[k] > a) {
                    matrix.offDiagonal[k] = stiffnessOf(graph, matrix.records, lame, turning, square(dt), k);
                    matrix.offDiagonal[graph.mirror[k]] = transposed(matrix.offDiagonal[k]);
                }
    });
    runRanges(tasks, model.nodeCount(), kNodesPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t a = begin; a < end; ++a) {
            Block sum;
            for (std::uint32_t k = graph.firstOf[a]; k < graph.firstOf[a + 1]; ++k)
                sum += matrix.offDiagonal[k];
            Block own = diagonalBlock(factors.mass * model.nodeMass[a]);
            for (int k = 0; k < 3; ++k)
                own.column[k] -= sum.column[k];
            matrix.diagonal[a] = own;
        }
    });
}

Four elasticForce(const SolidModel& model, const SolidMatrix& matrix, std::uint32_t node) {
    Four sum{0, 0, 0, 0};
    for (std::uint32_t c = model.graph.firstCorner[node]; c < model.graph.firstCorner[node + 1]; ++c) {
        const auto [tet, corner] = model.graph.cornerList[c];
        sum += matrix.records[tet].force[corner];
    }
    return sum;
}

Four stiffnessRow(const SolidModel& model, const SolidMatrix& matrix, std::uint32_t node, const Four* vectors) {
    // Differences to the node's own: what is common to all moves nothing, to the last bit.
    Four sum{0, 0, 0, 0};
    const Four own = vectors[node];
    for (std::uint32_t k = model.graph.firstOf[node]; k < model.graph.firstOf[node + 1]; ++k)
        sum += matrix.offDiagonal[k] * (vectors[model.graph.neighbor[k]] - own);
    return sum;
}

}  // namespace sunder::deformable
