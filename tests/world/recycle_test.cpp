// Manifolds that are kept while bodies hardly move: the bound on the motion, and that nothing else is kept with them.
#include "world/pair/recycle.h"

#include <gtest/gtest.h>

#include "scenes/parts.h"
#include "support/random_points.h"

namespace sunder::world {
namespace {

using scenes::vec;

Flight flightOfBall(Real radius, const Vec3& center, const Quat& orientation, const BuiltShape& shape) {
    Flight flight;
    flight.center = toWorldPoint(center);
    flight.orientation = orientation;
    flight.radius = radius;
    flight.shape = &shape;
    return flight;
}

// No point of the smaller body moves further in the larger one's frame than motionSince says.
TEST(Recycling, MotionSinceBoundsEveryPoint) {
    testing::RandomPoints random(7);
    const SharedShape shape = buildShape(Sphere{Real(0.3)});
    for (int i = 0; i < 2000; ++i) {
        const Real amount = random.between(0, 1) * random.between(0, 1) * random.between(0, 1);
        Flight large = flightOfBall(1, random.inBox(5), random.rotation(), *shape);
        Flight small = flightOfBall(Real(0.3), random.inBox(5), random.rotation(), *shape);
        SeenPair seen;
        Recycling(large, small).remember(seen);
        const Flight large0 = large, small0 = small;
        const Vec3 turnLarge = random.inBox(amount), turnSmall = random.inBox(3 * amount);
        large.orientation = quatFromRotationVector(turnLarge) * large.orientation;
        small.orientation = quatFromRotationVector(turnSmall) * small.orientation;
        small.center = small.center + random.inBox(amount);
        const Real motion = Recycling(small, large).motionSince(seen);
        Real largest = 0;
        for (int k = 0; k < 20; ++k) {
            const Vec3 p = random.onSphere() * Real(0.3);
            const auto inLarge = [&](const Flight& a, const Flight& b) {
                return inverseRotate(a.orientation, b.center - a.center + rotate(b.orientation, p));
            };
            largest = max(largest, length(inLarge(large, small) - inLarge(large0, small0)));
        }
        EXPECT_LE(largest, motion * Real(1.0001) + Real(1e-5));
    }
}

// Friction and surface speed act at once although the box has not moved: only geometry is kept.
TEST(Recycling, NewMaterialActsOnKeptContacts) {
    World world;
    const double slope = 20 * scenes::kPi / 180;
    const Quat tilt = scenes::turnAbout(0, 0, 1, slope);
    world.addBody({.shape = Box{vec(20, 0.5, 20)}, .motion = Motion::Static, .orientation = tilt});
    const BodyId box = world.addBody(
        {.shape = Box{vec(0.5, 0.5, 0.5)}, .position = vec(-std::sin(slope), std::cos(slope), 0), .orientation = tilt});
    for (int i = 0; i < 120; ++i)
        world.step(Real(1) / 60);
    const auto speed = [&] { return std::hypot(double(world.velocity(box).x), double(world.velocity(box).y)); };
    EXPECT_LT(speed(), 1e-3);
    Material slippery;
    slippery.friction = 0;
    world.setMaterial(box, slippery);
    for (int i = 0; i < 30; ++i)
        world.step(Real(1) / 60);
    EXPECT_NEAR(speed(), scenes::kGravity * std::sin(slope) * 0.5, 0.02);
}

// A cube that slides by 5 mm in a step is looked at in every second one: its manifold lags by as much at the end of every step.
// Its points are under it all the same.
TEST(Recycling, MovingPairsAreLookedAtEverySecondStep) {
    World world({.sleeping = false});
    Material ice;
    ice.friction = 0;
    world.addBody({.shape = Box{vec(20, 0.5, 20)}, .motion = Motion::Static, .position = vec(0, -0.5, 0), .material = ice});
    const BodyId cube = world.addBody(
        {.shape = Box{vec(0.5, 0.5, 0.5)}, .position = vec(0, 0.5, 0), .velocity = vec(0.3, 0, 0), .material = ice});
    for (int i = 0; i < 20; ++i)
        world.step(Real(1) / 60);
    int looks = 0;
    for (int i = 0; i < 60; ++i) {
        world.step(Real(1) / 60);
        looks += world.stats().pairLooks;
        for (const ContactEvent& event : world.contactEvents())
            EXPECT_NEAR(event.point.x, world.position(cube).x, 0.02);
    }
    EXPECT_GE(looks, 20);
    EXPECT_LE(looks, 32);
    EXPECT_NEAR(world.position(cube).y, 0.5, 1e-3);
    EXPECT_NEAR(world.velocity(cube).x, 0.3, 1e-4);
}

// A box moved sideways by hand, further than what is kept allows, stands where it was put, on new points.
TEST(Recycling, TeleportedBodyGetsNewContacts) {
    scenes::BoxScene scene({});
    scene.addFloor(1);
    const BodyId box = scene.addCube(1, vec(0, 0.5, 0));
    for (int i = 0; i < 60; ++i)
        scene.world.step(Real(1) / 60);
    // Its centre is now beyond the floor's edge, so it must fall although the old points would carry it.
    scene.world.setPose(box, vec(1.2, scene.world.position(box).y, 0), {});
    for (int i = 0; i < 60; ++i)
        scene.world.step(Real(1) / 60);
    EXPECT_LT(scene.world.position(box).y, 0.2);
}

}  // namespace
}  // namespace sunder::world
