// When bodies break.
//   [Su09] 4.2   on the impulse that would be applied, before it is: either partner of a contact, or both
// A step solves its contacts on copies of the bodies. Where a blow in that solve is beyond a body's threshold, the solve is
// thrown away, the body's pieces take its place with the motion it had at the start of the step, and contacts are found and
// solved again with the pieces, at most kMostBreakRounds times. A body that is struck in the last solve, or that the caps on
// pieces put off, breaks at the start of the next step. Pieces do not break in the step that made them.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

// How often a step is solved again because bodies broke in it. Each round costs a contact search and a solve; two let a blow
// pass through two bodies in one step.
inline constexpr int kMostBreakRounds = 2;

// At the start of a step: explosions, breaks that calls requested or that earlier steps put off, debris that is due.
void breakWaiting(WorldState& world);

// After a solve. Fills BreakingState::hits from what bodies felt (contact/feel.h).
void findHits(WorldState& world, Real dt);
// Breaks the bodies that were hit hard enough, as far as the caps allow, and removes their hits. True where a body broke: then
// the solve is void.
bool breakHit(WorldState& world);
// When the solve is kept: the remaining hits add damage or wait as requests, and contacts store their load.
void keepHits(WorldState& world, Real dt);

}  // namespace sunder::world
