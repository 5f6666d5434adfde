#include "core/pages.h"

#include <atomic>
#include <cstdint>

#if (defined(__unix__) || defined(__APPLE__)) && !defined(__EMSCRIPTEN__)
#define SUNDER_HAS_MMAP 1
#include <sys/mman.h>
#endif

namespace sunder {

#if SUNDER_HAS_MMAP
namespace {

std::atomic<std::size_t> held{0};

// Bytes: smaller requests are not worth a system call.
constexpr std::size_t kLarge = std::size_t(1) << 17;

void* map(std::size_t bytes) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        throw std::bad_alloc();
    return memory;
}

#if defined(MADV_HUGEPAGE)

// Bytes. The solver walks constraints by colour and bodies in the order of their pairs, and much of its time goes into address
// translation (TLB misses), which large pages reduce. Memory starts at a multiple of a large page and asks for as many as fit.
constexpr std::size_t kLargePage = std::size_t(1) << 21;
constexpr std::size_t kMostPageSize = std::size_t(1) << 16;

std::size_t mappedBytes(std::size_t bytes) {
    return bytes < kLargePage ? bytes : (bytes + kMostPageSize - 1) / kMostPageSize * kMostPageSize;
}

void* mapPages(std::size_t bytes) {
    if (bytes < kLargePage)
        return map(bytes);
    const std::size_t wanted = mappedBytes(bytes);
    auto* first = static_cast<std::byte*>(map(wanted + kLargePage));
    const std::size_t before = (kLargePage - reinterpret_cast<std::uintptr_t>(first) % kLargePage) % kLargePage;
    std::byte* memory = first + before;
    if (before > 0)
        munmap(first, before);
    if (before < kLargePage)
        munmap(memory + wanted, kLargePage - before);
    madvise(memory, bytes / kLargePage * kLargePage, MADV_HUGEPAGE);  // a hint; nothing depends on it
    return memory;
}

#else

std::size_t mappedBytes(std::size_t bytes) { return bytes; }
void* mapPages(std::size_t bytes) { return map(bytes); }

#endif

}  // namespace
#endif

void* takePages(std::size_t bytes) {
#if SUNDER_HAS_MMAP
    if (bytes >= kLarge) {
        void* memory = mapPages(bytes);
        held.fetch_add(bytes, std::memory_order_relaxed);
        return memory;
    }
#endif
    return ::operator new(bytes, std::align_val_t(kPagesAlignment));
}

void givePages(void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if SUNDER_HAS_MMAP
    if (bytes >= kLarge) {
        munmap(memory, mappedBytes(bytes));
        held.fetch_sub(bytes, std::memory_order_relaxed);
        return;
    }
#endif
    ::operator delete(memory, std::align_val_t(kPagesAlignment));
}

std::size_t pagesHeld() {
#if SUNDER_HAS_MMAP
    return held.load(std::memory_order_relaxed);
#else
    return 0;
#endif
}

}  // namespace sunder
