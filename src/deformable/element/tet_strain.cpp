#include "deformable/element/tet_strain.h"

#include <algorithm>
#include <cmath>

#include "math/eigen.h"

namespace sunder::deformable {

// The stretches are the roots of the eigenvalues of F^T F, F = D_x beta.
std::vector<Real> tetStrains(const SolidModel& model, std::span<const Vec3> positions) {
    std::vector<Real> strains;
    for (std::size_t t = 0; t < model.tetCount(); ++t) {
        const geometry::TetCorners& tet = model.mesh.tets[t];
        const auto& beta = model.blocks[t / wide::kLanes].beta;
        double f[3][3] = {};
        for (int k = 0; k < 3; ++k) {
            const Vec3 edge = positions[tet[std::size_t(k) + 1]] - positions[tet[0]];
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    f[i][j] += double(component(edge, i)) * double(beta[3 * k + j].lane[t % wide::kLanes]);
        }
        const auto entry = [&](int i, int j) { return f[0][i] * f[0][j] + f[1][i] * f[1][j] + f[2][i] * f[2][j]; };
        const SymmetricEigen eigen =
            symmetricEigen({entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)});
        const double most = *std::max_element(eigen.values.begin(), eigen.values.end());
        strains.push_back(Real(std::sqrt(std::max(most, 0.0)) - 1));
    }
    return strains;
}

}  // namespace sunder::deformable
