// Sleeping islands, and scratch of falling asleep and waking (sleep/).
#pragma once

#include <vector>

#include "collision/narrow_phase/manifold/manifold.h"
#include "dynamics/contact/scalar/constraint.h"
#include "dynamics/island/islands.h"
#include "sunder/events.h"
#include "world/pair/contact_pair.h"

namespace sunder::world {

// Bodies that sleep together, with the pairs among them and their pairs with bodies that stay where they are.
struct SleepingIsland {
    std::vector<std::uint32_t> bodies;  // slots, ascending by serial; empty where the entry is free
    std::vector<ContactPair> pairs;
    std::vector<dynamics::ContactConstraint> constraints;  // of the pairs, with the impulses to wake with
    Real substep = 0;                                      // s: the time for which those impulses acted
};

// An awake body that a fast one may strike in the step.
struct Thrown {
    std::uint32_t slot = 0;
    Real way = 0;                // m: how far it may then go at most
    bool isNearSleeper = false;  // something sleeps within that way
};

struct SleepState {
    std::vector<SleepingIsland> islands;
    std::vector<std::uint32_t> freeIslands;
    std::vector<SleepEvent> events, nextEvents;  // of the last step; since then

    // Scratch, kept for its memory
    dynamics::Islands groups;             // of awake bodies
    std::vector<std::uint8_t> mayRest;    // by group
    std::vector<std::uint32_t> islandOf;  // by group
    std::vector<std::uint32_t> struck;    // islands that an awake body pushed on
    std::vector<std::uint32_t> reached;   // islands that are to wake
    std::vector<Real> wayOf;  // by island: where it is to wake, how far its bodies may then go in the step (m); else -1
    std::vector<Thrown> thrown;
    std::vector<std::uint32_t> thrownAt;  // by slot: place in `thrown`, kNone where it is not there
    collision::ManifoldList manifolds;
};

}  // namespace sunder::world
