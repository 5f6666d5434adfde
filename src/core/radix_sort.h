// A stable sort by whole numbers whose time grows with their count alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sunder {

// Sorts items by keyOf(item), a std::uint64_t, byte by byte from the lowest; bytes that all keys share cost one look. scratch
// is kept by the caller for its memory.
template <class Item, class Key>
void radixSort(std::vector<Item>& items, std::vector<Item>& scratch, Key&& keyOf) {
    constexpr int kBytes = 8, kValues = 256;
    std::uint64_t varying = 0;
    for (const Item& item : items)
        varying |= keyOf(item) ^ keyOf(items.front());
    scratch.resize(items.size());
    for (int byte = 0; byte < kBytes; ++byte) {
        const int shift = 8 * byte;
        if ((varying >> shift & 0xff) == 0)
            continue;
        std::size_t next[kValues + 1] = {};
        for (const Item& item : items)
            ++next[(keyOf(item) >> shift & 0xff) + 1];
        for (int value = 0; value < kValues; ++value)
            next[value + 1] += next[value];
        for (const Item& item : items)
            scratch[next[keyOf(item) >> shift & 0xff]++] = item;
        items.swap(scratch);
    }
}

}  // namespace sunder
