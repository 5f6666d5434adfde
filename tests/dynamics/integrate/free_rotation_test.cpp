// Free rotation keeps momentum and energy and also moves right [Su09] 2; facts 17 and 18.
#include "dynamics/integrate/free_rotation.h"

#include <gtest/gtest.h>

#include <random>

#include "dynamics/integrate/energy_fix.h"

namespace sunder::dynamics {
namespace {

struct Body {
    Vec3 inertia;
    Vec3 inverse() const { return {1 / inertia.x, 1 / inertia.y, 1 / inertia.z}; }
};

Body boxOf(double x, double y, double z) {
    const double twelfth = 1000 * x * y * z / 12;
    return {toReal(Vec3d{twelfth * (y * y + z * z), twelfth * (x * x + z * z), twelfth * (x * x + y * y)})};
}

const Body kSpinner = boxOf(2, 0.2, 0.02);
const Vec3 kSpinnerVelocity{Real(0.5), 20, Real(0.3)};
constexpr int kSpinnerFlips = 111;

Vec3d bodyVelocity(const RotationState& state) {
    return inverseRotate(normalize(toDouble(state.orientation)), toDouble(state.angularVelocity));
}

double norm(const Vec3d& a) { return std::sqrt(dot(a, a)); }

// The oracle: Euler's equations I w' = (I w) x w and q' = q w / 2 in the body frame by classic Runge-Kutta in double.
struct Reference {
    Vec3d inertia, w;
    Quatd q;

    void advance(double dt, int substeps) {
        for (int i = 0; i < substeps; ++i)
            step(dt / substeps);
    }

private:
    struct Slope {
        Vec3d w;
        Quatd q;
    };
    Slope slope(const Vec3d& velocity, const Quatd& orientation) const {
        const Vec3d torque = cross(multiply(inertia, velocity), velocity);
        const Quatd turn = orientation * Quatd{0.5 * velocity.x, 0.5 * velocity.y, 0.5 * velocity.z, 0};
        return {{torque.x / inertia.x, torque.y / inertia.y, torque.z / inertia.z}, turn};
    }
    Slope moved(const Slope& k, double h) const {
        return slope(w + k.w * h, {q.x + k.q.x * h, q.y + k.q.y * h, q.z + k.q.z * h, q.w + k.q.w * h});
    }
    void step(double h) {
        const Slope k1 = slope(w, q), k2 = moved(k1, h / 2), k3 = moved(k2, h / 2), k4 = moved(k3, h);
        w = w + (k1.w + k2.w * 2 + k3.w * 2 + k4.w) * (h / 6);
        const auto sum = [&](double Quatd::*m) { return (k1.q.*m + 2 * (k2.q.*m + k3.q.*m) + k4.q.*m) * (h / 6); };
        q = normalize(Quatd{q.x + sum(&Quatd::x), q.y + sum(&Quatd::y), q.z + sum(&Quatd::z), q.w + sum(&Quatd::w)});
    }
};

double angleBetween(const Quatd& a, const Quatd& b) {
    const Quatd d = conjugate(a) * b;
    return 2 * std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

struct Course {
    double energyError = 0, momentumError = 0;  // largest over the course, relative
    int flips = 0;                              // sign changes of the spin about the body's y
};

Course follow(const Body& body, RotationState state, int steps, Real dt, bool energyFix) {
    const Vec3d inertia = toDouble(body.inertia);
    Course course;
    Vec3d startL;
    double startEnergy = 0, lastSpin = 0;
    for (int i = 0; i <= steps; ++i) {
        const Vec3d w = bodyVelocity(state), L = multiply(inertia, w);
        const Vec3d worldL = rotate(normalize(toDouble(state.orientation)), L);
        if (i == 0) {
            startL = worldL;
            startEnergy = dot(L, w);
        }
        course.energyError = std::fmax(course.energyError, std::fabs(dot(L, w) / startEnergy - 1));
        course.momentumError = std::fmax(course.momentumError, norm(worldL - startL) / norm(startL));
        course.flips += w.y * lastSpin < 0 ? 1 : 0;
        lastSpin = w.y;
        state = advanceFreeRotation(state, body.inertia, body.inverse(), dt, energyFix);
    }
    return course;
}

TEST(FreeRotation, ReferenceSpinnerFlips111Times) {
    Reference reference{toDouble(kSpinner.inertia), toDouble(kSpinnerVelocity), {}};
    int flips = 0;
    for (int i = 0; i < 60 * 100; ++i) {
        const double before = reference.w.y;
        reference.advance(0.01, 40);
        flips += before * reference.w.y < 0 ? 1 : 0;
    }
    EXPECT_EQ(flips, kSpinnerFlips);
}

// Fact 18 at one call per frame, and at the substeps of a solver, where roundings add up most.
TEST(FreeRotation, SpinnerKeepsItsInvariantsAndFlipsOnTime) {
    for (const int rate : {15, 24, 30, 60, 120, 360, 576}) {
        const Course course = follow(kSpinner, {{}, kSpinnerVelocity}, 60 * rate, Real(1) / Real(rate), true);
        EXPECT_LT(course.energyError, 1e-4) << rate;
        EXPECT_LT(course.momentumError, 1e-4) << rate;
        EXPECT_NEAR(course.flips, kSpinnerFlips, 1) << rate;
    }
}

// The start's 4e-6 of energy above the separatrix are not to be lost in the rounding of a turned orientation.
TEST(FreeRotation, SpinnerFlipsOnTimeInAnyFrame) {
    for (int i = 0; i < 6; ++i) {
        const Quat turned = normalize(Quat{Real(0.1) * Real(i), Real(0.3), Real(-0.07) * Real(i), 1});
        const Course course = follow(kSpinner, {turned, rotate(turned, kSpinnerVelocity)}, 60 * 360, Real(1) / 360, true);
        EXPECT_LT(course.energyError, 1e-4) << i;
        EXPECT_LT(course.momentumError, 1e-4) << i;
        EXPECT_NEAR(course.flips, kSpinnerFlips, 2) << i;
    }
}

// Fact 17.
TEST(FreeRotation, TumblingBoxKeepsItsInvariantsFor20000Steps) {
    const Body box = boxOf(0.1, 0.2, 0.3);
    for (const int rate : {30, 60, 360}) {
        for (const Vec3& w : {Vec3{1, 5, Real(0.5)}, Vec3{3, Real(0.1), 2}, Vec3{Real(-0.2), Real(0.3), 8}}) {
            const Course course =
                follow(box, {normalize(Quat{Real(0.1), Real(0.2), Real(0.3), 1}), w}, 20000, Real(1) / Real(rate), true);
            EXPECT_LT(course.energyError, 1e-4) << rate;
            EXPECT_LT(course.momentumError, 1e-4) << rate;
        }
    }
}

// One call against the oracle, for random boxes (edges 1 : 30) that turn by 0.01 to 3 rad in it.
TEST(FreeRotation, OneCallMovesAsTheReference) {
    std::mt19937 generator(11);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::normal_distribution<double> normal;
    for (int i = 0; i < 400; ++i) {
        const Body body =
            boxOf(std::pow(30, uniform(generator)), std::pow(30, uniform(generator)), std::pow(30, uniform(generator)));
        const Vec3 w = toReal(Vec3d{normal(generator), normal(generator), normal(generator)});
        const Quat q = normalize(toReal(Quatd{normal(generator), normal(generator), normal(generator), 1}));
        const Quatd start = normalize(toDouble(q));
        Reference reference{toDouble(body.inertia), inverseRotate(start, toDouble(w)), start};
        const Vec3d L = multiply(reference.inertia, reference.w);
        const double fastest = norm(L) / std::fmin(reference.inertia.x, std::fmin(reference.inertia.y, reference.inertia.z));
        const double angle = 0.01 * std::pow(300, uniform(generator));
        const Real dt = Real(angle / norm(toDouble(w)));
        reference.advance(dt, 100 + int(60 * fastest * dt));
        const RotationState end = advanceFreeRotation({q, w}, body.inertia, body.inverse(), dt, true);
        // The integrator's own bound is 1e-6 per call; rounding the state, at most kEpsilon of it, is the rest.
        const double tolerance = 2e-6 + 4 * double(kEpsilon);
        EXPECT_LT(angleBetween(reference.q, normalize(toDouble(end.orientation))), tolerance) << i << " angle " << angle;
        const Vec3d worldW = rotate(reference.q, reference.w);
        EXPECT_LT(norm(toDouble(end.angularVelocity) - worldW) / norm(worldW), tolerance) << i << " angle " << angle;
    }
}

// A symmetric body precesses about L at |L| / I and turns about its axis at (1/I3 - 1/I) L3: exact in one call of any length.
TEST(FreeRotation, SymmetricBodyMovesExactly) {
    const Body body{{Real(0.5), 2, Real(0.5)}};
    const Vec3 w{3, 7, -2};
    const Quat q = normalize(Quat{Real(0.3), Real(-0.1), Real(0.2), 1});
    for (const Real dt : {Real(0.01), Real(0.3), Real(2)}) {
        const Vec3 L = rotate(q, multiply(body.inertia, inverseRotate(q, w)));
        const Real spin = (1 / body.inertia.y - 1 / body.inertia.x) * inverseRotate(q, L).y;
        const Quat expected = quatFromRotationVector(L * (dt / body.inertia.x)) * q * quatFromRotationVector({0, spin * dt, 0});
        const RotationState end = advanceFreeRotation({q, w}, body.inertia, body.inverse(), dt, true);
        const double turned = double(length(L)) / double(body.inertia.x) * double(dt);
        // The angle itself carries a relative rounding error, here and in the expectation.
        EXPECT_LT(angleBetween(normalize(toDouble(end.orientation)), normalize(toDouble(expected))),
                  4 * double(kEpsilon) * (2 + turned));
    }
}

TEST(FreeRotation, SphereKeepsItsVelocityAndTurnsByIt) {
    const Vec3 w{1, -2, 2};
    const RotationState end = advanceFreeRotation({{}, w}, {2, 2, 2}, {Real(0.5), Real(0.5), Real(0.5)}, Real(0.5), true);
    EXPECT_EQ(end.angularVelocity, w);
    const Quat expected = quatFromRotationVector(w * Real(0.5));
    EXPECT_LT(angleBetween(normalize(toDouble(end.orientation)), normalize(toDouble(expected))), 4 * double(kEpsilon));
}

TEST(FreeRotation, InfiniteInertiaTurnsBySteadyVelocity) {
    const Vec3 w{0, 3, 0};
    const RotationState end = advanceFreeRotation({{}, w}, {kInfinity, 2, 0}, {0, Real(0.5), 0}, Real(0.1), true);
    EXPECT_EQ(end.angularVelocity, w);
    const Quat expected = quatFromRotationVector({0, Real(0.3), 0});
    EXPECT_LT(angleBetween(normalize(toDouble(end.orientation)), normalize(toDouble(expected))), 4 * double(kEpsilon));
}

TEST(FreeRotation, RestAndZeroTimeChangeNoBit) {
    // Not exactly unit, so that any normalisation would show.
    const Quat q{Real(0.1), Real(0.2), Real(0.3), Real(0.927362)};
    const Body box = boxOf(0.1, 0.2, 0.3);
    EXPECT_EQ(advanceFreeRotation({q, {}}, box.inertia, box.inverse(), Real(0.1), true).orientation, q);
    const RotationState still = advanceFreeRotation({q, {1, 2, 3}}, box.inertia, box.inverse(), 0, true);
    EXPECT_EQ(still.orientation, q);
    EXPECT_EQ(still.angularVelocity, (Vec3{1, 2, 3}));
}

// 200 rad per call is past the substeps' reach: the fix then holds the energy, and the switch really switches.
TEST(FreeRotation, FixKeepsTheEnergyWhereTheStepsDoNot) {
    const Body box = boxOf(0.1, 0.2, 0.3);
    const RotationState start{normalize(Quat{Real(0.1), Real(0.2), Real(0.3), 1}), {1000, 3000, 500}};
    const Course plain = follow(box, start, 5000, Real(1) / 15, false), fixed = follow(box, start, 5000, Real(1) / 15, true);
    EXPECT_GT(plain.energyError, 1e-4);
    EXPECT_LT(fixed.energyError, 2e-5);
    EXPECT_LT(fixed.momentumError, 2e-5);
}

TEST(FreeRotation, AbsurdSpinStaysFinite) {
    const Body box = boxOf(0.1, 0.2, 0.3);
    for (const Real speed : {Real(1e-30), Real(1e-12), Real(1e5), Real(1e9), Real(1e15)}) {
        RotationState state{{}, Vec3{speed, -2 * speed, speed}};
        for (int i = 0; i < 20; ++i)
            state = advanceFreeRotation(state, box.inertia, box.inverse(), Real(1) / 15, true);
        ASSERT_TRUE(isFinite(state.orientation) && isFinite(state.angularVelocity)) << speed;
        EXPECT_NEAR(dot(state.orientation, state.orientation), 1, 8 * kEpsilon) << speed;
        EXPECT_NEAR(length(state.angularVelocity / speed), 2.4, 1.2) << speed;  // between the extremes of this |L|
    }
}

}  // namespace
}  // namespace sunder::dynamics
