// What the bodies of a scene are like before it runs, and what of that is probably not meant.
#pragma once

#include <string>
#include <vector>

#include "sunder/types.h"

namespace sunder {

class SceneRunner;
struct Scene;

// A body, or several in a row that a generator made alike.
struct BodyFacts {
    std::string first, last;  // names; equal where it is one body
    int count = 1;
    bool isDynamic = false;
    double mass = 0;             // kg; 0 where it is not dynamic
    double size[3] = {0, 0, 0};  // m, along its own axes
    double cell = 0, wall = 0;   // m: of its grid; its thinnest wall. 0 where it has no grid
    double threshold = 0;        // N s: a blow beyond this breaks it; 0 where none does
    std::string text() const;    // "brick_0 to brick_41 (42)"
};

struct SceneFacts {
    std::vector<BodyFacts> bodies;      // in the order of the scene
    std::vector<std::string> warnings;  // a sentence each
};

// Of a run that has not begun. Warns of bodies that seem to be in centimetres, that overlap, and of walls thinner than two
// cells.
SceneFacts factsOf(const Scene& scene, const SceneRunner& runner);

}  // namespace sunder
