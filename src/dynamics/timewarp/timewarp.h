// Collisions one by one, in the order of time: the modified timewarp of [Egan03] 5.1, A.1.
#pragma once

#include "core/task_runner.h"
#include "dynamics/timewarp/warp_state.h"

namespace sunder::dynamics {

// Finds what a body may meet after a collision has turned it aside. May append to ImpulseScratch::pairs.
class Neighbours {
public:
    virtual ~Neighbours() = default;
    // The body's valid and test states are those after the collision.
    virtual void turnedAside(const WarpStep& step, std::uint32_t body) = 0;
};

// From the start of the step (ImpulseStep::bodies) to its end: afterwards the test states are where bodies are without contact,
// and WarpStep::collisions lists what happened. Bodies are otherwise unchanged. Impulses are added to the pairs' reports.
void runTimewarp(WarpStep& step, Neighbours& neighbours, TaskRunner& tasks);

// Contact takes over: bodies that collided are as if they had flown on their last ways since the start of the step, which is
// what beginSteadyContact wants.
void startContact(WarpStep& step);
// After the passes of contact: moves bodies. Those that contact did not touch are at their test states.
void finishPositions(WarpStep& step);

}  // namespace sunder::dynamics
