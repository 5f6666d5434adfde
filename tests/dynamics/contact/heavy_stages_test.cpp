// The two stages of a block: normal impulses are those of the contact problem, friction stays within the cone.
#include "dynamics/contact/heavy/heavy_stages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"

namespace sunder::dynamics {
namespace {

// Points of few bodies: rows of rank `rank`, which a millionth on the diagonal makes definite, as in a block.
HeavySystem randomSystem(std::uint64_t seed, std::size_t points, std::size_t rank) {
    core::Random random(seed);
    const auto next = [&] { return random.between(-1, 1); };
    HeavySystem system;
    system.resize(points);
    const std::size_t n = system.rowCount;
    std::vector<double> rows(n * rank);
    for (double& value : rows)
        value = next();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < rank; ++k)
                sum += rows[i * rank + k] * rows[j * rank + k];
            system.matrix[i * n + j] = i == j ? sum * (1 + 1e-6) : sum;
        }
    system.takeMatrix();
    for (std::size_t i = 0; i < n; ++i) {
        system.targets[i] = 0;
        system.wanted[i] = next();
        system.had[i] = i < points && i % 2 == 0 ? std::fabs(next()) : 0;
    }
    std::fill(system.friction.begin(), system.friction.end(), 0.5);
    return system;
}

// Impulses do not pull; no point approaches; what moves away has none. Half of the systems have three degrees of freedom for
// six points, where an active set that changes all points at once goes in circles in one of 25.
TEST(HeavyStages, NormalImpulsesSolveTheContactProblem) {
    int settled = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        HeavySystem system = randomSystem(seed, 6, seed % 2 == 0 ? 24 : 3);
        HeavyStages stages;
        if (!stages.solveNormals(system))
            continue;
        ++settled;
        for (std::size_t i = 0; i < system.pointCount; ++i) {
            const double impulse = system.had[i] + system.change[i];
            EXPECT_GE(impulse, 0);
            EXPECT_LE(system.left[i], 1.1e-6);
            EXPECT_LT(impulse * std::fabs(system.left[i]), 1e-6 * (1 + impulse));
        }
    }
    EXPECT_EQ(settled, 200);
}

TEST(HeavyStages, FrictionStaysWithinTheCone) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        HeavySystem system = randomSystem(seed, 6, 24);
        HeavyStages stages;
        if (!stages.solveNormals(system))
            continue;
        stages.solveFriction(system);
        for (std::size_t i = 0; i < system.pointCount; ++i) {
            const std::size_t row = system.tangentOf(i);
            const double t1 = system.had[row] + system.change[row], t2 = system.had[row + 1] + system.change[row + 1];
            EXPECT_LE(std::hypot(t1, t2), 0.5 * (system.had[i] + system.change[i]) * (1 + 1e-9) + 1e-15);
            // What is left of the tangents is what the whole product says.
            const double followed = system.left[row];
            system.findLeft(row);
            EXPECT_NEAR(system.left[row], followed, 1e-9 * (1 + std::fabs(followed)));
        }
    }
}

}  // namespace
}  // namespace sunder::dynamics
