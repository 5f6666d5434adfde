// Vectors whose memory follows their size. A pile that lands needs several times the memory of the same pile at rest; that
// memory must neither stay for ever nor come and go with every step.
#pragma once

#include <cstddef>
#include <iterator>
#include <vector>

namespace sunder {

// Capacity to take for `count` elements, and when to give it back. The gap between the two is wider than the usual change from
// step to step.
constexpr std::size_t fittedCapacity(std::size_t count) { return count + count / 16 + 16; }
constexpr bool isFarTooMuch(std::size_t capacity, std::size_t count) { return capacity > count + count / 4 + 64; }

// Whether the memory of `values` is too small for `count` elements, or far too large.
template <class T, class A>
bool fitsBadly(const std::vector<T, A>& values, std::size_t count) {
    constexpr std::size_t kSmall = 4096;  // bytes: too little to give back
    return count > values.capacity() || (isFarTooMuch(values.capacity(), count) && values.capacity() * sizeof(T) > kSmall);
}

// Resizes `values` to `count` elements; their values are undefined where the memory changes.
template <class T, class A>
void resizeFitted(std::vector<T, A>& values, std::size_t count) {
    if (fitsBadly(values, count)) {
        std::vector<T, A>().swap(values);  // freed before more is taken
        values.reserve(fittedCapacity(count));
    }
    values.resize(count);
}

// Adds an element. The room that is taken for others after it is little enough to be kept by reserveFitted.
template <class T, class A>
void addFitted(std::vector<T, A>& values) {
    if (values.size() == values.capacity())
        values.reserve(values.size() + values.size() / 4 + 16);
    values.emplace_back();
}

// Makes room for `count` elements; the present ones stay.
template <class T, class A>
void reserveFitted(std::vector<T, A>& values, std::size_t count) {
    if (!fitsBadly(values, count))
        return;
    std::vector<T, A> fitted;
    fitted.reserve(fittedCapacity(count));
    fitted.assign(std::make_move_iterator(values.begin()), std::make_move_iterator(values.end()));
    values.swap(fitted);
}

// Empties `values`, whose number may change much from step to step; keeps twice the memory that they needed.
template <class T>
void clearFitted(std::vector<T>& values) {
    constexpr std::size_t kSmall = 16384;  // bytes: too little to give back
    const std::size_t count = values.size();
    values.clear();
    if (values.capacity() * sizeof(T) > kSmall && values.capacity() > 2 * fittedCapacity(count)) {
        std::vector<T>().swap(values);
        values.reserve(fittedCapacity(count));
    }
}

}  // namespace sunder
