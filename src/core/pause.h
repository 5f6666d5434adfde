// A hint to the processor that a thread is spinning.
#pragma once

namespace sunder {

inline void pauseBriefly() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

}  // namespace sunder
