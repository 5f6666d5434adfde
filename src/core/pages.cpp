#include "core/pages.h"

#include <atomic>

#if (defined(__unix__) || defined(__APPLE__)) && !defined(__EMSCRIPTEN__)
#define SUNDER_HAS_MMAP 1
#include <sys/mman.h>
#endif

namespace sunder {

#if SUNDER_HAS_MMAP
namespace {

std::atomic<std::size_t> held{0};

// Below this a call of the system costs more than the memory is worth.
constexpr std::size_t kLarge = std::size_t(1) << 17;

// What is walked through in an order of its own, as constraints are by colours, otherwise spends a part of its time on finding
// where pages lie. Of pieces that hold at least one large page wherever they begin; more than is used is never much.
void askForLargePages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
    constexpr std::size_t kTwoLargePages = std::size_t(1) << 22;
    if (bytes >= kTwoLargePages)
        madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: nothing depends on it
#endif
}

}  // namespace
#endif

void* takePages(std::size_t bytes) {
#if SUNDER_HAS_MMAP
    if (bytes >= kLarge) {
        void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            throw std::bad_alloc();
        askForLargePages(memory, bytes);
        held.fetch_add(bytes, std::memory_order_relaxed);
        return memory;
    }
#endif
    return ::operator new(bytes, std::align_val_t(kPagesAlignment));
}

void givePages(void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if SUNDER_HAS_MMAP
    if (bytes >= kLarge) {
        munmap(memory, bytes);
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
