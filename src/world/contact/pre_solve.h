// Asks the host about contacts before they are solved (contacts.h).
#pragma once

#include "world/pair/flight.h"
#include "world/state/state.h"

namespace sunder::world {

// Of the manifolds of one pair, which lie among the constraints of the step. Those that the host switches off have no points
// left; a pair whose manifolds are all off has none. The pair is then searched anew in the next step.
void askPreSolve(const WorldState& world, const Flight& a, const Flight& b, ContactPair& pair,
                 std::span<dynamics::ContactConstraint> manifolds);

// A blow that a fast body meets on its way: at a place relative to the mover's centre at the start of the step; the normal
// points to the mover. What the host leaves of the materials' values.
struct BlowLaw {
    bool isEnabled = true;
    Real friction = 0, restitution = 0;
};
BlowLaw lawOfBlow(const WorldState& world, std::uint32_t mover, std::uint32_t obstacle, const Vec3& place, const Vec3& normal,
                  Real depth);

}  // namespace sunder::world
