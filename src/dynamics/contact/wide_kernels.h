// The kernels that were compiled, one set per instruction set.
#pragma once

#include "dynamics/contact/wide_contact.h"
#include "math/processor.h"

namespace sunder::dynamics {

extern const WideKernels kBaselineKernels;
#if defined(SUNDER_HAS_X86_KERNELS)
extern const WideKernels kAvx2Kernels, kAvx512Kernels;
#endif

}  // namespace sunder::dynamics
