// A range whose items are computed on access. Assigning one to a vector writes the memory once; resizing it first would write
// it twice.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace sunder {

template <class Function>
class Generated {
public:
    class Iterator {
    public:
        // NOLINTBEGIN(readability-identifier-naming): the names that containers ask for
        using iterator_category = std::random_access_iterator_tag;
        using reference = decltype(std::declval<const Function&>()(std::size_t()));
        using value_type = std::remove_cvref_t<reference>;
        using difference_type = std::ptrdiff_t;
        using pointer = const value_type*;
        // NOLINTEND(readability-identifier-naming)

        Iterator(const Function* function, std::size_t at) : function_(function), at_(at) {}
        reference operator*() const { return (*function_)(at_); }
        Iterator& operator++() {
            ++at_;
            return *this;
        }
        Iterator operator++(int) { return {function_, at_++}; }
        Iterator& operator--() {
            --at_;
            return *this;
        }
        Iterator& operator+=(difference_type step) {
            at_ += std::size_t(step);
            return *this;
        }
        Iterator operator+(difference_type step) const { return {function_, at_ + std::size_t(step)}; }
        difference_type operator-(const Iterator& other) const { return difference_type(at_) - difference_type(other.at_); }
        bool operator==(const Iterator& other) const { return at_ == other.at_; }
        bool operator!=(const Iterator& other) const { return at_ != other.at_; }

    private:
        const Function* function_;
        std::size_t at_;
    };

    // Items function(i) for i in [0, count).
    Generated(std::size_t count, Function function) : function_(function), count_(count) {}
    Iterator begin() const { return {&function_, 0}; }
    Iterator end() const { return {&function_, count_}; }

private:
    Function function_;
    std::size_t count_;
};

}  // namespace sunder
