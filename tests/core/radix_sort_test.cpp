// Sorted as std::stable_sort does it.
#include "core/radix_sort.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.h"

namespace sunder::testing {
namespace {

struct Item {
    std::uint64_t key = 0;
    int place = 0;
    friend bool operator==(const Item&, const Item&) = default;
};

TEST(RadixSort, EqualsAStableSort) {
    core::Random random(5);
    for (const int count : {0, 1, 2, 100, 3000})
        for (const int bits : {1, 9, 33, 64}) {
            std::vector<Item> items, scratch;
            for (int i = 0; i < count; ++i)
                items.push_back({random.bits() >> (64 - bits), i});
            std::vector<Item> expected = items;
            std::stable_sort(expected.begin(), expected.end(), [](const Item& a, const Item& b) { return a.key < b.key; });
            radixSort(items, scratch, [](const Item& item) { return item.key; });
            EXPECT_EQ(items, expected) << count << " keys of " << bits << " bits";
        }
}

}  // namespace
}  // namespace sunder::testing
