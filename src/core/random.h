// Random numbers that are equal on every machine and in every build: splitmix64, and a conversion of our own from bits to
// numbers.
#pragma once

#include <cstdint>

namespace sunder::core {

class Random {
public:
    explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

    constexpr std::uint64_t bits() {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t mixed = state_;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
        return mixed ^ (mixed >> 31);
    }
    // In [0, 1), from the top 53 bits, so every value is exact.
    constexpr double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
    constexpr double between(double low, double high) { return low + (high - low) * unit(); }
    // In [0, count); the bias of the multiplication is below count / 2^32.
    constexpr std::uint32_t below(std::uint32_t count) {
        return static_cast<std::uint32_t>(((bits() >> 32) * std::uint64_t(count)) >> 32);
    }

private:
    std::uint64_t state_;
};

}  // namespace sunder::core
