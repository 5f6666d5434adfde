// Well-spread sample points: the first two dimensions of Sobol's sequence. Any aligned run of 2^k of them is stratified.
#pragma once

#include <cstdint>

#include "math/vec3.h"

namespace sunder::render {

struct Sample2 {
    Real x = 0, y = 0;  // 0 to 1
};

inline Sample2 sobol(std::uint32_t index, std::uint32_t scrambleX, std::uint32_t scrambleY) {
    std::uint32_t x = 0, y = 0;
    std::uint32_t bit = 1u << 31, direction = 1u << 31;
    for (std::uint32_t i = index; i != 0; i >>= 1, bit >>= 1, direction ^= direction >> 1)
        if (i & 1) {
            x ^= bit;
            y ^= direction;
        }
    // 24 bits, so that float never rounds up to one.
    constexpr Real kScale = Real(1) / Real(1u << 24);
    return {Real((x ^ scrambleX) >> 8) * kScale, Real((y ^ scrambleY) >> 8) * kScale};
}

// Maps the square evenly onto the unit disc; raised onto the half sphere the density is that of the cosine.
inline Sample2 toDisc(const Sample2& s) {
    const Real radius = std::sqrt(s.x), angle = 2 * kPi * s.y;
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

}  // namespace sunder::render
