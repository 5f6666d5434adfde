// Thin shells that crack by stress: their shards are shells.
//   [Bao07] IV, VII
#pragma once

#include <vector>

#include "world/state/piece_maker.h"
#include "world/state/state.h"

namespace sunder::world {

// What a shell breaks into, and what is to be noted of it.
struct ShellBreak {
    std::vector<CutPiece> pieces;  // fewer than two where it stays whole
    StressOutcome outcome;
    std::vector<StressMap> maps;  // one, where a stress was found
    int solves = 0, crackedEdges = 0;
};
// Of a body whose fracture's solid is a shell. Changes nothing, so that several bodies may be broken at the same time, each by
// a runner of its own. A request for a plane parts the triangles on its two sides.
ShellBreak shellBreakOf(const WorldState& world, const Body& body, const BreakRequest& request, int mostPieces,
                        TaskRunner& runner);
// Notes the rest, and returns the pieces as breakBy().
std::vector<CutPiece> noteShellBreak(WorldState& world, ShellBreak&& made);

}  // namespace sunder::world
