// Heaps of every kind of body come to rest: how long after the last impact the last one falls asleep, over seeds and rates.
#include "scenes/heaps.h"

#include <algorithm>

#include "bars/bars.h"

namespace sunder::bars {

void heaps(Table& table) {
    constexpr int kCount = 150, kSeeds = 12;
    constexpr double kLanded = 4, kMost = kLanded + 10;  // s: the last of them has landed by then
    table.begin("heaps", "150 bodies of a kind in a pit, seeds 1 to 12");
    for (const scenes::HeapKindName& kind : scenes::kHeapKinds)
        for (const double rate : {30.0, 60.0}) {
            int awake = 0;
            double longest = 0;
            for (int seed = 1; seed <= kSeeds; ++seed) {
                scenes::Heap heap = scenes::heap({}, kind.kind, kCount, std::uint64_t(seed));
                const double time = scenes::timeToRest(heap, rate, kMost);
                longest = std::max(longest, time);
                awake += heap.world.stats().awake > 0;
            }
            table.check(format("heaps of %s at %.0f Hz that are awake 10 s after the last impact", kind.name, rate), "0 of 12",
                        format("%d of %d, longest %.1f s", awake, kSeeds, longest), awake == 0);
        }
}

}  // namespace sunder::bars
