#include "world/step/steady_structures.h"

#include <algorithm>
#include <cmath>

namespace sunder::world {

namespace {

constexpr double kSteadyRate = 6;  // Hz

}  // namespace

void loadStructures(WorldState& world, Real h) {
    SolveState& solve = world.solve;
    solve.steady.load(*world.tasks, solve.bodies, solve.constants, world.constraints, solve.jointLinks, h);
}

void steadyStructures(WorldState& world, Real dt, Real h) {
    SolveState& solve = world.solve;
    const std::span<const dynamics::ContactLink> links = solve.solver.links();
    const double now = world.clock.time;
    const bool isDue = std::floor((now + double(dt)) * kSteadyRate) != std::floor(now * kSteadyRate);
    if (!isDue && std::none_of(links.begin(), links.end(), [](const dynamics::ContactLink& link) { return link.isYoung; }))
        return;
    solve.steady.project(*world.tasks, solve.bodies, solve.constants, world.constraints, links, solve.jointLinks, solve.islands,
                         {isDue, static_cast<int>(std::lround(dt / h)), dt, length(world.def.gravity)});
}

}  // namespace sunder::world
