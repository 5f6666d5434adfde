// The kernels that were compiled, one set per instruction set.
#pragma once

#include "dynamics/contact/wide_contact.h"

namespace sunder::dynamics {

extern const WideKernels kBaselineKernels;
#if defined(SUNDER_HAS_X86_KERNELS)
extern const WideKernels kAvx2Kernels, kAvx512Kernels;
// All parts of it that the kernels are compiled for.
inline bool hasAvx512() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
}
#endif

}  // namespace sunder::dynamics
