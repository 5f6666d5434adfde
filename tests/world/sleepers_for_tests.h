// Stacks on a floor, and whether they sleep.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "scenes/mechanics.h"
#include "scenes/parts.h"
#include "sunder/sunder.h"
#include "support/hashes.h"

namespace sunder {

inline double distance(const Vec3& a, const Vec3& b) { return length(scenes::toVector(a) - scenes::toVector(b)); }
inline double speedOf(const World& world, BodyId body) { return distance(world.velocity(body), {}); }

inline void run(World& world, double seconds, Real step = support::kStep) {
    for (int i = 0; i < int(std::lround(seconds / double(step))); ++i)
        world.step(step);
}

// s until nothing is awake; infinite where it takes longer than the limit.
inline double timeToSleep(World& world, double limit) {
    for (int i = 1; i * double(support::kStep) <= limit; ++i) {
        world.step(support::kStep);
        if (world.stats().awake == 0)
            return i * double(support::kStep);
    }
    return INFINITY;
}

inline BodyId addFloor(World& world, const Material& material = {}) {
    return world.addBody({.name = "floor",
                          .shape = Box{scenes::vec(20, 0.5, 20)},
                          .motion = Motion::Static,
                          .position = scenes::vec(0, -0.5, 0),
                          .material = material});
}
inline BodyId addCube(World& world, const Vec3& position) { return world.addBody({.position = position}); }
inline std::vector<BodyId> addStack(World& world, double x, int count) {
    std::vector<BodyId> cubes;
    for (int i = 0; i < count; ++i)
        cubes.push_back(addCube(world, scenes::vec(x, 0.5 + i, 0)));
    return cubes;
}
inline bool areAwake(const World& world, const std::vector<BodyId>& bodies) {
    return std::all_of(bodies.begin(), bodies.end(), [&](BodyId body) { return world.isAwake(body); });
}
inline bool areAsleep(const World& world, const std::vector<BodyId>& bodies) {
    return std::none_of(bodies.begin(), bodies.end(), [&](BodyId body) { return world.isAwake(body); });
}

}  // namespace sunder
