// What the processor that the program runs on can do, for kernels that are compiled for several.
#pragma once

namespace sunder {

#if defined(__x86_64__) && !defined(__EMSCRIPTEN__)
// All parts of it that kernels are compiled for.
inline bool hasAvx512() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
}

// The best of the same kernels that this processor can run.
template <class Kernels>
const Kernels& bestOf(const Kernels& baseline, const Kernels& avx2, const Kernels& avx512) {
    return hasAvx512() ? avx512 : __builtin_cpu_supports("avx2") ? avx2 : baseline;
}
#endif

}  // namespace sunder
