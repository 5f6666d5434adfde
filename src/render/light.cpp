// Colours were chosen by eye, for a bright, calm picture in which bodies stand out.
#include "render/light.h"

namespace sunder::render {

namespace {

Vec3 mix(const Vec3& a, const Vec3& b, Real t) { return a + (b - a) * t; }

// Share of a pixel at `distance` from a line's middle that the line covers.
Real lineCover(Real distance, Real halfWidth, Real pixel) {
    const Real half = max(pixel, Real(1e-6)) / 2;
    const Real low = max(distance - half, -halfWidth), high = min(distance + half, halfWidth);
    return clamp((high - low) / (2 * half), 0, 1);
}

Real toNearestMultiple(Real x, Real step) { return std::fabs(x - step * std::floor(x / step + Real(0.5))); }

// Darkening by lines `cell` apart, gone where a cell is only a few pixels wide.
Real lines(Real x, Real z, Real cell, Real halfWidth, Real pixel) {
    const Real cover =
        max(lineCover(toNearestMultiple(x, cell), halfWidth, pixel), lineCover(toNearestMultiple(z, cell), halfWidth, pixel));
    return cover * (1 - smoothStep(Real(0.04), Real(0.25), pixel / cell));
}

// A value in [-1, 1] per lattice point.
Real latticeValue(std::int64_t x, std::int64_t y, std::int64_t z) {
    std::uint64_t h = std::uint64_t(x) * 0x9e3779b97f4a7c15u ^ std::uint64_t(y) * 0xc2b2ae3d27d4eb4fu ^
                      std::uint64_t(z) * 0x165667b19e3779f9u;
    h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
    return Real(std::int64_t(h >> 40)) * (Real(2) / Real(1 << 24)) - 1;
}

// Smooth interpolation of the lattice values.
Real noise(const Vec3& p) {
    const Vec3 low{std::floor(p.x), std::floor(p.y), std::floor(p.z)};
    const std::int64_t x = std::int64_t(low.x), y = std::int64_t(low.y), z = std::int64_t(low.z);
    const Real u = smoothStep(0, 1, p.x - low.x), v = smoothStep(0, 1, p.y - low.y), w = smoothStep(0, 1, p.z - low.z);
    const auto along = [&](std::int64_t dy, std::int64_t dz) {
        const Real a = latticeValue(x, y + dy, z + dz), b = latticeValue(x + 1, y + dy, z + dz);
        return a + (b - a) * u;
    };
    const Real front = along(0, 0) + (along(1, 0) - along(0, 0)) * v, back = along(0, 1) + (along(1, 1) - along(0, 1)) * v;
    return front + (back - front) * w;
}

// An S-curve: a toe that deepens shadows a little, a shoulder that reaches white at five.
Real filmic(Real x) {
    const Real shoulder = min(x * (1 + x / 25) / (1 + x) * Real(1.2), 1);
    return shoulder * (Real(0.62) + Real(0.38) * shoulder * (2 - shoulder));
}

}  // namespace

Vec3 skyLight(const Vec3& direction) {
    const Vec3 zenith{Real(0.46), Real(0.62), Real(0.94)}, horizon{Real(0.90), Real(0.94), Real(1.00)};
    const Vec3 below{Real(0.50), Real(0.48), Real(0.46)};
    if (direction.y < 0)
        return mix(horizon, below, smoothStep(0, Real(0.25), -direction.y));
    return mix(horizon, zenith, std::sqrt(direction.y));
}

Vec3 backdrop(const Vec3& direction) {
    const Vec3 high{Real(0.42), Real(0.72), Real(1.30)}, horizon{Real(1.42), Real(1.55), Real(1.72)};
    const Vec3 floor{Real(0.85), Real(0.90), Real(0.98)};
    if (direction.y < 0)
        return mix(horizon, floor, smoothStep(0, Real(0.55), -direction.y));
    return mix(horizon, high, smoothStep(Real(-0.05), Real(0.75), direction.y));
}

Vec3 sunBehindCamera(const Vec3& forward) {
    const Vec3 level = normalizeOr({forward.x, 0, forward.z}, {0, 0, -1});
    const Vec3 right{-level.z, 0, level.x};
    return normalizeOr(level * Real(-0.70) - right * Real(0.55) + Vec3{0, 1, 0}, {0, 1, 0});
}

Real groundPattern(Real x, Real z, Real cell, Real pixel) {
    const bool odd = (std::fmod(std::floor(x / cell) + std::floor(z / cell), Real(2))) != 0;
    const Real chequer = Real(0.035) * (1 - smoothStep(Real(0.1), Real(0.5), pixel / cell));
    const Real fine = Real(0.30) * lines(x, z, cell, cell * Real(0.010), pixel);
    const Real coarse = Real(0.40) * lines(x, z, cell * 10, cell * Real(0.018), pixel);
    return (1 - max(fine, coarse)) * (odd ? 1 - chequer : 1 + chequer);
}

Real grain(const Vec3& local, Real cell, Real strength, Real pixel) {
    Real sum = 0, weight = Real(0.5);
    for (int octave = 0; octave < 3; ++octave, cell *= Real(0.37), weight *= Real(0.75)) {
        const Real seen = 1 - smoothStep(Real(0.4), Real(1.2), pixel / cell);
        if (seen <= 0)
            break;
        sum += weight * seen * noise(local * (1 / cell));
    }
    return 1 + strength * sum;
}

std::uint8_t toSrgb(Real linear) {
    const Real srgb =
        linear <= Real(0.0031308) ? Real(12.92) * linear : Real(1.055) * std::pow(linear, Real(1 / 2.4)) - Real(0.055);
    return static_cast<std::uint8_t>(clamp(srgb, 0, 1) * 255 + Real(0.5));
}

Real fromSrgb(std::uint8_t byte) {
    const Real c = Real(byte) / 255;
    return c <= Real(0.04045) ? c / Real(12.92) : std::pow((c + Real(0.055)) / Real(1.055), Real(2.4));
}

std::array<std::uint8_t, 3> toBytes(const Vec3& radiance) {
    // Half of the squeeze acts on the colour as a whole, which keeps it pure; half on each channel, which lets highlights
    // bleach.
    const Vec3 color = max(radiance, Vec3{}) * Real(0.9);
    const Real peak = max(max(color.x, color.y), max(color.z, Real(1e-6)));
    const Vec3 whole = color * (filmic(peak) / peak);
    const Vec3 tone = (whole + Vec3{filmic(color.x), filmic(color.y), filmic(color.z)}) * Real(0.5);
    return {toSrgb(tone.x), toSrgb(tone.y), toSrgb(tone.z)};
}

}  // namespace sunder::render
