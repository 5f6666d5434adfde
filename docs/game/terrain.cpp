// Terrain: a height field with a shaft in it. A boulder rolls to the bottom of a valley, another falls into the shaft.
#include <sunder/sunder.h>

#include <cmath>
#include <cstdio>

using namespace sunder;

int main() {
    constexpr std::uint32_t kSamples = 101;
    HeightField ground{.columns = kSamples, .spacing = 0.5f};
    for (std::uint32_t row = 0; row < kSamples; ++row)
        for (std::uint32_t column = 0; column < kSamples; ++column) {
            const Real x = (Real(column) - 50) * 0.5f, z = (Real(row) - 50) * 0.5f;
            ground.heights.push_back(0.01f * x * x + 0.2f * std::sin(z * 0.5f));
        }
    for (const std::uint32_t row : {50u, 51u, 52u, 53u})  // 2 m by 2 m, from x = 10 and z = 0 on
        for (const std::uint32_t column : {70u, 71u, 72u, 73u})
            ground.holes.push_back(row * (kSamples - 1) + column);
    World world;
    const BodyId terrain = world.addBody({.shape = ground, .motion = Motion::Static, .material = {.rollingFriction = 0.03f}});

    // How high the ground is, for whoever wants to put something on it.
    QueryFilter onlyGround;
    onlyGround.accept = [&](BodyId id) { return id == terrain; };
    const auto groundAt = [&](Real x, Real z) {
        const auto hit = world.castRay({WorldPoint(x, 50, z), {0, -100, 0}}, onlyGround);
        return hit ? 50 - 100 * Real(hit->fraction) : -1000.f;
    };
    const auto addBoulder = [&](Real x, Real z) {
        return world.addBody({.shape = Sphere{0.5f},
                              .position = {x, groundAt(x, z) + 0.5f, z},
                              .material = {.density = 2500, .rollingFriction = 0.03f}});
    };
    const BodyId rolls = addBoulder(-18, -3);
    const BodyId falls = world.addBody({.shape = Sphere{0.5f}, .position = {11, 3, 1}});
    const bool seesHole = groundAt(11, 1) < -900;
    for (int frame = 0; frame < 60 * 40; ++frame)
        world.step(1.f / 60);
    const Vec3 at = world.position(rolls);
    const Real above = at.y - groundAt(at.x, at.z);
    std::printf("terrain: the boulder lies at x = %.2f, its middle %.3f m above the ground; the other is at y = %.0f\n",
                double(at.x), double(above), double(world.position(falls).y));
    return seesHole && std::fabs(at.x) < 4 && std::fabs(above - 0.5f) < 0.02f && world.position(falls).y < -100 ? 0 : 1;
}
