#include "elastic/stress/stress_field.h"

namespace sunder::elastic {

namespace {

constexpr std::size_t kElementsPerBlock = 4096;

}  // namespace

std::vector<Stress> stressOf(const ElasticSolid& solid, std::span<const Vec3d> displacements, TaskRunner& runner) {
    const double lambda = solid.lambda(), mu = solid.shearModulus();
    std::vector<Stress> out(solid.tets.size());
    runRanges(runner, out.size(), kElementsPerBlock, [&](std::size_t begin, std::size_t end) {
        for (std::size_t e = begin; e < end; ++e) {
            const geometry::TetCorners& tet = solid.tets[e];
            const auto& g = solid.elements[e].gradients;
            const Vec3d base = displacements[tet[0]];
            Vec3d x, y, z;  // rows of F_u: the gradients of the displacement's components
            for (int c = 1; c < 4; ++c) {
                const Vec3d u = displacements[tet[c]] - base;
                x += g[c] * u.x;
                y += g[c] * u.y;
                z += g[c] * u.z;
            }
            const double pressure = lambda * (x.x + y.y + z.z);
            out[e] = {2 * mu * x.x + pressure, 2 * mu * y.y + pressure, 2 * mu * z.z + pressure,
                      mu * (x.y + y.x),        mu * (x.z + z.x),        mu * (y.z + z.y)};
        }
    });
    return out;
}

std::vector<Stress> smoothed(const ElasticSolid& solid, std::span<const Stress> stresses, TaskRunner& runner) {
    std::vector<Stress> atNode(solid.nodes.size(), Stress{}), out(stresses.size());
    std::vector<double> volume(solid.nodes.size(), 0);
    for (std::size_t e = 0; e < stresses.size(); ++e)
        for (const std::uint32_t node : solid.tets[e]) {
            volume[node] += solid.elements[e].volume;
            for (int k = 0; k < 6; ++k)
                atNode[node][k] += solid.elements[e].volume * stresses[e][k];
        }
    runRanges(runner, out.size(), kElementsPerBlock, [&](std::size_t begin, std::size_t end) {
        for (std::size_t e = begin; e < end; ++e) {
            double whole = 0;
            Stress sum{};
            for (const std::uint32_t node : solid.tets[e]) {
                whole += volume[node];
                for (int k = 0; k < 6; ++k)
                    sum[k] += atNode[node][k];
            }
            for (int k = 0; k < 6; ++k)
                out[e][k] = sum[k] / whole;
        }
    });
    return out;
}

PrincipalStress largestPrincipal(const Stress& stress) {
    const SymmetricEigen eigen = symmetricEigen(stress);
    int best = 0;
    for (int i = 1; i < 3; ++i)
        best = eigen.values[i] > eigen.values[best] ? i : best;
    return {eigen.values[best], {eigen.vectors[0][best], eigen.vectors[1][best], eigen.vectors[2][best]}};
}

}  // namespace sunder::elastic
