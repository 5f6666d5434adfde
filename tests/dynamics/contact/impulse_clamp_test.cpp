// [Su09] 3.2: a clamped impulse never adds kinetic energy and passes untouched where it added none; fact 19.
#include "dynamics/contact/scalar/impulse_clamp.h"

#include <gtest/gtest.h>

#include <random>

#include "math/quat.h"

namespace sunder::dynamics {
namespace {

// Rounding of the factor and of the sums below, relative to the energies and powers that take part.
constexpr Real kRoundings = 64 * kEpsilon;

struct RandomBody {
    ClampBody state;
    Sym3 inertia;
    Vec3 arm;
};

class Source {
public:
    Vec3 vector(Real scale) {
        return Vec3{Real(normal_(generator_)), Real(normal_(generator_)), Real(normal_(generator_))} * scale;
    }
    Real positive(Real ratio) { return Real(std::pow(ratio, uniform_(generator_))); }
    RandomBody body() {
        const Vec3 principal{positive(30), positive(30), positive(30)};
        const Mat3 R = toMatrix(quatFromRotationVector(vector(1)));
        RandomBody body;
        body.state = {vector(2), vector(2), 1 / positive(100),
                      rotateDiagonal(R, {1 / principal.x, 1 / principal.y, 1 / principal.z})};
        body.inertia = rotateDiagonal(R, principal);
        body.arm = vector(1);
        return body;
    }
    ClampImpulse impulse() { return {vector(positive(100) / 5), vector(positive(100) / 20)}; }

private:
    std::mt19937 generator_{3};
    std::normal_distribution<double> normal_;
    std::uniform_real_distribution<double> uniform_{0, 1};
};

Real kineticEnergy(const RandomBody& body, const ClampBody& state) {
    return (lengthSquared(state.velocity) / state.inverseMass +
            dot(state.angularVelocity, body.inertia * state.angularVelocity)) /
           2;
}

ClampBody pushed(const ClampBody& body, const Vec3& arm, const ClampImpulse& impulse, Real factor) {
    ClampBody after = body;
    after.velocity += impulse.linear * (factor * body.inverseMass);
    after.angularVelocity += body.inverseInertia * ((cross(arm, impulse.linear) + impulse.angular) * factor);
    return after;
}

// Counts how often each of the three outcomes was seen, so that a test knows it met them all.
struct Outcomes {
    int applied = 0, scaled = 0, dropped = 0;
    void count(Real factor) { ++(factor == 1 ? applied : (factor > 0 ? scaled : dropped)); }
};

// `energy(factor)` must not rise above energy(0) at the factor found, must equal it where the impulse was scaled, and must
// have been above it with the whole impulse wherever the factor is not 1.
template <typename Energy>
void expectClamped(Real factor, const Energy& energy) {
    const Real before = energy(Real(0)), whole = energy(Real(1)), after = energy(factor);
    const Real tolerance = kRoundings * (before + whole);
    ASSERT_GE(factor, 0);
    ASSERT_LE(factor, 1);
    EXPECT_LE(after, before + tolerance);
    if (whole < before - tolerance) {
        EXPECT_EQ(factor, 1);
    }
    if (factor < 1) {
        EXPECT_GE(whole, before - tolerance);
    }
    if (factor > 0 && factor < 1) {
        EXPECT_NEAR(after, before, tolerance);
    }
    if (factor == 0) {
        EXPECT_GE(energy(Real(0.01)), before - tolerance);
    }
}

TEST(ImpulseClamp, DynamicPairNeverGainsEnergy) {
    Source source;
    Outcomes outcomes;
    for (int i = 0; i < 1000; ++i) {
        const RandomBody a = source.body(), b = source.body();
        const ClampImpulse impulse = source.impulse();
        const ClampImpulse opposite{-impulse.linear, -impulse.angular};
        const Real factor = energyClampFactor(a.state, a.arm, b.state, b.arm, impulse);
        outcomes.count(factor);
        expectClamped(factor, [&](Real f) {
            return kineticEnergy(a, pushed(a.state, a.arm, impulse, f)) + kineticEnergy(b, pushed(b.state, b.arm, opposite, f));
        });
    }
    EXPECT_GT(outcomes.applied, 50);
    EXPECT_GT(outcomes.scaled, 50);
    EXPECT_GT(outcomes.dropped, 50);
}

TEST(ImpulseClamp, StaticPartnerTakesNoEnergyAndGivesNone) {
    Source source;
    for (int i = 0; i < 1000; ++i) {
        const RandomBody a = source.body();
        const ClampImpulse impulse = source.impulse();
        expectClamped(energyClampFactor(a.state, a.arm, ClampSurface{}, impulse),
                      [&](Real f) { return kineticEnergy(a, pushed(a.state, a.arm, impulse, f)); });
    }
}

// In the frame that moves with the surface's point. An angular impulse works against w_a - w_k: where the surface turns, the
// energy that counts is seen from a frame that turns with it, or, without an angular impulse, from one that does not.
TEST(ImpulseClamp, KinematicPartnerCountsInItsOwnFrame) {
    Source source;
    Outcomes outcomes;
    for (int i = 0; i < 1000; ++i) {
        const RandomBody a = source.body();
        ClampImpulse impulse = source.impulse();
        ClampSurface surface{source.vector(3), {}};
        if (i % 2 == 1) {
            surface.angularVelocity = source.vector(3);
            impulse.angular = {};
        }
        const Real factor = energyClampFactor(a.state, a.arm, surface, impulse);
        outcomes.count(factor);
        expectClamped(factor, [&](Real f) {
            ClampBody after = pushed(a.state, a.arm, impulse, f);
            after.velocity -= surface.pointVelocity;
            return kineticEnergy(a, after);
        });
    }
    EXPECT_GT(outcomes.applied, 50);
    EXPECT_GT(outcomes.scaled, 50);
    EXPECT_GT(outcomes.dropped, 50);
}

// A wheel spun up by a turning shaft: pure angular impulse, no point velocity. Up to twice the slip is free of gain.
TEST(ImpulseClamp, TurningPartnerSpinsABodyUp) {
    ClampBody wheel;
    wheel.inverseMass = 1;
    wheel.inverseInertia = {2, 2, 2, 0, 0, 0};
    const ClampSurface shaft{{}, {0, 10, 0}};
    EXPECT_EQ(energyClampFactor(wheel, {}, shaft, {{}, {0, 5, 0}}), 1);           // to the shaft's speed
    EXPECT_EQ(energyClampFactor(wheel, {}, shaft, {{}, {0, 20, 0}}), Real(0.5));  // to three times the slip's reversal
    EXPECT_EQ(energyClampFactor(wheel, {}, shaft, {{}, {0, -1, 0}}), 0);
}

TEST(ImpulseClamp, ElevatorLifts) {
    ClampBody load;
    load.velocity = {3, 0, 0};
    load.inverseMass = Real(0.1);
    load.inverseInertia = {1, 1, 1, 0, 0, 0};
    const Vec3 arm{0, Real(-0.5), 0};
    const ClampImpulse lift{{0, 20, 0}, {}};  // 10 kg brought to 2 m/s
    const ClampSurface elevator{{0, 2, 0}, {}};
    EXPECT_EQ(energyClampFactor(load, arm, elevator, lift), 1);
    EXPECT_EQ(energyClampFactor(load, arm, ClampSurface{}, lift), 0);                        // a fixed floor does not throw
    EXPECT_EQ(energyClampFactor(load, arm, elevator, {{0, 40, 0}, {}}), 1);                  // e = 1
    EXPECT_NEAR(energyClampFactor(load, arm, elevator, {{0, 80, 0}, {}}), 0.5, kRoundings);  // no more
}

// The printed equation, body by body, in double.
TEST(ImpulseClamp, EqualsThePrintedEquation) {
    Source source;
    for (int i = 0; i < 1000; ++i) {
        const RandomBody a = source.body(), b = source.body();
        const ClampImpulse impulse = source.impulse();
        const Vec3 j = impulse.linear;
        const Vec3 Ja = cross(a.arm, j) + impulse.angular, Jb = cross(b.arm, j) + impulse.angular;
        const double terms[4] = {dot(j, b.state.velocity), dot(Jb, b.state.angularVelocity), -dot(j, a.state.velocity),
                                 -dot(Ja, a.state.angularVelocity)};
        const double denominator = double(lengthSquared(j)) * (a.state.inverseMass + b.state.inverseMass) +
                                   dot(Ja, a.state.inverseInertia * Ja) + dot(Jb, b.state.inverseInertia * Jb);
        const double eps = 2 * (terms[0] + terms[1] + terms[2] + terms[3]) / denominator;
        const double size = std::fabs(terms[0]) + std::fabs(terms[1]) + std::fabs(terms[2]) + std::fabs(terms[3]);
        const double expected = eps >= 1 ? 1 : (eps <= 0 ? 0 : eps);
        EXPECT_NEAR(energyClampFactor(a.state, a.arm, b.state, b.arm, impulse), expected,
                    double(kRoundings) * (1 + 2 * size / denominator));
    }
}

TEST(ImpulseClamp, NothingToScaleGivesOne) {
    Source source;
    const RandomBody a = source.body(), b = source.body();
    EXPECT_EQ(energyClampFactor(a.state, a.arm, b.state, b.arm, {}), 1);
    EXPECT_EQ(energyClampFactor(a.state, a.arm, ClampSurface{}, {}), 1);
    EXPECT_EQ(energyClampFactor(ClampBody{}, {}, ClampBody{}, {}, {{1, 2, 3}, {}}), 1);
}

}  // namespace
}  // namespace sunder::dynamics
