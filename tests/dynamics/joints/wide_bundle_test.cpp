// Ragdolls side by side: every instruction set gives the same bits, no lane depends on another, and after a substep the joints
// are met as the direct solver meets them.
#include <gtest/gtest.h>

#include "core/task_runner.h"
#include "dynamics/contact/wide/wide_kernels.h"
#include "dynamics/joints/joint_solver.h"
#include "dynamics/joints/row/joint_rows.h"

namespace sunder::dynamics {

namespace {

constexpr std::uint32_t kBodiesPerDoll = 5, kJointsPerDoll = 4;
constexpr Real kSubstep = Real(1) / 780;

enum class Cone { Round, Oval };

// Trees of five bodies, joined by a ball joint, a hinge, a cone_twist and a fixed joint; anything but round numbers. Oval cones
// begin up to 0.2 rad within or beyond their limit.
struct Dolls {
    std::vector<SolverBody> bodies;
    std::vector<SolverBodyConstants> constants;
    std::vector<JointLink> links;
    std::vector<JointConstraint> joints;

    explicit Dolls(std::uint32_t count, Cone cone = Cone::Round)
        : bodies(1 + count * kBodiesPerDoll), constants(1 + count * kBodiesPerDoll), cone_(cone) {
        for (std::uint32_t doll = 0; doll < count; ++doll)
            add(doll);
    }

private:
    Cone cone_;

    // Each doll has numbers of its own, whatever stands beside it.
    void add(std::uint32_t doll) {
        std::uint64_t seed = 11 + 1000 * doll;
        const auto number = [&] {
            seed = seed * 6364136223846793005ull + 1442695040888963407ull;
            return Real(double(seed >> 40) / double(1 << 24) - 0.5);
        };
        const auto vector = [&] { return Vec3{number(), number(), number()}; };
        const std::uint32_t first = 1 + doll * kBodiesPerDoll;
        for (std::uint32_t i = first; i < first + kBodiesPerDoll; ++i) {
            const Real mass = 1 + number();
            bodies[i].velocity = vector();
            bodies[i].angularVelocity = vector() * 3;
            bodies[i].orientation = normalize({number(), number(), number(), 1});
            bodies[i].inverseMass = {1 / mass, 1 / mass, 1 / mass};
            const Vec3 inverseInertia{20 / mass, 30 / mass, 40 / mass};
            bodies[i].inverseInertia = rotateDiagonal(toMatrix(bodies[i].orientation), inverseInertia);
            constants[i].isDynamic = true;
            constants[i].mass = mass;
            constants[i].radius = Real(0.3);
            constants[i].inversePrincipalInertia = inverseInertia;
            constants[i].principalInertia = {mass / 20, mass / 30, mass / 40};
        }
        constexpr std::uint32_t kInner[] = {0, 0, 1, 1};
        constexpr JointType kTypes[] = {JointType::Ball, JointType::Hinge, JointType::ConeTwist, JointType::Fixed};
        for (std::uint32_t i = 0; i < kJointsPerDoll; ++i)
            join(first + kInner[i], first + i + 1, kTypes[i], vector() * Real(0.4), vector() * Real(0.4));
    }
    void join(std::uint32_t a, std::uint32_t b, JointType type, const Vec3& anchorA, const Vec3& anchorB) {
        JointDef def{.type = type};
        if (type == JointType::Hinge)
            def.limits = Interval{Real(-0.2), Real(0.3)};
        if (type == JointType::ConeTwist) {
            def.cone = Real(0.4);
            def.limits = Interval{Real(-0.5), Real(0.5)};
            if (cone_ == Cone::Oval)
                def.coneZ = Real(0.2);
        }
        if (type == JointType::Ball)
            def.friction = Real(0.01);
        JointConstraint joint;
        joint.bodyA = a;
        joint.bodyB = b;
        joint.spec = specOf(def);
        // Frames that coincide as the bodies lie: every joint is met, but for the velocities.
        const Quat toA = conjugate(bodies[a].orientation), toB = conjugate(bodies[b].orientation);
        joint.frameA = {anchorA, toA};
        joint.frameB = {anchorB, toB};
        if (joint.spec.hasConeZ) {  // B's axis leans by 0.2 to 0.6 rad, mostly against the third axis
            const Quat lean = normalize({anchorA.x * Real(0.1), anchorA.y, Real(0.15) + anchorB.z * Real(0.5), 1});
            joint.frameB.orientation = joint.frameB.orientation * lean;
        }
        joint.centerOffset = rotate(bodies[a].orientation, anchorA) - rotate(bodies[b].orientation, anchorB);
        joint.answer = {1 / constants[a].mass + 1 / constants[b].mass, Real(60), {}};
        JointLink link;
        link.bodyA = a;
        link.bodyB = b;
        link.massA = constants[a].mass;
        link.massB = constants[b].mass;
        link.movesA = link.movesB = 1;
        link.capacity = static_cast<std::uint8_t>(rowCapacity(joint.spec));
        link.fitsBundle = joint.spec.fitsBundle();
        link.turnRows = static_cast<std::uint8_t>(turnRowCapacity(joint.spec));
        joints.push_back(joint);
        links.push_back(link);
    }
};

// One step of some substeps in which only the joints act.
void solve(Dolls& dolls, const WideKernels& kernels, int substeps) {
    const auto tasks = makeSerialRunner();
    JointSolver solver;
    solver.plan(*tasks, dolls.links, dolls.bodies.size());
    for (std::size_t i = 0; i < dolls.joints.size(); ++i)
        solver.constraint(solver.place(i).index) = dolls.joints[i];
    solver.begin(*tasks, dolls.bodies, dolls.constants, {}, kernels.balls, kernels.bundles,
                 {.h = kSubstep, .inverseH = 1 / kSubstep, .recoverySpeed = 3});
    const auto forAll = [&](void (JointSolver::*task)(const JointStage&, int)) {
        for (const JointStage& stage : solver.stages())
            for (int i = 0; i < stage.taskCount; ++i)
                (solver.*task)(stage, i);
    };
    forAll(&JointSolver::beginStepTask);
    forAll(&JointSolver::startTask);
    for (int i = 0; i < substeps; ++i)
        forAll(&JointSolver::solveTask);
    forAll(&JointSolver::endStepTask);
    solver.finish(*tasks);
    for (std::size_t i = 0; i < dolls.joints.size(); ++i)
        dolls.joints[i] = solver.constraint(solver.place(i).index);
}

std::vector<const WideKernels*> allKernels() {
    std::vector<const WideKernels*> all{&kBaselineKernels, &wideKernels()};
#if defined(SUNDER_HAS_X86_KERNELS)
    if (__builtin_cpu_supports("avx2"))
        all.push_back(&kAvx2Kernels);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        all.push_back(&kAvx512Kernels);
#endif
    return all;
}

// How fast the two anchors of a joint part, m/s.
Real partingSpeed(const Dolls& dolls, const JointConstraint& joint) {
    const SolverBody &a = dolls.bodies[joint.bodyA], &b = dolls.bodies[joint.bodyB];
    const Vec3 armA = rotate(a.orientation, joint.frameA.position), armB = rotate(b.orientation, joint.frameB.position);
    return length(b.velocity + cross(b.angularVelocity, armB) - a.velocity - cross(a.angularVelocity, armA));
}

// rad/s: by how much the swing of a doll's cone_twist is faster than its cone allows, by the rows of single joints.
Real tooFast(const Dolls& dolls, std::uint32_t doll) {
    JointConstraint joint = dolls.joints[doll * kJointsPerDoll + 2];
    const SolverBody &a = dolls.bodies[joint.bodyA], &b = dolls.bodies[joint.bodyB];
    makeRows(joint, a, b, {.h = kSubstep, .inverseH = 1 / kSubstep, .recoverySpeed = 3});
    for (int i = 0; i < joint.rowCount; ++i)
        if (joint.rows[i].slot == kConeSlot)
            return velocityOf(joint.rows[i], a, b) + joint.rows[i].bias;
    return 0;
}

}  // namespace

TEST(WideBundle, EveryInstructionSetGivesTheSameBits) {
    for (const std::uint32_t count : {1u, std::uint32_t(wide::kLanes), std::uint32_t(wide::kLanes) + 3}) {
        for (const Cone cone : {Cone::Round, Cone::Oval}) {
            Dolls reference(count, cone);
            solve(reference, kBaselineKernels, 3);
            for (const WideKernels* kernels : allKernels()) {
                Dolls dolls(count, cone);
                solve(dolls, *kernels, 3);
                for (std::size_t i = 0; i < dolls.bodies.size(); ++i) {
                    ASSERT_EQ(dolls.bodies[i].velocity, reference.bodies[i].velocity);
                    ASSERT_EQ(dolls.bodies[i].angularVelocity, reference.bodies[i].angularVelocity);
                }
                for (std::size_t i = 0; i < dolls.joints.size(); ++i)
                    ASSERT_EQ(dolls.joints[i].impulse, reference.joints[i].impulse);
            }
        }
    }
}

TEST(WideBundle, NoLaneDependsOnAnother) {
    for (const Cone cone : {Cone::Round, Cone::Oval}) {
        Dolls alone(1, cone), together(wide::kLanes + 3, cone);
        solve(alone, wideKernels(), 3);
        solve(together, wideKernels(), 3);
        for (std::size_t i = 0; i < alone.bodies.size(); ++i) {
            EXPECT_EQ(alone.bodies[i].velocity, together.bodies[i].velocity);
            EXPECT_EQ(alone.bodies[i].angularVelocity, together.bodies[i].angularVelocity);
        }
    }
}

// An oval cone in one lane and a round one in another: each doll does what it does among its like.
TEST(WideBundle, OvalAndRoundConesShareABundle) {
    Dolls round(2), oval(2, Cone::Oval), mixed(2);
    const std::size_t last = kJointsPerDoll + 2;  // the cone_twist of the second doll
    ASSERT_EQ(oval.joints[last].spec.type, JointType::ConeTwist);
    ASSERT_TRUE(oval.links[last].fitsBundle);
    mixed.joints[last] = oval.joints[last];
    for (Dolls* dolls : {&round, &oval, &mixed})
        solve(*dolls, wideKernels(), 3);
    for (std::size_t i = 1; i <= kBodiesPerDoll; ++i)
        EXPECT_EQ(mixed.bodies[i].angularVelocity, round.bodies[i].angularVelocity) << i;
    for (std::size_t i = 1 + kBodiesPerDoll; i <= 2 * kBodiesPerDoll; ++i)
        EXPECT_EQ(mixed.bodies[i].angularVelocity, oval.bodies[i].angularVelocity) << i;
}

// Once by the bundle, once by the direct solver, which takes groups that may add energy: the same velocities, and points that
// do not part. All rows are equalities here, so that there is one answer.
TEST(WideBundle, MeetsItsJointsAsTheDirectSolverDoes) {
    const auto makeRigid = [](Dolls& dolls) {
        for (std::size_t i = 0; i < dolls.joints.size(); ++i) {
            JointDef def{.type = i % 2 == 0 ? JointType::Fixed : JointType::Hinge};
            dolls.joints[i].spec = specOf(def);
            dolls.links[i].capacity = static_cast<std::uint8_t>(rowCapacity(dolls.joints[i].spec));
            dolls.links[i].turnRows = static_cast<std::uint8_t>(turnRowCapacity(dolls.joints[i].spec));
        }
    };
    Dolls bundled(3), direct(3);
    makeRigid(bundled);
    makeRigid(direct);
    for (JointLink& link : direct.links)
        link.fitsBundle = 0;
    solve(bundled, wideKernels(), 1);
    solve(direct, wideKernels(), 1);
    for (const JointConstraint& joint : bundled.joints)
        EXPECT_LT(partingSpeed(bundled, joint), Real(0.03));  // of 1 to 3 m/s before
    for (const JointConstraint& joint : direct.joints)
        EXPECT_LT(partingSpeed(direct, joint), Real(0.03));
    for (std::size_t i = 1; i < bundled.bodies.size(); ++i) {
        EXPECT_LT(length(bundled.bodies[i].velocity - direct.bodies[i].velocity), Real(0.03)) << i;
        EXPECT_LT(length(bundled.bodies[i].angularVelocity - direct.bodies[i].angularVelocity), Real(0.1)) << i;
    }
}

// Swings beyond an oval cone are led back just so far as the joint's own row asks for, and others are left alone. Where the
// direct solver meets the same rows (it may leave a cone to the next substep, and takes back energy), the dolls move alike.
TEST(WideBundle, OvalConesStopAsTheDirectSolverStopsThem) {
    constexpr std::uint32_t kDolls = 24;
    constexpr Real kMet = Real(0.01);  // rad/s, of speeds of up to 5
    Dolls bundled(kDolls, Cone::Oval), direct(kDolls, Cone::Oval);
    for (JointLink& link : direct.links)
        link.fitsBundle = 0;
    for (Dolls* dolls : {&bundled, &direct}) {
        for (JointConstraint& joint : dolls->joints) {
            joint.spec.friction = 0;
            joint.spec.hasLimits = false;  // the two solvers measure the twist about different axes
        }
        solve(*dolls, wideKernels(), 1);
    }
    std::uint32_t stopped = 0, compared = 0;
    for (std::uint32_t doll = 0; doll < kDolls; ++doll) {
        const Real impulse = bundled.joints[doll * kJointsPerDoll + 2].impulse[kConeSlot], miss = tooFast(bundled, doll);
        stopped += impulse < 0 ? 1 : 0;
        EXPECT_LE(impulse, 0) << doll;
        EXPECT_LT(impulse < 0 ? std::fabs(miss) : miss, kMet) << doll;
        if (!(tooFast(direct, doll) < kMet))
            continue;
        ++compared;
        for (std::uint32_t i = 1 + doll * kBodiesPerDoll; i <= (doll + 1) * kBodiesPerDoll; ++i)
            EXPECT_LT(length(bundled.bodies[i].angularVelocity - direct.bodies[i].angularVelocity), kMet) << i;
    }
    EXPECT_GT(stopped, kDolls / 4);
    EXPECT_LT(stopped, kDolls - kDolls / 6);
    EXPECT_GT(compared, kDolls - kDolls / 6);
}

// What slides along a cone is held back by its stop, and what turns under load, by no more than these allow; what has friction
// of its own is not.
TEST(WideBundle, JointsWithStopsRub) {
    constexpr std::uint32_t kDolls = 24;
    Dolls dolls(kDolls, Cone::Oval);
    for (std::size_t i = 2; i < dolls.joints.size(); i += 2 * kJointsPerDoll) {
        dolls.joints[i].spec.friction = Real(1e-9);
        dolls.joints[i].spec.rubs = false;
        dolls.links[i].capacity = static_cast<std::uint8_t>(rowCapacity(dolls.joints[i].spec));
        dolls.links[i].turnRows = static_cast<std::uint8_t>(turnRowCapacity(dolls.joints[i].spec));
    }
    solve(dolls, wideKernels(), 8);
    int rubbed = 0;
    for (std::size_t i = 2; i < dolls.joints.size(); i += kJointsPerDoll) {
        const JointConstraint& joint = dolls.joints[i];
        const Vec3 rub{joint.impulse[kFrictionSlot], joint.impulse[kFrictionSlot + 1], joint.impulse[kFrictionSlot + 2]};
        if (joint.spec.friction > 0) {
            EXPECT_LT(length(rub), Real(1e-8)) << i;
            continue;
        }
        const Real stops = std::fabs(joint.impulse[kConeSlot]) + std::fabs(joint.impulse[kLimitSlot]);
        const Vec3 force{joint.impulse[kLinearSlot], joint.impulse[kLinearSlot + 1], joint.impulse[kLinearSlot + 2]};
        const Real bearing = kBearingShare * dolls.constants[joint.bodyB].radius * length(force);
        EXPECT_LE(length(rub), Real(1.1) * (kStopFriction * stops + bearing)) << i;
        rubbed += length(rub) > Real(1e-4) ? 1 : 0;
    }
    EXPECT_GT(rubbed, 2);
}

}  // namespace sunder::dynamics
