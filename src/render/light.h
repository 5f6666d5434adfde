// Light and tone: sun, sky, backdrop, the ground's grid, and the conversion from radiance to bytes.
#pragma once

#include <array>
#include <cstdint>

#include "math/vec3.h"

namespace sunder::render {

// Radiance of the sun times its solid angle, so that a white surface facing it gets this colour.
inline constexpr Vec3 kSunColor{Real(2.9), Real(2.62), Real(2.2)};
// Tangent of the half angle of the sun's disc; far larger than the real sun's, for soft shadows.
inline constexpr Real kSunRadius = Real(0.045);

// Radiance of the sky that lights the scene, from a unit direction.
Vec3 skyLight(const Vec3& direction);
// The background where no body is: a paler sky that meets a bright floor at the horizon, as in a photographer's studio.
Vec3 backdrop(const Vec3& direction);

// A vector towards the light for a camera that looks along `forward`.
Vec3 sunBehindCamera(const Vec3& forward);

// Factor on the ground's albedo at a point: lines every cell, stronger ones every tenth, a faint chequer between them.
// pixel is the width of a pixel on the ground, in metres; detail finer than that fades out.
Real groundPattern(Real x, Real z, Real cell, Real pixel);

// Factor on a body's albedo at a point of its own frame: the speckle of stone, `cell` metres apart, from 1 - strength to 1 +
// strength; it fades where a pixel is larger.
Real grain(const Vec3& local, Real cell, Real strength, Real pixel);

// 0 up to low, 1 from high on, smooth between.
inline Real smoothStep(Real low, Real high, Real x) {
    const Real t = clamp((x - low) / (high - low), 0, 1);
    return t * t * (3 - 2 * t);
}

std::uint8_t toSrgb(Real linear);
Real fromSrgb(std::uint8_t byte);
// Filmic curve, then sRGB.
std::array<std::uint8_t, 3> toBytes(const Vec3& radiance);

}  // namespace sunder::render
