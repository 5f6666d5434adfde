// Serial runner and a small pool of std::thread for builds without oneTBB.
#include "core/task_runner.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

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

// Workers sleep between calls of run. Within one call, indices are claimed from an atomic counter.
class ThreadPool final : public TaskRunner {
public:
    explicit ThreadPool(int threads) {
        for (int i = 1; i < threads; ++i)
            workers_.emplace_back([this] { work(); });
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
            idle_.wait(lock, [this] { return busy_ == 0; });  // a straggler of the last call may still be leaving
            function_ = function;
            context_ = context;
            count_ = count;
            next_.store(0, std::memory_order_relaxed);
            busy_ = static_cast<int>(workers_.size());
            ++round_;
        }
        wake_.notify_all();
        claim();
        std::unique_lock lock(mutex_);
        idle_.wait(lock, [this] { return busy_ == 0; });
    }

private:
    void claim() {
        for (int i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1))
            function_(context_, i);
    }
    void work() {
        unsigned seen = 0;
        for (;;) {
            {
                std::unique_lock lock(mutex_);
                wake_.wait(lock, [&] { return stopping_ || round_ != seen; });
                if (stopping_)
                    return;
                seen = round_;
            }
            claim();
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
    int count_ = 0;
    int busy_ = 0;
    unsigned round_ = 0;
    bool stopping_ = false;
    std::atomic<int> next_{0};
};

#if SUNDER_HAS_TBB
class TbbRunner final : public TaskRunner {
public:
    explicit TbbRunner(int threads) : threads_(threads), arena_(threads) {}
    int concurrency() const override { return threads_; }
    void run(int count, void (*function)(void*, int), void* context) override {
        arena_.execute([&] {
            oneapi::tbb::parallel_for(
                0, count, [&](int i) { function(context, i); }, oneapi::tbb::simple_partitioner());
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
    // Asked for more than the machine has, TBB complains on standard error and gives fewer.
    if (threads <= oneapi::tbb::info::default_concurrency())
        return std::make_unique<TbbRunner>(threads);
#endif
    return makeThreadPool(threads);
}

}  // namespace sunder
