// Ball joints side by side give the bits of the readable form.
#include "dynamics/joints/ball/ball_joint.h"

#include <gtest/gtest.h>

#include "dynamics/contact/wide/wide_contact.h"
#include "dynamics/contact/wide/wide_kernels.h"

namespace sunder::dynamics {

namespace {

constexpr std::uint32_t kJoints = wide::kLanes;
constexpr Real kSwings = 1000;  // times the substep, so that some joints find their bodies too light

// Joints between pairs of bodies, the last of which does not move; anything but round numbers.
struct Balls {
    std::vector<SolverBody> bodies{1 + 2 * kJoints};
    std::vector<SolverBodyConstants> constants{1 + 2 * kJoints};
    std::vector<BallJoint> joints{kJoints};

    Balls() {
        std::uint64_t seed = 11;
        const auto number = [&] {
            seed = seed * 6364136223846793005ull + 1442695040888963407ull;
            return Real(double(seed >> 40) / double(1 << 24) - 0.5);
        };
        const auto vector = [&] { return Vec3{number(), number(), number()}; };
        for (std::size_t i = 1; i < bodies.size(); ++i) {
            SolverBody& body = bodies[i];
            body.velocity = vector();
            body.angularVelocity = vector() * 3;
            body.displacement = vector() * Real(0.01);
            body.orientation = normalize(Quat{number(), number(), number(), 1});
            constants[i].isDynamic = i != 2 * kJoints;
            if (!constants[i].isDynamic)
                continue;
            body.inverseMass = {Real(0.7), Real(0.7), Real(0.7)};
            body.inverseInertia = rotateDiagonal(toMatrix(body.orientation), {1, 2, 3});
            constants[i].inversePrincipalInertia = {1, 2, 3};
        }
        for (std::uint32_t i = 0; i < kJoints; ++i)
            joints[i] = {1 + 2 * i, 2 + 2 * i, vector(), vector(), vector() * Real(0.1), vector(), {}, {}, {}, {}, 0, 0, 1, 1};
    }
};

}  // namespace

TEST(WideBall, HasTheBitsOfTheReadableForm) {
    const JointSettings settings{Real(1e-3), 1000, 3, 50, Real(0.9)};
    std::vector<const WideKernels*> all{&kBaselineKernels, &wideKernels()};
#if defined(SUNDER_HAS_X86_KERNELS)
    if (__builtin_cpu_supports("avx2"))
        all.push_back(&kAvx2Kernels);
#endif
    for (const WideKernels* kernels : all) {
        Balls one, together;
        WideBall block;
        pack(block, together.joints, 0, int(kJoints), together.constants, settings.h * kSwings);
        for (BallJoint& joint : one.joints) {
            findSwing(joint, one.constants, settings.h * kSwings);
            startBall(joint, one.bodies);
        }
        kernels->balls.start(&block, 1, together.bodies.data());
        for (int pass = 0; pass < 3; ++pass) {
            for (BallJoint& joint : one.joints)
                solveBall(joint, one.bodies, settings);
            kernels->balls.solve(&block, 1, together.bodies.data(), settings);
        }
        unpack(block, together.joints, 0);
        for (std::size_t i = 0; i < one.bodies.size(); ++i) {
            EXPECT_EQ(one.bodies[i].velocity, together.bodies[i].velocity);
            EXPECT_EQ(one.bodies[i].angularVelocity, together.bodies[i].angularVelocity);
        }
        for (std::size_t i = 0; i < kJoints; ++i) {
            EXPECT_EQ(one.joints[i].impulse, together.joints[i].impulse);
            EXPECT_EQ(one.joints[i].total, together.joints[i].total);
        }
    }
}

}  // namespace sunder::dynamics
