// A pattern as bodies share it: the samples, and the bytes from which it can be made again.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "geometry/patterns/pattern.h"
#include "sunder/patterns.h"

namespace sunder {

class BuiltPattern {
public:
    geometry::Pattern pattern;
    bool spins = false;  // the pattern has no preferred direction about the normal: each break may turn it at random
    // Its definition, or a whole pattern file where it has none.
    std::vector<std::byte> recipe;
    std::optional<PatternDef> definition;  // where the recipe is a definition
};

namespace geometry {

// Null where the recipe cannot be read or is out of range.
SharedPattern patternOfRecipe(std::span<const std::byte> recipe);
// Of a pattern that has no definition: an artist's, or one from a file.
SharedPattern sharedPattern(Pattern pattern);
// How large its pieces are, in units of the pattern: the side of a cube of their mean volume, the thickness of plates and
// shells, the diameter of the central disc of rays.
Real pieceSize(const BuiltPattern& pattern);

}  // namespace geometry

}  // namespace sunder
