// Numbers that are worked on side by side, as they lie in memory: the same for every instruction set. math/wide.h computes with
// them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sunder/types.h"

namespace sunder::wide {

// As many as the widest registers hold, or twice that: what a pass waits for is one operation after the other, and two rows of
// them side by side take hardly longer than one. In WebAssembly no more than a register holds: the engines that run it move
// most of the others to and fro.
#if defined(__wasm__) && !SUNDER_DOUBLE
inline constexpr int kLanes = 4;
#elif defined(__x86_64__) && !SUNDER_DOUBLE
inline constexpr int kLanes = 16;
#else
inline constexpr int kLanes = 8;
#endif

using LaneInteger = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;

struct alignas(kLanes * sizeof(Real)) Lanes {
    Real lane[kLanes];
    Real& operator[](int i) { return lane[i]; }
    Real operator[](int i) const { return lane[i]; }
};

struct alignas(kLanes * sizeof(Real)) LaneMask {
    LaneInteger lane[kLanes];  // all bits set or none
    void set(int i, bool value) { lane[i] = value ? -1 : 0; }
};

// Of Lanes where they are kept, of Wide where they are worked on.
template <class Number>
struct Vec3Of {
    Number x, y, z;
};
template <class Number>
struct QuatOf {
    Number x, y, z, w;
};
template <class Number>
struct Sym3Of {
    Number xx, yy, zz, xy, xz, yz;
};

inline void fill(Vec3Of<Lanes>& out, int lane, const Vec3& v) {
    out.x[lane] = v.x;
    out.y[lane] = v.y;
    out.z[lane] = v.z;
}
inline void fill(QuatOf<Lanes>& out, int lane, const Quat& q) {
    out.x[lane] = q.x;
    out.y[lane] = q.y;
    out.z[lane] = q.z;
    out.w[lane] = q.w;
}
inline Vec3 take(const Vec3Of<Lanes>& v, int lane) { return {v.x[lane], v.y[lane], v.z[lane]}; }

}  // namespace sunder::wide
