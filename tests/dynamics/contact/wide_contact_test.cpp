// Fact 30: the wide contact solver gives the same impulses as the scalar one, bit for bit, on every instruction set it was
// compiled for.
#include "dynamics/contact/wide/wide_contact.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "core/processor.h"
#include "core/random.h"
#include "dynamics/contact/wide/wide_kernels.h"
#include "dynamics/integrate/substep.h"
#include "dynamics/integrate/wide_substep.h"

namespace sunder::dynamics {
namespace {

constexpr int kPairs = wide::kLanes;
constexpr Real kSubstep = Real(1) / 990;
constexpr BlockNeeds kOneBlock[] = {{collision::kMaxManifoldPoints, true}};

Vec3 randomVector(core::Random& random, Real size) {
    return {Real(random.between(-size, size)), Real(random.between(-size, size)), Real(random.between(-size, size))};
}

struct Scene {
    std::vector<SolverBody> bodies;
    std::vector<SolverBodyConstants> constants;
    std::vector<ContactConstraint> constraints;
};

// Manifolds between pairs of bodies (some of them fixed), as a step meets them: touching, overlapping and apart, with one
// to four points, every way in which anchors move, with and without torques against rolling and spinning.
Scene randomScene(std::uint64_t seed) {
    core::Random random(seed);
    Scene scene;
    scene.bodies.resize(1 + 2 * kPairs);
    scene.constants.resize(scene.bodies.size());
    for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
        SolverBody& body = scene.bodies[i];
        SolverBodyConstants& constants = scene.constants[i];
        body.orientation =
            normalize(Quat{Real(random.between(-1, 1)), Real(random.between(-1, 1)), Real(random.between(-1, 1)), 2});
        body.velocity = randomVector(random, Real(0.5));
        body.angularVelocity = randomVector(random, 2);
        body.displacement = randomVector(random, Real(0.01));
        constants.isDynamic = i % 2 == 0 || random.unit() < 0.8;
        if (!constants.isDynamic)
            continue;
        constants.mass = Real(random.between(1, 50));
        constants.principalInertia = {Real(random.between(1, 3)), Real(random.between(1, 3)), Real(random.between(2, 3))};
        constants.inversePrincipalInertia = {1 / constants.principalInertia.x, 1 / constants.principalInertia.y,
                                             1 / constants.principalInertia.z};
        constants.acceleration = {0, Real(-9.81), 0};
        body.inverseMass = Vec3{1, 1, 1} / constants.mass;
        body.inverseInertia = worldInverseInertia(body.orientation, constants);
    }
    for (int i = 0; i < kPairs; ++i) {
        ContactConstraint c;
        c.bodyA = Real(random.between(0, 1)) < Real(0.2) ? kFixedBody : 1 + 2 * i;
        c.bodyB = 2 + 2 * i;
        c.count = 1 + int(Real(random.between(0, Real(3.99))));
        c.normal = normalizeOr(randomVector(random, 1), {0, 1, 0});
        c.tangent1 = anyPerpendicular(c.normal);
        c.tangent2 = cross(c.normal, c.tangent1);
        c.centerOffset = c.normal + randomVector(random, Real(0.01));
        c.pointOnB = Real(random.between(0, 1));
        c.material.friction = Real(random.between(0, 1));
        c.material.surfaceVelocity = c.tangent1 * Real(random.between(-1, 1));
        if (i % 3 == 0) {
            c.material.spinningFriction = Real(0.01);
            c.material.rollingFriction = Real(0.02);
        }
        const auto motion = [&] { return AnchorMotion(int(Real(random.between(0, Real(2.99))))); };
        const auto anyFrame = [&]() -> AnchorFrame {
            const Vec3 center = random.between(0, 1) < 0.5 ? Vec3{} : randomVector(random, Real(0.2));
            const Vec3 axis = normalizeOr(randomVector(random, 1), {0, 1, 0});
            return {motion(), center, axis, normalizeOr(randomVector(random, 1), {0, 1, 0})};
        };
        c.frameA = anyFrame();
        c.frameB = anyFrame();
        for (int k = 0; k < c.count; ++k) {
            const Vec3 side = c.tangent1 * Real(random.between(-1, 1)) + c.tangent2 * Real(random.between(-1, 1));
            const Vec3 onA = c.normal * Real(0.5) + side,
                       onB = c.normal * (Real(random.between(-1, 1)) * Real(0.01) - Real(0.5)) + side;
            const auto anchor = [&](const AnchorFrame& frame, std::uint32_t body, const Vec3& arm) {
                const Quat& turn = scene.bodies[body].orientation;
                return frame.motion == AnchorMotion::Turns ? inverseRotate(turn, arm) : arm - rotate(turn, frame.center);
            };
            c.points[k].anchorA = anchor(c.frameA, c.bodyA, onA);
            c.points[k].anchorB = anchor(c.frameB, c.bodyB, onB);
            c.points[k].normalImpulse = max(Real(random.between(-1, 1)), 0);
            c.points[k].tangentImpulse1 = Real(0.1) * c.points[k].normalImpulse;
        }
        scene.constraints.push_back(c);
    }
    return scene;
}

ContactSettings settingsOf() {
    ContactSettings settings;
    settings.h = kSubstep;
    settings.inverseH = 1 / kSubstep;
    return settings;
}

// Moves the bodies of a manifold on: of some so far that its frame must be laid anew.
void nudge(Scene& scene, const ContactConstraint& c) {
    for (const std::uint32_t index : {c.bodyA, c.bodyB}) {
        if (index == kFixedBody)
            continue;
        const Real small = index % 3 == 0 ? Real(1e-3) : Real(1e-5);
        SolverBody& body = scene.bodies[index];
        const Vec3 turn{small, -small, small / 2};
        body.displacement += Vec3{small / 2, small, -small};
        body.turned += turn;
        body.orientation = normalize(quatFromRotationVector(turn) * body.orientation);
    }
}

void solveScalar(Scene& scene) {
    for (ContactConstraint& c : scene.constraints) {
        ContactFrame frame;
        start(c, frame, scene.bodies);
        push(c, frame, scene.bodies, settingsOf(), PointOrder::Forward);
        nudge(scene, c);
        push(c, frame, scene.bodies, settingsOf(), PointOrder::Backward);
        updateGeometry(c, scene.bodies, kSubstep);
    }
}

void finish(WideContact& block, Scene& scene, const WideKernels& kernels) {
    for (int lane = 0; lane < block.lanes; ++lane)
        unpackLane(block, lane, scene.constraints[block.constraint[lane]]);
    unpack(block, scene.bodies, scene.constraints, kernels);
}

void packFrom(const Scene& scene, WideContact& block, const std::uint32_t* index, int count, const WideKernels& kernels) {
    std::vector<ContactLink> links;
    for (const ContactConstraint& c : scene.constraints)
        links.push_back(linkOf(c));
    std::vector<std::uint8_t> isMoving;
    for (const SolverBodyConstants& constants : scene.constants)
        isMoving.push_back(constants.isDynamic);
    pack(block, {scene.constraints, links, isMoving}, index, count, kernels);
}

void solveWide(Scene& scene, const WideKernels& kernels) {
    std::uint32_t index[kPairs];
    std::iota(std::begin(index), std::end(index), 0u);
    WideBlocks blocks;
    blocks.layOut(kOneBlock);
    packFrom(scene, blocks.all[0], index, kPairs, kernels);
    kernels.start(blocks.all.data(), 1, scene.bodies.data());
    kernels.push(blocks.all.data(), 1, scene.bodies.data(), settingsOf(), PointOrder::Forward);
    for (const ContactConstraint& c : scene.constraints)
        nudge(scene, c);
    kernels.push(blocks.all.data(), 1, scene.bodies.data(), settingsOf(), PointOrder::Backward);
    finish(blocks.all[0], scene, kernels);
}

void expectSame(const Scene& a, const Scene& b) {
    for (std::size_t i = 0; i < a.bodies.size(); ++i) {
        EXPECT_EQ(a.bodies[i].velocity, b.bodies[i].velocity) << "body " << i;
        EXPECT_EQ(a.bodies[i].angularVelocity, b.bodies[i].angularVelocity) << "body " << i;
    }
    for (std::size_t i = 0; i < a.constraints.size(); ++i) {
        const ContactConstraint &x = a.constraints[i], &y = b.constraints[i];
        EXPECT_EQ(x.angular.spinning, y.angular.spinning);
        EXPECT_EQ(x.angular.rolling1, y.angular.rolling1);
        EXPECT_EQ(x.angular.rolling2, y.angular.rolling2);
        for (int k = 0; k < x.count; ++k) {
            EXPECT_EQ(x.points[k].normalImpulse, y.points[k].normalImpulse);
            EXPECT_EQ(x.points[k].tangentImpulse1, y.points[k].tangentImpulse1);
            EXPECT_EQ(x.points[k].tangentImpulse2, y.points[k].tangentImpulse2);
            EXPECT_EQ(x.points[k].totalNormalImpulse, y.points[k].totalNormalImpulse);
            EXPECT_EQ(x.points[k].separation, y.points[k].separation);
            EXPECT_EQ(x.points[k].totalTangentImpulse1, y.points[k].totalTangentImpulse1);
            EXPECT_EQ(x.points[k].totalTangentImpulse2, y.points[k].totalTangentImpulse2);
            EXPECT_EQ(x.points[k].armA, y.points[k].armA);
            EXPECT_EQ(x.points[k].armB, y.points[k].armB);
        }
    }
}

TEST(WideContact, SameBitsAsTheScalarSolver) {
    int touching = 0;
    for (std::uint64_t seed = 1; seed <= 300 && !testing::Test::HasFailure(); ++seed) {
        const Scene start = randomScene(seed);
        Scene scalar = start, wide = start;
        solveScalar(scalar);
        solveWide(wide, wideKernels());
        expectSame(scalar, wide);
        for (const ContactConstraint& c : scalar.constraints)
            touching += c.points[0].totalNormalImpulse > 0;
    }
    EXPECT_GT(touching, 500);  // the scenes do exercise contact
}

TEST(WideContact, SameBitsOnEveryInstructionSet) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const Scene start = randomScene(seed);
        Scene best = start, baseline = start;
        solveWide(best, wideKernels());
        solveWide(baseline, kBaselineKernels);
        expectSame(best, baseline);
#if defined(SUNDER_HAS_X86_KERNELS)
        if (__builtin_cpu_supports("avx2")) {
            Scene avx2 = start;
            solveWide(avx2, kAvx2Kernels);
            expectSame(avx2, baseline);
        }
        if (hasAvx512()) {
            Scene avx512 = start;
            solveWide(avx512, kAvx512Kernels);
            expectSame(avx512, baseline);
        }
#endif
    }
}

// A block need not be full: idle lanes change nothing, and write to no body.
TEST(WideContact, IdleLanesChangeNothing) {
    const Scene start = randomScene(5);
    Scene scalar = start, wide = start;
    scalar.constraints.resize(3);
    wide.constraints.resize(3);
    solveScalar(scalar);
    const std::uint32_t index[3] = {0, 1, 2};
    WideBlocks blocks;
    blocks.layOut(kOneBlock);
    packFrom(wide, blocks.all[0], index, 3, wideKernels());
    wideKernels().start(blocks.all.data(), 1, wide.bodies.data());
    wideKernels().push(blocks.all.data(), 1, wide.bodies.data(), settingsOf(), PointOrder::Forward);
    for (const ContactConstraint& c : wide.constraints)
        nudge(wide, c);
    wideKernels().push(blocks.all.data(), 1, wide.bodies.data(), settingsOf(), PointOrder::Backward);
    finish(blocks.all[0], wide, wideKernels());
    expectSame(scalar, wide);
}

// Whether a block has a rare part depends on its neighbours, what a manifold is left with must not: with four lanes and with
// sixteen it stands among others.
TEST(WideContact, WhatNoLaneNeedsIsLeftAtNothing) {
    Scene scene = randomScene(5);
    ContactConstraint& c = scene.constraints[0];
    c.frameA = c.frameB = {};
    c.material.rollingFriction = c.material.spinningFriction = 0;
    c.material.surfaceVelocity = {};
    for (const bool isRare : {false, true}) {
        c.angular.rolling1 = c.angular.rolling2 = c.angular.spinning = 1;
        const std::uint32_t index[1] = {0};
        const BlockNeeds needs[1] = {{collision::kMaxManifoldPoints, isRare}};
        WideBlocks blocks;
        blocks.layOut(needs);
        packFrom(scene, blocks.all[0], index, 1, wideKernels());
        unpack(blocks.all[0], scene.bodies, scene.constraints, wideKernels());
        EXPECT_EQ(c.angular.rolling1, 0) << isRare;
        EXPECT_EQ(c.angular.rolling2, 0) << isRare;
        EXPECT_EQ(c.angular.spinning, 0) << isRare;
    }
}

// Nor must what becomes of a manifold that nothing touches: alone in its block it is passed over, beside others it is worked
// out and nothing of it kept, not even the sign of a zero.
TEST(WideContact, CompanyChangesNothingWhereNothingTouches) {
    constexpr int kSeeds = 50;
    int pushed = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        Scene start = randomScene(seed);
        ContactConstraint& apart = start.constraints[0];
        apart.count = 1;
        apart.points[0].normalImpulse = apart.points[0].tangentImpulse1 = 0;
        apart.points[0].anchorB = apart.points[0].anchorA + apart.normal * Real(3);
        apart.frameA = apart.frameB = {AnchorMotion::Stays, {}, {}, {}};
        for (const std::uint32_t index : {1u, 2u}) {
            start.bodies[index].velocity = {-Real(0), -Real(0), Real(0)};
            start.bodies[index].angularVelocity = {Real(0), -Real(0), -Real(0)};
        }
        Scene alone = start, among = start;
        alone.constraints.resize(1);
        for (Scene* scene : {&alone, &among}) {
            std::uint32_t index[kPairs];
            std::iota(std::begin(index), std::end(index), 0u);
            WideBlocks blocks;
            blocks.layOut(kOneBlock);
            packFrom(*scene, blocks.all[0], index, int(scene->constraints.size()), wideKernels());
            wideKernels().push(blocks.all.data(), 1, scene->bodies.data(), settingsOf(), PointOrder::Forward);
            finish(blocks.all[0], *scene, wideKernels());
        }
        for (const std::uint32_t index : {1u, 2u})
            EXPECT_EQ(std::memcmp(&alone.bodies[index], &among.bodies[index], sizeof(SolverBody)), 0) << seed;
        for (const ContactConstraint& c : among.constraints)
            pushed += c.points[0].totalNormalImpulse > 0;
    }
    EXPECT_GT(pushed, kSeeds);
}

// The fast path of bodies under load keeps angular momentum, and turns them as the exact path does to third order.
TEST(WideSubstep, FollowsTheExactRotation) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        Scene exact = randomScene(seed);
        for (std::size_t i = 1; i <= wide::kLanes; ++i)
            exact.bodies[i].freeVelocity = exact.bodies[i].velocity + Vec3{Real(0.01), 0, 0};
        // The others are left out: a body that nothing touches, one that spins fast.
        exact.bodies[2].freeVelocity = exact.bodies[2].velocity;
        exact.bodies[2].freeAngularVelocity = exact.bodies[2].angularVelocity;
        exact.bodies[3].angularVelocity = {2 * kSlowTurn / kSubstep, 0, 0};
        Scene fast = exact;
        std::vector<BodyWay> ways(fast.bodies.size());
        std::uint32_t lanes = 0, candidates = 0;
        for (int lane = 0; lane < wide::kLanes; ++lane) {
            lanes |= std::uint32_t(isLoadedAndSlow(fast.bodies[1 + lane], fast.constants[1 + lane], kSubstep)) << lane;
            candidates |= std::uint32_t(mayMoveWide(fast.constants[1 + lane])) << lane;
            ways[1 + lane].halfSquare = lane % 3 == 0 ? Real(1e-9) : Real(1e9);
            ways[1 + lane].radiusSquared = 1;
        }
        const MovedLanes result = wideKernels().move(&fast.bodies[1], &fast.constants[1], &ways[1], candidates, kSubstep, true);
        EXPECT_EQ(result.moved, lanes);
        EXPECT_FALSE(result.moved & 6u);
        for (int lane = 0; lane < wide::kLanes; ++lane)
            EXPECT_EQ(result.strayed >> lane & 1, lanes >> lane & strays(fast.bodies[1 + lane], ways[1 + lane], kSubstep))
                << lane;
        for (int lane = 0; lane < wide::kLanes; ++lane) {
            SolverBody &x = exact.bodies[1 + lane], &y = fast.bodies[1 + lane];
            const SolverBodyConstants& constants = exact.constants[1 + lane];
            if (!(lanes >> lane & 1)) {
                EXPECT_EQ(std::memcmp(&x, &y, sizeof x), 0);
                continue;
            }
            integratePosition(x, constants, kSubstep, true);
            beginSubstep(x, constants, kSubstep, false);
            const Real angle = 4 * kSubstep;  // rad at most; its third power is the error of a midpoint step
            EXPECT_LT(length(x.angularVelocity - y.angularVelocity), 4 * angle * angle * angle + 20 * kEpsilon);
            EXPECT_LT(length(rotationVectorBetween(x.orientation, y.orientation)), angle * angle * angle + 20 * kEpsilon);
            EXPECT_LT(length(x.velocity - y.velocity), 10 * kEpsilon);
            EXPECT_LT(length(x.displacement - y.displacement), 10 * kEpsilon);
            EXPECT_LT(length(x.freeAngularVelocity - y.freeAngularVelocity), 4 * angle * angle * angle + 50 * kEpsilon);
        }
    }
}

// A ball turns at a constant rate: it moves in this form without load and at any spin too, as exactly as by itself. It falls on
// the parabola.
TEST(WideSubstep, BallsFlyAndSpinExactly) {
    Scene exact = randomScene(1);
    for (std::size_t i = 1; i <= wide::kLanes; ++i) {
        SolverBody& body = exact.bodies[i];
        SolverBodyConstants& constants = exact.constants[i];
        constants.isDynamic = true;
        constants.mass = 2;
        constants.acceleration = {0, Real(-9.81), 0};
        constants.principalInertia = {Real(0.3), Real(0.3), Real(0.3)};
        constants.inversePrincipalInertia = Vec3{1, 1, 1} / Real(0.3);
        body.inverseMass = {Real(0.5), Real(0.5), Real(0.5)};
        body.inverseInertia = worldInverseInertia(body.orientation, constants);
        body.angularVelocity = Vec3{1, 2, -2} * (Real(i) / (3 * wide::kLanes) * Real(0.49) / kSubstep);
        body.freeVelocity = body.velocity;
        body.freeAngularVelocity = body.angularVelocity;
    }
    Scene fast = exact;
    const std::vector<BodyWay> ways(fast.bodies.size());
    const std::uint32_t all = wide::kLanes == 32 ? ~0u : (1u << wide::kLanes) - 1;
    EXPECT_EQ(wideKernels().move(&fast.bodies[1], &fast.constants[1], &ways[1], all, kSubstep, true).moved, all);
    const Real seriesOfOne = Real(2e-14);  // rad: what the sines of a body by itself leave out
    for (int lane = 0; lane < wide::kLanes; ++lane) {
        SolverBody &x = exact.bodies[1 + lane], &y = fast.bodies[1 + lane];
        const Vec3 before = y.angularVelocity;
        integratePosition(x, exact.constants[1 + lane], kSubstep, true);
        beginSubstep(x, exact.constants[1 + lane], kSubstep, false);
        EXPECT_EQ(y.angularVelocity, before);
        EXPECT_LT(length(rotationVectorBetween(x.orientation, y.orientation)), 20 * kEpsilon + seriesOfOne);
        EXPECT_LT(length(x.velocity - y.velocity), 10 * kEpsilon);
        EXPECT_LT(length(x.displacement - y.displacement), 2 * kEpsilon);
        EXPECT_EQ(y.velocity, y.freeVelocity);
        EXPECT_EQ(y.angularVelocity, y.freeAngularVelocity);
    }
}

}  // namespace
}  // namespace sunder::dynamics
