// Four numbers at a time, for code that is compiled once: what every instruction set has registers for.
#pragma once

#include "math/lanes.h"

#if defined(__SSE2__) && !SUNDER_DOUBLE
#include <emmintrin.h>
#endif

namespace sunder {

typedef Real Quad __attribute__((vector_size(4 * sizeof(Real)), aligned(4 * sizeof(Real))));
typedef wide::LaneInteger QuadMask __attribute__((vector_size(4 * sizeof(Real))));
typedef std::int32_t QuadInteger __attribute__((vector_size(16)));

// Row i becomes what was lane i of the four.
template <class Four>
inline void transpose(Four (&row)[4]) {
    const Four low01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5);
    const Four low23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
    const Four high01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7);
    const Four high23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
    row[0] = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
    row[1] = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
    row[2] = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
    row[3] = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
}

inline Quad loadQuad(const Real* four) {
    Quad loaded;
    __builtin_memcpy(&loaded, four, sizeof loaded);
    return loaded;
}
inline void storeQuad(Quad values, Real* four) { __builtin_memcpy(four, &values, sizeof values); }
inline Quad quadOf(Real x) { return Quad{x, x, x, x}; }

inline Quad select(QuadMask mask, Quad yes, Quad no) { return (Quad)((mask & (QuadMask)yes) | (~mask & (QuadMask)no)); }
// As max and min of two numbers, where one is not a number too.
inline Quad greaterOf(Quad a, Quad b) {
#if defined(__SSE2__) && !SUNDER_DOUBLE
    return (Quad)_mm_max_ps((__m128)a, (__m128)b);
#else
    return select(a > b, a, b);
#endif
}
inline Quad lesserOf(Quad a, Quad b) {
#if defined(__SSE2__) && !SUNDER_DOUBLE
    return (Quad)_mm_min_ps((__m128)a, (__m128)b);
#else
    return select(a < b, a, b);
#endif
}
inline Real leastOf(Quad a) {
    const Quad pairs = lesserOf(a, __builtin_shufflevector(a, a, 2, 3, 0, 1));
    return pairs[0] < pairs[1] ? pairs[0] : pairs[1];
}

// Bit i is that of lane i.
inline unsigned bitsOf(QuadMask mask) {
#if defined(__SSE2__) && !SUNDER_DOUBLE
    return unsigned(_mm_movemask_ps((__m128)mask));
#else
    return unsigned((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}

inline Quad absolute(Quad a) { return (Quad)((QuadMask)a & ~((wide::LaneInteger)1 << (8 * sizeof(Real) - 1))); }

inline Quad rootOf(Quad a) {
#if defined(__SSE2__) && !SUNDER_DOUBLE
    return (Quad)_mm_sqrt_ps((__m128)a);
#else
    for (int i = 0; i < 4; ++i)
        a[i] = sizeof(Real) == 4 ? Real(__builtin_sqrtf(float(a[i]))) : Real(__builtin_sqrt(double(a[i])));
    return a;
#endif
}

}  // namespace sunder
