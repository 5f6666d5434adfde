// Fast bodies at game rates: nothing passes through anything, and what misses is not touched.
#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "math/quat.h"
#include "sunder/sunder.h"
#include "support/mesh_builder.h"

namespace sunder {
namespace {

constexpr int kOffsets = 16;  // spread over what a bullet covers in a step
constexpr Real kSpeed = 200;  // m/s
constexpr Real kRadius = Real(0.05);

WorldDef weightless() {
    WorldDef def;
    def.gravity = {};
    return def;
}

BodyId addWall(World& world, const Vec3& position, const Vec3& halfExtents, Real restitution = 0, const Quat& turn = {}) {
    BodyDef def;
    def.shape = Box{halfExtents};
    def.motion = Motion::Static;
    def.position = position;
    def.orientation = turn;
    def.material.restitution = restitution;
    def.material.friction = 0;
    return world.addBody(def);
}

BodyId addBall(World& world, const Vec3& position, const Vec3& velocity, Real radius = kRadius) {
    BodyDef def;
    def.shape = Sphere{radius};
    def.position = position;
    def.velocity = velocity;
    def.material.density = 7800;
    def.material.friction = 0;
    return world.addBody(def);
}

class FastBodies : public ::testing::TestWithParam<int> {
protected:
    Real rate() const { return Real(GetParam()); }
    Real dt() const { return 1 / rate(); }
    // Where a bullet starts so that the wall lies anywhere in its first steps.
    Real start(int i) const { return -3 - Real(i) * kSpeed * dt() / kOffsets; }
};
INSTANTIATE_TEST_SUITE_P(Rates, FastBodies, ::testing::Values(30, 60),
                         [](const auto& rate) { return "At" + std::to_string(rate.param) + "Hz"; });

// The bar S7, at the origin and ten kilometres away, with walls that stand, are driven towards the bullet, and are free.
TEST_P(FastBodies, BulletsDoNotPassThinWalls) {
    for (const Motion motion : {Motion::Static, Motion::Kinematic, Motion::Dynamic})
        for (const Vec3& origin : {Vec3{}, Vec3{10000, 10000, 10000}})
            for (int i = 0; i < kOffsets; ++i) {
                World world;
                BodyDef wall;
                wall.shape = Box{{Real(0.025), 2, 2}};
                wall.motion = motion;
                wall.position = origin;
                if (motion == Motion::Kinematic)
                    wall.velocity = {-5, 0, 0};
                const BodyId target = world.addBody(wall);
                const BodyId ball = addBall(world, origin + Vec3{start(i), Real(0.03) * Real(i), 0}, {kSpeed, 0, 0});
                for (Real time = 0; time < Real(0.2); time += dt()) {
                    world.step(dt());
                    ASSERT_LT(world.position(ball).x, world.position(target).x)
                        << "motion " << int(motion) << " at " << origin.x << " offset " << i;
                }
            }
}

// Not even 2 mm from the edge of a box is a miss a hit, wherever the step begins.
TEST_P(FastBodies, NearMissesAreFree) {
    for (const Real clearance : {Real(0.002), Real(0.01), Real(0.05), Real(0.2)})
        for (int i = 0; i < kOffsets; ++i) {
            World world(weightless());
            addWall(world, {0, Real(-0.5), 0}, {Real(0.5), Real(0.5), 1});
            const BodyId ball = addBall(world, {start(i), kRadius + clearance, 0}, {kSpeed, 0, 0});
            for (Real time = 0; time < Real(0.2); time += dt())
                world.step(dt());
            ASSERT_EQ(world.velocity(ball), (Vec3{kSpeed, 0, 0})) << clearance << " offset " << i;
        }
}

TEST_P(FastBodies, BallPassesTheGapItFitsThrough) {
    for (int i = 0; i < kOffsets; ++i) {
        World world(weightless());
        for (const Real side : {Real(-1), Real(1)})
            addWall(world, {0, side * (1 + kRadius + Real(0.002)), 0}, {Real(0.025), 1, 1});
        const BodyId ball = addBall(world, {start(i), 0, 0}, {kSpeed, 0, 0});
        for (Real time = 0; time < Real(0.2); time += dt())
            world.step(dt());
        ASSERT_GT(world.position(ball).x, 5) << i;
        ASSERT_EQ(world.velocity(ball), (Vec3{kSpeed, 0, 0})) << i;
    }
}

// A rod of 2 m turns by 2 rad a step at 30 Hz. Its near face reaches a post of radius rho at distance r and angle phi at
// w t = phi - asin((half width + rho) / r): it is struck in that step, not before it and not after it.
TEST_P(FastBodies, SpinningRodMeetsPost) {
    const double halfWidth = 0.025, rho = 0.02, spin = 60;
    for (const double r : {0.2, 0.5, 0.8, 0.95})
        for (int i = 0; i < kOffsets; ++i) {
            const double phi = 0.3 + i * spin / rate() / kOffsets;
            const int expected = int((phi - std::asin((halfWidth + rho) / r)) / spin * rate());
            World world(weightless());
            BodyDef rod;
            rod.shape = Box{{1, Real(halfWidth), Real(halfWidth)}};
            rod.angularVelocity = {0, 0, Real(spin)};
            const BodyId turning = world.addBody(rod);
            BodyDef post;
            post.shape = Cylinder{Real(rho), Real(0.5)};
            post.motion = Motion::Static;
            post.position = {Real(r * std::cos(phi)), Real(r * std::sin(phi)), 0};
            post.orientation = {std::sqrt(Real(0.5)), 0, 0, std::sqrt(Real(0.5))};
            world.addBody(post);
            for (int step = 0; step <= expected; ++step) {
                ASSERT_NEAR(world.angularVelocity(turning).z, spin, 1e-3) << "r " << r << " phi " << phi << " step " << step;
                world.step(dt());
            }
            ASSERT_LT(world.angularVelocity(turning).z, 0.95 * spin) << "r " << r << " phi " << phi;
        }
}

// Equal balls that meet in the middle without bounce stop dead.
TEST_P(FastBodies, BulletsMeetHeadOn) {
    for (int i = 0; i < kOffsets; ++i) {
        World world(weightless());
        const BodyId a = addBall(world, {start(i), 0, 0}, {kSpeed, 0, 0});
        const BodyId b = addBall(world, {3 + Real(0.37) * Real(i), 0, 0}, {-kSpeed, 0, 0});
        for (Real time = 0; time < Real(0.2); time += dt())
            world.step(dt());
        ASSERT_LT(world.position(a).x, world.position(b).x) << i;
        ASSERT_LT(length(world.velocity(a)), 0.01 * kSpeed) << i;
        ASSERT_LT(length(world.velocity(b)), 0.01 * kSpeed) << i;
    }
}

// A plate at 45 degrees turns the bullet upwards into a ceiling and back, all within one step.
TEST_P(FastBodies, RicochetsWithinOneStep) {
    const Real s = std::sin(Real(kPi) / 8), c = std::cos(Real(kPi) / 8);
    for (int i = 0; i < kOffsets; ++i) {
        World world(weightless());
        addWall(world, {0, 0, 0}, {Real(0.025), 2, 1}, 1, {0, 0, -s, c});
        addWall(world, {Real(-0.5), Real(1.5), 0}, {2, Real(0.025), 1}, 1);
        addWall(world, {Real(-0.5), Real(-2.5), 0}, {2, Real(0.025), 1}, 1);
        const BodyId ball = addBall(world, {start(i), Real(0.1), 0}, {kSpeed, 0, 0});
        for (Real time = 0; time < Real(0.1); time += dt()) {
            world.step(dt());
            ASSERT_LT(world.position(ball).y, 1.5) << i;
            ASSERT_NEAR(length(world.velocity(ball)), kSpeed, 0.01 * kSpeed) << i;
        }
    }
}

World room(int threads, int balls, std::vector<BodyId>& ids) {
    WorldDef def = weightless();
    def.threads = threads;
    World world(def);
    const Real half = Real(0.5), thick = Real(0.025), outer = half + 2 * thick;
    for (int axis = 0; axis < 3; ++axis)
        for (const Real side : {Real(-1), Real(1)}) {
            Vec3 place, size{outer, outer, outer};
            setComponent(place, axis, side * (half + thick));
            setComponent(size, axis, thick);
            addWall(world, place, size, 1);
        }
    testing::RandomPoints random(7);
    for (int i = 0; i < balls; ++i) {
        const Vec3 place = random.inBox(0.3);
        ids.push_back(addBall(world, place, random.onSphere() * kSpeed));
    }
    return world;
}

// Seven times a step from wall to wall at 30 Hz: the ball stays in and gains no energy.
TEST_P(FastBodies, BulletStaysInARoom) {
    for (int i = 0; i < kOffsets; ++i) {
        std::vector<BodyId> ids;
        World world = room(1, i + 1, ids);
        for (int k = 0; k < i; ++k)
            world.removeBody(ids[k]);
        for (Real time = 0; time < 1; time += dt()) {
            world.step(dt());
            const Vec3 p = abs(world.position(ids.back()));
            ASSERT_LT(max(p.x, max(p.y, p.z)), 0.5) << i << " at " << time;
            ASSERT_LT(length(world.velocity(ids.back())), 1.001 * kSpeed) << i << " at " << time;
        }
    }
}

TEST_P(FastBodies, ManyBulletsStayInARoomTheSameForAllThreads) {
    std::uint64_t hashes[2];
    for (int run = 0; run < 2; ++run) {
        std::vector<BodyId> ids;
        World world = room(1 + 2 * run, 20, ids);
        for (Real time = 0; time < Real(0.5); time += dt())
            world.step(dt());
        for (const BodyId id : ids) {
            const Vec3 p = abs(world.position(id));
            EXPECT_LT(max(p.x, max(p.y, p.z)), 0.5);
        }
        hashes[run] = world.hash();
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

// A ball at rest in front of a wall, which no contact search expects to move, is struck into it.
TEST_P(FastBodies, StruckBallDoesNotPassTheWall) {
    for (int i = 0; i < kOffsets; ++i)
        for (const Real aside : {Real(0), Real(0.03)}) {
            World world(weightless());
            addWall(world, {0, 0, 0}, {Real(0.0125), 4, 2});
            const BodyId struck = addBall(world, {-1 - Real(0.05) * Real(i), 0, 0}, {}, Real(0.03));
            const BodyId bullet = addBall(world, {-4 - Real(0.3) * Real(i), aside, 0}, {kSpeed, 0, 0});
            for (Real time = 0; time < Real(0.2); time += dt()) {
                world.step(dt());
                ASSERT_LT(world.position(struck).x, 0) << i;
                ASSERT_LT(world.position(bullet).x, 0) << i;
            }
        }
}

// One ball strikes the next, and that one a third, within one step: momentum goes on, none is lost and none is added, and
// nobody overtakes.
TEST_P(FastBodies, BlowsWithinOneStepKeepMomentum) {
    World world(weightless());
    std::vector<BodyId> balls;
    for (int i = 0; i < 4; ++i)
        balls.push_back(addBall(world, {Real(0.5) * Real(i), 0, 0}, {i == 0 ? kSpeed : 0, 0, 0}));
    const double before = world.stats().linearMomentum[0], energy = world.stats().kineticEnergy;
    world.step(dt());
    EXPECT_NEAR(world.stats().linearMomentum[0], before, 1e-4 * before);
    EXPECT_LT(world.stats().kineticEnergy, energy);
    for (int i = 0; i < 3; ++i)
        EXPECT_LT(world.position(balls[i]).x, world.position(balls[i + 1]).x) << i;
    EXPECT_GT(world.velocity(balls[2]).x, 0.1 * kSpeed) << "the blow must have gone on";
}

// Plates thinner than the wall that tumble into it, corner first, and into a surface without thickness. About one in a hundred
// is known to get behind it (of such 1200 at 30 and 60 Hz 4 and 9, in double 9 and 14): its other end swings in within the step
// of the blow, and it is pushed out on the far side.
TEST_P(FastBodies, TumblingPlatesHardlyEverPass) {
    constexpr int kPlates = 600;
    int behind = 0;
    core::Random random(5);
    const auto share = [&] { return Real(random.below(1000)) / 1000; };
    for (int i = 0; i < kPlates; ++i)
        for (const bool isMesh : {false, true}) {
            World world(weightless());
            if (isMesh) {
                Mesh mesh;
                testing::addQuad(mesh, {0, -2, -2}, {0, -2, 2}, {0, 2, 2}, {0, 2, -2});
                BodyDef wall;
                wall.shape = mesh;
                wall.motion = Motion::Static;
                world.addBody(wall);
            } else {
                addWall(world, {0, 0, 0}, {Real(0.025), 2, 2});
            }
            BodyDef plate;
            plate.shape = Box{{Real(0.2), Real(0.02), Real(0.05)}};
            plate.position = {-4 - kSpeed * dt() * share(), Real(0.1), Real(0.3) * share()};
            plate.velocity = {kSpeed, 0, 0};
            plate.angularVelocity = {30, 100 * share(), 100};
            const BodyId body = world.addBody(plate);
            for (Real time = 0; time < Real(0.2); time += dt())
                world.step(dt());
            behind += world.position(body).x > 0;
        }
    EXPECT_LE(behind, 2 * kPlates / 50);
}

}  // namespace
}  // namespace sunder
