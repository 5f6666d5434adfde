// Eight numbers at a time: one wide type on the compiler's vector extensions, lowered to AVX, SSE, NEON or WebAssembly SIMD.
// In WebAssembly four: eight take two registers each there, and the engines that run it then move most of them to and fro.
//
// Every operation works on each lane alone and rounds as the scalar one does, so the bits do not depend on the machine's width.
// Everything here is forced inline and uses nothing of the standard library: a file that includes it may be compiled for a
// newer instruction set than the rest of the program without leaking instructions into it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sunder/types.h"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif
#if defined(__wasm_simd128__) && !SUNDER_DOUBLE
#define SUNDER_WIDE_WASM 1
#include <wasm_simd128.h>
#endif

#define SUNDER_WIDE static inline __attribute__((always_inline))

namespace sunder::wide {

#if SUNDER_WIDE_WASM
inline constexpr int kLanes = 4;
#else
inline constexpr int kLanes = 8;
#endif

typedef Real Wide __attribute__((vector_size(kLanes * sizeof(Real)), aligned(kLanes * sizeof(Real))));
typedef Real Quad __attribute__((vector_size(4 * sizeof(Real)), aligned(4 * sizeof(Real))));
typedef Real QuadAnywhere __attribute__((vector_size(4 * sizeof(Real)), aligned(sizeof(Real)), may_alias));
static_assert(alignof(Wide) == kLanes * sizeof(Real));
using LaneInteger = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
typedef LaneInteger Mask
    __attribute__((vector_size(kLanes * sizeof(Real)), aligned(kLanes * sizeof(Real))));  // all bits of a lane set or none

#if SUNDER_WIDE_WASM
SUNDER_WIDE Wide all(Real x) { return Wide{x, x, x, x}; }
#else
SUNDER_WIDE Wide all(Real x) { return Wide{x, x, x, x, x, x, x, x}; }
#endif
SUNDER_WIDE Wide select(Mask mask, Wide yes, Wide no) { return mask ? yes : no; }
SUNDER_WIDE Wide max(Wide a, Wide b) { return a > b ? a : b; }
SUNDER_WIDE Wide min(Wide a, Wide b) { return a < b ? a : b; }
SUNDER_WIDE Wide onlyWhere(Mask mask, Wide a) { return (Wide)(mask & (Mask)a); }  // zero elsewhere

// Bit i is set where lane i of the mask is.
SUNDER_WIDE std::uint32_t laneBits(Mask mask) {
#if defined(__AVX__) && !SUNDER_DOUBLE
    return (std::uint32_t)_mm256_movemask_ps((__m256)mask);
#elif SUNDER_WIDE_WASM
    return wasm_i32x4_bitmask((v128_t)mask);
#else
    std::uint32_t bits = 0;
    for (int lane = 0; lane < kLanes; ++lane)
        bits |= (std::uint32_t)(mask[lane] != 0) << lane;
    return bits;
#endif
}

SUNDER_WIDE bool any(Mask mask) {
#if defined(__AVX__) && !SUNDER_DOUBLE
    return _mm256_movemask_ps((__m256)mask) != 0;
#elif SUNDER_WIDE_WASM
    return wasm_v128_any_true((v128_t)mask);
#else
    LaneInteger bits = 0;
    for (int i = 0; i < kLanes; ++i)
        bits |= mask[i];
    return bits != 0;
#endif
}

SUNDER_WIDE Wide squareRoot(Wide a) {
#if defined(__AVX__) && !SUNDER_DOUBLE
    return (Wide)_mm256_sqrt_ps((__m256)a);
#elif SUNDER_WIDE_WASM
    return (Wide)wasm_f32x4_sqrt((v128_t)a);
#else
    Wide root;
    for (int i = 0; i < kLanes; ++i)
        root[i] = sizeof(Real) == 4 ? Real(__builtin_sqrtf(float(a[i]))) : Real(__builtin_sqrt(double(a[i])));
    return root;
#endif
}

struct WideVec3 {
    Wide x, y, z;
};

SUNDER_WIDE WideVec3 operator+(const WideVec3& a, const WideVec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
SUNDER_WIDE WideVec3 operator-(const WideVec3& a, const WideVec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
SUNDER_WIDE WideVec3 operator*(const WideVec3& a, Wide s) { return {a.x * s, a.y * s, a.z * s}; }
SUNDER_WIDE WideVec3 multiply(const WideVec3& a, const WideVec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
SUNDER_WIDE Wide dot(const WideVec3& a, const WideVec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SUNDER_WIDE WideVec3 cross(const WideVec3& a, const WideVec3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
SUNDER_WIDE WideVec3 select(Mask mask, const WideVec3& yes, const WideVec3& no) {
    return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z)};
}

struct WideSym3 {
    Wide xx, yy, zz, xy, xz, yz;
};
SUNDER_WIDE WideVec3 operator*(const WideSym3& m, const WideVec3& v) {
    return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z, m.xz * v.x + m.yz * v.y + m.zz * v.z};
}

SUNDER_WIDE WideSym3 select(Mask mask, const WideSym3& yes, const WideSym3& no) {
    return {select(mask, yes.xx, no.xx), select(mask, yes.yy, no.yy), select(mask, yes.zz, no.zz),
            select(mask, yes.xy, no.xy), select(mask, yes.xz, no.xz), select(mask, yes.yz, no.yz)};
}

struct WideQuat {
    Wide x, y, z, w;
};

// Four rows of four become four columns.
SUNDER_WIDE void transpose(Quad& a, Quad& b, Quad& c, Quad& d) {
    const Quad ab0 = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab1 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Quad cd0 = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd1 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
    c = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
    d = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}
#if !SUNDER_WIDE_WASM
SUNDER_WIDE Wide join(Quad low, Quad high) { return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7); }
SUNDER_WIDE Quad lowHalf(Wide a) { return __builtin_shufflevector(a, a, 0, 1, 2, 3); }
SUNDER_WIDE Quad highHalf(Wide a) { return __builtin_shufflevector(a, a, 4, 5, 6, 7); }
#endif

// Where registers hold eight, the two halves of four are transposed side by side: shuffles are what reading records waits for.
#if defined(__AVX__) && !SUNDER_DOUBLE
SUNDER_WIDE void transposeHalves(Wide& a, Wide& b, Wide& c, Wide& d) {
    const Wide ab0 = (Wide)_mm256_unpacklo_ps((__m256)a, (__m256)b), ab1 = (Wide)_mm256_unpackhi_ps((__m256)a, (__m256)b);
    const Wide cd0 = (Wide)_mm256_unpacklo_ps((__m256)c, (__m256)d), cd1 = (Wide)_mm256_unpackhi_ps((__m256)c, (__m256)d);
    a = (Wide)_mm256_shuffle_ps((__m256)ab0, (__m256)cd0, 0x44);
    b = (Wide)_mm256_shuffle_ps((__m256)ab0, (__m256)cd0, 0xee);
    c = (Wide)_mm256_shuffle_ps((__m256)ab1, (__m256)cd1, 0x44);
    d = (Wide)_mm256_shuffle_ps((__m256)ab1, (__m256)cd1, 0xee);
}
#endif

// Reads four neighbouring numbers of kLanes records each: out[k] holds number k of every record.
// records: where number 0 of record 0 is; stride: numbers from one record to the next.
SUNDER_WIDE void gatherFour(const Real* records, int stride, const std::uint32_t* index, Wide (&out)[4]) {
#if defined(__AVX__) && !SUNDER_DOUBLE
    for (int i = 0; i < 4; ++i)
        out[i] = (Wide)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(records + std::size_t(index[i]) * stride)),
                                            _mm_loadu_ps(records + std::size_t(index[4 + i]) * stride), 1);
    transposeHalves(out[0], out[1], out[2], out[3]);
#else
    Quad r[kLanes];
    for (int i = 0; i < kLanes; ++i)
        r[i] = *reinterpret_cast<const QuadAnywhere*>(records + std::size_t(index[i]) * stride);
    transpose(r[0], r[1], r[2], r[3]);
#if SUNDER_WIDE_WASM
    for (int k = 0; k < 4; ++k)
        out[k] = r[k];
#else
    transpose(r[4], r[5], r[6], r[7]);
    for (int k = 0; k < 4; ++k)
        out[k] = join(r[k], r[4 + k]);
#endif
#endif
}

// The opposite; writes only the records whose bit is set in `lanes`.
SUNDER_WIDE void scatterFour(Real* records, int stride, const std::uint32_t* index, std::uint32_t lanes, const Wide (&in)[4]) {
#if defined(__AVX__) && !SUNDER_DOUBLE
    Wide r[4] = {in[0], in[1], in[2], in[3]};
    transposeHalves(r[0], r[1], r[2], r[3]);
    for (int i = 0; i < 4; ++i) {
        if (lanes >> i & 1)
            _mm_storeu_ps(records + std::size_t(index[i]) * stride, _mm256_castps256_ps128((__m256)r[i]));
        if (lanes >> (4 + i) & 1)
            _mm_storeu_ps(records + std::size_t(index[4 + i]) * stride, _mm256_extractf128_ps((__m256)r[i], 1));
    }
#else
#if SUNDER_WIDE_WASM
    Quad r[kLanes] = {in[0], in[1], in[2], in[3]};
#else
    Quad r[kLanes] = {lowHalf(in[0]),  lowHalf(in[1]),  lowHalf(in[2]),  lowHalf(in[3]),
                      highHalf(in[0]), highHalf(in[1]), highHalf(in[2]), highHalf(in[3])};
    transpose(r[4], r[5], r[6], r[7]);
#endif
    transpose(r[0], r[1], r[2], r[3]);
    for (int i = 0; i < kLanes; ++i)
        if (lanes >> i & 1)
            *reinterpret_cast<Quad*>(records + std::size_t(index[i]) * stride) = r[i];
#endif
}

}  // namespace sunder::wide
