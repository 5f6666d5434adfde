// Unit vectors as points of an octahedron unfolded onto a square.
//   [CDE14] Cigolle et al., A survey of efficient representations for independent unit vectors
#pragma once

#include <array>
#include <cstdint>

#include "math/vec3.h"

namespace sunder::scene {

using OctahedralPoint = std::array<std::uint32_t, 2>;

inline OctahedralPoint octahedralFrom(const Vec3& unit, int bits) {
    const double sum = std::fabs(double(unit.x)) + std::fabs(double(unit.y)) + std::fabs(double(unit.z));
    double u = 0, v = 0;
    if (sum > 0 && sum < 1e6) {
        u = double(unit.x) / sum;
        v = double(unit.z) / sum;
        if (unit.y < 0) {
            const double foldedU = (1 - std::fabs(v)) * (u < 0 ? -1 : 1), foldedV = (1 - std::fabs(u)) * (v < 0 ? -1 : 1);
            u = foldedU;
            v = foldedV;
        }
    }
    // An even number of steps, so that the axes are met exactly.
    const double steps = double((1u << bits) - 2);
    return {std::uint32_t(std::floor((u + 1) / 2 * steps + 0.5)), std::uint32_t(std::floor((v + 1) / 2 * steps + 0.5))};
}

inline Vec3 fromOctahedral(const OctahedralPoint& point, int bits) {
    const double steps = double((1u << bits) - 2);
    const double u = point[0] / steps * 2 - 1, v = point[1] / steps * 2 - 1;
    const double y = 1 - std::fabs(u) - std::fabs(v);
    const double folded = y < 0 ? -y : 0;
    const Vec3 direction{Real(u < 0 ? u + folded : u - folded), Real(y), Real(v < 0 ? v + folded : v - folded)};
    return normalizeOr(direction, {0, 1, 0});
}

}  // namespace sunder::scene
