// The mean rotation maximises the sum of (q . q_i)^2: the eigenvector of the sum of q_i q_i^T to its largest eigenvalue
// (F. L. Markley et al., "Averaging quaternions", 2007). Found by Jacobi's rotations.
#include <array>
#include <cmath>

#include "math/quat.h"
#include "sunder/scene/filters.h"

namespace sunder {

namespace {

using Matrix4 = std::array<std::array<double, 4>, 4>;

constexpr int kSweeps = 12;  // Jacobi's method converges quadratically: six suffice for double

// Makes m(p, q) zero.
void rotateAway(Matrix4& m, Matrix4& vectors, int p, int q) {
    if (m[p][q] == 0)
        return;
    const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    const double t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
    const double c = 1 / std::sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 4; ++k) {
        const double x = m[k][p], y = m[k][q];
        m[k][p] = c * x - s * y;
        m[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 4; ++k) {
        const double x = m[p][k], y = m[q][k];
        m[p][k] = c * x - s * y;
        m[q][k] = s * x + c * y;
    }
    for (int k = 0; k < 4; ++k) {
        const double x = vectors[k][p], y = vectors[k][q];
        vectors[k][p] = c * x - s * y;
        vectors[k][q] = s * x + c * y;
    }
}

Quat meanOrientation(std::span<const Pose> poses) {
    Matrix4 m{}, vectors{};
    for (const Pose& pose : poses) {
        const Quat& o = pose.orientation;
        const double q[4] = {double(o.x), double(o.y), double(o.z), double(o.w)};
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                m[i][j] += q[i] * q[j];
    }
    for (int i = 0; i < 4; ++i)
        vectors[i][i] = 1;
    for (int sweep = 0; sweep < kSweeps; ++sweep)
        for (int p = 0; p < 3; ++p)
            for (int q = p + 1; q < 4; ++q)
                rotateAway(m, vectors, p, q);
    int best = 0;
    for (int i = 1; i < 4; ++i)
        if (m[i][i] > m[best][best])
            best = i;
    const Quat mean{Real(vectors[0][best]), Real(vectors[1][best]), Real(vectors[2][best]), Real(vectors[3][best])};
    const Quat& near = poses[poses.size() / 2].orientation;
    return normalize(dot(mean, near) < 0 ? Quat{-mean.x, -mean.y, -mean.z, -mean.w} : mean);
}

}  // namespace

Pose meanPose(std::span<const Pose> poses) {
    if (poses.size() == 1)
        return poses[0];
    double x = 0, y = 0, z = 0;
    for (const Pose& pose : poses) {
        x += double(pose.position.x);
        y += double(pose.position.y);
        z += double(pose.position.z);
    }
    const double n = double(poses.size());
    return {{Real(x / n), Real(y / n), Real(z / n)}, meanOrientation(poses)};
}

}  // namespace sunder
