#include "geometry/patterns/upright.h"

#include "math/trigonometry.h"
#include "math/vec3.h"

namespace sunder::geometry {
namespace {

// Sine of the angle to the vertical below which a normal counts as vertical.
constexpr Real kVertical = Real(0.01);

}  // namespace

Quat shortestTurn(const Vec3& from, const Vec3& to) {
    const Real cosine = dot(from, to);
    if (cosine < -1 + 16 * kEpsilon) {
        const Vec3 axis = anyPerpendicular(from);
        return {axis.x, axis.y, axis.z, 0};
    }
    const Vec3 axis = cross(from, to);
    return normalize({axis.x, axis.y, axis.z, 1 + cosine});
}

Quat uprightTurn(const Vec3& axis, const Vec3& up, const Vec3& normal) {
    const Vec3 level = Vec3{0, 1, 0} - normal * normal.y;
    const Vec3 lain{0, 0, normal.y > 0 ? Real(-1) : Real(1)};
    const Vec3 target =
        length(level) > kVertical ? normalizeOr(level, lain) : normalizeOr(lain - normal * dot(lain, normal), lain);
    const Quat first = shortestTurn(axis, normal);
    const Vec3 now = rotate(first, up);
    // Both are at right angles to the normal; half a turn between them is about it.
    if (dot(now, target) < -1 + 16 * kEpsilon)
        return normalize(Quat{normal.x, normal.y, normal.z, 0} * first);
    return normalize(shortestTurn(now, target) * first);
}

Real uprightSpin(const Vec3& normal) {
    const Vec3 axis{0, 1, 0};
    const Quat spin = conjugate(shortestTurn(axis, normal)) * uprightTurn(axis, {0, 0, -1}, normal);
    return 2 * (spin.w < 0 ? arcTangent2(-spin.y, -spin.w) : arcTangent2(spin.y, spin.w));
}

}  // namespace sunder::geometry
