// Compiled for AVX-512 (see CMakeLists.txt); called only where the processor has it.
#if defined(SUNDER_HAS_X86_KERNELS)

#include <immintrin.h>

#include "math/linear/front_kernels.h"

namespace sunder::linear {

namespace {

constexpr __mmask8 kSix = 0x3f;

// A row of six in a register of eight; what its last two hold is not stored.
void subtract(double* at, const __m512d& sum) {
    _mm512_mask_storeu_pd(at, kSix, _mm512_sub_pd(_mm512_maskz_loadu_pd(kSix, at), sum));
}

}  // namespace

void subtractProductsAvx512(double* target, const double* a, const double* turned, int count) {
    // No array: g++ 12 would write its zeros to memory first.
    __m512d sum0 = _mm512_setzero_pd(), sum1 = sum0, sum2 = sum0, sum3 = sum0, sum4 = sum0, sum5 = sum0;
    const double* b = turned;
    for (int n = 0; n < count; ++n, a += kFrontBlock * kFrontBlock)
        for (int k = 0; k < kFrontBlock; ++k, b += kFrontBlock) {
            const __m512d right = _mm512_loadu_pd(b);
            const auto product = [&](int row) { return _mm512_mul_pd(_mm512_set1_pd(a[row * kFrontBlock + k]), right); };
            sum0 = _mm512_add_pd(sum0, product(0));
            sum1 = _mm512_add_pd(sum1, product(1));
            sum2 = _mm512_add_pd(sum2, product(2));
            sum3 = _mm512_add_pd(sum3, product(3));
            sum4 = _mm512_add_pd(sum4, product(4));
            sum5 = _mm512_add_pd(sum5, product(5));
        }
    subtract(target, sum0);
    subtract(target + kFrontBlock, sum1);
    subtract(target + 2 * kFrontBlock, sum2);
    subtract(target + 3 * kFrontBlock, sum3);
    subtract(target + 4 * kFrontBlock, sum4);
    subtract(target + 5 * kFrontBlock, sum5);
}

}  // namespace sunder::linear

#endif
