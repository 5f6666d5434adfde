// Four numbers at a time, for code that is compiled once: what wide.h has for eight.
#pragma once

#include "math/lanes.h"

#if defined(__SSE2__) && !SUNDER_DOUBLE
#include <emmintrin.h>
#endif

namespace sunder {

using wide::Quad;
typedef wide::LaneInteger QuadMask __attribute__((vector_size(4 * sizeof(Real))));

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
