// The debug-draw visitor is shown every body, its bounds and the contacts that carry load.
#include <gtest/gtest.h>

#include <cmath>

#include "sunder/sunder.h"

namespace sunder {
namespace {

struct Recorder : DebugDraw {
    int shapes = 0, contacts = 0, bounds_ = 0, centres = 0, sleepers = 0;
    Real impulses = 0;
    Vec3 lastCentre;
    void shape(BodyId, const Shape& s, const Pose&) override { shapes += !std::holds_alternative<Compound>(s); }
    void contact(const Vec3& point, const Vec3& normal, Real, Real impulse) override {
        ++contacts;
        impulses += impulse;
        EXPECT_NEAR(point.y, 0, 1e-3);
        EXPECT_NEAR(std::fabs(normal.y), 1, 1e-5);
    }
    void bounds(BodyId, const Vec3& low, const Vec3& high) override {
        ++bounds_;
        EXPECT_LT(low.x, high.x);
    }
    void asleep(BodyId) override { ++sleepers; }
    void centreOfMass(BodyId, const Pose& pose) override {
        ++centres;
        lastCentre = pose.position;
    }
};

TEST(DebugDraw, ShowsBodiesBoundsAndLoadedContacts) {
    World world;
    world.addBody({.shape = Box{{5, Real(0.5), 5}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
    Compound pair;
    pair.children.push_back({Box{}, {Real(-0.5), 0, 0}, {}});
    pair.children.push_back({Box{}, {Real(0.5), 0, 0}, {}});
    const BodyId body = world.addBody({.shape = pair, .position = {0, Real(0.5), 0}});
    for (int i = 0; i < 30; ++i)
        world.step(Real(1) / 60);
    Recorder recorder;
    world.debugDraw(recorder);
    EXPECT_EQ(recorder.shapes, 3);  // the floor, and two children of the compound
    EXPECT_EQ(recorder.bounds_, 2);
    EXPECT_EQ(recorder.centres, 2);
    EXPECT_GE(recorder.contacts, 4);
    EXPECT_NEAR(recorder.lastCentre.y, 0.5, 1e-3);
    EXPECT_NEAR(recorder.impulses, world.mass(body) * Real(9.81) / 60, 0.01 * world.mass(body) * 9.81 / 60);  // m g dt
    EXPECT_EQ(recorder.sleepers, 0);

    // Asleep it shows the same contacts.
    for (int i = 0; i < 60; ++i)
        world.step(Real(1) / 60);
    Recorder later;
    world.debugDraw(later);
    EXPECT_EQ(later.sleepers, 1);
    EXPECT_EQ(later.shapes, 3);
    EXPECT_GE(later.contacts, 4);
}

}  // namespace
}  // namespace sunder
