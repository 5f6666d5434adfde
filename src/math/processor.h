// What the processor that the program runs on can do, for kernels that are compiled for several.
#pragma once

namespace sunder {

#if defined(__x86_64__) && !defined(__EMSCRIPTEN__)
// All parts of it that kernels are compiled for.
inline bool hasAvx512() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
}
#endif

}  // namespace sunder
