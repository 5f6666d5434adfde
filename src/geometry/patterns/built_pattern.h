// A pattern as bodies share it: sampled, and with the bytes from which it can be made again.
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
    bool spins = false;  // no direction across the normal is like another: each break may turn it about the normal
    // Its definition, or a whole pattern file where it has none.
    std::vector<std::byte> recipe;
    std::optional<PatternDef> definition;  // where the recipe is one
};

namespace geometry {

// Null where the recipe cannot be read or is out of range.
SharedPattern patternOfRecipe(std::span<const std::byte> recipe);
// Of a pattern that has no definition: an artist's, or one from a file.
SharedPattern sharedPattern(Pattern pattern);

}  // namespace geometry

}  // namespace sunder
