// The heap of the timewarp steppers against a plain list.
#include "dynamics/timewarp/event_heap.h"

#include <gtest/gtest.h>

#include <map>

#include "core/random.h"

namespace sunder::dynamics {
namespace {

// Random calls, with many equal times: the first event is always that of the list with the least (time, number).
TEST(EventHeap, GivesTheFirstOfAPlainList) {
    core::Random random(7);
    EventHeap heap;
    std::map<std::uint32_t, Real> list;
    for (int i = 0; i < 5000; ++i) {
        const auto number = static_cast<std::uint32_t>(random.between(0, 60));
        if (random.between(0, 1) < 0.6) {
            const Real time = Real(static_cast<int>(random.between(0, 20)));
            heap.set(number, time);
            list[number] = time;
        } else {
            heap.remove(number);
            list.erase(number);
        }
        ASSERT_EQ(heap.size(), list.size());
        ASSERT_EQ(heap.has(number), list.count(number) > 0);
        if (list.empty())
            continue;
        auto first = list.begin();
        for (auto at = list.begin(); at != list.end(); ++at)
            if (at->second < first->second)
                first = at;
        ASSERT_EQ(heap.first(), first->first);
        ASSERT_EQ(heap.time(heap.first()), first->second);
    }
}

}  // namespace
}  // namespace sunder::dynamics
