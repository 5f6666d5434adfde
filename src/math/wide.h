// kLanes numbers at a time, in as many registers as the instruction set needs for them: AVX-512, AVX, SSE, NEON or WebAssembly
// SIMD, through the compiler's vector extensions.
//
// Every operation works on each lane alone and rounds as the scalar one does, so the bits do not depend on the machine's width.
// Everything here is forced inline, uses nothing of the standard library and lies in a namespace of its instruction set: a file
// that includes it may be compiled for a newer one than the rest of the program without leaking instructions into it.
#pragma once

#include "math/lanes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif
#if defined(__wasm_simd128__) && !SUNDER_DOUBLE
#define SUNDER_WIDE_WASM 1
#include <wasm_simd128.h>
#endif

#define SUNDER_WIDE static inline __attribute__((always_inline))
// Of the loops over registers, which are at most four.
#if defined(__clang__)
#define SUNDER_UNROLL _Pragma("clang loop unroll(full)")
#else
#define SUNDER_UNROLL _Pragma("GCC unroll 4")
#endif

#if defined(__AVX512F__) && !SUNDER_DOUBLE
#define SUNDER_NATIVE_LANES 16
#elif defined(__AVX__) && !SUNDER_DOUBLE
#define SUNDER_NATIVE_LANES 8
#else
#define SUNDER_NATIVE_LANES 4
#endif

namespace sunder::wide {
#if SUNDER_NATIVE_LANES == 16
inline namespace sixteen_in_a_register {
#elif SUNDER_NATIVE_LANES == 8
inline namespace eight_in_a_register {
#else
inline namespace four_in_a_register {
#endif

inline constexpr int kNativeLanes = SUNDER_NATIVE_LANES, kNatives = kLanes / kNativeLanes;
static_assert(kNatives >= 1 && kNatives <= 4 && kNatives * kNativeLanes == kLanes);

// may_alias: they look at what was stored as Lanes and LaneMask.
typedef Real Native __attribute__((vector_size(kNativeLanes * sizeof(Real)), aligned(kNativeLanes * sizeof(Real)), may_alias));
typedef LaneInteger NativeMask
    __attribute__((vector_size(kNativeLanes * sizeof(Real)), aligned(kNativeLanes * sizeof(Real)), may_alias));
typedef Real QuadAnywhere __attribute__((vector_size(4 * sizeof(Real)), aligned(sizeof(Real)), may_alias));

struct [[gnu::may_alias]] alignas(kLanes * sizeof(Real)) Wide {
    Native native[kNatives];
};
struct [[gnu::may_alias]] alignas(kLanes * sizeof(Real)) Mask {
    NativeMask native[kNatives];
};
static_assert(sizeof(Wide) == sizeof(Lanes) && sizeof(Mask) == sizeof(LaneMask));

SUNDER_WIDE Wide all(Real x) {
#if SUNDER_NATIVE_LANES == 16
    const Native native = {x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
#elif SUNDER_NATIVE_LANES == 8
    const Native native = {x, x, x, x, x, x, x, x};
#else
    const Native native = {x, x, x, x};
#endif
    Wide out;
    SUNDER_UNROLL
    for (int k = 0; k < kNatives; ++k)
        out.native[k] = native;
    return out;
}

#define SUNDER_WIDE_OPERATOR(Result, Operand, op)                        \
    SUNDER_WIDE Result operator op(const Operand& a, const Operand& b) { \
        Result out;                                                      \
        SUNDER_UNROLL                                                    \
        for (int k = 0; k < kNatives; ++k)                               \
            out.native[k] = a.native[k] op b.native[k];                  \
        return out;                                                      \
    }
SUNDER_WIDE_OPERATOR(Wide, Wide, +)
SUNDER_WIDE_OPERATOR(Wide, Wide, -)
SUNDER_WIDE_OPERATOR(Wide, Wide, *)
SUNDER_WIDE_OPERATOR(Wide, Wide, /)
SUNDER_WIDE_OPERATOR(Mask, Wide, <)
SUNDER_WIDE_OPERATOR(Mask, Wide, <=)
SUNDER_WIDE_OPERATOR(Mask, Wide, >)
SUNDER_WIDE_OPERATOR(Mask, Mask, &)
SUNDER_WIDE_OPERATOR(Mask, Mask, |)
#undef SUNDER_WIDE_OPERATOR

SUNDER_WIDE Wide operator-(const Wide& a) {
    Wide out;
    SUNDER_UNROLL
    for (int k = 0; k < kNatives; ++k)
        out.native[k] = -a.native[k];
    return out;
}
SUNDER_WIDE Mask operator~(const Mask& a) {
    Mask out;
    SUNDER_UNROLL
    for (int k = 0; k < kNatives; ++k)
        out.native[k] = ~a.native[k];
    return out;
}
SUNDER_WIDE Mask& operator&=(Mask& a, const Mask& b) { return a = a & b; }
SUNDER_WIDE Mask& operator|=(Mask& a, const Mask& b) { return a = a | b; }

SUNDER_WIDE Wide select(const Mask& mask, const Wide& yes, const Wide& no) {
    Wide out;
    SUNDER_UNROLL
    for (int k = 0; k < kNatives; ++k)
        out.native[k] = mask.native[k] ? yes.native[k] : no.native[k];
    return out;
}
SUNDER_WIDE Wide max(const Wide& a, const Wide& b) {
    Wide out;
    SUNDER_UNROLL
    for (int k = 0; k < kNatives; ++k)
        out.native[k] = a.native[k] > b.native[k] ? a.native[k] : b.native[k];
    return out;
}
SUNDER_WIDE Wide min(const Wide& a, const Wide& b) {
    Wide out;
    SUNDER_UNROLL
    for (int k = 0; k < kNatives; ++k)
        out.native[k] = a.native[k] < b.native[k] ? a.native[k] : b.native[k];
    return out;
}
// Zero elsewhere.
SUNDER_WIDE Wide onlyWhere(const Mask& mask, const Wide& a) {
    Wide out;
    SUNDER_UNROLL
    for (int k = 0; k < kNatives; ++k)
        out.native[k] = (Native)(mask.native[k] & (NativeMask)a.native[k]);
    return out;
}

SUNDER_WIDE bool any(const Mask& mask) {
    NativeMask sum = mask.native[0];
    SUNDER_UNROLL
    for (int k = 1; k < kNatives; ++k)
        sum |= mask.native[k];
#if SUNDER_NATIVE_LANES == 16
    return _mm512_test_epi32_mask((__m512i)sum, (__m512i)sum) != 0;
#elif SUNDER_NATIVE_LANES == 8
    return _mm256_movemask_ps((__m256)sum) != 0;
#elif SUNDER_WIDE_WASM
    return wasm_v128_any_true((v128_t)sum);
#elif defined(__SSE__) && !SUNDER_DOUBLE
    return _mm_movemask_ps((__m128)sum) != 0;
#else
    LaneInteger bits = 0;
    for (int i = 0; i < kNativeLanes; ++i)
        bits |= sum[i];
    return bits != 0;
#endif
}

// Bit i is set where lane i of the mask is.
SUNDER_WIDE std::uint32_t laneBits(const Mask& mask) {
    std::uint32_t bits = 0;
    SUNDER_UNROLL
    for (int k = 0; k < kNatives; ++k) {
#if SUNDER_NATIVE_LANES == 16
        const std::uint32_t laneBits = _mm512_movepi32_mask((__m512i)mask.native[k]);
#elif SUNDER_NATIVE_LANES == 8
        const auto laneBits = (std::uint32_t)_mm256_movemask_ps((__m256)mask.native[k]);
#elif SUNDER_WIDE_WASM
        const auto laneBits = (std::uint32_t)wasm_i32x4_bitmask((v128_t)mask.native[k]);
#elif defined(__SSE__) && !SUNDER_DOUBLE
        const auto laneBits = (std::uint32_t)_mm_movemask_ps((__m128)mask.native[k]);
#else
        std::uint32_t laneBits = 0;
        for (int i = 0; i < kNativeLanes; ++i)
            laneBits |= (std::uint32_t)(mask.native[k][i] != 0) << i;
#endif
        bits |= laneBits << (k * kNativeLanes);
    }
    return bits;
}

SUNDER_WIDE Wide squareRoot(const Wide& a) {
    Wide root;
    SUNDER_UNROLL
    for (int k = 0; k < kNatives; ++k) {
#if SUNDER_NATIVE_LANES == 16
        root.native[k] = (Native)_mm512_sqrt_ps((__m512)a.native[k]);
#elif SUNDER_NATIVE_LANES == 8
        root.native[k] = (Native)_mm256_sqrt_ps((__m256)a.native[k]);
#elif SUNDER_WIDE_WASM
        root.native[k] = (Native)wasm_f32x4_sqrt((v128_t)a.native[k]);
#elif defined(__SSE__) && !SUNDER_DOUBLE
        root.native[k] = (Native)_mm_sqrt_ps((__m128)a.native[k]);
#else
        for (int i = 0; i < kNativeLanes; ++i)
            root.native[k][i] =
                sizeof(Real) == 4 ? Real(__builtin_sqrtf(float(a.native[k][i]))) : Real(__builtin_sqrt(double(a.native[k][i])));
#endif
    }
    return root;
}

using WideVec3 = Vec3Of<Wide>;

SUNDER_WIDE WideVec3 operator+(const WideVec3& a, const WideVec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
SUNDER_WIDE WideVec3 operator-(const WideVec3& a, const WideVec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
SUNDER_WIDE WideVec3 operator*(const WideVec3& a, const Wide& s) { return {a.x * s, a.y * s, a.z * s}; }
SUNDER_WIDE WideVec3 multiply(const WideVec3& a, const WideVec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
SUNDER_WIDE Wide dot(const WideVec3& a, const WideVec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SUNDER_WIDE WideVec3 cross(const WideVec3& a, const WideVec3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
SUNDER_WIDE WideVec3 select(const Mask& mask, const WideVec3& yes, const WideVec3& no) {
    return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z)};
}

using WideSym3 = Sym3Of<Wide>;

SUNDER_WIDE WideVec3 operator*(const WideSym3& m, const WideVec3& v) {
    return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z, m.xz * v.x + m.yz * v.y + m.zz * v.z};
}
SUNDER_WIDE WideSym3 operator+(const WideSym3& a, const WideSym3& b) {
    return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
SUNDER_WIDE WideSym3 select(const Mask& mask, const WideSym3& yes, const WideSym3& no) {
    return {select(mask, yes.xx, no.xx), select(mask, yes.yy, no.yy), select(mask, yes.zz, no.zz),
            select(mask, yes.xy, no.xy), select(mask, yes.xz, no.xz), select(mask, yes.yz, no.yz)};
}

struct WideQuat {
    Wide x, y, z, w;
};

// Each four of the registers' lanes: four rows of four become four columns.
SUNDER_WIDE void transpose(Native& a, Native& b, Native& c, Native& d) {
#if SUNDER_NATIVE_LANES == 16
    const __m512 ab0 = _mm512_unpacklo_ps((__m512)a, (__m512)b), ab1 = _mm512_unpackhi_ps((__m512)a, (__m512)b);
    const __m512 cd0 = _mm512_unpacklo_ps((__m512)c, (__m512)d), cd1 = _mm512_unpackhi_ps((__m512)c, (__m512)d);
    a = (Native)_mm512_shuffle_ps(ab0, cd0, 0x44);
    b = (Native)_mm512_shuffle_ps(ab0, cd0, 0xee);
    c = (Native)_mm512_shuffle_ps(ab1, cd1, 0x44);
    d = (Native)_mm512_shuffle_ps(ab1, cd1, 0xee);
#elif SUNDER_NATIVE_LANES == 8
    const __m256 ab0 = _mm256_unpacklo_ps((__m256)a, (__m256)b), ab1 = _mm256_unpackhi_ps((__m256)a, (__m256)b);
    const __m256 cd0 = _mm256_unpacklo_ps((__m256)c, (__m256)d), cd1 = _mm256_unpackhi_ps((__m256)c, (__m256)d);
    a = (Native)_mm256_shuffle_ps(ab0, cd0, 0x44);
    b = (Native)_mm256_shuffle_ps(ab0, cd0, 0xee);
    c = (Native)_mm256_shuffle_ps(ab1, cd1, 0x44);
    d = (Native)_mm256_shuffle_ps(ab1, cd1, 0xee);
#else
    const Native ab0 = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab1 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Native cd0 = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd1 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
    c = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
    d = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
#endif
}

// Each four of the registers' lanes: four points, x, y and z of one after the other, become their x, their y and their z.
SUNDER_WIDE void separate(Native& a, Native& b, Native& c) {
#if SUNDER_NATIVE_LANES == 16
    const __m512 yz01 = _mm512_shuffle_ps((__m512)a, (__m512)b, 0x49), xy23 = _mm512_shuffle_ps((__m512)b, (__m512)c, 0x9e);
    a = (Native)_mm512_shuffle_ps((__m512)a, xy23, 0x8c);
    b = (Native)_mm512_shuffle_ps(yz01, xy23, 0xd8);
    c = (Native)_mm512_shuffle_ps(yz01, (__m512)c, 0xcd);
#elif SUNDER_NATIVE_LANES == 8
    const __m256 yz01 = _mm256_shuffle_ps((__m256)a, (__m256)b, 0x49), xy23 = _mm256_shuffle_ps((__m256)b, (__m256)c, 0x9e);
    a = (Native)_mm256_shuffle_ps((__m256)a, xy23, 0x8c);
    b = (Native)_mm256_shuffle_ps(yz01, xy23, 0xd8);
    c = (Native)_mm256_shuffle_ps(yz01, (__m256)c, 0xcd);
#else
    const Native yz01 = __builtin_shufflevector(a, b, 1, 2, 4, 5), xy23 = __builtin_shufflevector(b, c, 2, 3, 5, 6);
    a = __builtin_shufflevector(a, xy23, 0, 3, 4, 6);
    b = __builtin_shufflevector(yz01, xy23, 0, 2, 5, 7);
    c = __builtin_shufflevector(yz01, c, 1, 3, 4, 7);
#endif
}

// Four neighbouring numbers of every fourth record, beginning with that of `index`, into one register.
SUNDER_WIDE Native loadRows(const Real* records, int stride, const std::uint32_t* index) {
    const auto row = [&](int i) __attribute__((always_inline)) {
        return records + std::size_t(index[i]) * std::size_t(stride);
    };
#if SUNDER_NATIVE_LANES == 16
    __m512 rows = _mm512_castps128_ps512(_mm_loadu_ps(row(0)));
    rows = _mm512_insertf32x4(rows, _mm_loadu_ps(row(4)), 1);
    rows = _mm512_insertf32x4(rows, _mm_loadu_ps(row(8)), 2);
    return (Native)_mm512_insertf32x4(rows, _mm_loadu_ps(row(12)), 3);
#elif SUNDER_NATIVE_LANES == 8
    return (Native)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(row(0))), _mm_loadu_ps(row(4)), 1);
#else
    return (Native) * reinterpret_cast<const QuadAnywhere*>(row(0));
#endif
}

// The opposite, for those whose bit is set.
SUNDER_WIDE void storeRows(Real* records, int stride, const std::uint32_t* index, std::uint32_t lanes, const Native& rows) {
    const auto row = [&](int i) __attribute__((always_inline)) {
        return records + std::size_t(index[i]) * std::size_t(stride);
    };
#if SUNDER_NATIVE_LANES == 16
    if (lanes & 1)
        _mm_storeu_ps(row(0), _mm512_castps512_ps128((__m512)rows));
    if (lanes >> 4 & 1)
        _mm_storeu_ps(row(4), _mm512_extractf32x4_ps((__m512)rows, 1));
    if (lanes >> 8 & 1)
        _mm_storeu_ps(row(8), _mm512_extractf32x4_ps((__m512)rows, 2));
    if (lanes >> 12 & 1)
        _mm_storeu_ps(row(12), _mm512_extractf32x4_ps((__m512)rows, 3));
#elif SUNDER_NATIVE_LANES == 8
    if (lanes & 1)
        _mm_storeu_ps(row(0), _mm256_castps256_ps128((__m256)rows));
    if (lanes >> 4 & 1)
        _mm_storeu_ps(row(4), _mm256_extractf128_ps((__m256)rows, 1));
#else
    if (lanes & 1)
        *reinterpret_cast<QuadAnywhere*>(row(0)) = (QuadAnywhere)rows;
#endif
}

// Reads four neighbouring numbers of kLanes records each: out[k] holds number k of every record.
// records: where number 0 of record 0 is; stride: numbers from one record to the next.
SUNDER_WIDE void gatherFour(const Real* records, int stride, const std::uint32_t* index, Wide (&out)[4]) {
    SUNDER_UNROLL
    for (int which = 0; which < kNatives; ++which) {
        Native r[4];
        SUNDER_UNROLL
        for (int i = 0; i < 4; ++i)
            r[i] = loadRows(records, stride, index + which * kNativeLanes + i);
        transpose(r[0], r[1], r[2], r[3]);
        SUNDER_UNROLL
        for (int k = 0; k < 4; ++k)
            out[k].native[which] = r[k];
    }
}

// The opposite; writes only the records whose bit is set in `lanes`.
SUNDER_WIDE void scatterFour(Real* records, int stride, const std::uint32_t* index, std::uint32_t lanes, const Wide (&in)[4]) {
    SUNDER_UNROLL
    for (int which = 0; which < kNatives; ++which) {
        Native r[4] = {in[0].native[which], in[1].native[which], in[2].native[which], in[3].native[which]};
        transpose(r[0], r[1], r[2], r[3]);
        SUNDER_UNROLL
        for (int i = 0; i < 4; ++i)
            storeRows(records, stride, index + which * kNativeLanes + i, lanes >> (which * kNativeLanes + i), r[i]);
    }
}

}  // namespace
}  // namespace sunder::wide
