// Pattern files.
//   header    "SUNDRPAT", version (u32), regions (u32), nodes (3 x u32), cell, origin, centre, orientation (11 x f64)
//   drawing   not in version 1: flags (u32); where the pattern was drawn, the region that no piece claims (u32), unit, centre
//   and
//             normal of the drawing (7 x f64)
//   labels    as runs: label (u16), length (u16)
//   distances as differences to what the nodes before predict: see pattern_file.cpp
//   faces     from version 3 on: the drawn faces between regions (see DrawnComplex). Numbers of points and faces (u32), the box
//             that they divide (6 x f64), points (3 x f64), faces: corners, front, back, group (6 x u32), normal (3 x f64)
//   checksum  of all before it (u64)
// All little-endian; lengths in units of the pattern's own frame.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "geometry/patterns/drawn_traits.h"
#include "geometry/patterns/pattern.h"

namespace sunder::geometry {

// drawn: null where nobody drew it; complex: where the drawn faces are not known.
std::vector<std::byte> writePattern(const Pattern& pattern, const DrawnTraits* drawn = nullptr,
                                    const DrawnComplex* complex = nullptr);

struct PatternFile {
    PatternResult result;
    std::optional<DrawnTraits> drawn;
    std::shared_ptr<const DrawnComplex> complex;
};
// For untrusted bytes: input that is cut short, altered or impossible is an error, never a crash.
PatternFile readPatternFile(std::span<const std::byte> bytes);

}  // namespace sunder::geometry
