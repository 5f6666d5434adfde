// Decides which piece each solid node of a broken body belongs to.
//   [Su09] 4.2   flood fill; Deviation: crumbs join a neighbour, because a body of a few cells is all surface
#pragma once

#include <cstdint>
#include <vector>

#include "fracture/prescored/place_pattern.h"
#include "geometry/level_set/components.h"

namespace sunder::fracture {

struct PieceLimits {
    int smallestNodes = 8;    // smaller pieces (crumbs) join a neighbour
    Real smallestVolume = 0;  // m^3; so do pieces below this
    int mostPieces = 4096;    // the smallest join a neighbour until there are no more than this
};

struct PieceOfNodes {
    geometry::GridRange range;           // of its solid nodes
    std::uint32_t nodeCount = 0;         // solid ones
    std::vector<std::uint16_t> regions;  // of the pattern, ascending
    // Joined from several components, at least two of them no crumbs: distances inside must be measured again.
    bool isJoined = false;
};

struct SharedNodes {
    static constexpr std::uint16_t kNobody = 0;
    // Per node of the body one more than its piece: for all inside nodes, and for the outside nodes less than half a cell from
    // the surface, whose cubes are partly solid.
    std::vector<std::uint16_t> owners;
    std::vector<PieceOfNodes> pieces;  // in the order of their first node
};

// Every inside node goes to exactly one piece. Pieces are connected through faces; only a component that touches no other stays
// a piece of its own whatever the limits say.
template <class Stored>
SharedNodes shareOut(const geometry::LevelSet<Stored>& body, const PlacedPattern& pattern, const PieceLimits& limits,
                     TaskRunner& runner);

}  // namespace sunder::fracture
