// Patterns from their parameters: what include/sunder/patterns.h describes.
//   [Su09] 4.3
#pragma once

#include <memory>
#include <span>
#include <string>

#include "geometry/patterns/build_pattern.h"

namespace sunder::geometry {

// Empty where all parameters are in range; else a message that names field, value and range.
std::string check(const PatternDef& definition);
PatternResult makePattern(const PatternDef& definition);
// The regions themselves, to be sampled on any grid. Parameters must be in range.
std::unique_ptr<RegionSource> makeRegions(const PatternDef& definition);

// The regions of one kind; parameters must be in range.
std::unique_ptr<RegionSource> radialRegions(const RadialPattern& kind, std::uint64_t seed);
std::unique_ptr<RegionSource> voronoiRegions(const VoronoiPattern& kind, std::uint64_t seed);
std::unique_ptr<RegionSource> woodRegions(const WoodPattern& kind, std::uint64_t seed);
std::unique_ptr<RegionSource> slabRegions(const SlabPattern& kind, std::uint64_t seed);
std::unique_ptr<RegionSource> brickRegions(const BrickPattern& kind);
std::unique_ptr<RegionSource> shellRegions(const ShellPattern& kind, std::uint64_t seed);

// Any numbers as labels, one per node of the grid, for example from a block broken by finite elements. Borders run between
// nodes of different labels; the steps of the voxels are smoothed.
PatternResult patternFromVoxels(const Grid& grid, std::span<const std::uint16_t> voxels, const Vec3& center);

}  // namespace sunder::geometry
