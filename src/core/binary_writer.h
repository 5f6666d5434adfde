// Appends bytes to a buffer. Numbers are stored in the machine's order: little-endian on every supported machine.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace sunder {

static_assert(std::endian::native == std::endian::little, "snapshots and logs are little-endian");

class BinaryWriter {
public:
    explicit BinaryWriter(std::size_t expectedBytes = 0) : buffer_(expectedBytes) {}

    // Room for `size` more bytes, to be filled by the caller before the next call.
    std::byte* extend(std::size_t size) {
        if (size > buffer_.size() - size_)
            buffer_.resize(std::max({std::size_t(kSmallest), 2 * buffer_.size(), size_ + size}));
        std::byte* at = buffer_.data() + size_;
        size_ += size;
        return at;
    }
    void bytes(const void* data, std::size_t size) {
        if (size > 0)
            std::memcpy(extend(size), data, size);
    }
    template <class T>
    void value(const T& number) {
        static_assert(std::is_arithmetic_v<T>);
        std::memcpy(extend(sizeof(T)), &number, sizeof(T));
    }

    // Overwrites a number that was written before.
    template <class T>
    void replace(std::size_t at, const T& number) {
        static_assert(std::is_arithmetic_v<T>);
        std::memcpy(buffer_.data() + at, &number, sizeof(T));
    }

    std::size_t size() const { return size_; }
    std::span<const std::byte> view() const { return {buffer_.data(), size_}; }
    void clear() { size_ = 0; }
    std::vector<std::byte> take() {
        buffer_.resize(size_);
        size_ = 0;
        return std::exchange(buffer_, {});
    }

private:
    static constexpr std::size_t kSmallest = 256;

    std::vector<std::byte> buffer_;
    std::size_t size_ = 0;
};

}  // namespace sunder
