// Smooth noise that displaces points, so that the faces of a pattern become rough.
//   [Per85] Perlin: An image synthesizer. Values on a lattice, smoothly interpolated, several sizes added up.
#pragma once

#include <cstdint>

#include "math/vec3d.h"
#include "sunder/patterns.h"

namespace sunder::geometry {

class Warp {
public:
    Warp(const PatternRoughness& roughness, std::uint64_t seed) : roughness_(roughness), seed_(seed) {}

    Vec3d operator()(const Vec3d& point) const;
    double largestMove() const;

private:
    PatternRoughness roughness_;
    std::uint64_t seed_;
};

}  // namespace sunder::geometry
