// 3 x 3 matrices by rows, and symmetric ones by their six entries.
#pragma once

#include "math/linear/cramer.h"
#include "math/vec3.h"

namespace sunder {

struct Mat3 {
    Vec3 row0{1, 0, 0}, row1{0, 1, 0}, row2{0, 0, 1};
};

constexpr Vec3 operator*(const Mat3& m, const Vec3& v) { return {dot(m.row0, v), dot(m.row1, v), dot(m.row2, v)}; }
constexpr Mat3 transpose(const Mat3& m) {
    return {{m.row0.x, m.row1.x, m.row2.x}, {m.row0.y, m.row1.y, m.row2.y}, {m.row0.z, m.row1.z, m.row2.z}};
}
constexpr Vec3 transposeTimes(const Mat3& m, const Vec3& v) { return m.row0 * v.x + m.row1 * v.y + m.row2 * v.z; }
constexpr Mat3 operator*(const Mat3& a, const Mat3& b) {
    return {transposeTimes(b, a.row0), transposeTimes(b, a.row1), transposeTimes(b, a.row2)};
}
constexpr Vec3 column(const Mat3& m, int i) { return {component(m.row0, i), component(m.row1, i), component(m.row2, i)}; }

struct Sym3 {
    Real xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
};

constexpr Vec3 operator*(const Sym3& s, const Vec3& v) {
    return {s.xx * v.x + s.xy * v.y + s.xz * v.z, s.xy * v.x + s.yy * v.y + s.yz * v.z, s.xz * v.x + s.yz * v.y + s.zz * v.z};
}
constexpr Sym3 operator+(const Sym3& a, const Sym3& b) {
    return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
constexpr Sym3 operator*(const Sym3& a, Real s) { return {a.xx * s, a.yy * s, a.zz * s, a.xy * s, a.xz * s, a.yz * s}; }

// v v^T.
constexpr Sym3 outer(const Vec3& v) { return {v.x * v.x, v.y * v.y, v.z * v.z, v.x * v.y, v.x * v.z, v.y * v.z}; }

// R diag(d) R^T.
constexpr Sym3 rotateDiagonal(const Mat3& R, const Vec3& d) {
    const Vec3 a = multiply(R.row0, d), b = multiply(R.row1, d), c = multiply(R.row2, d);
    return {dot(a, R.row0), dot(b, R.row1), dot(c, R.row2), dot(a, R.row1), dot(a, R.row2), dot(b, R.row2)};
}

// Solves s x = b; zero where s is singular.
constexpr Vec3 solve(const Sym3& s, const Vec3& b) {
    const auto x = linear::cramer(Vec3{s.xx, s.xy, s.xz}, Vec3{s.xy, s.yy, s.yz}, Vec3{s.xz, s.yz, s.zz}, b);
    return x.numerators * (x.determinant != 0 ? 1 / x.determinant : 0);
}

}  // namespace sunder
