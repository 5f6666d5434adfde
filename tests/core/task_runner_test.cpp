// Runners call every index once, whatever the number of threads and of indices.
#include "core/task_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace sunder::testing {
namespace {

void expectEachOnce(TaskRunner& runner, int count) {
    std::vector<std::atomic<int>> calls(count);
    runTasks(runner, count, [&](int i) { ++calls[i]; });
    EXPECT_TRUE(std::all_of(calls.begin(), calls.end(), [](const std::atomic<int>& n) { return n == 1; }))
        << count << " indices, " << runner.concurrency() << " threads";
}

TEST(TaskRunnerTest, EveryIndexIsCalledOnce) {
    for (const int threads : {1, 2, 3, 7, 70})
        for (const bool own : {false, true}) {
            const auto runner = own ? makeThreadPool(threads) : makeTaskRunner(threads);
            for (const int count : {1, 2, 3, 6, 65, 1000})
                expectEachOnce(*runner, count);
        }
}

// A share that takes long is done by those who have finished theirs: the slow index waits until all others are done.
TEST(TaskRunnerTest, OthersTakeOverWhatASlowThreadHasLeft) {
    for (const bool own : {false, true}) {
        const auto runner = own ? makeThreadPool(2) : makeTaskRunner(2);
        constexpr int kCount = 100;
        std::atomic<int> done{0};
        runTasks(*runner, kCount, [&](int i) {
            while (runner->concurrency() > 1 && i == 0 && done < kCount - 1)
                std::this_thread::yield();
            ++done;
        });
        EXPECT_EQ(done, kCount);
    }
}

TEST(TaskRunnerTest, AnyIsFoundWhereverItLies) {
    const auto runner = makeThreadPool(3);
    for (const std::size_t place : {std::size_t(0), std::size_t(99), std::size_t(999)})
        EXPECT_TRUE(anyInRanges(*runner, 1000, 100, [&](std::size_t i) { return i == place; }));
    EXPECT_FALSE(anyInRanges(*runner, 1000, 100, [](std::size_t) { return false; }));
    EXPECT_FALSE(anyInRanges(*runner, 0, 100, [](std::size_t) { return true; }));
}

}  // namespace
}  // namespace sunder::testing
