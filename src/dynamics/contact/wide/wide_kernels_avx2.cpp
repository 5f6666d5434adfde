// The wide kernels compiled for AVX2 (see CMakeLists.txt); called only where the processor has it.
#if defined(SUNDER_HAS_X86_KERNELS)

#include "dynamics/contact/wide/wide_kernels.h"
#include "math/wide.h"

namespace sunder::dynamics {

namespace {
#include "dynamics/contact/wide/wide_kernels.inl"
}  // namespace

const WideKernels kAvx2Kernels{
    gatherBlock, startBlocks, pushBlocks, finishBlock, moveBodies, {startBalls, solveBalls}, {startBundle, solveBundle}};

}  // namespace sunder::dynamics

#endif
