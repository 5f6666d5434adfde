#include "deformable/step/tet_stress.h"

#include <cmath>

namespace sunder::deformable {

namespace {

Vec3 times(const SixNumbers& s, const Vec3& v) {
    const double x = v.x, y = v.y, z = v.z;
    return {Real(s[0] * x + s[3] * y + s[4] * z), Real(s[3] * x + s[1] * y + s[5] * z), Real(s[4] * x + s[5] * y + s[2] * z)};
}

double rootVolumeOf(const SolidModel& model, std::size_t tet) {
    return double(model.blocks[tet / wide::kLanes].rootVolume.lane[tet % wide::kLanes]);
}

// The mean of the stresses of a node's tetrahedra, by volume. whole: stress times sqrt(V) of each.
SixNumbers meanAt(const SolidModel& model, std::uint32_t node, const std::vector<SixNumbers>& whole) {
    SixNumbers sum{};
    double volume = 0;
    for (std::uint32_t c = model.graph.firstCorner[node]; c < model.graph.firstCorner[node + 1]; ++c) {
        const std::uint32_t tet = model.graph.cornerList[c][0];
        const double root = rootVolumeOf(model, tet);
        for (std::size_t k = 0; k < 6; ++k)
            sum[k] += root * whole[tet][k];
        volume += root * root;
    }
    for (double& x : sum)
        x /= volume;
    return sum;
}

}  // namespace

// The turned gradients and the forces of a record, f_k = -sqrt(V) S G_k, give back the stress S, because the gradients of three
// nodes are a basis.
bool stressOf(const TetRecord& record, SixNumbers& stress) {
    const Vec3 a = toVec3(record.gradient[1]), b = toVec3(record.gradient[2]), c = toVec3(record.gradient[3]);
    const double det = double(dot(a, cross(b, c)));
    if (!(std::fabs(det) > 0))
        return false;
    const std::array<Vec3, 3> dual = {cross(b, c), cross(c, a), cross(a, b)};
    double m[3][3] = {};
    for (int k = 0; k < 3; ++k) {
        const Vec3 f = toVec3(record.force[k + 1]);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                m[i][j] -= double(component(f, i)) * double(component(dual[std::size_t(k)], j)) / det;
    }
    stress = {m[0][0], m[1][1], m[2][2], (m[0][1] + m[1][0]) / 2, (m[0][2] + m[2][0]) / 2, (m[1][2] + m[2][1]) / 2};
    return true;
}

void smoothForces(TaskRunner& tasks, const SolidModel& model, Real share, SolidMatrix& matrix) {
    std::vector<SixNumbers> whole(model.tetCount()), mean(model.nodeCount());
    runRanges(tasks, model.tetCount(), kTetsPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t)
            if (!stressOf(matrix.records[t], whole[t]))
                whole[t] = {};
    });
    runRanges(tasks, model.nodeCount(), kNodesPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            mean[i] = meanAt(model, static_cast<std::uint32_t>(i), whole);
    });
    runRanges(tasks, model.tetCount(), kTetsPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            const double root = rootVolumeOf(model, t), quarter = root * double(share) / 4;
            SixNumbers stress{};
            for (std::size_t k = 0; k < 6; ++k) {
                stress[k] = (1 - double(share)) * whole[t][k];
                for (const std::uint32_t node : model.mesh.tets[t])
                    stress[k] += quarter * mean[node][k];
            }
            TetRecord& record = matrix.records[t];
            Four first{0, 0, 0, 0};
            for (int k = 1; k < 4; ++k) {
                record.force[k] = toFour(-times(stress, toVec3(record.gradient[k])));
                first -= record.force[k];
            }
            record.force[0] = first;
        }
    });
}

}  // namespace sunder::deformable
