// A list of stages, each a number of blocks that may run at once; a stage starts when the one before it is done.
//
// The whole list is handed to the task runner once: every worker walks through it, claims blocks and waits in between by
// spinning, because a solver has hundreds of stages of a few microseconds each. A stage is done when its blocks are done,
// whoever ran them, so workers that never start delay nobody.
#pragma once

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "core/task_runner.h"

namespace sunder {

class StageList {
public:
    using Block = void (*)(void* context, int argument, int block);

    void clear() { stages_.clear(); }
    // function(context, argument, block) for block in [0, blockCount); stages without blocks are left out.
    void add(int blockCount, Block function, void* context, int argument) {
        if (blockCount > 0)
            stages_.push_back({function, context, argument, blockCount});
    }

    void run(TaskRunner& runner) {
        if (runner.concurrency() <= 1) {
            for (const Stage& stage : stages_)
                for (int block = 0; block < stage.blockCount; ++block)
                    stage.function(stage.context, stage.argument, block);
            return;
        }
        if (counterCapacity_ < stages_.size()) {
            counterCapacity_ = stages_.size() + stages_.size() / 2;
            counters_ = std::make_unique<Counter[]>(counterCapacity_);
        }
        for (std::size_t i = 0; i < stages_.size(); ++i) {
            counters_[i].next.store(0, std::memory_order_relaxed);
            counters_[i].done.store(0, std::memory_order_relaxed);
        }
        runTasks(runner, runner.concurrency(), [this](int) { walk(); });
    }

private:
    struct Stage {
        Block function;
        void* context;
        int argument;
        int blockCount;
    };
    struct alignas(64) Counter {
        std::atomic<int> next{0}, done{0};
    };

    void walk() {
        constexpr int kSpinsBeforeYield = 2000;
        for (std::size_t i = 0; i < stages_.size(); ++i) {
            const Stage& stage = stages_[i];
            Counter& counter = counters_[i];
            for (int block = counter.next.fetch_add(1, std::memory_order_acq_rel); block < stage.blockCount;
                 block = counter.next.fetch_add(1, std::memory_order_acq_rel)) {
                stage.function(stage.context, stage.argument, block);
                counter.done.fetch_add(1, std::memory_order_acq_rel);
            }
            for (int spins = 0; counter.done.load(std::memory_order_acquire) < stage.blockCount; ++spins)
                if (spins > kSpinsBeforeYield)
                    std::this_thread::yield();
        }
    }

    std::vector<Stage> stages_;
    std::unique_ptr<Counter[]> counters_;
    std::size_t counterCapacity_ = 0;
};

}  // namespace sunder
