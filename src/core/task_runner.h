// The task runners that ship with the library.
#pragma once

#include <memory>

#include "sunder/tasks.h"

namespace sunder {

// threads <= 1 gives a serial runner; otherwise oneTBB where the library was built with it, else our own pool.
std::unique_ptr<TaskRunner> makeTaskRunner(int threads);
std::unique_ptr<TaskRunner> makeSerialRunner();
std::unique_ptr<TaskRunner> makeThreadPool(int threads);

// function(i) for every i in [0, count).
template <class Function>
void runTasks(TaskRunner& runner, int count, Function&& function) {
    runner.run(
        count, [](void* context, int index) { (*static_cast<std::remove_reference_t<Function>*>(context))(index); }, &function);
}

}  // namespace sunder
