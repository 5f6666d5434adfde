// Masses, centres and moments of inertia as a user meets them: closed forms, to 1e-4.
#include <gtest/gtest.h>

#include "scenes/parts.h"

namespace sunder {
namespace {

using scenes::kPi;
using scenes::vec;

constexpr double kRelative = 1e-4;

// The moment about a world axis: an angular impulse of 1 about it gives the spin 1 / I (principal axes only).
double momentAbout(World& world, BodyId body, const Vec3& axis) {
    world.setAngularVelocity(body, {});
    world.addAngularImpulse(body, axis);
    const Vec3 w = world.angularVelocity(body);
    world.setAngularVelocity(body, {});
    return 1 / double(w.x * axis.x + w.y * axis.y + w.z * axis.z);
}

struct Expected {
    const char* name;
    Shape shape;
    double volume;
    double inertia[3];  // per kg
};

Expected boxOf(const char* name, const Shape& shape, double x, double y, double z) {
    return {name, shape, 8 * x * y * z, {(y * y + z * z) / 3, (x * x + z * z) / 3, (x * x + y * y) / 3}};
}

std::vector<Expected> closedForms() {
    const double r = 0.3, h = 0.4;  // half height
    const double sphere = 4 * kPi / 3 * r * r * r, tube = kPi * r * r * 2 * h, capsule = sphere + tube;
    const double axial = (tube * r * r / 2 + sphere * r * r * 2 / 5) / capsule;
    // The two half balls: 2/5 r^2 about their common centre, moved out by h; 3 r / 8 is a half ball's own centre.
    const double across = (tube * (r * r / 4 + h * h / 3) + sphere * (0.4 * r * r + h * h + 0.75 * h * r)) / capsule;
    Hull hull;
    for (int corner = 0; corner < 8; ++corner)
        hull.points.push_back(vec(corner & 1 ? 0.2 : -0.2, corner & 2 ? 0.3 : -0.3, corner & 4 ? 0.5 : -0.5));
    hull.points.push_back(vec(0.01, 0.02, 0.03));  // inside: ignored
    const Compound halves{{{.shape = Box{vec(0.1, 0.3, 0.5)}, .position = vec(-0.1, 0, 0)},
                           {.shape = Box{vec(0.1, 0.3, 0.5)}, .position = vec(0.1, 0, 0)}}};
    return {
        {"sphere", Sphere{Real(r)}, sphere, {0.4 * r * r, 0.4 * r * r, 0.4 * r * r}},
        boxOf("box", Box{vec(0.2, 0.3, 0.5)}, 0.2, 0.3, 0.5),
        {"capsule", Capsule{Real(r), Real(h)}, capsule, {across, axial, across}},
        {"cylinder", Cylinder{Real(r), Real(h)}, tube, {r * r / 4 + h * h / 3, r * r / 2, r * r / 4 + h * h / 3}},
        boxOf("hull", hull, 0.2, 0.3, 0.5),
        boxOf("two halves of a box", halves, 0.2, 0.3, 0.5),
        boxOf("shape built before", buildShape(Box{vec(0.2, 0.3, 0.5)}), 0.2, 0.3, 0.5),
    };
}

TEST(Mass, ClosedFormsOfEveryShape) {
    const Vec3 axes[3] = {vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)};
    for (const Expected& expected : closedForms()) {
        SCOPED_TRACE(expected.name);
        World world({.gravity = {}});
        const BodyId body = world.addBody({.shape = expected.shape, .material = {.density = 700}});
        const double mass = 700 * expected.volume;
        EXPECT_NEAR(world.mass(body), mass, mass * kRelative);
        for (int i = 0; i < 3; ++i)
            EXPECT_NEAR(momentAbout(world, body, axes[i]), mass * expected.inertia[i], mass * expected.inertia[i] * kRelative);
    }
}

// Two balls d apart: parallel axes, and a centre between them weighted by their volumes.
TEST(Mass, CompoundByParallelAxes) {
    World world({.gravity = {}});
    const double big = 0.4, small = 0.2, d = 1.5;
    const BodyId body = world.addBody(
        {.shape = Compound{{{.shape = Sphere{Real(big)}}, {.shape = Sphere{Real(small)}, .position = vec(d, 0, 0)}}},
         .position = vec(10, 20, 30),
         .material = {.density = 1000}});
    const double m1 = 1000 * 4 * kPi / 3 * big * big * big, m2 = m1 / 8, m = m1 + m2;
    EXPECT_NEAR(world.mass(body), m, m * kRelative);
    EXPECT_NEAR(world.centerOfMass(body).x, 10 + d * m2 / m, 1e-4);
    EXPECT_NEAR(world.centerOfMass(body).y, 20, 1e-4);
    EXPECT_EQ(world.position(body), vec(10, 20, 30));
    const double own = 0.4 * (m1 * big * big + m2 * small * small), moved = own + m1 * m2 / m * d * d;
    EXPECT_NEAR(momentAbout(world, body, vec(1, 0, 0)), own, own * kRelative);
    EXPECT_NEAR(momentAbout(world, body, vec(0, 1, 0)), moved, moved * kRelative);
    EXPECT_NEAR(momentAbout(world, body, vec(0, 0, 1)), moved, moved * kRelative);
}

TEST(Mass, CenterSetByHandMovesTheMoments) {
    World world({.gravity = {}});
    const BodyId cube = world.addBody({.shape = Box{}, .mass = Real(6)});
    world.setCenterOfMass(cube, vec(0.3, 0, 0));
    EXPECT_NEAR(world.centerOfMass(cube).x, 0.3, 1e-6);
    EXPECT_NEAR(momentAbout(world, cube, vec(1, 0, 0)), 1, kRelative);
    EXPECT_NEAR(momentAbout(world, cube, vec(0, 1, 0)), 1 + 6 * 0.09, kRelative);
}

TEST(Mass, GivenMassAndInertiaOverrideTheShape) {
    World world({.gravity = {}});
    const BodyId box = world.addBody({.shape = Box{vec(0.2, 0.3, 0.5)}, .mass = Real(3), .inertia = vec(1, 2, 2.5)});
    EXPECT_EQ(world.mass(box), 3);
    EXPECT_NEAR(momentAbout(world, box, vec(1, 0, 0)), 1, kRelative);
    EXPECT_NEAR(momentAbout(world, box, vec(0, 1, 0)), 2, kRelative);
    EXPECT_NEAR(momentAbout(world, box, vec(0, 0, 1)), 2.5, kRelative);
}

TEST(Mass, StaticAndKinematicBodiesHaveNone) {
    World world;
    EXPECT_EQ(world.mass(world.addBody({.motion = Motion::Static})), 0);
    EXPECT_EQ(world.mass(world.addBody({.motion = Motion::Kinematic})), 0);
}

// Fact 4. The body's material points keep their velocities, so the new centre moves with the point that it now is.
TEST(Mass, MovedCenterTakesTheVelocityOfItsPoint) {
    scenes::Random random(4);
    for (int i = 0; i < 50; ++i) {
        World world({.gravity = {}});
        const Vec3 v = random.inBox(3), w = random.inBox(5), c = random.inBox(0.4);
        const Quat q = random.rotation();
        const BodyId body = world.addBody(
            {.shape = Box{}, .position = random.inBox(10), .orientation = q, .velocity = v, .angularVelocity = w});
        const Vec3 before = world.centerOfMass(body);
        world.setCenterOfMass(body, c);
        const Vec3 after = world.centerOfMass(body);
        const double d[3] = {double(after.x) - before.x, double(after.y) - before.y, double(after.z) - before.z};
        EXPECT_NEAR(std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]),
                    std::sqrt(double(c.x) * c.x + double(c.y) * c.y + double(c.z) * c.z), 1e-5);
        EXPECT_NEAR(world.velocity(body).x, v.x + w.y * d[2] - w.z * d[1], 2e-5);
        EXPECT_NEAR(world.velocity(body).y, v.y + w.z * d[0] - w.x * d[2], 2e-5);
        EXPECT_NEAR(world.velocity(body).z, v.z + w.x * d[1] - w.y * d[0], 2e-5);
        EXPECT_EQ(world.angularVelocity(body), w);
    }
}

TEST(Mass, MaterialChangesMassAndKeepsVelocities) {
    World world({.gravity = {}});
    const BodyId box = world.addBody({.shape = Box{}, .velocity = vec(1, 2, 3), .angularVelocity = vec(0.1, 0.2, 0.3)});
    world.setMaterial(box, {.density = 250, .friction = Real(0.1)});
    EXPECT_NEAR(world.mass(box), 250, 250 * kRelative);
    EXPECT_EQ(world.material(box).friction, Real(0.1));
    EXPECT_EQ(world.velocity(box), vec(1, 2, 3));
    EXPECT_EQ(world.angularVelocity(box), vec(0.1, 0.2, 0.3));
    EXPECT_THROW(world.setMaterial(box, {.density = -1}), Error);
}

TEST(Mass, ShapeChangesMassAndKeepsThePose) {
    World world({.gravity = {}});
    const BodyId body = world.addBody({.shape = Box{}, .position = vec(1, 2, 3), .velocity = vec(1, 0, 0)});
    world.setShape(body, Sphere{Real(0.5)});
    EXPECT_NEAR(world.mass(body), 1000 * kPi / 6, 1000 * kPi / 6 * kRelative);
    EXPECT_TRUE(std::holds_alternative<Sphere>(world.shape(body)));
    EXPECT_EQ(world.position(body), vec(1, 2, 3));
    EXPECT_EQ(world.velocity(body), vec(1, 0, 0));
    EXPECT_THROW(world.setShape(body, Sphere{-1}), Error);
}

TEST(Mass, MotionChangesMass) {
    World world({.gravity = {}});
    const BodyId body = world.addBody({.shape = Box{}, .velocity = vec(1, 0, 0)});
    world.setMotion(body, Motion::Static);
    EXPECT_EQ(world.mass(body), 0);
    EXPECT_EQ(world.velocity(body), Vec3{});
    world.step(Real(0.1));
    EXPECT_EQ(world.position(body), Vec3{});
    world.setMotion(body, Motion::Dynamic);
    EXPECT_NEAR(world.mass(body), 1000, 1000 * kRelative);
    world.addImpulse(body, vec(1000, 0, 0));
    world.step(Real(0.1));
    EXPECT_NEAR(world.position(body).x, 0.1, 1e-4);
}

}  // namespace
}  // namespace sunder
