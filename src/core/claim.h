// Blocks that several threads take one by one, each block once.
#pragma once

#include <atomic>

namespace sunder {

// function(i) for those i in [0, count) that nobody has taken yet; how many.
template <class Function>
int runUntaken(std::atomic<int>& taken, int count, Function&& function) {
    int ran = 0;
    while (taken.load(std::memory_order_relaxed) < count)  // a look costs less than a try
        if (const int i = taken.fetch_add(1, std::memory_order_relaxed); i < count) {
            function(i);
            ++ran;
        }
    return ran;
}

}  // namespace sunder
