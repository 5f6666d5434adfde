// The wide kernels for the instruction set that the whole library is compiled for.
#include "dynamics/contact/wide/wide_kernels.h"
#include "math/wide.h"

namespace sunder::dynamics {

namespace {
#include "dynamics/contact/wide/wide_kernels.inl"
}  // namespace

const WideKernels kBaselineKernels{
    gatherBlock, startBlocks, pushBlocks, finishBlock, moveBodies, {startBalls, solveBalls}, {startBundle, solveBundle}};

}  // namespace sunder::dynamics
