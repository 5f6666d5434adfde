// One piece of memory that the stages of a step use in turn. What one leaves there is lost once the next begins.
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
    static constexpr std::size_t kSpare = 32768;  // bytes that nobody misses

    // What `count` elements take of it.
    template <class T>
    static constexpr std::size_t bytesOf(std::size_t count) {
        return (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    }

    // Begins anew, with room for so many bytes.
    void begin(std::size_t bytes) {
        taken_ = 0;
        most_ = bytes > most_ ? bytes : most_;
        if (bytes > size_)
            allocate(fittedCapacity(bytes) + kSpare);
    }
    // The next elements, whose values are open.
    template <class T>
    std::span<T> take(std::size_t count) {
        static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kAlignment);
        T* first = reinterpret_cast<T*>(bytes_ + taken_);
        taken_ += bytesOf<T>(count);
        return {first, count};
    }
    // Gives memory back that nobody has needed since the last call. Ends whatever is in it.
    void fit() {
        if (isFarTooMuch(size_, most_ + 2 * kSpare))
            allocate(fittedCapacity(most_) + kSpare);
        most_ = 0;
    }
    std::size_t size() const { return size_; }

private:
    void allocate(std::size_t bytes) {
        free();  // first given back, then taken
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
