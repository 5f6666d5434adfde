// The task runners that ship with the library.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "sunder/tasks.h"

namespace sunder {

// threads <= 1 gives a serial runner; otherwise oneTBB where the library was built with it, else our own pool.
std::unique_ptr<TaskRunner> makeTaskRunner(int threads);
std::unique_ptr<TaskRunner> makeSerialRunner();

// Calls function(i) for every i in [0, count).
template <class Function>
void runTasks(TaskRunner& runner, int count, Function&& function) {
    if (count == 1)  // not worth waking a thread
        return function(0);
    if (count > 0)
        runner.run(
            count, [](void* context, int index) { (*static_cast<std::remove_reference_t<Function>*>(context))(index); },
            &function);
}

// Calls function(begin, end) for ranges that cover [0, count), at most perBlock long. For loops with independent iterations
// only: the ranges may differ from machine to machine.
template <class Function>
void runRanges(TaskRunner& runner, std::size_t count, std::size_t perBlock, Function&& function) {
    if (runner.concurrency() <= 1 || count <= perBlock) {
        function(std::size_t(0), count);
        return;
    }
    runTasks(runner, static_cast<int>((count + perBlock - 1) / perBlock), [&](int block) {
        const std::size_t begin = std::size_t(block) * perBlock;
        function(begin, begin + perBlock < count ? begin + perBlock : count);
    });
}

// Whether predicate(i) holds for any i in [0, count).
template <class Predicate>
bool anyInRanges(TaskRunner& runner, std::size_t count, std::size_t perBlock, Predicate&& predicate) {
    std::atomic<bool> any{false};
    runRanges(runner, count, perBlock, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end && !any.load(std::memory_order_relaxed); ++i)
            if (predicate(i))
                any.store(true, std::memory_order_relaxed);
    });
    return any;
}

}  // namespace sunder
