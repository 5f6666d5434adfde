#include "world/step/steady_structures.h"

#include <cmath>

namespace sunder::world {

namespace {

// Hz: how often structures that stand are solved as a whole, which takes out the sways that firm contacts feed
// (kFirmRecovery in dynamics/contact/scalar/contact_law.h).
constexpr double kSteadyRate = 6;

}  // namespace

void loadStructures(WorldState& world, Real h) {
    SolveState& solve = world.solve;
    solve.steady.load(*world.tasks, solve.bodies, solve.constants, world.constraints, solve.joints.links, h);
}

void steadyStructures(WorldState& world, Real dt, Real h) {
    SolveState& solve = world.solve;
    const double now = world.clock.time;
    const bool isDue = std::floor((now + double(dt)) * kSteadyRate) != std::floor(now * kSteadyRate);
    solve.steady.project(*world.tasks, solve.bodies, solve.constants, world.constraints, solve.solver.links(),
                         solve.joints.links, static_cast<int>(std::lround(dt / h)), isDue);
}

}  // namespace sunder::world
