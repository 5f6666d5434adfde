#include "dynamics/contact/wide/wide_kernels.h"

#include "core/processor.h"

namespace sunder::dynamics {

const WideKernels& wideKernels() {
#if defined(SUNDER_HAS_X86_KERNELS)
    static const WideKernels& best = bestOf(kBaselineKernels, kAvx2Kernels, kAvx512Kernels);
    return best;
#else
    return kBaselineKernels;
#endif
}

}  // namespace sunder::dynamics
