// The debug visitor is shown every shape where it is, and the contacts.
#include "sunder/debug_draw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "scenes/parts.h"

namespace sunder {
namespace {

using scenes::vec;

struct Recorder : DebugDraw {
    std::map<std::uint32_t, int> shapes, boundsSeen, centres;
    std::vector<Pose> poses;
    int contacts = 0;

    void shape(BodyId body, const Shape&, const Pose& pose) override {
        ++shapes[body.index];
        poses.push_back(pose);
    }
    void contact(const Vec3& point, const Vec3& normal, Real, Real impulse) override {
        ++contacts;
        EXPECT_NEAR(point.y, 0, 0.01);
        EXPECT_NEAR(std::abs(normal.y), 1, 1e-4);
        EXPECT_GE(impulse, 0);
    }
    void bounds(BodyId body, const Vec3& low, const Vec3& high) override {
        ++boundsSeen[body.index];
        EXPECT_LT(low.x, high.x);
        EXPECT_LT(low.y, high.y);
    }
    void centreOfMass(BodyId body, const Pose&) override { ++centres[body.index]; }
};

TEST(DebugDraw, ShowsEveryShapeAndContact) {
    World world;
    world.addBody({.shape = Box{vec(20, 0.5, 20)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
    const BodyId cube = world.addBody({.position = vec(0, 0.5, 0)});
    const BodyId dumbbell = world.addBody(
        {.shape = Compound{{{.shape = Sphere{}, .position = vec(-1, 0, 0)}, {.shape = Sphere{}, .position = vec(1, 0, 0)}}},
         .position = vec(0, 10, 5)});
    for (int i = 0; i < 5; ++i)
        world.step(Real(1) / 30);
    Recorder recorder;
    world.debugDraw(recorder);
    EXPECT_EQ(recorder.shapes.size(), 3u);
    EXPECT_EQ(recorder.shapes[cube.index], 1);
    EXPECT_EQ(recorder.shapes[dumbbell.index], 2);  // child by child
    EXPECT_EQ(recorder.contacts, 4);
    EXPECT_EQ(recorder.boundsSeen.size(), 3u);
    double apart = 0;  // the two children are 2 m apart in world space
    for (const Pose& a : recorder.poses)
        for (const Pose& b : recorder.poses)
            if (a.position.y > 5 && b.position.y > 5)
                apart = std::max(apart, double(a.position.x - b.position.x));
    EXPECT_NEAR(apart, 2, 1e-4);
}

}  // namespace
}  // namespace sunder
