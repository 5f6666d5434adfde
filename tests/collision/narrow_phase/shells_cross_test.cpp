// Whether the triangles of two shells come near each other, against all pairs of them.
#include "collision/narrow_phase/shells_cross.h"

#include <gtest/gtest.h>

#include <cmath>

#include "collision/build_shape.h"
#include "core/random.h"
#include "geometry/shell/triangles_apart.h"

namespace sunder::collision {
namespace {

// A cap of a sphere about the origin, of n x n squares.
Shell cap(Real radius, Real half, int n) {
    Shell shell;
    shell.thickness = Real(0.01);
    for (int x = 0; x <= n; ++x)
        for (int z = 0; z <= n; ++z) {
            const Real px = half * (2 * Real(x) / Real(n) - 1), pz = half * (2 * Real(z) / Real(n) - 1);
            shell.vertices.push_back({px, std::sqrt(radius * radius - px * px - pz * pz), pz});
        }
    for (int x = 0; x < n; ++x)
        for (int z = 0; z < n; ++z) {
            const auto at = [&](int i, int j) { return std::uint32_t((x + i) * (n + 1) + z + j); };
            shell.triangles.push_back({at(0, 0), at(0, 1), at(1, 1)});
            shell.triangles.push_back({at(0, 0), at(1, 1), at(1, 0)});
        }
    return shell;
}

bool allPairs(const Shell& a, const Shell& b, const Pose& aFromB, Real gap) {
    const auto corners = [](const Shell& shell, std::size_t t, const Pose& pose) {
        geometry::TriangleCorners out;
        for (std::size_t k = 0; k < 3; ++k)
            out[k] = toDouble(rotate(pose.orientation, shell.vertices[shell.triangles[t][k]])) + toDouble(pose.position);
        return out;
    };
    for (std::size_t s = 0; s < a.triangles.size(); ++s)
        for (std::size_t t = 0; t < b.triangles.size(); ++t)
            if (!geometry::areApart(corners(a, s, {}), corners(b, t, aFromB), double(gap)))
                return true;
    return false;
}

TEST(ShellsCross, AsAllPairsOfTrianglesSay) {
    const Shell wide = cap(1, Real(0.5), 6), deep = cap(Real(0.4), Real(0.2), 5);
    const SharedShape a = buildShape(Shape(wide)), b = buildShape(Shape(deep));
    core::Random random(7);
    const auto unit = [&] { return Real(random.between(-1, 1)); };
    int crossing = 0, near = 0;
    constexpr int kPlaces = 400;
    for (int i = 0; i < kPlaces; ++i) {
        const Quat turn = normalize(Quat{unit(), unit(), unit(), unit()});
        const Vec3 way{unit() * Real(0.4), Real(0.9) + unit() * Real(0.4), unit() * Real(0.4)};
        const Pose poseB{way - rotate(turn, Vec3{0, Real(0.35), 0}), turn};
        for (const Real gap : {Real(0), Real(0.03)}) {
            const bool expected = allPairs(wide, deep, poseB, gap);
            // As the first shell and as the second.
            EXPECT_EQ(doShellsCross(*a, {}, *b, poseB, gap), expected) << i;
            EXPECT_EQ(doShellsCross(*b, poseB, *a, {}, gap), expected) << i;
            (gap > 0 ? near : crossing) += expected ? 1 : 0;
        }
    }
    EXPECT_GT(crossing, kPlaces / 10);
    EXPECT_GT(near, crossing);
    EXPECT_LT(near, kPlaces * 9 / 10);
}

}  // namespace
}  // namespace sunder::collision
