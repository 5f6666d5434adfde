// A pattern as bodies share it: the samples, and the bytes from which it can be made again.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "geometry/patterns/drawn_traits.h"
#include "geometry/patterns/pattern.h"
#include "sunder/patterns.h"

namespace sunder {

class BuiltPattern {
public:
    geometry::Pattern pattern;
    bool spins = false;  // the pattern has no preferred direction about the normal: each break may turn it at random
    // Its definition, or a whole pattern file where it has none.
    std::vector<std::byte> recipe;
    std::optional<PatternDef> definition;                     // where the recipe is a definition
    std::optional<geometry::DrawnTraits> drawn;               // where somebody drew it
    std::shared_ptr<const geometry::DrawnComplex> complex{};  // of drawn meshes whose faces fit together
    std::string source{};                                     // how a scene file describes it, where it came from a file
};

namespace geometry {

// Null where the recipe cannot be read or is out of range.
SharedPattern patternOfRecipe(std::span<const std::byte> recipe);
// Of a pattern that has no definition: an artist's, or one from a file.
SharedPattern sharedPattern(Pattern pattern, const std::optional<DrawnTraits>& drawn = {},
                            std::shared_ptr<const DrawnComplex> complex = {});
// Radius of the largest sphere about the centre within the pattern; of one that does not change along its normal, of a circle.
Real innerRadius(const BuiltPattern& pattern);
// The pattern turned by so many quarters of a turn about its normal, which must be +y.
Pattern turnedAboutNormal(const Pattern& pattern, int quarters);
// How large its pieces are, in units of the pattern: the side of a cube of their mean volume, the thickness of plates and
// shells, the diameter of the central disc of rays.
Real pieceSize(const BuiltPattern& pattern);

}  // namespace geometry

}  // namespace sunder
