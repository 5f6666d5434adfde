// Counts what operator new is asked for. It replaces the program's own, so one file of a test program includes it.
#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

namespace sunder::support {

inline std::atomic<long> allocations{0};

}  // namespace sunder::support

#pragma GCC diagnostic ignored "-Wmismatched-new-delete"  // g++ 12 sees free but not that new is ours
void* operator new(std::size_t size) {
    ++sunder::support::allocations;
    if (void* memory = std::malloc(size > 0 ? size : 1))
        return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    ++sunder::support::allocations;
    const std::size_t unit = static_cast<std::size_t>(alignment);
    if (void* memory = std::aligned_alloc(unit, (size + unit - 1) / unit * unit))
        return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
