// Manifolds of a search, kept by many threads: each comes back as it was, and what a landing took goes back.
#include "world/pair/manifold_pool.h"

#include <gtest/gtest.h>

#include <thread>

namespace sunder::world {
namespace {

collision::ManifoldList manifolds(int count, std::uint32_t firstKey) {
    collision::ManifoldList list(count);
    for (int i = 0; i < count; ++i)
        list[i].key = firstKey + std::uint32_t(i);
    return list;
}

TEST(ManifoldPool, KeepsWhatThreadsFound) {
    constexpr int kThreads = 4, kRounds = 300;
    ManifoldPool pool;
    for (int search = 0; search < 3; ++search) {
        std::vector<collision::ContactManifold> lent(500 * search);
        pool.begin(lent);
        std::vector<std::span<const collision::ContactManifold>> kept(kThreads * kRounds);
        std::vector<std::thread> threads;
        for (int thread = 0; thread < kThreads; ++thread)
            threads.emplace_back([&, thread] {
                for (int i = thread * kRounds; i < (thread + 1) * kRounds; ++i)
                    kept[i] = pool.keep(manifolds(i % 40, std::uint32_t(1000 * i)));
            });
        for (std::thread& thread : threads)
            thread.join();
        for (int i = 0; i < kThreads * kRounds; ++i) {
            ASSERT_EQ(kept[i].size(), std::size_t(i % 40));
            for (std::size_t k = 0; k < kept[i].size(); ++k)
                ASSERT_EQ(kept[i][k].key, 1000 * i + k);
        }
    }
}

TEST(ManifoldPool, GivesBackWhatALandingTook) {
#if defined(__linux__)
    const std::size_t before = pagesHeld();
    ManifoldPool pool;
    pool.begin({});
    for (int i = 0; i < 1000; ++i)
        pool.keep(manifolds(50, 0));
    EXPECT_GE(pagesHeld() - before, 45000 * sizeof(collision::ContactManifold));
    for (int search = 0; search < 2; ++search) {
        pool.begin({});
        pool.keep(manifolds(50, 0));
    }
    pool.begin({});
    EXPECT_EQ(pagesHeld(), before);
#endif
}

}  // namespace
}  // namespace sunder::world
