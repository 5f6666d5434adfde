// Indices that several threads take one by one, each index once.
#pragma once

#include <atomic>

namespace sunder {

// Calls function(i) for those i in [0, count) that no thread has taken yet; returns how many.
template <class Function>
int runUntaken(std::atomic<int>& taken, int count, Function&& function) {
    int ran = 0;
    while (taken.load(std::memory_order_relaxed) < count)  // a load is cheaper than a failed fetch_add
        if (const int i = taken.fetch_add(1, std::memory_order_relaxed); i < count) {
            function(i);
            ++ran;
        }
    return ran;
}

}  // namespace sunder
