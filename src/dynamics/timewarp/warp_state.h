// What the timewarp steppers know of each body within a step [Egan03] 5.1: its valid state, up to which everything that
// happened to it is known, and its test state, where it will be at the end of the step if nothing else happens.
#pragma once

#include <vector>

#include "dynamics/impulse/impulse_state.h"

namespace sunder::dynamics {

struct WarpBody {
    SolverBody valid, test;  // displacements are since the start of the step
    Real validTime = 0;      // s since the start of the step
    Real spin = 0;           // rad/s: the faster of the two states
    int collisions = 0;      // in this step
};

struct WarpSettings {
    bool isSafer = false;    // before a collision, look for missed ones among its neighbours
    bool isSwept = true;     // find collisions along the ways of bodies, not only where they overlap at the end
    int eventsPerBody = 32;  // most collisions of a body in a step; a pair is given up once both have had as many
};

// A collision that was resolved.
struct WarpCollision {
    std::uint32_t source = 0;  // ImpulsePair::source
    Real time = 0;             // s since the start of the step
    Real speed = 0;            // m/s of approach
    Real impulse = 0;          // N s along the normals
};

struct WarpStep {
    ImpulseStep& impulse;
    WarpSettings settings;
    std::vector<WarpBody> bodies{};                     // as ImpulseStep::bodies
    std::vector<std::vector<std::uint32_t>> pairsOf{};  // by body: its pairs, by their places in ImpulseStep::pairs()
    std::vector<std::uint8_t> timesMet{};               // by pair: its collisions in this step, up to a bound
    std::vector<WarpCollision> collisions{};            // in the order of time
    int cut = 0, missed = 0;
};

// A free body that flew on from a state for a time (s): a parabola, and free rotation.
SolverBody flown(const SolverBody& from, const SolverBodyConstants& constants, Real time, bool energyFix);
// A body at a time of the step not before its valid time.
SolverBody stateAt(const WarpStep& step, std::uint32_t body, Real time);
// Sets the test state from the valid one, and the spin.
void renewTest(WarpStep& step, std::uint32_t body);

}  // namespace sunder::dynamics
