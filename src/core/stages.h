// A list of stages, each a number of blocks that may run at once; a stage starts when the one before it is done.
//
// The whole list is handed to the task runner once, and every worker walks through it, because a solver has hundreds of stages
// of a few microseconds each. The work is divided into neighbourhoods. Of every stage a worker takes the blocks of its own
// neighbourhoods, so that their data stays in one core's cache. A worker that has finished takes blocks of the others' shares:
// shares are uneven, and a worker that starts late or is held up then delays nobody for longer than a block. Consecutive stages
// of a single block are done by one worker, because handing over takes as long as many a block.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "core/claim.h"
#include "core/pause.h"
#include "core/task_runner.h"

namespace sunder {

class StageList {
public:
    using Block = void (*)(void* context, int argument, int block);

    // weights: amount of work of each neighbourhood; must outlive the run.
    void clear(std::span<const std::uint32_t> weights) {
        stages_.clear();
        calls_.clear();
        weights_ = weights;
    }
    // Adds function(context, argument, block) for block in [0, blockCount); stages without blocks are skipped. firstBlockOf:
    // the first block of every neighbourhood, and the end; null where the blocks are divided evenly.
    void add(int blockCount, Block function, void* context, int argument, const std::uint32_t* firstBlockOf = nullptr) {
        if (blockCount <= 0)
            return;
        calls_.push_back({function, context, argument});
        if (blockCount == 1 && !stages_.empty() && stages_.back().blockCount == 1)
            ++stages_.back().callCount;
        else
            stages_.push_back({calls_.size() - 1, 1, blockCount, blocksBefore() + blockCount, firstBlockOf});
    }

    void run(TaskRunner& runner) {
        const int workers = runner.concurrency();
        if (workers <= 1) {
            for (const Stage& stage : stages_)
                for (int block = 0; block < stage.blockCount; ++block)
                    runBlock(stage, block);
            return;
        }
        prepare(workers);
        runTasks(runner, workers, [this](int worker) { walk(worker); });
    }

private:
    struct Call {
        Block function;
        void* context;
        int argument;
    };
    struct Stage {
        std::size_t firstCall, callCount;  // more than one where consecutive stages of one block were merged
        int blockCount;
        std::int64_t blocksSoFar;  // including those of the stages before
        const std::uint32_t* firstBlockOf;
    };
    struct alignas(64) Worker {
        std::unique_ptr<std::atomic<int>[]> taken;  // by stage: blocks of this share that are taken
    };

    // All workers write one and all read the other, so each has a cache line of its own.
    struct Progress {
        alignas(64) std::atomic<std::int64_t> blocksDone{0};
        alignas(64) std::atomic<std::size_t> stagesDone{0};
    };

    std::int64_t blocksBefore() const { return stages_.empty() ? 0 : stages_.back().blocksSoFar; }

    void prepare(int workers) {
        if (capacity_ < stages_.size() || static_cast<int>(workers_.size()) != workers) {
            capacity_ = stages_.size() + stages_.size() / 2;
            workers_ = std::vector<Worker>(workers);
            for (Worker& worker : workers_)
                worker.taken = std::make_unique<std::atomic<int>[]>(capacity_);
        }
        shareNeighborhoods();
        progress_->blocksDone.store(0, std::memory_order_relaxed);
        progress_->stagesDone.store(0, std::memory_order_relaxed);
        for (Worker& worker : workers_)
            for (std::size_t i = 0; i < stages_.size(); ++i)
                worker.taken[i].store(0, std::memory_order_relaxed);
    }

    // shareBegins_[w]: where the share of worker w begins, as a number of neighbourhoods with a fraction, so that all shares
    // have about equal weight.
    void shareNeighborhoods() {
        double total = 0, sum = 0;
        for (const std::uint32_t weight : weights_)
            total += weight;
        const std::size_t workers = workers_.size();
        shareBegins_.clear();
        for (std::size_t i = 0; i < weights_.size(); sum += weights_[i++])
            while (shareBegins_.size() < workers && sum + weights_[i] > total * double(shareBegins_.size()) / double(workers))
                shareBegins_.push_back({i, (total * double(shareBegins_.size()) / double(workers) - sum) / weights_[i]});
        shareBegins_.resize(workers + 1, {weights_.size(), 0});
    }

    // The first block of a worker's share.
    int shareBegin(const Stage& stage, std::size_t worker) const {
        if (stage.firstBlockOf == nullptr)
            return static_cast<int>(std::uint64_t(stage.blockCount) * worker / workers_.size());
        const auto [neighborhood, part] = shareBegins_[worker];
        const auto first = static_cast<int>(stage.firstBlockOf[neighborhood]);
        if (neighborhood == weights_.size())
            return first;
        return first + static_cast<int>(part * (static_cast<int>(stage.firstBlockOf[neighborhood + 1]) - first));
    }

    void runBlock(const Stage& stage, int block) const {
        for (std::size_t i = stage.firstCall; i < stage.firstCall + stage.callCount; ++i)
            calls_[i].function(calls_[i].context, calls_[i].argument, block);
    }

    // Runs the blocks of a worker's share of a stage that nobody has taken yet.
    void runShare(std::size_t stageIndex, int worker) {
        const Stage& stage = stages_[stageIndex];
        const int begin = shareBegin(stage, worker), size = shareBegin(stage, worker + 1) - begin;
        const int ran =
            runUntaken(workers_[worker].taken[stageIndex], size, [&](int block) { runBlock(stage, begin + block); });
        if (ran > 0 && progress_->blocksDone.fetch_add(ran, std::memory_order_acq_rel) + ran == stage.blocksSoFar)
            progress_->stagesDone.store(stageIndex + 1, std::memory_order_release);
    }

    void walk(int worker) {
        constexpr int kPausesBeforeYield = 2000;
        const int count = static_cast<int>(workers_.size());
        for (std::size_t i = 0; i < stages_.size(); ++i) {
            const auto isDone = [&] { return progress_->stagesDone.load(std::memory_order_acquire) > i; };
            for (int k = 0; k < count && !isDone(); ++k)
                runShare(i, (worker + k) % count);
            for (int pauses = 0; !isDone(); ++pauses) {
                pauseBriefly();
                if (pauses > kPausesBeforeYield)
                    std::this_thread::yield();
            }
        }
    }

    std::vector<Stage> stages_;
    std::vector<Call> calls_;  // stage by stage
    std::vector<Worker> workers_;
    std::span<const std::uint32_t> weights_;
    struct ShareBegin {
        std::size_t neighborhood;
        double part;
    };
    std::vector<ShareBegin> shareBegins_;
    std::size_t capacity_ = 0;
    std::unique_ptr<Progress> progress_ = std::make_unique<Progress>();
};

}  // namespace sunder
