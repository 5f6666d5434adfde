#include "deformable/tear/tension.h"

#include <algorithm>
#include <cmath>

#include "deformable/step/tet_stress.h"
#include "math/eigen.h"

namespace sunder::deformable {

namespace {

// A tetrahedron with less stress than this share of the strength counts as free of stress: it cannot tear anything by itself.
constexpr Real kLeastShare = Real(0.25);

// Stress of a tetrahedron, in the body's frame, and its tension and compression, which are zero where there is little of
// either.
struct TetStress {
    SixNumbers whole{};  // Pa
    Sym3 tension, compression;
    Real size = 0;  // Pa: norm of the stress
};

double normOf(const SixNumbers& s) {
    return std::sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2] + 2 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

TetStress stressIn(const TetRecord& record, Real rootVolume) {
    TetStress out;
    if (!stressOf(record, out.whole))
        return out;
    for (double& x : out.whole)
        x /= double(rootVolume);
    out.size = Real(normOf(out.whole));
    return out;
}

void splitStress(Real strength, TetStress& out) {
    if (!(out.size > kLeastShare * strength))
        return;
    const SymmetricEigen eigen = symmetricEigen(out.whole);
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 n{Real(eigen.vectors[0][k]), Real(eigen.vectors[1][k]), Real(eigen.vectors[2][k])};
        Sym3& part = eigen.values[k] > 0 ? out.tension : out.compression;
        part = part + outer(n) * Real(eigen.values[k]);
    }
}

// tensor += factor f f^T / |f|
void addForce(const Vec3& f, double factor, SixNumbers& tensor) {
    const double size = double(length(f));
    if (!(size > 0))
        return;
    const Sym3 m = outer(f);
    const std::array<Real, 6> entries = {m.xx, m.yy, m.zz, m.xy, m.xz, m.yz};
    for (std::size_t k = 0; k < 6; ++k)
        tensor[k] += factor * double(entries[k]) / size;
}

struct WorkingTension {
    const SolidModel& model;
    std::vector<TetRecord> records;
    std::vector<TetStress> stress;

    Vec3 areaOf(std::uint32_t tet, std::uint32_t corner) const {  // m^2: V grad N
        const Real rootVolume = model.blocks[tet / wide::kLanes].rootVolume.lane[tet % wide::kLanes];
        return toVec3(records[tet].gradient[corner]) * rootVolume;
    }

    // A node opens only where one of its tetrahedra bears more than this stress, ascending.
    std::vector<std::uint32_t> nodesThatMayOpen(Real strength) const {
        std::vector<std::uint8_t> mayOpen(model.nodeCount());
        for (std::size_t t = 0; t < stress.size(); ++t)
            for (const std::uint32_t node : model.mesh.tets[t])
                if (stress[t].size > strength)
                    mayOpen[node] = 1;
        std::vector<std::uint32_t> nodes;
        for (std::uint32_t i = 0; i < model.nodeCount(); ++i)
            if (mayOpen[i])
                nodes.push_back(i);
        return nodes;
    }

    void splitAround(TaskRunner& tasks, std::span<const std::uint32_t> nodes, Real strength) {
        std::vector<std::uint8_t> isNeeded(model.tetCount());
        for (const std::uint32_t node : nodes)
            for (std::uint32_t c = model.graph.firstCorner[node]; c < model.graph.firstCorner[node + 1]; ++c)
                isNeeded[model.graph.cornerList[c][0]] = 1;
        runRanges(tasks, stress.size(), kTetsPerTask, [&](std::size_t begin, std::size_t end) {
            for (std::size_t t = begin; t < end; ++t)
                if (isNeeded[t])
                    splitStress(strength, stress[t]);
        });
    }

    NodeTension tensionAt(std::uint32_t node) const {
        const NodeGraph& graph = model.graph;
        SixNumbers tensor{};
        Vec3 pulls, pushes;
        bool any = false;
        for (std::uint32_t c = graph.firstCorner[node]; c < graph.firstCorner[node + 1]; ++c) {
            const std::array<std::uint32_t, 2>& at = graph.cornerList[c];
            const Vec3 area = areaOf(at[0], at[1]);
            const Vec3 pull = stress[at[0]].tension * area, push = stress[at[0]].compression * area;
            addForce(pull, 0.5, tensor);
            addForce(push, -0.5, tensor);
            pulls += pull;
            pushes += push;
            any = any || lengthSquared(pull) > 0;
        }
        NodeTension found{node, 0, {}};
        if (!any)
            return found;
        addForce(pulls, -0.5, tensor);
        addForce(pushes, 0.5, tensor);
        const SymmetricEigen eigen = symmetricEigen(tensor);
        const auto largest =
            static_cast<std::size_t>(std::max_element(eigen.values.begin(), eigen.values.end()) - eigen.values.begin());
        found.normal = {Real(eigen.vectors[0][largest]), Real(eigen.vectors[1][largest]), Real(eigen.vectors[2][largest])};
        double shown = 0;  // m^2
        for (std::uint32_t c = graph.firstCorner[node]; c < graph.firstCorner[node + 1]; ++c) {
            const std::array<std::uint32_t, 2>& at = graph.cornerList[c];
            shown += std::fabs(double(dot(areaOf(at[0], at[1]), found.normal))) / 2;
        }
        if (shown > 0)
            found.stress = Real(eigen.values[largest] / shown);
        return found;
    }
};

// Stresses of all tetrahedra. To look changes nothing: what flows does so in a step.
WorkingTension measure(TaskRunner& tasks, const SolidModel& model, std::span<const Vec3> positions, const SolidMemory& memory) {
    std::vector<Four> padded(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i)
        padded[i] = toFour(positions[i]);
    ElementSettings element;
    element.lame = lameOf(model.material.elastic);
    element.worldFromBody = toMatrix(Quat{0, 0, 0, 1});
    element.yieldStrain = model.material.yieldStrain;
    element.largestPlastic = model.material.largestPlastic;
    element.plasticity = model.material.plasticity;
    SolidMatrix matrix;
    std::vector<wide::LaneMask> usesQr = memory.usesQr;
    std::vector<StrainBlock> plastic = memory.plastic;
    deformElements(tasks, model, padded.data(), element, usesQr, plastic, matrix);
    WorkingTension working{model, std::move(matrix.records), std::vector<TetStress>(model.tetCount())};
    runRanges(tasks, model.tetCount(), kTetsPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t)
            working.stress[t] = stressIn(working.records[t], model.blocks[t / wide::kLanes].rootVolume.lane[t % wide::kLanes]);
    });
    return working;
}

}  // namespace

std::vector<Real> tetTensions(TaskRunner& tasks, const SolidModel& model, std::span<const Vec3> positions,
                              const SolidMemory& memory) {
    const WorkingTension working = measure(tasks, model, positions, memory);
    std::vector<Real> tensions;
    for (const TetStress& stress : working.stress) {
        const SymmetricEigen eigen = symmetricEigen(stress.whole);
        tensions.push_back(Real(*std::max_element(eigen.values.begin(), eigen.values.end())));
    }
    return tensions;
}

TensionFound findTension(TaskRunner& tasks, const SolidModel& model, std::span<const Vec3> positions, const SolidMemory& memory,
                         Real strength, bool withBelow) {
    WorkingTension working = measure(tasks, model, positions, memory);
    TensionFound found;
    for (const TetStress& stress : working.stress)
        found.load = max(found.load, stress.size / strength);
    if (!(found.load > 1))
        return found;
    const std::vector<std::uint32_t> nodes = working.nodesThatMayOpen(withBelow ? kLeastShare * strength : strength);
    working.splitAround(tasks, nodes, strength);
    std::vector<NodeTension> tensions(nodes.size());
    runRanges(tasks, nodes.size(), kNodesPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            tensions[i] = working.tensionAt(nodes[i]);
    });
    for (const NodeTension& node : tensions)
        if (node.stress > strength)
            found.beyond.push_back(node);
        else if (withBelow && node.stress > 0)
            found.below.push_back(node);
    std::sort(found.beyond.begin(), found.beyond.end(), [](const NodeTension& a, const NodeTension& b) {
        return a.stress != b.stress ? a.stress > b.stress : a.node < b.node;
    });
    return found;
}

}  // namespace sunder::deformable
