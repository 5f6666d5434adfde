// The kernels that were compiled, one set per instruction set.
#pragma once

#include "dynamics/contact/wide_contact.h"

namespace sunder::dynamics {

extern const WideKernels kBaselineKernels;
#if defined(SUNDER_HAS_AVX2_KERNELS)
extern const WideKernels kAvx2Kernels;
#endif

}  // namespace sunder::dynamics
