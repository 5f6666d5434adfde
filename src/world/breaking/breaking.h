// When bodies break.
//   [Su09] 4.2   on the impulse that would be applied, before it is: either partner of a contact, or both
// A step solves its contacts on copies of the bodies. Where a blow in that solve is beyond a body's threshold, the solve is
// thrown away, the body's pieces take its place with the motion it had at the start of the step, and contacts are found and
// solved again, with the pieces; so often as kMostRounds at most. What is struck in the last solve, or put off by the caps on
// pieces, breaks at the start of the next step. A body is never broken twice in one step: pieces are whole until the next.
#pragma once

#include "world/state/state.h"

namespace sunder::world {

inline constexpr int kMostRounds = 2;

// At the start of a step: explosions, breaks that were asked for or put off, and debris whose time has come.
void breakWaiting(WorldState& world);

// After a solve. Fills BreakingState::hits from what bodies felt (contact/feel.h).
void findHits(WorldState& world, Real dt);
// Breaks the bodies that were hit hard enough, as far as the caps allow, and takes them out of the hits. Says whether there
// were any: then the solve is void.
bool breakHit(WorldState& world);
// When the solve is to stand: what is left of the hits leaves damage or waits; contacts remember their load.
void keepHits(WorldState& world, Real dt);

}  // namespace sunder::world
