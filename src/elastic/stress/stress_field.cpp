#include "elastic/stress/stress_field.h"

#include <cmath>

namespace sunder::elastic {

namespace {}  // namespace

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

namespace {

// Finds the largest principal value mu of a stress without its mean: the largest root of mu^3 - J2 mu - J3. Above it the cubic
// is convex, so Newton's steps from 2 sqrt(J2 / 3), which no root exceeds, come down to it. False where another root is so near
// that the direction is chance.
constexpr int kNewtonSteps = 12;
constexpr double kLeastApart = 1e-2;  // of J2: the product of the distances to the other roots

bool largestRoot(double J2, double J3, double& mu) {
    mu = 2 * std::sqrt(J2 / 3);
    for (int step = 0; step < kNewtonSteps; ++step) {
        const double slope = 3 * mu * mu - J2;
        if (!(slope > kLeastApart * J2))
            return false;
        const double change = ((mu * mu - J2) * mu - J3) / slope;
        mu -= change;
        if (!(change > 1e-9 * mu))
            return true;
    }
    return false;
}

PrincipalStress byRotations(const Stress& stress) {
    const SymmetricEigen eigen = symmetricEigen(stress);
    int best = 0;
    for (int i = 1; i < 3; ++i)
        best = eigen.values[i] > eigen.values[best] ? i : best;
    return {eigen.values[best], {eigen.vectors[0][best], eigen.vectors[1][best], eigen.vectors[2][best]}};
}

}  // namespace

PrincipalStress largestPrincipal(const Stress& stress) {
    const double mean = (stress[0] + stress[1] + stress[2]) / 3;
    const double x = stress[0] - mean, y = stress[1] - mean, z = stress[2] - mean;
    const double a = stress[3], b = stress[4], c = stress[5];
    const double J2 = (x * x + y * y + z * z) / 2 + a * a + b * b + c * c;
    const double J3 = x * (y * z - c * c) - a * (a * z - b * c) + b * (a * c - b * y);
    double mu = 0;
    if (!largestRoot(J2, J3, mu))
        return byRotations(stress);
    // Rows of the stress less the root are at right angles to its direction.
    const Vec3d rows[3] = {{x - mu, a, b}, {a, y - mu, c}, {b, c, z - mu}};
    Vec3d direction;
    for (int i = 0; i < 3; ++i)
        if (const Vec3d normal = cross(rows[i], rows[(i + 1) % 3]); dot(normal, normal) > dot(direction, direction))
            direction = normal;
    return {mean + mu, normalizeOr(direction, {0, 1, 0})};
}

}  // namespace sunder::elastic
