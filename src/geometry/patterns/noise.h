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
    // The point that is displaced to this one, nearly: steep noise has none or several.
    Vec3d inverse(const Vec3d& point) const;
    // Size of triangles that show the smallest bumps.
    double finest() const;

private:
    PatternRoughness roughness_;
    std::uint64_t seed_;
};

}  // namespace sunder::geometry
