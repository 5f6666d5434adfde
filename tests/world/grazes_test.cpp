// Bodies that go over seams: floors of tiles, of children of one compound, of bricks. What they only graze is no wall.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "scenes/mechanics.h"
#include "support/at_rates.h"
#include "support/random_points.h"

namespace sunder {
namespace {

using scenes::vec;

class Seams : public AtRate {};
INSTANTIATE_TEST_SUITE_P(Rates, Seams, ::testing::Values(30.0, 60.0, 240.0));

enum class Floor { Slab, Tiles, Compound, HullTiles };

Shape cubeAsHull(Real half) {
    Hull hull;
    for (int i = 0; i < 8; ++i)
        hull.points.push_back({i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half});
    return hull;
}

// Metre by metre from x = -3 on, its top at y = 0.
void addFloor(World& world, Floor floor, const Material& material, int length, int width) {
    if (floor == Floor::Slab) {
        world.addBody({.shape = Box{vec(length, 0.5, width)},
                       .motion = Motion::Static,
                       .position = vec(length - 4, -0.5, 0),
                       .material = material});
        return;
    }
    Compound compound;
    for (int x = -3; x < length; ++x)
        for (int z = -width; z <= width; ++z) {
            const Vec3 place = vec(x, -0.5, z);
            const Shape tile = floor == Floor::HullTiles ? cubeAsHull(Real(0.5)) : Shape(Box{vec(0.5, 0.5, 0.5)});
            if (floor == Floor::Compound)
                compound.children.push_back({.shape = Box{vec(0.5, 0.5, 0.5)}, .position = place});
            else
                world.addBody({.shape = tile, .motion = Motion::Static, .position = place, .material = material});
        }
    if (floor == Floor::Compound)
        world.addBody({.shape = compound, .motion = Motion::Static, .material = material});
}

struct Slider {
    const char* name;
    Shape shape;
    Vec3 turn{};
};
std::vector<Slider> sliders() {
    Hull plate;
    for (int i = 0; i < 8; ++i)
        for (const double y : {-0.25, 0.25}) {
            const double angle = (i + 0.5) * scenes::kPi / 4;
            plate.points.push_back(vec(0.4 * std::cos(angle), y, 0.4 * std::sin(angle)));
        }
    return {{"box", Box{vec(0.4, 0.25, 0.3)}},
            {"turned box", Box{vec(0.4, 0.25, 0.3)}, vec(0, 0.4, 0)},
            {"ball", Sphere{Real(0.25)}},
            {"capsule", Capsule{Real(0.25), Real(0.3)}, vec(scenes::kPi / 2, 0, 0)},
            {"cylinder", Cylinder{Real(0.25), Real(0.25)}},
            {"hull", plate}};
}

// On a floor without friction nothing slows them down. The next tile was a wall: boxes stopped within a metre and flew up by
// as much as their speed allows, 2.3 m at 20 m/s.
TEST_P(Seams, StopNothingThatSlidesOverThem) {
    const Material smooth{.friction = 0, .restitution = 0, .rollingFriction = Real(0)};
    for (const Floor floor : {Floor::Tiles, Floor::Compound, Floor::HullTiles})
        for (const double speed : {0.5, 5.0, 20.0})
            for (const Slider& slider : sliders()) {
                World world({.gravity = vec(0, -9.81, 0)});
                addFloor(world, floor, smooth, 45, 0);
                const BodyId body = world.addBody({.shape = slider.shape,
                                                   .position = vec(0, 0.25, 0),
                                                   .orientation = quatFromRotationVector(slider.turn),
                                                   .velocity = vec(speed, 0, 0),
                                                   .material = smooth});
                double highest = 0;
                for (double way = 0; way < std::min(40.0, 4 * speed); way += speed / rate()) {
                    world.step(dt());
                    highest = std::max(highest, double(world.position(body).y) - 0.25);
                }
                const std::string what = std::string(slider.name) + " at " + std::to_string(speed) + " m/s";
                EXPECT_NEAR(world.velocity(body).x, speed, 1e-3 * speed) << what;
                EXPECT_LT(highest, 1e-3) << what;
            }
}

// Nor what creeps. In a step it goes less far than surfaces may be apart and still touch: at 240 Hz boxes came to a stop at the
// first seam. Round ones are not among them: they rest on the edge of the next tile too. Nor are tiles that are hulls: each
// seam takes up to 4 mm/s.
TEST_P(Seams, StopNothingThatCreepsOverThem) {
    const Material smooth{.friction = 0, .restitution = 0, .rollingFriction = Real(0)};
    for (const Floor floor : {Floor::Tiles, Floor::Compound})
        for (const double speed : {0.03, 0.1})
            for (const Slider& slider : sliders()) {
                if (std::holds_alternative<Sphere>(slider.shape) || std::holds_alternative<Capsule>(slider.shape))
                    continue;
                World world({.gravity = vec(0, -9.81, 0)});
                addFloor(world, floor, smooth, 4, 0);
                const BodyId body = world.addBody({.shape = slider.shape,
                                                   .position = vec(0, 0.25, 0),
                                                   .orientation = quatFromRotationVector(slider.turn),
                                                   .velocity = vec(speed, 0, 0),
                                                   .material = smooth});
                for (double way = 0; way < 0.4; way += speed / rate())
                    world.step(dt());
                EXPECT_NEAR(world.velocity(body).x, speed, 0.01 * speed) << slider.name << " at " << speed << " m/s";
            }
}

// Thrown onto a floor and tumbling, they go as far over tiles as over one slab.
TEST_P(Seams, TurnNothingAsideThatLandsOnThem) {
    const Material rough{.friction = Real(0.3)};
    const auto meanWay = [&](Floor floor, double& highest) {
        double sum = 0;
        constexpr int kThrows = 12;
        for (int seed = 0; seed < kThrows; ++seed) {
            testing::RandomPoints random(std::uint64_t(seed) + 1);
            const std::vector<Slider> kinds = sliders();
            World world({.gravity = vec(0, -9.81, 0)});
            addFloor(world, floor, rough, 30, 3);
            const BodyId body = world.addBody({.shape = kinds[std::size_t(seed) % kinds.size()].shape,
                                               .position = {0, random.between(0.5, 1.5), random.between(-0.3, 0.3)},
                                               .orientation = random.rotation(),
                                               .velocity = {random.between(3, 10), random.between(-4, 0), 0},
                                               .angularVelocity = random.inBall() * Real(3),
                                               .material = rough});
            for (int i = 0; i < int(2.5 * rate()); ++i) {
                world.step(dt());
                if (i > 0.7 * rate())
                    highest = std::max(highest, double(world.position(body).y));
            }
            sum += double(world.position(body).x);
        }
        return sum / kThrows;
    };
    double overSlab = 0, overTiles = 0;
    const double slab = meanWay(Floor::Slab, overSlab), tiles = meanWay(Floor::Tiles, overTiles);
    EXPECT_NEAR(tiles, slab, 0.05 * slab);
    EXPECT_LT(overTiles, overSlab + 0.2);
}

// What stands in the way does: a kerb a tenth of a body high, and a wall that begins at the floor.
TEST_P(Seams, AKerbAndAWallStillStop) {
    for (const double height : {0.05, 2.0})
        for (const Slider& slider : sliders()) {
            const Material smooth{.friction = 0, .restitution = 0, .rollingFriction = Real(0)};
            World world({.gravity = vec(0, -9.81, 0)});
            addFloor(world, Floor::Tiles, smooth, 8, 0);
            world.addBody({.shape = Box{vec(0.5, height / 2, 1)},
                           .motion = Motion::Static,
                           .position = vec(3, height / 2, 0),
                           .material = smooth});
            const BodyId body = world.addBody({.shape = slider.shape,
                                               .position = vec(0, 0.25, 0),
                                               .orientation = quatFromRotationVector(slider.turn),
                                               .velocity = vec(3, 0, 0),
                                               .material = smooth});
            run(world, 1.5);
            const bool mayRollOver =
                height < 1 && (std::holds_alternative<Sphere>(slider.shape) || std::holds_alternative<Capsule>(slider.shape));
            if (!mayRollOver) {
                EXPECT_LT(world.velocity(body).x, 2.5) << slider.name << ", " << height << " m";
            }
            if (height > 1) {
                EXPECT_LT(world.position(body).x, 2.3) << slider.name;
            }
        }
}

}  // namespace
}  // namespace sunder
