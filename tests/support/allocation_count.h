// Counts what operator new is asked for, and the bytes that are in use. It replaces the program's own, so one file of a test
// program includes it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace sunder::support {

inline std::atomic<long> allocations{0};
inline std::atomic<long> bytesInUse{0};

// The size is kept in front of what is handed out, in as much room as keeps that aligned.
inline void* allocate(std::size_t size, std::size_t alignment) {
    const std::size_t room = alignment > alignof(std::max_align_t) ? alignment : alignof(std::max_align_t);
    auto* memory = static_cast<std::byte*>(std::aligned_alloc(room, (size + 2 * room - 1) / room * room));
    if (memory == nullptr)
        throw std::bad_alloc();
    *reinterpret_cast<std::size_t*>(memory) = size;
    ++allocations;
    bytesInUse += static_cast<long>(size);
    return memory + room;
}

inline void release(void* memory, std::size_t alignment) noexcept {
    if (memory == nullptr)
        return;
    const std::size_t room = alignment > alignof(std::max_align_t) ? alignment : alignof(std::max_align_t);
    std::byte* start = static_cast<std::byte*>(memory) - room;
    bytesInUse -= static_cast<long>(*reinterpret_cast<std::size_t*>(start));
    std::free(start);
}

}  // namespace sunder::support

#pragma GCC diagnostic ignored "-Wmismatched-new-delete"  // g++ 12 sees free but not that new is ours
// All forms, also those that by default call another one of these: a sanitizer brings its own of whatever is left out here.
// Those that may return nothing throw: tests do not run out of memory.
void* operator new(std::size_t size) { return sunder::support::allocate(size, 1); }
void* operator new[](std::size_t size) { return sunder::support::allocate(size, 1); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return sunder::support::allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return sunder::support::allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return sunder::support::allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return sunder::support::allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory, std::align_val_t alignment) noexcept {
    sunder::support::release(memory, static_cast<std::size_t>(alignment));
}
void operator delete[](void* memory, std::align_val_t alignment) noexcept { operator delete(memory, alignment); }
void operator delete(void* memory, std::size_t, std::align_val_t alignment) noexcept { operator delete(memory, alignment); }
void operator delete[](void* memory, std::size_t, std::align_val_t alignment) noexcept { operator delete(memory, alignment); }
void operator delete(void* memory) noexcept { sunder::support::release(memory, 1); }
void operator delete[](void* memory) noexcept { sunder::support::release(memory, 1); }
void operator delete(void* memory, std::size_t) noexcept { sunder::support::release(memory, 1); }
void operator delete[](void* memory, std::size_t) noexcept { sunder::support::release(memory, 1); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { sunder::support::release(memory, 1); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { sunder::support::release(memory, 1); }
