// Locked axes: for every combination only the free axes move, whatever pushes.
#include <gtest/gtest.h>

#include "scenes/parts.h"
#include "support/random_points.h"

namespace sunder {
namespace {

using scenes::vec;

constexpr Real kStep = Real(1) / 30;

// A body in free space is given a velocity, a spin, a force and a torque along every axis.
TEST(LockedAxes, OnlyFreeAxesMoveUnderForces) {
    for (int locked = 0; locked < 64; ++locked) {
        SCOPED_TRACE(locked);
        World world({.gravity = vec(1, 2, 3)});
        const BodyId body = world.addBody({.shape = Sphere{},
                                           .velocity = vec(1, 1, 1),
                                           .angularVelocity = vec(0.1, 0.1, 0.1),
                                           .mass = Real(1),
                                           .lockedAxes = std::uint8_t(locked)});
        for (int i = 0; i < 10; ++i) {
            world.addForce(body, vec(1, 1, 1));
            world.addTorque(body, vec(0.1, 0.1, 0.1));
            world.step(kStep);
        }
        const Vec3 p = world.position(body), w = world.angularVelocity(body);
        const Real moved[3] = {p.x, p.y, p.z}, spin[3] = {w.x, w.y, w.z};
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_EQ(moved[axis] == 0, (locked >> axis & 1) != 0) << "along axis " << axis;
            EXPECT_EQ(spin[axis] == 0, (locked >> (axis + 3) & 1) != 0) << "about axis " << axis;
        }
        if (locked >> 3 == 7) {
            EXPECT_EQ(world.orientation(body), Quat{});
        }
    }
}

// A box that tumbles down onto others: contacts may not move a locked axis either.
TEST(LockedAxes, OnlyFreeAxesMoveUnderContacts) {
    for (int locked = 1; locked < 64; ++locked) {
        SCOPED_TRACE(locked);
        World world;
        world.addBody({.shape = Box{vec(10, 0.5, 10)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
        world.addBody({.shape = Sphere{}, .position = vec(0.3, 0.5, 0.2)});
        const Quat tilt = scenes::turnAbout(1, 2, 3, 0.4);
        const BodyId body = world.addBody({.position = vec(0, 1.9, 0),
                                           .orientation = tilt,
                                           .velocity = vec(0.5, -2, 0.3),
                                           .angularVelocity = vec(1, 1, 1),
                                           .lockedAxes = std::uint8_t(locked)});
        const Vec3 start = world.position(body);
        for (int i = 0; i < 30; ++i) {
            world.step(kStep);
            const Vec3 p = world.position(body), w = world.angularVelocity(body);
            const Real now[3] = {p.x, p.y, p.z}, was[3] = {start.x, start.y, start.z}, spin[3] = {w.x, w.y, w.z};
            for (int axis = 0; axis < 3; ++axis) {
                if (locked >> axis & 1) {
                    EXPECT_EQ(now[axis], was[axis]) << "along axis " << axis << " in step " << i;
                }
                if (locked >> (axis + 3) & 1) {
                    EXPECT_EQ(spin[axis], 0) << "about axis " << axis << " in step " << i;
                }
            }
            EXPECT_GT(p.y, 0);
        }
        if (locked >> 3 == 7) {
            const Quat q = world.orientation(body);
            EXPECT_NEAR(q.x, tilt.x, 1e-6);
            EXPECT_NEAR(q.y, tilt.y, 1e-6);
            EXPECT_NEAR(q.z, tilt.z, 1e-6);
        }
    }
}

// With two axes locked the third turns as about a fixed axle: I is the moment about that axle, I_zz, not 1 / (I^-1)_zz.
TEST(LockedAxes, OneFreeAxisTurnsAsAnAxle) {
    World world({.gravity = {}});
    const Vec3 h = vec(0.1, 0.2, 0.5);
    const Quat tilt = scenes::turnAbout(1, 0.3, 0.2, 0.7);
    const BodyId body = world.addBody({.shape = Box{h}, .orientation = tilt, .mass = Real(3), .lockedAxes = kLockRx | kLockRy});
    world.addTorque(body, vec(0, 0, 2));
    world.step(Real(1) / 120);
    // I_zz = sum over the principal axes of I_i (axis_i . z)^2.
    const double x = tilt.x, y = tilt.y, z = tilt.z, w = tilt.w;
    const double c[3] = {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
    const double inertia = (h.y * h.y + h.z * h.z) * c[0] * c[0] + (h.x * h.x + h.z * h.z) * c[1] * c[1] +
                           (h.x * h.x + h.y * h.y) * c[2] * c[2];  // times m / 3 = 1
    EXPECT_NEAR(world.angularVelocity(body).z, 2 / inertia / 120, 0.01 * 2 / inertia / 120);
}

TEST(LockedAxes, CanBeChangedBetweenSteps) {
    World world;
    const BodyId body = world.addBody({.shape = Sphere{}, .lockedAxes = kLockY});
    for (int i = 0; i < 5; ++i)
        world.step(kStep);
    EXPECT_EQ(world.position(body), Vec3{});
    world.setLockedAxes(body, 0);
    for (int i = 0; i < 30; ++i)
        world.step(kStep);
    EXPECT_NEAR(world.velocity(body).y, -scenes::kGravity, 1e-2);  // nothing was saved up while it was locked
}

// A wall drives sideways through a ball that moves up and down alone, and leans by next to nothing: to make way along its
// normal the ball would have to be thrown up without bound. It falls fast, so that it is followed through the step.
TEST(LockedAxes, WhatCannotMakeWayIsNotThrown) {
    for (const double lean : {0.0, 1e-6, 1e-4, 1e-2}) {
        SCOPED_TRACE(lean);
        World world;
        world.addBody({.shape = Box{vec(10, 0.5, 10)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
        world.addBody({.shape = Box{vec(0.5, 5, 5)},
                       .motion = Motion::Kinematic,
                       .position = vec(-1.2, 5, 0),
                       .orientation = scenes::turnAbout(0, 0, 1, lean),
                       .velocity = vec(20, 0, 0)});
        const BodyId ball = world.addBody({.shape = Sphere{Real(0.25)},
                                           .position = vec(0, 0.7, 0),
                                           .velocity = vec(0, -30, 0),
                                           .lockedAxes = kLockX | kLockZ | kLockRx | kLockRy | kLockRz});
        for (int i = 0; i < 10; ++i) {
            world.step(kStep);
            EXPECT_LT(std::fabs(world.velocity(ball).y), 40) << "in step " << i;
            EXPECT_TRUE(world.errorEvents().empty()) << "in step " << i;
        }
    }
}

// Plates that lean in all directions press on a ball that moves along x alone, and friction may hold it against them: it moves
// no faster than it must to make way, whatever has built up between them.
TEST(LockedAxes, FrictionDoesNotThrowWhatMovesAlongOneAxis) {
    for (int seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        testing::RandomPoints random(static_cast<std::uint32_t>(seed));
        World world;
        const Quat lean = random.rotation();
        const Vec3 outward = rotate(lean, vec(0, 1, 0));
        if (std::fabs(outward.x) < 0.2)
            continue;
        const Material material{.friction = 1};
        world.addBody({.shape = Box{vec(5, 0.1, 5)},
                       .motion = Motion::Kinematic,
                       .position = outward * Real(-0.6),
                       .orientation = lean,
                       .velocity = outward,
                       .material = material});
        const BodyId ball = world.addBody(
            {.shape = Sphere{Real(0.5)}, .material = material, .lockedAxes = kLockY | kLockZ | kLockRx | kLockRy | kLockRz});
        for (int i = 0; i < 30; ++i) {
            world.step(kStep);
            EXPECT_LT(std::fabs(world.velocity(ball).x), 1.5 / std::fabs(outward.x)) << "in step " << i;
        }
    }
}

}  // namespace
}  // namespace sunder
