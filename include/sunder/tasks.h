// Threads belong to the host: a world runs its parallel stages through this interface.
#pragma once

#include <memory>

namespace sunder {

class TaskRunner {
public:
    virtual ~TaskRunner() = default;
    // How many calls of run's function may run at once, including the calling thread.
    virtual int concurrency() const = 0;
    // Calls function(context, i) for i in [0, count), in any order, on any threads, and returns when all are done.
    // The calling thread must take part. A call never waits for another call to start.
    virtual void run(int count, void (*function)(void* context, int index), void* context) = 0;
};

// A pool of threads, including the calling one, for hosts that have none; worlds may share it, one at a time.
std::unique_ptr<TaskRunner> makeThreadPool(int threads);

}  // namespace sunder
