// How fast and how far points of a rigid body get: the facts that every bound on motion rests on. The bounds themselves are
// listed, and drawn, in world/pair/motion_bounds.h.
#pragma once

#include <cmath>

#include "math/quat.h"

namespace sunder::dynamics {

// m/s: how fast a point within the radius goes about the centre, at most.
inline Real turningSpeed(const Vec3& angularVelocity, Real radius) { return length(angularVelocity) * radius; }
// m/s: no point within the radius of the centre is faster.
inline Real fastestPoint(const Vec3& velocity, const Vec3& angularVelocity, Real radius) {
    return length(velocity) + turningSpeed(angularVelocity, radius);
}

// Twice the sine of a quarter of the angle between two orientations: |q - p|, where q and -q are the same one.
inline Real chordBetween(const Quat& p, const Quat& q) {
    const Real sign = dot(p, q) < 0 ? Real(-1) : Real(1);
    const Quat d{q.x - sign * p.x, q.y - sign * p.y, q.z - sign * p.z, q.w - sign * p.w};
    return std::sqrt(dot(d, d));
}
// rad, or a little more.
inline Real angleBetween(const Quat& p, const Quat& q) {
    constexpr Real kAngleOverChord = Real(2.3);  // at most pi / sqrt(2), for half a turn
    return kAngleOverChord * chordBetween(p, q);
}
// rad, where it is small: less than the angle by its square over 96, as a share.
inline Real smallAngleBetween(const Quat& p, const Quat& q) { return 2 * chordBetween(p, q); }

}  // namespace sunder::dynamics
