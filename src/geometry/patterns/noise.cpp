#include "geometry/patterns/noise.h"

#include <cmath>

#include "core/random.h"

namespace sunder::geometry {
namespace {

// Three numbers in [-1, 1] derived from a lattice point.
Vec3d latticeValue(std::int64_t x, std::int64_t y, std::int64_t z, std::uint64_t seed) {
    core::Random random(seed ^ (std::uint64_t(x) * 0x8da6b343u) ^ (std::uint64_t(y) * 0xd8163841u << 11) ^
                        (std::uint64_t(z) * 0xcb1ab31fu << 23));
    const double a = random.between(-1, 1), b = random.between(-1, 1), c = random.between(-1, 1);
    return {a, b, c};
}

double smooth(double t) { return t * t * (3 - 2 * t); }

Vec3d latticeNoise(const Vec3d& p, std::uint64_t seed) {
    const double fx = std::floor(p.x), fy = std::floor(p.y), fz = std::floor(p.z);
    const auto x = std::int64_t(fx), y = std::int64_t(fy), z = std::int64_t(fz);
    const double tx = smooth(p.x - fx), ty = smooth(p.y - fy), tz = smooth(p.z - fz);
    Vec3d sum;
    for (int corner = 0; corner < 8; ++corner) {
        const int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
        const double weight = (i ? tx : 1 - tx) * (j ? ty : 1 - ty) * (k ? tz : 1 - tz);
        sum += latticeValue(x + i, y + j, z + k, seed) * weight;
    }
    return sum;
}

}  // namespace

Vec3d Warp::operator()(const Vec3d& point) const {
    Vec3d moved = point;
    double amplitude = roughness_.amplitude, frequency = 1 / double(roughness_.wavelength);
    if (!(amplitude > 0))
        return point;
    for (int octave = 0; octave < roughness_.octaves; ++octave, amplitude *= 0.5, frequency *= 2)
        moved += latticeNoise(point * frequency, seed_ + std::uint64_t(octave)) * amplitude;
    return moved;
}

Vec3d Warp::inverse(const Vec3d& point) const {
    constexpr int kRounds = 6;
    constexpr double kShare = 0.6;  // of each correction: steep noise would overshoot
    Vec3d guess = point;
    for (int i = 0; i < kRounds; ++i)
        guess += (point - (*this)(guess)) * kShare;
    return guess;
}

double Warp::finest() const {
    constexpr double kTrianglesPerBump = 4;
    double wavelength = roughness_.amplitude > 0 ? double(roughness_.wavelength) : 0;
    for (int octave = 1; octave < roughness_.octaves; ++octave)
        wavelength *= 0.5;
    return wavelength / kTrianglesPerBump;
}

double Warp::largestMove() const {
    return roughness_.amplitude > 0 ? 2 * 1.7320508075688772 * double(roughness_.amplitude) : 0;
}

}  // namespace sunder::geometry
