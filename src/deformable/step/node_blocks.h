// Vectors and 3 x 3 blocks of the linear system, padded to four numbers.
#pragma once

#include "deformable/element/four.h"
#include "math/mat3.h"

namespace sunder::deformable {

struct Block {
    Four column[3];
};

inline Four operator*(const Block& m, const Four& v) {
    return m.column[0] * fourOf(v[0]) + m.column[1] * fourOf(v[1]) + m.column[2] * fourOf(v[2]);
}
inline Block& operator+=(Block& a, const Block& b) {
    for (int k = 0; k < 3; ++k)
        a.column[k] += b.column[k];
    return a;
}
inline Block transposed(const Block& m) {
    Block out;
    for (int k = 0; k < 3; ++k)
        out.column[k] = Four{m.column[0][k], m.column[1][k], m.column[2][k], 0};
    return out;
}
inline Block diagonalBlock(Real x) { return {{Four{x, 0, 0, 0}, Four{0, x, 0, 0}, Four{0, 0, x, 0}}}; }
inline Block toBlock(const Sym3& s) {
    return {{Four{s.xx, s.xy, s.xz, 0}, Four{s.xy, s.yy, s.yz, 0}, Four{s.xz, s.yz, s.zz, 0}}};
}
// s n n^T
inline Block outerBlock(const Vec3& n, Real s) {
    const Four v = toFour(n) * fourOf(s);
    return {{v * fourOf(n.x), v * fourOf(n.y), v * fourOf(n.z)}};
}
inline Vec3 blockColumn(const Block& m, int k) { return toVec3(m.column[k]); }

// Of a symmetric positive definite block; zero where it is singular.
inline Block inverseOf(const Block& m) {
    const Vec3 a = blockColumn(m, 0), b = blockColumn(m, 1), c = blockColumn(m, 2);
    const Vec3 bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
    const Real determinant = dot(a, bc);
    const Real inverse = determinant > 0 ? 1 / determinant : Real(0);
    return transposed(Block{{toFour(bc * inverse), toFour(ca * inverse), toFour(ab * inverse)}});
}

}  // namespace sunder::deformable
