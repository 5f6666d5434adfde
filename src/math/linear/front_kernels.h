// The product in which FrontCholesky spends its time, for the instruction sets that it is compiled for.
#pragma once

namespace sunder::linear {

inline constexpr int kFrontBlock = 6;
// Numbers behind the last block of `turned` that may be read, and say nothing.
inline constexpr int kFrontPadding = 2;

// target -= sum over `count` blocks of a b: six by six, row by row; b turned already. Every entry is summed up in the order of
// the blocks and of the rows of b, and subtracted in the end, so that the bits do not depend on the instruction set.
using SubtractProducts = void (*)(double* target, const double* a, const double* turned, int count);

#if defined(SUNDER_HAS_X86_KERNELS)
void subtractProductsAvx512(double* target, const double* a, const double* turned, int count);
#endif
// The fastest that this processor has.
SubtractProducts subtractProductsHere();

}  // namespace sunder::linear
