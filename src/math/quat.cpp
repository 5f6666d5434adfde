#include "math/quat.h"

#include "math/trigonometry.h"

namespace sunder {

Quat toQuat(const Mat3& m) {
    const Real trace = m.row0.x + m.row1.y + m.row2.z;
    Quat q;
    if (trace > 0) {
        q = {m.row2.y - m.row1.z, m.row0.z - m.row2.x, m.row1.x - m.row0.y, 1 + trace};
    } else if (m.row0.x > m.row1.y && m.row0.x > m.row2.z) {
        q = {1 + m.row0.x - m.row1.y - m.row2.z, m.row0.y + m.row1.x, m.row0.z + m.row2.x, m.row2.y - m.row1.z};
    } else if (m.row1.y > m.row2.z) {
        q = {m.row0.y + m.row1.x, 1 + m.row1.y - m.row0.x - m.row2.z, m.row1.z + m.row2.y, m.row0.z - m.row2.x};
    } else {
        q = {m.row0.z + m.row2.x, m.row1.z + m.row2.y, 1 + m.row2.z - m.row0.x - m.row1.y, m.row1.x - m.row0.y};
    }
    return normalize(q);
}

Quat quatFromRotationVector(const Vec3& rotationVector) {
    const Real angle = length(rotationVector);
    const SinCos half = sinCos(Real(0.5) * angle);
    // sin(a/2)/a tends to 1/2; below this angle the quotient's first missing term is under rounding.
    const Real scale = angle > Real(1e-4) ? half.sin / angle : Real(0.5) - angle * angle / 48;
    return normalize({rotationVector.x * scale, rotationVector.y * scale, rotationVector.z * scale, half.cos});
}

Vec3 rotationVectorBetween(const Quat& from, const Quat& to) {
    Quat d = to * conjugate(from);
    if (d.w < 0)
        d = {-d.x, -d.y, -d.z, -d.w};
    const Vec3 u{d.x, d.y, d.z};
    const Real sine = length(u);
    if (sine < Real(1e-6))
        return 2 * u;
    return u * (2 * arcTangent2(sine, d.w) / sine);
}

}  // namespace sunder
