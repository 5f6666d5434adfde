// Releases keep momentum and add the energy they are told to; loads are told from blows at any rate.
#include "fracture/bonds/energy_release.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "fracture/bonds/load_window.h"

namespace sunder::fracture {
namespace {

double kineticEnergy(const ReleaseBody& body, double mass, double inertia) {
    return (mass * dot(body.velocity, body.velocity) + inertia * dot(body.angularVelocity, body.angularVelocity)) / 2;
}

// Balls, so that energy and momentum are easily had.
struct Pair {
    ReleaseBody a, b;
    double massA, massB, inertiaA, inertiaB;
    Vec3d centerA, centerB;

    explicit Pair(core::Random& random) {
        const auto vector = [&] { return Vec3d{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)}; };
        massA = random.between(0.1, 10);
        massB = random.between(0.1, 10);
        inertiaA = massA * random.between(0.05, 1);
        inertiaB = massB * random.between(0.05, 1);
        const Vec3d point = vector();
        centerA = vector();
        centerB = vector();
        const auto body = [&](double mass, double inertia, const Vec3d& center) {
            ReleaseBody out;
            out.velocity = vector();
            out.angularVelocity = vector();
            out.inverseMass = 1 / mass;
            for (int i = 0; i < 3; ++i)
                out.inverseInertia[i] = 1 / inertia;
            out.arm = point - center;
            return out;
        };
        a = body(massA, inertiaA, centerA);
        b = body(massB, inertiaB, centerB);
    }
    double energy() const { return kineticEnergy(a, massA, inertiaA) + kineticEnergy(b, massB, inertiaB); }
    Vec3d momentum() const { return a.velocity * massA + b.velocity * massB; }
    Vec3d spin() const {
        return a.angularVelocity * inertiaA + b.angularVelocity * inertiaB + cross(centerA, a.velocity * massA) +
               cross(centerB, b.velocity * massB);
    }
};

ReleaseForce randomForce(core::Random& random) {
    return {{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)},
            {random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)}};
}

TEST(EnergyRelease, PairKeepsBothMomenta) {
    core::Random random(3);
    for (int i = 0; i < 200; ++i) {
        Pair pair(random);
        const Vec3d before = pair.momentum(), spin = pair.spin();
        ReleaseOptions options;
        options.outward = Real(i % 3) / 2;
        const double start = pair.energy();
        const Released done = release(options, pair.a, pair.b, randomForce(random), {1, 0, 0}, 2.5, std::uint64_t(i));
        EXPECT_LT(length(pair.momentum() - before), 1e-12);
        EXPECT_LT(length(pair.spin() - spin), 1e-12);
        EXPECT_NEAR(pair.energy() - start, done.energy, 1e-12);
        EXPECT_LT(length(done.momentum), 1e-12);
    }
}

// Balls that are joined in their centres by a pull along x: the weight's share of the energy goes across it, the rest along it.
TEST(EnergyRelease, WeightSharesTheEnergy) {
    for (const double weight : {0.0, 0.25, 1.0}) {
        ReleaseOptions options;
        options.outward = Real(weight);
        ReleaseBody a, b;
        a.inverseMass = 1;
        b.inverseMass = 0.5;
        release(options, a, b, {{-3, 0, 0}, {}}, {1, 0, 0}, 10, 1);
        const auto along = [](const ReleaseBody& body) { return body.velocity.x * body.velocity.x / body.inverseMass / 2; };
        const auto all = [](const ReleaseBody& body) { return dot(body.velocity, body.velocity) / body.inverseMass / 2; };
        EXPECT_NEAR(all(a) + all(b), 10, 1e-9);
        EXPECT_NEAR(along(a) + along(b), 10 * (1 - weight), 1e-6);
    }
}

// Where the bodies part along G the energy is exactly that asked for; where they approach it is less, never more.
TEST(EnergyRelease, ExactWhereBodiesPart) {
    core::Random random(4);
    int exact = 0;
    for (int i = 0; i < 200; ++i) {
        Pair pair(random);
        const ReleaseForce force = randomForce(random);
        // Against the force, but always apart.
        const Vec3d push{std::fabs(force.force.x), -force.force.y, -force.force.z}, turn = -force.torque;
        const double parting = dot(push, pair.b.velocity - pair.a.velocity) +
                               dot(turn + cross(pair.b.arm, push), pair.b.angularVelocity) -
                               dot(turn + cross(pair.a.arm, push), pair.a.angularVelocity);
        const double start = pair.energy();
        release({}, pair.a, pair.b, force, {1, 0, 0}, 2.5, 1);
        if (parting >= 0) {
            EXPECT_NEAR(pair.energy() - start, 2.5, 2.5e-4);
            ++exact;
        } else {
            EXPECT_LT(pair.energy() - start, 2.5);
        }
    }
    EXPECT_GT(exact, 50);
}

// [Li18] 3.6: each body gets half of the energy where both begin at rest, and momentum is not kept.
TEST(EnergyRelease, PaperPushesEachBodyByItself) {
    core::Random random(5);
    Pair pair(random);
    pair.a.velocity = pair.a.angularVelocity = pair.b.velocity = pair.b.angularVelocity = {};
    ReleaseOptions options;
    options.form = ReleaseForm::Paper;
    options.outward = 1;
    const ReleaseForce force{{0, 1, 0}, {0, 0, 3}};
    const Released done = release(options, pair.a, pair.b, force, {1, 0, 0}, 2, 1);
    EXPECT_NEAR(kineticEnergy(pair.a, pair.massA, pair.inertiaA), 1, 1e-9);
    EXPECT_NEAR(kineticEnergy(pair.b, pair.massB, pair.inertiaB), 1, 1e-9);
    EXPECT_NEAR(done.energy, 2, 1e-9);
    EXPECT_GT(length(done.momentum), 0.1);
    EXPECT_NEAR(length(done.momentum - pair.momentum()), 0, 1e-9);
    EXPECT_NEAR(pair.b.velocity.y, 0, 1e-9);  // at right angles to the force
}

// [Li18] 3.6.1: l = -(t x f) / |t x f| with the torque of the force itself, t = r x f, is the part of the arm r across the
// force: each body is pushed at the break, from its centre towards the break. The other sign would turn both velocities round.
TEST(EnergyRelease, OutwardIsFromTheCentreToTheBreak) {
    core::Random random(7);
    for (const double side : {1.0, -1.0}) {
        Pair pair(random);
        pair.a.velocity = pair.a.angularVelocity = pair.b.velocity = pair.b.angularVelocity = {};
        pair.a.arm = {0.5 * side, 0.3, 0};
        pair.b.arm = {-0.7 * side, 0.1, 0};
        ReleaseOptions options;
        options.form = ReleaseForm::Paper;
        options.outward = 1;
        release(options, pair.a, pair.b, {{0, 5, 0}, {}}, {1, 0, 0}, 2, 1);
        EXPECT_GT(pair.a.velocity.x * side, 0.1);
        EXPECT_LT(pair.b.velocity.x * side, -0.1);
        for (const ReleaseBody& body : {pair.a, pair.b}) {
            EXPECT_NEAR(body.velocity.y, 0, 1e-12);
            EXPECT_NEAR(body.velocity.z, 0, 1e-12);
            const Vec3d turned = cross(body.arm, body.velocity);  // the push acts at the break, not at the centre
            EXPECT_GT(turned.z * body.angularVelocity.z, 0);
        }
    }
}

// Without torque the direction outward is random, the same for the same seed, and at right angles to the force.
TEST(EnergyRelease, StraightPullGoesAnyWayOutward) {
    core::Random random(6);
    Vec3d first;
    for (const std::uint64_t seed : {1u, 1u, 2u}) {
        Pair pair(random);
        pair.a.velocity = pair.a.angularVelocity = pair.b.velocity = pair.b.angularVelocity = {};
        pair.a.arm = {0.5, 0, 0};
        pair.b.arm = {-0.5, 0, 0};
        ReleaseOptions options;
        options.outward = 1;
        release(options, pair.a, pair.b, {{-7, 0, 0}, {}}, {1, 0, 0}, 1, seed);
        EXPECT_NEAR(pair.b.velocity.x, 0, 1e-12);
        const Vec3d direction = normalizeOr(pair.b.velocity, {});
        if (length(first) == 0)
            first = direction;
        EXPECT_EQ(length(direction - first) < 1e-9, seed == 1);
    }
}

TEST(EnergyRelease, NothingForNothing) {
    core::Random random(8);
    Pair pair(random);
    const Vec3d velocity = pair.a.velocity;
    EXPECT_EQ(release({}, pair.a, pair.b, randomForce(random), {1, 0, 0}, 0, 1).energy, 0);
    EXPECT_EQ(pair.a.velocity.x, velocity.x);
}

// A blow of 10 N s on top of a load of 50 N, and a load that sets in at once, read the same at every rate.
TEST(LoadWindow, BlowIsTheSameAtEveryRate) {
    for (const int rate : {30, 60, 240}) {
        LoadWindow window;
        const Real dt = Real(1) / Real(rate);
        Real most = 0, mostLoad = 0;
        for (int i = 0; i < rate; ++i) {
            const LoadSample sample{dt, {i == rate / 2 ? Real(10) : Real(0), 50 * dt, 0}, {}, {0, 50, 0}, {}};
            const LoadReading reading = window.with(sample);
            most = max(most, length(reading.blow));
            mostLoad = max(mostLoad, sustained(reading.recentForce, reading.meanForce));
            window.add(sample);
        }
        EXPECT_NEAR(most, 10, 0.01);
        // The blow leaves the recent part before it comes to the mean.
        EXPECT_NEAR(mostLoad, 50, 0.1);
    }
}

TEST(LoadWindow, LoadThatSetsInIsABlowOfItsOwnSize) {
    for (const int rate : {30, 60, 240}) {
        LoadWindow window;
        const Real dt = Real(1) / Real(rate);
        Real most = 0, load = 0;
        for (int i = 0; i < rate; ++i)
            window.add({dt, {}, {}, {}, {}});
        for (int i = 0; i < rate; ++i) {
            const LoadSample sample{dt, {0, 60 * dt, 0}, {}, {0, 60, 0}, {}};
            const LoadReading reading = window.with(sample);
            most = max(most, length(reading.blow));
            load = sustained(reading.recentForce, reading.meanForce);
            window.add(sample);
        }
        EXPECT_NEAR(most, 60.0 / 30, 0.01);
        EXPECT_NEAR(load, 60, 0.1);
        // What bears the force bears its onset.
        EXPECT_LT(most, 60 * kImpactTime);
    }
}

}  // namespace
}  // namespace sunder::fracture
