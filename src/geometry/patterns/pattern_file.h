// Pattern files.
//   header    "SUNDRPAT", version (u32), regions (u32), nodes (3 x u32), cell, origin, centre, orientation (11 x f64)
//   labels    as runs: label (u16), length (u16)
//   distances as differences to what the nodes before predict: see pattern_file.cpp
//   checksum  of all before it (u64)
// All little-endian; lengths in metres of the pattern's own frame.
#pragma once

#include <cstddef>
#include <span>

#include "geometry/patterns/pattern.h"

namespace sunder::geometry {

std::vector<std::byte> writePattern(const Pattern& pattern);
// For untrusted bytes: input that is cut short, altered or impossible is an error, never a crash.
PatternResult readPattern(std::span<const std::byte> bytes);

}  // namespace sunder::geometry
