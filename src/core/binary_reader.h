// Reads what a BinaryWriter wrote. The bytes are not trusted: reading past the end, or a call of `refuse` for an impossible
// value, makes the reader fail for good; everything read after that is zero.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>

namespace sunder {

class BinaryReader {
public:
    explicit BinaryReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    // The next `size` bytes, or nullptr where there are fewer.
    const std::byte* next(std::size_t size) {
        if (failed_ || size > remaining()) {
            refuse();
            return nullptr;
        }
        const std::byte* at = bytes_.data() + position_;
        position_ += size;
        return at;
    }
    std::span<const std::byte> block(std::size_t size) {
        const std::byte* at = next(size);
        return at ? std::span(at, size) : std::span<const std::byte>{};
    }
    template <class T>
    T value() {
        static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
        T number{};
        if (const std::byte* at = next(sizeof(T)))
            std::memcpy(&number, at, sizeof(T));
        return number;
    }

    void refuse() { failed_ = true; }
    bool failed() const { return failed_; }
    std::size_t position() const { return position_; }
    std::size_t remaining() const { return failed_ ? 0 : bytes_.size() - position_; }

private:
    std::span<const std::byte> bytes_;
    std::size_t position_ = 0;
    bool failed_ = false;
};

}  // namespace sunder
