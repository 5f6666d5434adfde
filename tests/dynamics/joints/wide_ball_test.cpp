// Ball joints eight at a time give the bits of the readable form.
#include "dynamics/joints/ball_joint.h"

#include <gtest/gtest.h>

#include "dynamics/contact/wide_contact.h"
#include "dynamics/contact/wide_kernels.h"

namespace sunder::dynamics {

namespace {

// Eight joints between sixteen bodies, the last of which does not move; anything but round numbers.
struct EightBalls {
    std::vector<SolverBody> bodies{17};
    std::vector<SolverBodyConstants> constants{17};
    std::vector<BallJoint> joints{8};

    EightBalls() {
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
            body.orientation = normalize({number(), number(), number(), 1});
            constants[i].isDynamic = i != 16;
            if (!constants[i].isDynamic)
                continue;
            body.inverseMass = {Real(0.7), Real(0.7), Real(0.7)};
            body.inverseInertia = rotateDiagonal(toMatrix(body.orientation), {1, 2, 3});
        }
        for (std::uint32_t i = 0; i < 8; ++i)
            joints[i] = {1 + 2 * i, 2 + 2 * i, vector(), vector(), vector() * Real(0.1), vector(), {}, {}, {}, {}};
    }
};

}  // namespace

TEST(WideBall, HasTheBitsOfTheReadableForm) {
    const JointSettings settings{Real(1e-3), 1000, 3, 50, Real(0.9)};
    for (const WideKernels* kernels : {&kBaselineKernels, &wideKernels()}) {
        EightBalls one, eight;
        WideBall block;
        pack(block, eight.joints, 0, 8, eight.constants);
        for (BallJoint& joint : one.joints)
            startBall(joint, one.bodies);
        kernels->balls.start(&block, 1, eight.bodies.data());
        for (int pass = 0; pass < 3; ++pass) {
            for (BallJoint& joint : one.joints)
                solveBall(joint, one.bodies, settings);
            kernels->balls.solve(&block, 1, eight.bodies.data(), settings);
        }
        unpack(block, eight.joints, 0);
        for (std::size_t i = 0; i < one.bodies.size(); ++i) {
            EXPECT_EQ(one.bodies[i].velocity, eight.bodies[i].velocity);
            EXPECT_EQ(one.bodies[i].angularVelocity, eight.bodies[i].angularVelocity);
        }
        for (std::size_t i = 0; i < 8; ++i) {
            EXPECT_EQ(one.joints[i].impulse, eight.joints[i].impulse);
            EXPECT_EQ(one.joints[i].total, eight.joints[i].total);
        }
    }
}

}  // namespace sunder::dynamics
