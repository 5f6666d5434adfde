// A deformable body is a body like any other: it sleeps and wakes, queries hit it, and contacts with it are events.
#include <gtest/gtest.h>

#include <cmath>

#include "scenes/flesh_world.h"
#include "sunder/sunder.h"

namespace sunder {
namespace {

constexpr Real kStep = Real(1) / 60;

BodyDef jelly(const Vec3& position, Real young = Real(2e5)) {
    BodyDef def;
    def.name = "jelly";
    def.shape = Box{{Real(0.5), Real(0.5), Real(0.5)}};
    def.position = position;
    def.material.young = young;
    def.material.poisson = Real(0.3);
    def.deformable = DeformableDef{.cell = Real(0.34)};
    return def;
}

BodyDef floorBody() { return {.name = "floor", .shape = Box{{10, 1, 10}}, .motion = Motion::Static, .position = {0, -1, 0}}; }

BodyDef ball(const Vec3& position, Real radius, Real mass) {
    BodyDef def;
    def.shape = Sphere{radius};
    def.position = position;
    def.mass = mass;
    return def;
}

// Steps until the body sleeps; returns the time (s), or -1.
double stepsToSleep(World& world, BodyId body, Real dt, double most = 12) {
    for (double time = 0; time < most; time += double(dt)) {
        world.step(dt);
        if (!world.isAwake(body))
            return time;
    }
    return -1;
}

// What the solve leaves undone kept nodes of five cubes trembling by 0.94 mm/s at 30 Hz.
TEST(FleshBody, AStackAtRestTremblesLittle) {
    for (const int rate : {30, 60}) {
        World world;
        world.addBody(floorBody());
        std::vector<BodyId> cubes;
        for (int i = 0; i < 5; ++i) {
            BodyDef def = jelly({0, Real(0.205) + Real(0.4) * Real(i), 0}, Real(1e7));
            def.shape = Box{{Real(0.2), Real(0.2), Real(0.2)}};
            def.material.density = 1000;
            def.material.friction = Real(0.6);
            def.deformable->cell = Real(0.1);
            def.allowSleep = false;
            cubes.push_back(world.addBody(def));
        }
        double fastest = 0;
        for (int i = 0; i < 4 * rate; ++i) {
            world.step(Real(1) / Real(rate));
            for (const BodyId cube : cubes) {
                const auto nodes = *world.vertices(cube);
                for (const Vec3& v : nodes.velocities)
                    if (i >= 3 * rate)
                        fastest = std::max(fastest, std::sqrt(double(v.x * v.x + v.y * v.y + v.z * v.z)));
            }
        }
        EXPECT_LT(fastest, 3e-4) << rate << " Hz";
    }
}

TEST(FleshBody, FallsAsleepAtAnyRateAndStaysWhereItIs) {
    for (const int rate : {30, 60, 240}) {
        World world;
        world.addBody(floorBody());
        const BodyId cube = world.addBody(jelly({0, Real(0.8), 0}));
        EXPECT_GT(stepsToSleep(world, cube, Real(1) / Real(rate)), 0) << rate << " Hz";
        const double height = double(world.centerOfMass(cube).y);
        EXPECT_NEAR(height, 0.48, 0.03);
        EXPECT_EQ(world.stats().asleep, 1);
        for (int i = 0; i < rate; ++i)
            world.step(Real(1) / Real(rate));
        EXPECT_FALSE(world.isAwake(cube));
        EXPECT_EQ(double(world.centerOfMass(cube).y), height);
    }
}

// Neither in flight, nor while it hangs on nothing.
TEST(FleshBody, DoesNotSleepInTheAir) {
    World world;
    BodyDef def = jelly({0, 50, 0});
    def.velocity = {0, 5, 0};
    const BodyId cube = world.addBody(def);
    EXPECT_LT(stepsToSleep(world, cube, kStep, 2), 0);
}

TEST(FleshBody, ABallThatComesNearWakesIt) {
    for (const Real speed : {Real(0.5), Real(20)}) {
        World world;
        world.addBody(floorBody());
        const BodyId cube = world.addBody(jelly({0, Real(0.5), 0}));
        ASSERT_GT(stepsToSleep(world, cube, kStep), 0);
        BodyDef striker = ball({0, 3, 0}, Real(0.2), 30);
        striker.velocity = {0, -speed, 0};
        const BodyId body = world.addBody(striker);
        bool isWoken = false;
        for (int i = 0; i < 60; ++i) {
            world.step(kStep);
            isWoken = isWoken || world.isAwake(cube);
            ASSERT_GT(world.position(body).y, 0.6) << "it fell into the sleeper, step " << i;
        }
        EXPECT_TRUE(isWoken) << speed << " m/s";
    }
}

// A rigid box on a deformable one, and a deformable one on that: they sleep together, and wake together.
TEST(FleshBody, AStackSleepsAsOne) {
    World world;
    world.addBody(floorBody());
    const BodyId lower = world.addBody(jelly({0, Real(0.5), 0}, Real(1e6)));
    BodyDef plate;
    plate.shape = Box{{Real(0.4), Real(0.1), Real(0.4)}};
    plate.position = {0, Real(1.1), 0};
    plate.mass = 300;
    const BodyId middle = world.addBody(plate);
    const BodyId upper = world.addBody(jelly({0, Real(1.7), 0}, Real(1e6)));
    ASSERT_GT(stepsToSleep(world, upper, kStep), 0);
    EXPECT_FALSE(world.isAwake(lower));
    EXPECT_FALSE(world.isAwake(middle));
    world.addImpulse(upper, {200, 0, 0});
    world.step(kStep);
    EXPECT_TRUE(world.isAwake(lower));
    EXPECT_TRUE(world.isAwake(middle));
}

TEST(FleshBody, SleepersGoThroughSnapshotsAndThreads) {
    std::uint64_t hash = 0;
    for (const int threads : {1, 3}) {
        WorldDef def;
        def.threads = threads;
        World world(def);
        world.addBody(floorBody());
        const BodyId cube = world.addBody(jelly({0, Real(0.5), 0}));
        ASSERT_GT(stepsToSleep(world, cube, kStep), 0);
        World other(def);
        other.restore(world.snapshot());
        for (World* w : {&world, &other}) {
            w->addBody(ball({0, 2, 0}, Real(0.2), 30));
            for (int i = 0; i < 40; ++i)
                w->step(kStep);
        }
        EXPECT_EQ(world.hash(), other.hash());
        if (hash != 0) {
            EXPECT_EQ(world.hash(), hash);
        }
        hash = world.hash();
    }
}

// The surface of the deformed body is what queries see: a cube squashed by a plate is lower and wider than it was.
TEST(FleshBody, QueriesSeeTheDeformedSurface) {
    World world;
    world.addBody(floorBody());
    const BodyId cube = world.addBody(jelly({0, Real(0.5), 0}, Real(1e5)));
    BodyDef plate;
    plate.shape = Box{{Real(0.6), Real(0.1), Real(0.6)}};
    plate.position = {0, Real(1.1), 0};
    plate.mass = 1000;
    const BodyId weight = world.addBody(plate);
    for (int i = 0; i < 240; ++i)
        world.step(kStep);
    const double top = double(world.position(weight).y) - 0.1;
    EXPECT_LT(top, 0.95);
    QueryFilter onlyCube;
    onlyCube.accept = [&](BodyId id) { return id == cube; };
    const auto down = world.castRay({{0, 3, 0}, {0, -4, 0}}, onlyCube);
    ASSERT_TRUE(down);
    EXPECT_EQ(down->body, cube);
    EXPECT_NEAR(down->point.y, top, 0.01);
    EXPECT_NEAR(down->normal.y, 1, 0.05);
    EXPECT_FALSE(down->startsInside);
    const auto across = world.castRay({{-3, Real(0.45), 0}, {3, 0, 0}}, onlyCube);
    ASSERT_TRUE(across);
    EXPECT_LT(across->point.x, -0.505) << "it bulges";
    const auto inside = world.castRay({{0, Real(0.4), 0}, {0, 1, 0}}, onlyCube);
    ASSERT_TRUE(inside);
    EXPECT_TRUE(inside->startsInside);
    EXPECT_EQ(inside->fraction, 0);
    EXPECT_FALSE(world.castRay({{2, 3, 0}, {0, -4, 0}}, onlyCube));

    const auto near = world.closestPoint({2, Real(0.4), 0}, 5, onlyCube);
    ASSERT_TRUE(near);
    EXPECT_NEAR(near->distance, 2 - double(near->point.x), 1e-3);
    EXPECT_LT(world.closestPointOn(cube, {0, Real(0.4), 0}).distance, Real(-0.3));

    // A ball cast from the side stops where it touches the bulge: its radius before the surface.
    const auto hit = world.castShape({{Sphere{Real(0.1)}, {-3, Real(0.45), 0}, {}}, {3, 0, 0}}, onlyCube);
    ASSERT_TRUE(hit);
    EXPECT_NEAR(-3 + double(hit->distance) + 0.1, double(across->point.x), 0.02);
    std::vector<BodyId> found;
    world.overlap({Sphere{Real(0.1)}, {0, Real(0.45), 0}, {}}, found, onlyCube);
    EXPECT_EQ(found.size(), 1u) << "wholly inside";
    world.overlap({Sphere{Real(0.1)}, {Real(0.9), Real(0.45), 0}, {}}, found, onlyCube);
    EXPECT_TRUE(found.empty());
}

// The impulse of a contact that bears a weight is weight times time, whoever bears it.
TEST(FleshBody, ContactsAreEvents) {
    World world([] {
        WorldDef def;
        def.persistEvents = true;
        def.sleeping = false;
        return def;
    }());
    const BodyId ground = world.addBody(floorBody());
    const BodyId cube = world.addBody(jelly({0, Real(0.7), 0}));
    int begins = 0, ends = 0;
    double impulse = 0;
    int count = 0;
    for (int i = 0; i < 300; ++i) {
        world.step(kStep);
        for (const ContactEvent& event : world.contactEvents()) {
            EXPECT_EQ(event.a, ground);
            EXPECT_EQ(event.b, cube);
            begins += event.phase == ContactPhase::Begin;
            ends += event.phase == ContactPhase::End;
            if (event.phase == ContactPhase::End)
                continue;
            EXPECT_GT(double(event.normal.y), 0.9);
            EXPECT_NEAR(double(event.point.y), 0, 0.02);
            if (i >= 240) {
                impulse += double(event.impulse);
                ++count;
            }
        }
    }
    EXPECT_GE(begins, 1);
    EXPECT_EQ(begins, ends + 1) << "it lies there at the end";
    ASSERT_EQ(count, 60);
    const double weight = double(world.mass(cube)) * 9.81;
    EXPECT_NEAR(impulse, weight, 0.02 * weight);  // over one second
    world.removeBody(ground);
    world.step(kStep);
    bool isOver = false;
    for (const ContactEvent& event : world.contactEvents())
        isOver = isOver || event.phase == ContactPhase::End;
    EXPECT_TRUE(isOver);
}

// A box of 750 kg and 11 kPa that is thrown at the floor beside a ball of 450 kg is crushed flat. Nodes inside it touch the
// floor too: otherwise they fall out of it, and hang a third of a metre below the floor in the end.
TEST(FleshBody, NodesInsideStayAboveTheFloorWhereItIsCrushed) { EXPECT_EQ(scenes::abuseBodies(1, 1, 83).lost, 0); }

}  // namespace
}  // namespace sunder
