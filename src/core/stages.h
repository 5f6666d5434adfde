// A list of stages, each a number of blocks that may run at once; a stage starts when the one before it is done.
//
// The whole list is handed to the task runner once, and every worker walks through it, because a solver has hundreds of stages
// of a few microseconds each. What is worked on is divided into neighbourhoods, and of every stage a worker takes the blocks of
// the same ones, so that they stay in the cache of one core. A share whose worker does not come is taken by another: workers
// that never start, or are held up, delay nobody for long.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "core/pause.h"
#include "core/task_runner.h"

namespace sunder {

class StageList {
public:
    using Block = void (*)(void* context, int argument, int block);

    // weights: how much work each neighbourhood is; must outlive the run.
    void clear(std::span<const std::uint32_t> weights) {
        stages_.clear();
        weights_ = weights;
    }
    // function(context, argument, block) for block in [0, blockCount); stages without blocks are left out. firstBlockOf: the
    // first block of every neighbourhood, and the end; null where the blocks are shared out evenly.
    void add(int blockCount, Block function, void* context, int argument, const std::uint32_t* firstBlockOf = nullptr) {
        if (blockCount > 0)
            stages_.push_back({function, context, argument, blockCount, blocksBefore() + blockCount, firstBlockOf});
    }

    void run(TaskRunner& runner) {
        const int workers = runner.concurrency();
        if (workers <= 1) {
            for (const Stage& stage : stages_)
                runBlocks(stage, 0, stage.blockCount);
            return;
        }
        prepare(workers);
        runTasks(runner, workers, [this](int worker) { walk(worker); });
    }

private:
    struct Stage {
        Block function;
        void* context;
        int argument;
        int blockCount;
        std::int64_t blocksSoFar;  // with those of the stages before
        const std::uint32_t* firstBlockOf;
    };
    // Written by its own worker, but for thefts.
    struct alignas(64) Worker {
        std::atomic<bool> hasArrived{false};
        std::unique_ptr<std::atomic<std::uint32_t>[]> claimedIn;  // by stage: the last run in which the share was claimed
    };

    struct alignas(64) Progress {
        std::atomic<std::int64_t> blocksDone{0};
    };

    std::int64_t blocksBefore() const { return stages_.empty() ? 0 : stages_.back().blocksSoFar; }

    void prepare(int workers) {
        if (capacity_ < stages_.size() || static_cast<int>(workers_.size()) != workers) {
            capacity_ = stages_.size() + stages_.size() / 2;
            workers_ = std::vector<Worker>(workers);
            for (Worker& worker : workers_)
                worker.claimedIn = std::make_unique<std::atomic<std::uint32_t>[]>(capacity_);
            run_ = 0;
        }
        shareNeighborhoods();
        ++run_;
        progress_->blocksDone.store(0, std::memory_order_relaxed);
        for (Worker& worker : workers_)
            worker.hasArrived.store(false, std::memory_order_relaxed);
    }

    // firstNeighborhood_[w] is where worker w's begin, so that all have about the same weight.
    void shareNeighborhoods() {
        std::uint64_t total = 0, sum = 0;
        for (const std::uint32_t weight : weights_)
            total += weight;
        const std::size_t workers = workers_.size();
        firstNeighborhood_.assign(1, 0);
        for (std::size_t i = 0; i < weights_.size(); ++i) {
            // A neighbourhood goes to the worker in whose part its middle lies.
            while (firstNeighborhood_.size() < workers &&
                   (2 * sum + weights_[i]) * workers >= 2 * total * firstNeighborhood_.size())
                firstNeighborhood_.push_back(static_cast<std::uint32_t>(i));
            sum += weights_[i];
        }
        firstNeighborhood_.resize(workers + 1, static_cast<std::uint32_t>(weights_.size()));
    }

    // The first block of a worker's share.
    int shareBegin(const Stage& stage, std::size_t worker) const {
        if (stage.firstBlockOf != nullptr)
            return static_cast<int>(stage.firstBlockOf[firstNeighborhood_[worker]]);
        return static_cast<int>(std::uint64_t(stage.blockCount) * worker / workers_.size());
    }

    static void runBlocks(const Stage& stage, int begin, int end) {
        for (int block = begin; block < end; ++block)
            stage.function(stage.context, stage.argument, block);
    }

    // Runs a worker's share of a stage unless somebody has it already.
    void runShare(std::size_t stageIndex, int worker) {
        const Stage& stage = stages_[stageIndex];
        const int begin = shareBegin(stage, worker), end = shareBegin(stage, worker + 1);
        if (begin == end || workers_[worker].claimedIn[stageIndex].exchange(run_, std::memory_order_acq_rel) == run_)
            return;
        runBlocks(stage, begin, end);
        progress_->blocksDone.fetch_add(end - begin, std::memory_order_acq_rel);
    }

    void walk(int worker) {
        constexpr int kPatience = 500, kPausesBeforeYield = 2000;
        workers_[worker].hasArrived.store(true, std::memory_order_relaxed);
        const int count = static_cast<int>(workers_.size());
        for (std::size_t i = 0; i < stages_.size(); ++i) {
            const auto isDone = [&] { return progress_->blocksDone.load(std::memory_order_acquire) >= stages_[i].blocksSoFar; };
            if (isDone())
                continue;
            runShare(i, worker);
            for (int pauses = 0; !isDone(); ++pauses) {
                pauseBriefly();
                if (pauses > kPausesBeforeYield)
                    std::this_thread::yield();
                for (int other = 0; other < count && (pauses == 0 || pauses == kPatience); ++other)
                    if (pauses == kPatience || !workers_[other].hasArrived.load(std::memory_order_relaxed))
                        runShare(i, other);
            }
        }
    }

    std::vector<Stage> stages_;
    std::vector<Worker> workers_;
    std::span<const std::uint32_t> weights_;
    std::vector<std::uint32_t> firstNeighborhood_;
    std::size_t capacity_ = 0;
    std::uint32_t run_ = 0;
    std::unique_ptr<Progress> progress_ = std::make_unique<Progress>();
};

}  // namespace sunder
