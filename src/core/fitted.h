// Vectors whose memory follows what they hold. A pile that lands needs several times the memory of the same pile at rest; what
// it needed must neither stay for ever nor come and go with every step.
#pragma once

#include <cstddef>
#include <iterator>
#include <vector>

namespace sunder {

// Whether the memory of `values` is too small for `count` elements, or far too large; and how much to take then.
template <class T>
bool fitsBadly(const std::vector<T>& values, std::size_t count) {
    constexpr std::size_t kSmall = 4096;  // bytes that nobody misses
    return count > values.capacity() || (values.capacity() > 2 * count && values.capacity() * sizeof(T) > kSmall);
}
constexpr std::size_t fittedCapacity(std::size_t count) { return count + count / 8; }

// Brings `values` to `count` elements, whose values are open where its memory changes.
template <class T>
void resizeFitted(std::vector<T>& values, std::size_t count) {
    if (fitsBadly(values, count)) {
        std::vector<T>().swap(values);  // first given back, then taken
        values.reserve(fittedCapacity(count));
    }
    values.resize(count);
}

// Makes room for `count` elements, of which the present ones stay.
template <class T>
void reserveFitted(std::vector<T>& values, std::size_t count) {
    if (!fitsBadly(values, count))
        return;
    std::vector<T> fitted;
    fitted.reserve(fittedCapacity(count));
    fitted.assign(std::make_move_iterator(values.begin()), std::make_move_iterator(values.end()));
    values.swap(fitted);
}

}  // namespace sunder
