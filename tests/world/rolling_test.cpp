// Nothing rolls faster by itself: without a slope or a drive, the speed of a round body on a level floor can only fall.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "scenes/mechanics.h"
#include "support/at_rates.h"

namespace sunder {
namespace {

using scenes::vec;

class Rolling : public AtRate {};
INSTANTIATE_TEST_SUITE_P(Rates, Rolling, ::testing::Values(30.0, 60.0, 240.0));

constexpr double kRadii[] = {0.05, 0.12, 0.5};  // m
constexpr double kSeconds = 10;

struct Roller {
    std::string name;
    BodyId body;
    double radius = 0;
};

// Balls, capsules and cylinders of every radius, side by side; those that have an axis lie along z. They roll along x.
std::vector<Roller> addRollers(World& world, double speed) {
    world.addBody({.shape = Box{vec(50, 0.5, 50)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
    const Real half = std::sqrt(Real(0.5));
    std::vector<Roller> rollers;
    double z = -10;
    for (const double radius : kRadii) {
        const Real r = Real(radius), h = Real(1.5 * radius);
        for (const auto& [name, shape] :
             {std::pair<std::string, Shape>{"ball", Sphere{r}}, {"capsule", Capsule{r, h}}, {"cylinder", Cylinder{r, h}}}) {
            const BodyId body = world.addBody({.shape = shape,
                                               .position = vec(-10, radius, z),
                                               .orientation = Quat{half, 0, 0, half},
                                               .velocity = vec(speed, 0, 0),
                                               .angularVelocity = vec(0, 0, -speed / radius)});
            rollers.push_back({name + " of radius " + std::to_string(radius), body, radius});
            z += 3;
        }
    }
    return rollers;
}

void expectNoGain(double speed, double rate) {
    World world({.sleeping = false});
    const std::vector<Roller> rollers = addRollers(world, speed);
    std::vector<double> fastest(rollers.size(), 0), spin(rollers.size(), 0);
    for (int i = 0; i < int(kSeconds * rate); ++i) {
        world.step(Real(1 / rate));
        for (std::size_t k = 0; k < rollers.size(); ++k) {
            fastest[k] = std::max(fastest[k], length(scenes::toVector(world.velocity(rollers[k].body))));
            spin[k] = std::max(spin[k], length(scenes::toVector(world.angularVelocity(rollers[k].body))));
        }
    }
    for (std::size_t k = 0; k < rollers.size(); ++k) {
        SCOPED_TRACE(rollers[k].name);
        EXPECT_LT(fastest[k], 1.01 * speed);
        EXPECT_LT(spin[k] * rollers[k].radius, 1.01 * speed);
    }
}

TEST_P(Rolling, SlowBodiesDoNotSpeedUp) { expectNoGain(0.01, rate()); }

TEST_P(Rolling, FastBodiesDoNotSpeedUp) { expectNoGain(1, rate()); }

// The same round body made in four ways; all roll about the z axis.
enum class Make { Plain, OnlyChild, TwoChildren, OffCentre };

BodyId addMade(World& world, Make make, const Shape& shape, double radius, double z, double speed) {
    const bool isBall = std::holds_alternative<Sphere>(shape);
    const Quat lying = scenes::turnAbout(1, 0, 0, scenes::kPi / 2);
    BodyDef def{.shape = shape, .position = vec(-10, radius, z)};
    if (make == Make::OnlyChild)
        def.shape = Compound{{{shape, {}, {}}}};
    if (make == Make::TwoChildren) {
        const Vec3 aside = vec(0, 3 * radius, 0);
        def.shape = Compound{{{shape, aside, {}}, {shape, vec(0, -3 * radius, 0), {}}}};
    }
    if (!isBall || make == Make::TwoChildren)
        def.orientation = lying;
    def.velocity = vec(speed, 0, 0);
    def.angularVelocity = vec(0, 0, -speed / radius);
    def.material.rollingFriction = def.material.spinningFriction = Real(0);
    const BodyId body = world.addBody(def);
    if (make == Make::OffCentre)
        world.setCenterOfMass(body, vec(0.01 * radius, 0, 0));
    return body;
}

// Points of contact do not turn with a round part, be it a whole body, a child of a compound or beside the centre of mass.
// Where they did, such bodies sank by their radius, hopped, or lost half of their speed in a second.
TEST_P(Rolling, RoundPartsOfBodiesRollAsBodiesDo) {
    for (const double radius : kRadii)
        for (const Make make : {Make::Plain, Make::OnlyChild, Make::TwoChildren, Make::OffCentre}) {
            World world({.sleeping = false});
            Material smooth;
            smooth.rollingFriction = smooth.spinningFriction = Real(0);
            world.addBody({.shape = Box{vec(200, 0.5, 200)},
                           .motion = Motion::Static,
                           .position = vec(100, -0.5, 0),
                           .material = smooth});
            const Real r = Real(radius), h = Real(1.5 * radius);
            const double speed = 20 * radius;
            std::vector<BodyId> bodies;
            for (const Shape& shape : {Shape(Sphere{r}), Shape(Capsule{r, h}), Shape(Cylinder{r, h})})
                bodies.push_back(addMade(world, make, shape, radius, 20.0 * double(bodies.size()), speed));
            for (int i = 0; i < int(4 * rate()); ++i) {
                world.step(dt());
                for (const BodyId body : bodies)
                    ASSERT_NEAR(world.position(body).y, radius, 0.015 * radius)
                        << "radius " << radius << ", made " << int(make) << ", step " << i;
            }
            for (const BodyId body : bodies)
                EXPECT_NEAR(world.velocity(body).x, speed, 0.02 * speed) << "radius " << radius << ", made " << int(make);
        }
}

}  // namespace
}  // namespace sunder
