// One piece of memory that the stages of a step use in turn. Its contents are lost when the next stage begins.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "core/fitted.h"
#include "core/pages.h"

namespace sunder {

class ScratchMemory {
public:
    ScratchMemory() = default;
    ScratchMemory(ScratchMemory&& other) noexcept { *this = std::move(other); }
    ScratchMemory& operator=(ScratchMemory&& other) noexcept {
        std::swap(bytes_, other.bytes_);
        std::swap(size_, other.size_);
        std::swap(taken_, other.taken_);
        std::swap(most_, other.most_);
        return *this;
    }
    ~ScratchMemory() { free(); }

    static constexpr std::size_t kAlignment = kPagesAlignment;
    static constexpr std::size_t kSpare = 32768;  // bytes: too little to give back

    // Bytes that `count` elements take.
    template <class T>
    static constexpr std::size_t bytesOf(std::size_t count) {
        return (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    }

    // Starts over, with room for this many bytes.
    void begin(std::size_t bytes) {
        taken_ = 0;
        most_ = bytes > most_ ? bytes : most_;
        if (bytes > size_)
            allocate(fittedCapacity(bytes) + kSpare);
    }
    // The next `count` elements; their values are undefined.
    template <class T>
    std::span<T> take(std::size_t count) {
        static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kAlignment);
        T* first = reinterpret_cast<T*>(bytes_ + taken_);
        taken_ += bytesOf<T>(count);
        return {first, count};
    }
    // As many elements as the remaining room holds.
    template <class T>
    std::span<T> takeRest() {
        return take<T>(taken_ < size_ ? (size_ - taken_) / sizeof(T) : 0);
    }
    // Gives back memory that was not needed since the last call. Invalidates the contents.
    void fit() {
        if (isFarTooMuch(size_, most_ + 2 * kSpare))
            allocate(fittedCapacity(most_) + kSpare);
        most_ = 0;
    }
    std::size_t size() const { return size_; }

private:
    void allocate(std::size_t bytes) {
        free();  // freed before more is taken
        bytes_ = static_cast<std::byte*>(takePages(bytes));
        size_ = bytes;
    }
    void free() {
        if (bytes_ != nullptr)
            givePages(bytes_, size_);
        bytes_ = nullptr;
        size_ = 0;
    }

    std::byte* bytes_ = nullptr;
    std::size_t size_ = 0, taken_ = 0, most_ = 0;
};

}  // namespace sunder
