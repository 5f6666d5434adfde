// A vector padded to four numbers, so that a register holds it.
#pragma once

#include "math/quads.h"
#include "math/vec3.h"

namespace sunder::deformable {

struct Four {
    Quad quad = {0, 0, 0, 0};

    Four() = default;
    explicit Four(Quad q) : quad(q) {}
    Four(Real x, Real y, Real z, Real w) : quad{x, y, z, w} {}
    Real operator[](int i) const { return quad[i]; }
};

inline Four operator+(const Four& a, const Four& b) { return Four(a.quad + b.quad); }
inline Four operator-(const Four& a, const Four& b) { return Four(a.quad - b.quad); }
inline Four operator*(const Four& a, const Four& b) { return Four(a.quad * b.quad); }
inline Four& operator+=(Four& a, const Four& b) { return a = a + b; }
inline Four& operator-=(Four& a, const Four& b) { return a = a - b; }
inline Four& operator*=(Four& a, const Four& b) { return a = a * b; }
inline Four fourOf(Real x) { return Four(quadOf(x)); }
inline Four toFour(const Vec3& v) { return {v.x, v.y, v.z, 0}; }
inline Vec3 toVec3(const Four& q) { return {q[0], q[1], q[2]}; }
inline Real sumOf(const Four& q) { return (q[0] + q[1]) + q[2]; }

}  // namespace sunder::deformable
