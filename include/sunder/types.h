// Plain types of the public API: numbers, vectors, rotations, handles. Depends on no other library. SI units, y up,
// right-handed; quaternions are (x, y, z, w) as in glTF.
#pragma once

#include <cstdint>

#include "sunder/config.h"

namespace sunder {

#if SUNDER_DOUBLE
using Real = double;
#else
using Real = float;
#endif

struct Vec3 {
    Real x = 0, y = 0, z = 0;
    friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

// A point of the world in double, so that a world may be kilometres wide.
struct WorldPoint {
    double x = 0, y = 0, z = 0;
    constexpr WorldPoint() = default;
    constexpr WorldPoint(double px, double py, double pz) : x(px), y(py), z(pz) {}
    constexpr WorldPoint(const Vec3& p) : x(p.x), y(p.y), z(p.z) {}
    friend constexpr bool operator==(const WorldPoint&, const WorldPoint&) = default;
};

struct Quat {
    Real x = 0, y = 0, z = 0, w = 1;
    friend constexpr bool operator==(const Quat&, const Quat&) = default;
};

struct Pose {
    Vec3 position;
    Quat orientation;
};

// A handle stays valid until its body is removed; afterwards its generation no longer matches, and isValid() is false.
struct BodyId {
    std::uint32_t index = 0xffffffffu;
    std::uint32_t generation = 0;
    constexpr bool isNull() const { return index == 0xffffffffu; }
    friend constexpr bool operator==(const BodyId&, const BodyId&) = default;
};

}  // namespace sunder
