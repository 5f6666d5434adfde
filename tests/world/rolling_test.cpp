// Nothing rolls faster by itself: without a slope or a drive, the speed of a round body on a level floor can only fall.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
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

}  // namespace
}  // namespace sunder
