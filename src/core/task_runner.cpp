// Serial runner and a small pool of std::thread for builds without oneTBB.
#include "core/task_runner.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "core/claim.h"

#if SUNDER_HAS_TBB
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace sunder {

namespace {

class SerialRunner final : public TaskRunner {
public:
    int concurrency() const override { return 1; }
    void run(int count, void (*function)(void*, int), void* context) override {
        for (int i = 0; i < count; ++i)
            function(context, i);
    }
};

// The indices of one call. Every worker has a share of its own, the same one in every call of that length, so that its data is
// still in its cache; a worker that has finished takes from the others' shares.
class IndexShares {
public:
    static constexpr int kMost = 64;

    void begin(int count, int workers) {
        count_ = count;
        shares_ = std::min(workers, kMost);
        for (int share = 0; share < shares_; ++share)
            taken_[share].count.store(0, std::memory_order_relaxed);
    }
    void work(int worker, void (*function)(void*, int), void* context) {
        for (int k = 0; k < shares_; ++k) {
            const int share = (worker + k) % shares_, begin = beginOf(share), size = beginOf(share + 1) - begin;
            runUntaken(taken_[share].count, size, [&](int i) { function(context, begin + i); });
        }
    }

private:
    struct alignas(64) Taken {
        std::atomic<int> count;
    };
    int beginOf(int share) const { return static_cast<int>(std::int64_t(count_) * share / shares_); }

    std::array<Taken, kMost> taken_;
    int count_ = 0, shares_ = 1;
};

// Workers sleep between calls of run.
class ThreadPool final : public TaskRunner {
public:
    explicit ThreadPool(int threads) {
        for (int i = 1; i < threads; ++i)
            workers_.emplace_back([this, i] { work(i); });
    }
    ~ThreadPool() override {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        wake_.notify_all();
        for (std::thread& worker : workers_)
            worker.join();
    }
    int concurrency() const override { return static_cast<int>(workers_.size()) + 1; }

    void run(int count, void (*function)(void*, int), void* context) override {
        {
            std::unique_lock lock(mutex_);
            idle_.wait(lock, [this] { return busy_ == 0; });  // a worker of the last call may still be leaving
            function_ = function;
            context_ = context;
            shares_.begin(count, concurrency());
            busy_ = static_cast<int>(workers_.size());
            ++round_;
        }
        wake_.notify_all();
        shares_.work(0, function, context);
        std::unique_lock lock(mutex_);
        idle_.wait(lock, [this] { return busy_ == 0; });
    }

private:
    void work(int worker) {
        unsigned seen = 0;
        for (;;) {
            {
                std::unique_lock lock(mutex_);
                wake_.wait(lock, [&] { return stopping_ || round_ != seen; });
                if (stopping_)
                    return;
                seen = round_;
            }
            shares_.work(worker, function_, context_);
            const std::lock_guard lock(mutex_);
            if (--busy_ == 0)
                idle_.notify_all();
        }
    }

    std::vector<std::thread> workers_;
    std::mutex mutex_;
    std::condition_variable wake_, idle_;
    void (*function_)(void*, int) = nullptr;
    void* context_ = nullptr;
    int busy_ = 0;
    unsigned round_ = 0;
    bool stopping_ = false;
    IndexShares shares_;
};

#if SUNDER_HAS_TBB
class TbbRunner final : public TaskRunner {
public:
    explicit TbbRunner(int threads) : threads_(threads), arena_(threads) {}
    int concurrency() const override { return threads_; }
    void run(int count, void (*function)(void*, int), void* context) override {
        IndexShares shares;
        shares.begin(count, threads_);
        arena_.execute([&] {
            oneapi::tbb::parallel_for(
                0, std::min(count, threads_),
                [&](int) { shares.work(oneapi::tbb::this_task_arena::current_thread_index(), function, context); },
                oneapi::tbb::static_partitioner());
        });
    }

private:
    int threads_;
    oneapi::tbb::task_arena arena_;
};
#endif

}  // namespace

std::unique_ptr<TaskRunner> makeSerialRunner() { return std::make_unique<SerialRunner>(); }
std::unique_ptr<TaskRunner> makeThreadPool(int threads) { return std::make_unique<ThreadPool>(threads); }

std::unique_ptr<TaskRunner> makeTaskRunner(int threads) {
    if (threads <= 1)
        return makeSerialRunner();
#if SUNDER_HAS_TBB
    // TBB prints a warning on standard error and gives fewer threads when asked for more than the machine has.
    if (threads <= oneapi::tbb::info::default_concurrency())
        return std::make_unique<TbbRunner>(threads);
#endif
    return makeThreadPool(threads);
}

}  // namespace sunder
