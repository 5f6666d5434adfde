// Line 6 of the step: contact on the velocities at its end.
#include "dynamics/impulse/contact_phase.h"

#include <gtest/gtest.h>

#include "support/random_points.h"

namespace sunder::dynamics {
namespace {

constexpr int kPairs = 2000;
constexpr int kPhases = 5;  // one after the other, each from the impulses of the last

// Thin bodies that touch at a few random points; the first entry is what never moves.
struct Touching {
    SolverBody bodies[3];
    SolverBodyConstants constants[3];
    ImpulseScratch scratch;
};

void makeRandom(Touching& touching, std::uint32_t seed) {
    testing::RandomPoints random(seed);
    for (int i = 1; i < 3; ++i) {
        SolverBody& body = touching.bodies[i];
        const Real inverseMass = random.between(0.2, 2);
        body.inverseMass = {inverseMass, inverseMass, inverseMass};
        // A plate or a rod turns far more easily about some axes than about others.
        body.inverseInertia =
            rotateDiagonal(toMatrix(random.rotation()), {random.between(1, 60), random.between(1, 60), random.between(1, 60)});
        body.velocity = random.inBox(3);
        body.angularVelocity = random.inBox(3);
        touching.constants[i].isDynamic = true;
        touching.constants[i].radius = 1;
    }
    touching.scratch.kept.resize(3);
    for (int i = 1; i < 3; ++i) {
        touching.scratch.kept[i].velocity = touching.bodies[i].velocity;
        touching.scratch.kept[i].angularVelocity = touching.bodies[i].angularVelocity;
    }
    touching.scratch.pairs.resize(1);
    touching.scratch.pairCount = 1;
    touching.scratch.order = {0};
    ImpulsePair& pair = touching.scratch.pairs[0];
    pair.a.body = seed % 2 == 0 ? 1 : kFixedBody;
    pair.b.body = 2;
    pair.material.friction = random.between(0, 2);
    const Vec3 N = random.onSphere(), offset = random.inBox(1);  // from the centre of A to that of B
    for (std::uint32_t i = 0; i < 1 + seed % 3; ++i) {
        ImpulseSite& site = pair.sites.emplace_back();
        site.feature = i;
        site.N = N;
        site.armA = random.inBox(1);
        site.armB = site.armA - offset;
    }
}

// Twice the kinetic energy of a body. I w is found from I^-1, which is what a solver body has.
double energyOf(const SolverBody& body) {
    if (!canMove(body))
        return 0;
    return double(lengthSquared(body.velocity)) / double(body.inverseMass.x) +
           double(dot(body.angularVelocity, solve(body.inverseInertia, body.angularVelocity)));
}

// The largest share of its energy that a pair gains in a phase, and how many impulses were clamped.
struct Gain {
    double largest = 0;
    int clamped = 0;
};

Gain gainOf(bool clampEnergy) {
    Gain gain;
    for (std::uint32_t seed = 0; seed < kPairs; ++seed) {
        Touching touching;
        makeRandom(touching, seed);
        ImpulseStep step{touching.bodies, touching.constants, {}, touching.scratch};
        step.settings.dt = Real(1) / 30;
        step.settings.shockPasses = 0;  // nothing is heavy, so that all energy is counted
        step.settings.clampEnergy = clampEnergy;
        const auto energy = [&] { return energyOf(touching.bodies[1]) + energyOf(touching.bodies[2]); };
        const double start = energy();
        for (int i = 0; i < kPhases; ++i) {
            const double before = energy();
            runVelocityPasses(step);
            gain.largest = std::max(gain.largest, (energy() - before) / start);
        }
        gain.clamped += step.clampedImpulses;
    }
    return gain;
}

// [Su09] 3.2: friction at several points of thin bodies adds energy by the impulse formula, without any bounce. Clamped against
// the velocities that the phase works on, no pair gains any; the bound is rounding.
TEST(ContactPhase, VelocityUpdateAddsNoEnergy) {
    const Gain with = gainOf(true), without = gainOf(false);
    EXPECT_LT(with.largest, 1e-5);
    EXPECT_GT(with.clamped, 0);
    EXPECT_GT(without.largest, 0.1);  // or these pairs would prove nothing
    EXPECT_EQ(without.clamped, 0);
}

}  // namespace
}  // namespace sunder::dynamics
