// Three points that are held so that a body cannot move as a whole.
//   [Bao07] V   u_1 = 0; u_2 only along X_2 - X_1; u_3 only in the plane of the three
// Deviation: the second point takes two turns away, not one as the paper says; three points make six rows.
#pragma once

#include <array>
#include <span>

#include "math/vec3d.h"

namespace sunder::elastic {

struct Pins {
    std::array<std::size_t, 3> rows{};
    Vec3d line, normal;  // of unit length

    // The first point, the one furthest from it, and the one furthest from the line through both.
    explicit Pins(std::span<const Vec3d> positions);
    // Takes from a vector, three numbers per row, what the pins hold. A projection, and symmetric.
    void project(double* x) const;
    // The largest length of what they hold of a vector.
    double held(const double* x) const;
};

}  // namespace sunder::elastic
