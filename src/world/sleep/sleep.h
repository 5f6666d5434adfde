// Islands of bodies that have come to rest fall asleep, and cost nothing until something reaches them.
//
// A body rests while the mean place of every point of its surface moves by less than 1 mm/s, whatever its velocity is at the
// moment. So nothing that creeps falls asleep, and nothing that trembles in place stays awake. An island, the bodies that hold
// each other by contacts, sleeps when all of them have rested for WorldDef::sleepTime. It keeps its pairs and manifolds, and
// wakes with the impulses it had.
//
//   awake     in WorldState::moving and in the solver, its pairs in WorldState::pairs
//   asleep    in SleepState::islands, with its pairs; its proxy stays in the tree, so that others find it. To awake bodies
//             it is the solver's fixed body: a body that reaches it unexpectedly within a step is stopped, and wakes it for
//             the next step.
//
// docs/sleeping.md has the drawing, what wakes an island, and why.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// At the end of a step, after its events: counts the time at rest, wakes islands that were struck, puts others to sleep, and
// publishes the events. Needs SolveState::bodies and ::constants and the constraints of the step; links and joints: who acted
// on whom in it.
void putToSleep(WorldState& world, std::span<const dynamics::ContactLink> links, std::span<const dynamics::JointLink> joints,
                Real dt);

}  // namespace sunder::world
