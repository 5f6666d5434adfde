#include "deformable/element/rest_shape.h"

#include <cmath>

#include "math/eigen.h"

namespace sunder::deformable {

namespace {

// Largest singular value of beta, in units of the inverse of the mean edge. A regular tetrahedron has 1.6, the worst that
// isosurface stuffing makes 7; one flattened to a tenth of its height has 12.
constexpr double kMostStretch = 10;

using Matrix = std::array<double, 9>;

Matrix inverseOf(const Matrix& m, double determinant) {
    return {(m[4] * m[8] - m[5] * m[7]) / determinant, (m[2] * m[7] - m[1] * m[8]) / determinant,
            (m[1] * m[5] - m[2] * m[4]) / determinant, (m[5] * m[6] - m[3] * m[8]) / determinant,
            (m[0] * m[8] - m[2] * m[6]) / determinant, (m[2] * m[3] - m[0] * m[5]) / determinant,
            (m[3] * m[7] - m[4] * m[6]) / determinant, (m[1] * m[6] - m[0] * m[7]) / determinant,
            (m[0] * m[4] - m[1] * m[3]) / determinant};
}

// beta = U S W^T: with W and S^2 from beta^T beta, clamped = beta W diag(min(s, most) / s) W^T.
void clampShape(RestShape& shape, double most) {
    const Matrix& b = shape.beta;
    double squares = 0;  // at least the square of the largest singular value
    for (const double x : b)
        squares += x * x;
    if (squares <= most * most)
        return;
    const auto dot = [&](int i, int j) { return b[i] * b[j] + b[3 + i] * b[3 + j] + b[6 + i] * b[6 + j]; };
    const SymmetricEigen eigen = symmetricEigen({dot(0, 0), dot(1, 1), dot(2, 2), dot(0, 1), dot(0, 2), dot(1, 2)});
    Matrix scale{};
    for (int k = 0; k < 3; ++k) {
        const double s = std::sqrt(std::max(eigen.values[k], 0.0));
        const double factor = s > most ? most / s : 1;
        shape.isClamped = shape.isClamped || s > most;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                scale[3 * i + j] += factor * eigen.vectors[i][k] * eigen.vectors[j][k];
    }
    if (!shape.isClamped)
        return;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            shape.clamped[3 * i + j] = b[3 * i] * scale[j] + b[3 * i + 1] * scale[3 + j] + b[3 * i + 2] * scale[6 + j];
}

}  // namespace

RestShape restShapeOf(const std::vector<Vec3>& nodes, const geometry::TetCorners& tet) {
    RestShape shape;
    double edgeSum = 0;
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j) {
            const Vec3 &a = nodes[tet[i]], &b = nodes[tet[j]];
            const double e[3] = {double(b.x) - a.x, double(b.y) - a.y, double(b.z) - a.z};
            edgeSum += std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
            if (i == 0)
                for (int k = 0; k < 3; ++k)
                    shape.edges[3 * k + j - 1] = e[k];
        }
    const Matrix& m = shape.edges;
    const double determinant =
        m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
    shape.volume = determinant / 6;
    shape.beta = shape.clamped = inverseOf(m, determinant);
    clampShape(shape, kMostStretch / (edgeSum / 6));
    return shape;
}

}  // namespace sunder::deformable
