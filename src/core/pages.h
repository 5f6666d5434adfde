// Memory for large arrays, straight from the operating system where possible. An allocator keeps freed memory for itself; a
// pile that has landed needs a third of the memory that it needed before, and the rest is to go back to the system.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace sunder {

inline constexpr std::size_t kPagesAlignment = 64;

// Small requests come from operator new.
void* takePages(std::size_t bytes);
void givePages(void* memory, std::size_t bytes) noexcept;
// Bytes that all worlds hold from the operating system; for tests.
std::size_t pagesHeld();

template <class T>
struct PageAllocator {
    using value_type = T;  // NOLINT(readability-identifier-naming): the name that containers ask for

    PageAllocator() = default;
    template <class U>
    PageAllocator(const PageAllocator<U>&) {}  // NOLINT: allocators convert

    T* allocate(std::size_t count) {
        static_assert(alignof(T) <= kPagesAlignment);
        return static_cast<T*>(takePages(count * sizeof(T)));
    }
    void deallocate(T* memory, std::size_t count) noexcept { givePages(memory, count * sizeof(T)); }

    template <class U>
    bool operator==(const PageAllocator<U>&) const {
        return true;
    }
};

template <class T>
using PagedVector = std::vector<T, PageAllocator<T>>;

}  // namespace sunder
