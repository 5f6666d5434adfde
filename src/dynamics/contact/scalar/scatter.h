// Visual plausibility [Egan03] 4.2: random tilts of the normals of fast collisions.
#pragma once

#include <cstdint>

#include "core/random.h"
#include "math/vec3.h"

namespace sunder::dynamics {

struct Scatter {
    Real speed = 0;          // m/s: slower collisions are not tilted; 0: none is
    Real tilt = 0;           // tangent of the largest angle
    std::uint64_t seed = 0;  // another one in every step

    bool tilts(Real approach) const { return speed > 0 && approach > speed; }
};

// A normal within the cone about another one, the same for all points of the pair with this number: one die that falls flat
// like another still bounces otherwise.
inline Vec3 tiltedNormal(const Scatter& scatter, std::uint64_t pair, const Vec3& N) {
    core::Random random(scatter.seed + pair);
    Real x, y;
    do {
        x = Real(random.between(-1, 1));
        y = Real(random.between(-1, 1));
    } while (x * x + y * y > 1);
    const Vec3 tangent = anyPerpendicular(N);
    return normalizeOr(N + (tangent * x + cross(N, tangent) * y) * scatter.tilt, N);
}

}  // namespace sunder::dynamics
