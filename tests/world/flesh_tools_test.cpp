// What flows, what sticks, cuts and sensors of deformable bodies, in a world.
#include <gtest/gtest.h>

#include <cmath>

#include "math/quat.h"
#include "sunder/describe.h"
#include "sunder/snapshot.h"
#include "sunder/sunder.h"

namespace sunder {
namespace {

constexpr Real kStep = Real(1) / 60;

BodyDef block(const Vec3& half, Real young, Real cell) {
    BodyDef def;
    def.name = "block";
    def.shape = Box{half};
    def.material.density = 1000;
    def.material.young = young;
    def.material.poisson = Real(0.3);
    def.deformable = DeformableDef{.cell = cell};
    return def;
}

// m^3, of the tetrahedra of a block of five per cell: by the divergence theorem over its surface.
double volumeOf(const World& world, BodyId body) {
    const auto view = world.vertices(body);
    double sum = 0;
    for (const auto& t : view->triangles)
        sum += double(dot(view->positions[t[0]], cross(view->positions[t[1]], view->positions[t[2]]))) / 6;
    return sum;
}

// A cube of clay between the floor and a plate that comes down to half of its height and goes up again.
double volumeAfterPressing(FleshPlasticity plasticity, int threads, std::uint64_t* hash = nullptr, bool restores = false) {
    WorldDef settings;
    settings.threads = threads;
    World world(settings);
    world.addBody({.shape = Box{{5, Real(0.5), 5}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
    BodyDef def = block({Real(0.2), Real(0.2), Real(0.2)}, Real(1e6), Real(0.1));
    def.position = {0, Real(0.2), 0};
    def.material.friction = 0;
    def.material.yield = Real(3e4);
    def.deformable->largestPlastic = 2;
    def.deformable->plasticity = plasticity;
    const BodyId clay = world.addBody(def);
    const double before = volumeOf(world, clay);
    const BodyId plate = world.addBody({.shape = Box{{1, Real(0.1), 1}},
                                        .motion = Motion::Kinematic,
                                        .position = {0, Real(0.505), 0},
                                        .velocity = {0, Real(-0.2), 0},
                                        .material = {.friction = 0}});
    std::vector<std::byte> kept;
    for (int i = 0; i < 150; ++i) {
        if (i == 60)
            world.setVelocity(plate, {0, Real(0.2), 0});
        if (i == 40 && restores) {
            kept = world.snapshot();
            world.restore(kept);
        }
        world.step(kStep);
    }
    if (hash != nullptr)
        *hash = world.hash();
    EXPECT_TRUE(world.errorEvents().empty());
    return volumeOf(world, clay) / before;
}

TEST(FleshPlasticity, PressedClayKeepsItsVolumeWhereFlowChangesTheRestShape) {
    std::uint64_t one = 0, two = 0, again = 0;
    const double kept = volumeAfterPressing(FleshPlasticity::Multiplicative, 1, &one);
    EXPECT_NEAR(kept, 1, 0.01);
    volumeAfterPressing(FleshPlasticity::Multiplicative, 2, &two);
    volumeAfterPressing(FleshPlasticity::Multiplicative, 1, &again, true);
    EXPECT_EQ(one, two);
    EXPECT_EQ(one, again);
    EXPECT_GT(std::fabs(volumeAfterPressing(FleshPlasticity::Additive, 1) - 1), 0.03);
}

// A static slope through the origin that falls along x by `angle` (rad); returns its orientation.
Quat addSlope(World& world, Real angle) {
    BodyDef slope;
    slope.shape = Box{{50, Real(0.5), 5}};
    slope.motion = Motion::Static;
    slope.orientation = quatFromRotationVector({0, 0, -angle});
    slope.position = rotate(slope.orientation, {0, Real(-0.5), 0});
    slope.material.friction = Real(0.6);
    world.addBody(slope);
    return slope.orientation;
}

// m: how far a cube has crept down a slope of 0.3 rad in ten seconds, after it has settled for one. tan 0.3 = 0.31 < 0.6.
double creepOnSlope(FleshStiction stiction, int rate, std::uint64_t* hash = nullptr, int threads = 1, bool restores = false) {
    WorldDef settings;
    settings.threads = threads;
    World world(settings);
    const Quat turn = addSlope(world, Real(0.3));
    BodyDef def = block({Real(0.2), Real(0.2), Real(0.2)}, Real(1e6), Real(0.1));
    def.position = rotate(turn, {0, Real(0.2), 0});
    def.orientation = turn;
    def.material.friction = Real(0.6);
    def.allowSleep = false;
    def.deformable->staticFriction = stiction;
    const BodyId cube = world.addBody(def);
    const auto run = [&](int steps) {
        for (int i = 0; i < steps; ++i)
            world.step(1 / Real(rate));
    };
    run(rate);
    const Vec3 start = world.position(cube);
    if (restores)
        world.restore(world.snapshot());
    run(10 * rate);
    if (hash != nullptr)
        *hash = world.hash();
    return double(length(world.position(cube) - start));
}

// Dampers, however stiff, creep; what takes back its slip does not.
TEST(FleshStiction, PidHoldsACubeOnASlope) {
    for (const int rate : {30, 60, 240}) {
        const double creeps = creepOnSlope(FleshStiction::Dampers, rate), holds = creepOnSlope(FleshStiction::Pid, rate);
        std::printf("%d Hz: dampers %.3g mm, pid %.3g mm\n", rate, 1e3 * creeps, 1e3 * holds);
        EXPECT_LT(holds, 1e-4) << rate;
        EXPECT_GT(creeps, 5 * holds) << rate;
    }
}

TEST(FleshStiction, GripsGoThroughSnapshotsAndThreads) {
    std::uint64_t one = 0, two = 0, restored = 0;
    creepOnSlope(FleshStiction::Pid, 60, &one, 1);
    creepOnSlope(FleshStiction::Pid, 60, &two, 2);
    creepOnSlope(FleshStiction::Pid, 60, &restored, 1, true);
    EXPECT_EQ(one, two);
    EXPECT_EQ(one, restored);
}

// A slope of 0.7 rad is too steep for a friction of 0.6: it slides as it does by dampers, g (sin a - mu cos a) t.
TEST(FleshStiction, PidLetsGoWhereFrictionIsNotEnough) {
    for (const FleshStiction stiction : {FleshStiction::Dampers, FleshStiction::Pid}) {
        World world;
        const Quat turn = addSlope(world, Real(0.7));
        BodyDef def = block({Real(0.2), Real(0.1), Real(0.2)}, Real(1e6), Real(0.1));
        def.position = rotate(turn, {-20, Real(0.1), 0});
        def.orientation = turn;
        def.material.friction = Real(0.6);
        def.deformable->staticFriction = stiction;
        const BodyId cube = world.addBody(def);
        for (int i = 0; i < 120; ++i)
            world.step(kStep);
        const double expected = 9.81 * (std::sin(0.7) - 0.6 * std::cos(0.7)) * 2;
        EXPECT_NEAR(double(length(world.velocity(cube))), expected, 0.1 * expected);
    }
}

TEST(FleshCut, TwoBodiesOfOneAlongThePlane) {
    World world;
    BodyDef def = block({Real(0.5), Real(0.2), Real(0.2)}, Real(1e6), Real(0.1));
    def.gravityFactor = 0;
    const BodyId body = world.addBody(def);
    const double whole = volumeOf(world, body);
    world.cut(body, {Real(0.2), 0, 0}, {1, 0, 0});
    world.step(kStep);
    ASSERT_EQ(world.breakEvents().size(), 1u);
    EXPECT_EQ(world.breakEvents()[0].body, body);
    ASSERT_EQ(world.breakEvents()[0].pieces.size(), 1u);
    ASSERT_EQ(world.tearEvents().size(), 1u);
    EXPECT_NEAR(double(world.tearEvents()[0].area), 0.16, 0.04);
    const BodyId piece = world.breakEvents()[0].pieces[0];
    EXPECT_NEAR(volumeOf(world, body) / whole, 0.7, 0.01);
    EXPECT_NEAR(volumeOf(world, piece) / whole, 0.3, 0.01);
    EXPECT_EQ(world.parent(piece), body);
    // Beside it nothing happens; what neither deforms nor breaks is refused.
    world.cut(body, {2, 0, 0}, {1, 0, 0});
    world.step(kStep);
    EXPECT_TRUE(world.breakEvents().empty());
    const BodyId stone = world.addBody({.name = "stone", .position = {0, 5, 0}});
    try {
        world.cut(stone, {0, 5, 0}, {1, 0, 0});
        ADD_FAILURE() << "it was cut";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "cut: body 'stone' has no fracture");
    }
}

// A soft bar of 2 m that is pulled to 2.5 m by its right end, which reaches a sensor that the bar at rest would not, and leaves
// it when the bar is let go.
TEST(FleshSensors, SeeTheDeformedSurface) {
    World world({.gravity = {}});
    BodyDef def = block({1, Real(0.05), Real(0.05)}, Real(3e5), Real(0.05));
    def.deformable->pinned = {{{Real(-1.1), -1, -1}, {Real(-0.95), 1, 1}}};
    const BodyId bar = world.addBody(def);
    std::vector<std::uint32_t> ends;
    const std::vector<Vec3> rest(world.vertices(bar)->positions.begin(), world.vertices(bar)->positions.end());
    for (std::uint32_t i = 0; i < rest.size(); ++i)
        if (rest[i].x > Real(0.99))
            ends.push_back(i);
    const BodyId sensor =
        world.addBody({.shape = Sphere{Real(0.04)}, .motion = Motion::Static, .position = {Real(1.4), 0, 0}, .sensor = true});
    int firstStep = -1, lastStep = -1, others = 0;
    for (int i = 0; i < 120; ++i) {
        for (const std::uint32_t node : ends)
            if (i < 50)
                world.pinNode(bar, node, rest[node] + Vec3{Real(0.01) * Real(i + 1), 0, 0});
            else if (i == 60)
                world.unpinNode(bar, node);
        world.step(kStep);
        for (const ContactEvent& event : world.contactEvents()) {
            EXPECT_TRUE(event.sensor);
            EXPECT_EQ(event.impulse, 0);
            EXPECT_TRUE(event.a == sensor || event.b == sensor);
            if (event.phase == ContactPhase::Begin && firstStep < 0)
                firstStep = i;
            else if (event.phase == ContactPhase::End && lastStep < 0)
                lastStep = i;
            else
                others += event.phase != ContactPhase::Persist;
        }
    }
    // The ball begins at 1.36 m.
    EXPECT_NEAR(firstStep, 36, 2);
    EXPECT_GT(lastStep, 60);
    EXPECT_EQ(others, 0);
}

}  // namespace
}  // namespace sunder
