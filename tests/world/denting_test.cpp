// Bodies of a ductile material that blows dent: when, how deep, and what they keep.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "math/quat.h"
#include "sunder/replay.h"
#include "sunder/snapshot.h"
#include "sunder/world.h"

namespace sunder {
namespace {

Material softMetal() {
    Material material;
    material.density = 2700;
    material.young = Real(7e10);
    material.poisson = Real(0.33);
    material.strength = Real(5e9);
    material.toughness = Real(1e6);
    material.yield = Real(5e7);
    return material;
}

Material steel() {
    Material material;
    material.density = 7800;
    material.young = Real(2e11);
    material.poisson = Real(0.3);
    return material;
}

FractureDef dents(int elements = 1500, Real pliability = 1) {
    FractureDef fracture;
    Stressed method;
    method.elements = elements;
    method.pliability = pliability;
    fracture.method = method;
    fracture.cell = Real(0.012);
    return fracture;
}

// A rod along x on two supports, and a ball above its middle.
struct Rod {
    World world;
    BodyId rod, ball;

    explicit Rod(Real speed, int threads = 1, const FractureDef& fracture = dents(), const Material& material = softMetal())
        : world(settings(threads)) {
        for (const Real x : {Real(-0.45), Real(0.45)})
            world.addBody({.shape = Box{{Real(0.03), Real(0.1), Real(0.2)}},
                           .motion = Motion::Static,
                           .position = {x, Real(0.1), 0},
                           .material = steel()});
        rod = world.addBody({.shape = Box{{Real(0.5), Real(0.03), Real(0.03)}},
                             .position = {0, Real(0.23), 0},
                             .material = material,
                             .fracture = fracture});
        ball = world.addBody(
            {.shape = Sphere{Real(0.1)}, .position = {0, Real(0.362), 0}, .velocity = {0, -speed, 0}, .material = steel()});
    }
    static WorldDef settings(int threads) {
        WorldDef def;
        def.threads = threads;
        return def;
    }
    // The deepest dent of so many steps.
    DentEvent run(int steps, Real rate = 60) {
        DentEvent deepest;
        for (int i = 0; i < steps; ++i) {
            world.step(1 / rate);
            for (const DentEvent& dent : world.dentEvents())
                if (dent.depth > deepest.depth)
                    deepest = dent;
        }
        return deepest;
    }
};

// m: how much lower the underside of the drawn rod is in its middle than at its ends, in its own frame.
Real sagOf(const World& world, BodyId rod) {
    const Mesh mesh = surfaceMesh(std::get<LevelSet>(world.shape(rod)));
    Real middle = 0, left = 0, right = 0;
    for (const Vec3& vertex : mesh.vertices) {
        Real& lowest = vertex.x < Real(-0.44) ? left : vertex.x > Real(0.44) ? right : middle;
        if (std::fabs(vertex.x) < Real(0.04) || std::fabs(vertex.x) > Real(0.44))
            lowest = std::min(lowest, vertex.y);
    }
    return (left + right) / 2 - middle;
}

TEST(Denting, ARodBendsTheMoreTheHarderItIsStruck) {
    Real before = 0;
    for (const Real speed : {Real(3), Real(6), Real(12)}) {
        Rod rod(speed);
        const Real mass = rod.world.mass(rod.rod);
        const DentEvent dent = rod.run(6);
        EXPECT_EQ(dent.body, rod.rod) << speed;
        EXPECT_GT(dent.depth, Real(1.3) * before) << speed;
        EXPECT_GT(dent.stress, Real(5e7));
        before = dent.depth;
        // Its drawn surface is bent, by what the event says of the point that moved most, and it is the same body.
        const Real sag = sagOf(rod.world, rod.rod);
        EXPECT_GT(sag, Real(0.2) * dent.depth) << speed;
        EXPECT_LT(sag, Real(2) * dent.depth) << speed;
        EXPECT_EQ(rod.world.mass(rod.rod), mass);
        // The work is part of what the two lost: at most the energy of the ball.
        EXPECT_GT(dent.work, 0);
        EXPECT_LT(dent.work, Real(0.5) * rod.world.mass(rod.ball) * (speed * speed + 1));
    }
}

// A ray down onto the middle of the rod meets what collides.
TEST(Denting, WhatCollidesIsDentedToo) {
    Rod rod(12);
    ASSERT_FALSE(rod.run(6).body.isNull());
    const Pose pose{rod.world.position(rod.rod), rod.world.orientation(rod.rod)};
    const auto heightAt = [&](Real x) {
        const Vec3 point = pose.position + rotate(pose.orientation, {x, Real(-0.5), 0});
        const PointHit hit = rod.world.closestPointOn(rod.rod, toWorldPoint(point));
        return inverseRotate(pose.orientation, toVec3(hit.point) - pose.position).y;
    };
    const Real sag = (heightAt(Real(-0.4)) + heightAt(Real(0.4))) / 2 - heightAt(0);
    EXPECT_NEAR(sag, sagOf(rod.world, rod.rod), Real(0.02));
    EXPECT_GT(sag, Real(0.01));
}

TEST(Denting, NoneBelowTheYieldWithoutOneOrWithoutABlow) {
    Material hard = softMetal();
    hard.yield = Real(5e9);
    EXPECT_TRUE(Rod(12, 1, dents(), hard).run(6).body.isNull());
    Material brittle = softMetal();
    brittle.yield = 0;
    EXPECT_TRUE(Rod(12, 1, dents(), brittle).run(6).body.isNull());
    EXPECT_TRUE(Rod(12, 1, dents(1500, 0)).run(6).body.isNull());
    // A ball set down, and a rod that flies and turns.
    Rod resting(0);
    EXPECT_TRUE(resting.run(60).body.isNull());
    World free;
    free.setGravity({});
    free.addBody({.shape = Box{{Real(0.5), Real(0.03), Real(0.03)}},
                  .velocity = {20, 0, 0},
                  .angularVelocity = {0, 0, 10},
                  .material = softMetal(),
                  .fracture = dents()});
    for (int i = 0; i < 10; ++i) {
        free.step(Real(1) / 60);
        EXPECT_TRUE(free.dentEvents().empty());
    }
}

// Freely flying bodies meet: momenta are kept, energy is not gained, and the centre of mass is where it was.
TEST(Denting, KeepsMomentumAndGainsNoEnergy) {
    World world;
    world.setGravity({});
    const BodyId rod = world.addBody({.shape = Box{{Real(0.5), Real(0.03), Real(0.03)}},
                                      .angularVelocity = {0, 0, 1},
                                      .material = softMetal(),
                                      .fracture = dents()});
    world.addBody({.shape = Sphere{Real(0.1)}, .position = {0, Real(0.16), 0}, .velocity = {0, -10, 0}, .material = steel()});
    double energy = world.stats().kineticEnergy;
    const WorldStats start = world.stats();
    int dented = 0;
    for (int i = 0; i < 20; ++i) {
        world.step(Real(1) / 60);
        const WorldStats now = world.stats();
        EXPECT_LT(now.kineticEnergy, energy * (1 + 1e-5)) << i;
        energy = now.kineticEnergy;
        dented += now.dents;
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(now.linearMomentum[axis], start.linearMomentum[axis], 1e-4 * 320) << i;
            // A thousandth of the ball's momentum times the rod's length: angular momentum gives way to energy.
            EXPECT_NEAR(now.angularMomentum[axis], start.angularMomentum[axis], 0.3) << i;
        }
    }
    EXPECT_EQ(dented, 1);
    EXPECT_TRUE(std::holds_alternative<LevelSet>(world.shape(rod)));
}

// The same blow at every rate: energies telescope over short steps.
TEST(Denting, TheSameBlowDentsAlikeAtEveryRate) {
    Real least = kInfinity, most = 0;
    for (const Real rate : {Real(30), Real(60), Real(240)}) {
        const DentEvent dent = Rod(8).run(int(rate / 10) + 1, rate);
        least = std::min(least, dent.depth);
        most = std::max(most, dent.depth);
    }
    EXPECT_GT(least, Real(0.7) * most);
}

TEST(Denting, TheSameBitsForAnyNumberOfThreadsAndAfterARestore) {
    Rod one(12), four(12, 4);
    one.run(20);
    four.run(20);
    EXPECT_EQ(one.world.hash(), four.world.hash());
    Rod again(12);
    ASSERT_FALSE(again.run(3).body.isNull());
    World restored;
    restored.restore(again.world.snapshot());
    EXPECT_EQ(restored.dentEvents().size(), again.world.dentEvents().size());
    for (int i = 0; i < 17; ++i)
        restored.step(Real(1) / 60);
    EXPECT_EQ(restored.hash(), one.world.hash());
}

class MemoryLog : public CallLog {
public:
    void write(std::span<const std::byte> record) override { bytes.insert(bytes.end(), record.begin(), record.end()); }
    std::vector<std::byte> bytes;
};

TEST(Denting, AReplayDentsAlike) {
    MemoryLog log;
    Rod rod(12);
    rod.world.record(&log);
    ASSERT_FALSE(rod.run(20).body.isNull());
    rod.world.record(nullptr);
    const ReplayReport report = replay(log.bytes, 2);
    EXPECT_FALSE(report.difference.has_value());
    EXPECT_EQ(report.steps, 20u);
    EXPECT_EQ(report.hash, rod.world.hash());
}

// Steppers that break bodies a step after the blow dent them then.
TEST(Denting, UnderEveryStepper) {
    for (const Stepper stepper : {Stepper::FrameRate, Stepper::Impulse, Stepper::Damped, Stepper::Timewarp}) {
        WorldDef settings;
        settings.stepper = stepper;
        settings.gravity = {};
        World world(settings);
        world.addBody({.shape = Box{{Real(0.5), Real(0.03), Real(0.03)}}, .material = softMetal(), .fracture = dents()});
        world.addBody(
            {.shape = Sphere{Real(0.1)}, .position = {0, Real(0.2), 0}, .velocity = {0, -10, 0}, .material = steel()});
        int dented = 0;
        for (int i = 0; i < 10; ++i) {
            world.step(Real(1) / 60);
            dented += world.stats().dents;
        }
        EXPECT_GE(dented, 1) << int(stepper);
    }
}

// A second blow goes on from the first.
TEST(Denting, BlowsAddUp) {
    Rod rod(8);
    rod.run(30);
    const Real first = sagOf(rod.world, rod.rod);
    rod.world.setPose(rod.ball, {0, Real(0.45), 0}, {});
    rod.world.setVelocity(rod.ball, {0, -8, 0});
    const DentEvent second = rod.run(10);
    EXPECT_FALSE(second.body.isNull());
    EXPECT_GT(sagOf(rod.world, rod.rod), Real(1.3) * first);
}

// A metal that flows at 50 MPa and tears at 150: its pieces are bent, and have its mass between them.
TEST(Denting, WhatBreaksIsDentedFirst) {
    Material weak = softMetal();
    weak.strength = Real(1.5e8);
    weak.toughness = 100;
    Rod rod(15, 1, dents(), weak);
    const Real mass = rod.world.mass(rod.rod);
    bool isBroken = false;
    int dented = 0;
    for (int i = 0; i < 10 && !isBroken; ++i) {
        rod.world.step(Real(1) / 60);
        isBroken = !rod.world.breakEvents().empty();
        dented += rod.world.stats().dents;
    }
    ASSERT_TRUE(isBroken);
    EXPECT_GE(dented, 1);
    Real sum = 0;
    for (const BodyId piece : rod.world.breakEvents()[0].pieces)
        sum += rod.world.mass(piece);
    EXPECT_NEAR(sum, mass, Real(1e-4) * mass);
}

TEST(Denting, PliabilityOutOfRangeIsRefused) {
    BodyDef def{.shape = Box{}, .material = softMetal(), .fracture = dents(1500, Real(-1))};
    ASSERT_EQ(validate(def).size(), 1u);
    EXPECT_NE(validate(def)[0].find("fracture.pliability: -1"), std::string::npos) << validate(def)[0];
}

}  // namespace
}  // namespace sunder
