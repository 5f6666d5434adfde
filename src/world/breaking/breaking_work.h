// The work of breaking, counted and not timed, so that a replay puts the same breaks off: seconds that it takes on one core,
// right to a factor of about two.
#pragma once

#include <vector>

#include "collision/built_shape.h"
#include "world/commit/pieces/make_pieces.h"
#include "world/record/body.h"

namespace sunder::world {

// s, measured on balls, walls, vases and bunnies of 10,000 to 290,000 nodes that became 8 to 80 pieces, and on bodies of 1,000
// to 100,000 elements that cracked by stress.
inline constexpr double kWorkPerNode = 6e-8;      // of the body's grid
inline constexpr double kWorkPerPiece = 2e-4;     // its grid, particles and tables
inline constexpr double kWorkPerTriangle = 5e-6;  // of a piece's surface that is cut from the body's
inline constexpr double kWorkPerElement = 2e-6;   // and solve

inline double elementsOf(const Body& body) {
    const Stressed* method = std::get_if<Stressed>(&body.fracture->def.method);
    if (!method)
        return 0;
    const Shell* shell = std::get_if<Shell>(&body.fracture->solid->definition);
    return shell ? double(shell->triangles.size()) : double(method->elements);
}

// What breaking the body takes at least.
inline double leastWork(const Body& body) {
    const collision::LevelSetShape* levelSet = body.fracture->solid->levelSet.get();
    return kWorkPerNode * (levelSet ? double(levelSet->field().values.size()) : 0) + kWorkPerElement * elementsOf(body);
}

// What it took. solves: of stress.
inline double workOf(const Body& body, const std::vector<NewPiece>& pieces, int solves) {
    double work = leastWork(body) + kWorkPerElement * elementsOf(body) * std::max(solves - 1, 0);
    if (pieces.size() < 2)  // the body stays whole; its one piece has no shape of its own
        return work;
    for (const NewPiece& piece : pieces) {
        const collision::LevelSetShape* levelSet = piece.shape->levelSet.get();
        const bool isCut = levelSet && levelSet->solid->surface;
        work += kWorkPerPiece + kWorkPerTriangle * (isCut ? double(levelSet->solid->surface->triangles.size()) : 0);
    }
    return work;
}

}  // namespace sunder::world
