// Memory from the system: whole, aligned and given back, whatever its size.
#include "core/pages.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

namespace sunder {
namespace {

// Of every size class: heap, pages of the system, and pieces that begin where a large page can. All of it can be written, its
// neighbours stay, and what is given back is no longer held.
TEST(Pages, AreWholeAndGoBack) {
    const std::size_t before = pagesHeld();
    const std::size_t sizes[] = {1, 4096, (1u << 17) + 1, (1u << 21) - 1, 1u << 21, (1u << 21) + 1, (5u << 20) + 12345};
    constexpr std::size_t kCount = sizeof sizes / sizeof sizes[0];
    void* pieces[kCount];
    for (std::size_t i = 0; i < kCount; ++i) {
        pieces[i] = takePages(sizes[i]);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pieces[i]) % kPagesAlignment, 0u);
        std::memset(pieces[i], int(i) + 1, sizes[i]);
    }
    for (std::size_t i = 0; i < kCount; ++i) {
        const auto* bytes = static_cast<const unsigned char*>(pieces[i]);
        EXPECT_EQ(bytes[0], i + 1);
        EXPECT_EQ(bytes[sizes[i] - 1], i + 1);
    }
    for (std::size_t i = 0; i < kCount; ++i)
        givePages(pieces[i], sizes[i]);
    EXPECT_EQ(pagesHeld(), before);
}

}  // namespace
}  // namespace sunder
