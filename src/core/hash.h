// A 64-bit hash of bytes, equal on every little-endian machine; tests and replays compare it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace sunder {

class Hasher {
public:
    void add(std::uint64_t word) {
        state_ = (state_ ^ word) * 0x9e3779b97f4a7c15ull;
        state_ ^= state_ >> 32;
        state_ *= 0xd6e8feb86659fd93ull;
        state_ ^= state_ >> 29;
    }
    // The bit pattern of a number or of a struct without padding.
    template <class T>
    void addBits(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        const unsigned char* bytes = reinterpret_cast<const unsigned char*>(&value);
        std::size_t left = sizeof(T);
        for (; left >= 8; left -= 8, bytes += 8) {
            std::uint64_t word;
            std::memcpy(&word, bytes, 8);
            add(word);
        }
        if (left > 0) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes, left);
            add(word ^ (std::uint64_t(left) << 56));
        }
    }
    std::uint64_t value() const { return state_; }

private:
    std::uint64_t state_ = 0x5375'6e64'6572'0001ull;
};

}  // namespace sunder
