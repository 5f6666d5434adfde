// One explicit step of the rotation keeps the angular momentum; the energy only with the fix [Su09] 2.
#include "dynamics/integrate/one_step_rotation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/quatd.h"

namespace sunder::dynamics {
namespace {

// A shard of 0.4 x 0.05 x 0.02 m and 1 kg: moments m (b^2 + c^2) / 12.
const Vec3 kInertia{Real((0.05 * 0.05 + 0.02 * 0.02) / 12), Real((0.4 * 0.4 + 0.02 * 0.02) / 12),
                    Real((0.4 * 0.4 + 0.05 * 0.05) / 12)};
const Vec3 kInverse{1 / kInertia.x, 1 / kInertia.y, 1 / kInertia.z};

struct Measured {
    double energy;
    Vec3d momentum;
};

Measured measure(const RotationState& state) {
    const Quatd q = normalize(toDouble(state.orientation));
    const Vec3d w = inverseRotate(q, toDouble(state.angularVelocity)), L = multiply(toDouble(kInertia), w);
    return {dot(L, w) / 2, rotate(q, L)};
}

// At 30 Hz a shard that turns at 12 rad/s about a skew axis: the paper saw more than an order of magnitude in a step.
TEST(OneStepRotation, GainsEnergyUnlessItIsFixed) {
    double mostGained = 0;
    for (const bool isFixed : {false, true})
        for (int i = 0; i < 20; ++i) {
            RotationState state{normalize(Quat{Real(0.1) * Real(i), Real(0.3), Real(-0.2), 1}), {3, 11, Real(0.2) * Real(i)}};
            const Measured start = measure(state);
            for (int step = 0; step < 30; ++step) {
                state = advanceByOneStep(state, kInertia, kInverse, Real(1) / 30, isFixed);
                const Measured now = measure(state);
                // Rounding of the stored orientation turns L by a unit in the last place or so each step.
                EXPECT_LT(length(now.momentum - start.momentum), 1e-4 * length(start.momentum));
                if (isFixed)
                    EXPECT_NEAR(now.energy, start.energy, 1e-4 * start.energy);
                else
                    mostGained = std::fmax(mostGained, now.energy / start.energy);
            }
        }
    EXPECT_GT(mostGained, 10);
}

// Of second order: half the step, a quarter of the error, against the exact turns.
TEST(OneStepRotation, IsOfSecondOrder) {
    const RotationState start{{}, {3, 1, 2}};
    const auto errorOf = [&](int steps) {
        const Real dt = Real(0.1) / Real(steps);
        RotationState one = start, exact = start;
        for (int i = 0; i < steps; ++i) {
            one = advanceByOneStep(one, kInertia, kInverse, dt, false);
            exact = advanceFreeRotation(exact, kInertia, kInverse, dt, true);
        }
        return length(toDouble(one.angularVelocity) - toDouble(exact.angularVelocity));
    };
    EXPECT_NEAR(errorOf(16) / errorOf(8), 0.25, 0.06);
}

// What does not turn freely is the other function's to move.
TEST(OneStepRotation, LeavesLockedAndRestingBodiesToTheOther) {
    const RotationState resting{normalize(Quat{0, Real(0.3), 0, 1}), {}};
    EXPECT_EQ(advanceByOneStep(resting, kInertia, kInverse, Real(0.1), true).orientation, resting.orientation);
    const RotationState locked = advanceByOneStep({{}, {0, 2, 0}}, {kInfinity, 2, 0}, {0, Real(0.5), 0}, Real(0.1), true);
    EXPECT_EQ(locked.angularVelocity, (Vec3{0, 2, 0}));
}

}  // namespace
}  // namespace sunder::dynamics
