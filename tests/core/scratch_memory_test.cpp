// One piece of memory that stages use in turn: it holds what they ask for, keeps its place while needs change little, and goes
// back once they are over.
#include "core/scratch_memory.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace sunder {
namespace {

TEST(ScratchMemory, PartsAreAlignedAndDoNotOverlap) {
    ScratchMemory memory;
    memory.begin(ScratchMemory::bytesOf<char>(3) + ScratchMemory::bytesOf<double>(5) + ScratchMemory::bytesOf<int>(1));
    const std::span<char> first = memory.take<char>(3);
    const std::span<double> second = memory.take<double>(5);
    const std::span<int> third = memory.take<int>(1);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second.data()) % ScratchMemory::kAlignment, 0u);
    EXPECT_LE(static_cast<void*>(first.data() + 3), static_cast<void*>(second.data()));
    EXPECT_LE(static_cast<void*>(second.data() + 5), static_cast<void*>(third.data()));
    EXPECT_GE(memory.size(), ScratchMemory::bytesOf<double>(5) + 2 * ScratchMemory::kAlignment);
}

// The stage that needs most decides, in whatever order they come.
TEST(ScratchMemory, FollowsTheLargestNeedOfAStep) {
    constexpr std::size_t kLanding = 10'000'000, kAtRest = 3'000'000;
    ScratchMemory memory;
    memory.begin(kLanding);
    const std::size_t most = memory.size();
    memory.begin(kAtRest);
    memory.fit();
    EXPECT_EQ(memory.size(), most);  // the landing is not over yet
    memory.begin(kAtRest);
    memory.fit();
    EXPECT_LT(memory.size(), kLanding / 2);
    const std::size_t atRest = memory.size();
    EXPECT_GE(atRest, kAtRest);
    for (const std::size_t wanted : {kAtRest, kAtRest / 100, kAtRest + kAtRest / 20, kAtRest / 10}) {
        memory.begin(wanted);
        memory.begin(kAtRest);
        memory.fit();
        EXPECT_EQ(memory.size(), atRest);  // steps at rest take none and give none
    }
}

TEST(Pages, LargeVectorsGoBack) {
    const std::size_t before = pagesHeld();
    {
        PagedVector<double> values(1'000'000, 1.0);
        EXPECT_EQ(values[999'999], 1.0);
#if defined(__linux__)
        EXPECT_GE(pagesHeld() - before, 8'000'000u);
#endif
    }
    EXPECT_EQ(pagesHeld(), before);
}

}  // namespace
}  // namespace sunder
