// Turns a fuzzer's bytes into numbers, changes and choices; when they run out, everything is zero.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "sunder/types.h"

namespace sunder::fuzz {

inline void require(bool holds) {
    if (!holds)
        std::abort();
}

class ByteSource {
public:
    ByteSource(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

    std::size_t left() const { return left_; }
    template <class T>
    T take() {
        T value{};
        const std::size_t size = left_ < sizeof(T) ? left_ : sizeof(T);
        if (size > 0)
            std::memcpy(&value, data_, size);
        data_ += size;
        left_ -= size;
        return value;
    }
    std::uint32_t below(std::uint32_t count) { return take<std::uint8_t>() % count; }
    // 256 steps: coarse numbers line up with each other more often, which is where geometry goes wrong.
    Real between(Real low, Real high) { return low + (high - low) * Real(take<std::uint8_t>()) / 255; }
    Vec3 inBox(Real half) {
        const Real x = between(-half, half), y = between(-half, half), z = between(-half, half);
        return {x, y, z};
    }
    // Never far from a unit quaternion; often exactly along an axis.
    Quat rotation() {
        const Vec3 v = inBox(1);
        const Real squared = v.x * v.x + v.y * v.y + v.z * v.z;
        return below(2) || squared == 0 ? Quat{} : Quat{v.x, v.y, v.z, 1};
    }

    // Overwrites, flips and cuts bytes as the rest of the source says.
    void damage(std::vector<std::byte>& bytes) {
        while (left_ > 0 && !bytes.empty()) {
            const std::size_t at = take<std::uint16_t>() % bytes.size();
            switch (take<std::uint8_t>() % 8) {
                case 0: bytes.resize(at); break;
                case 1: overwrite(bytes, at, take<std::uint32_t>()); break;
                case 2: overwrite(bytes, at, take<Real>()); break;
                case 3: overwrite(bytes, at, 0xffffffffu); break;
                case 4: overwrite(bytes, at, take<std::uint8_t>()); break;
                default: bytes[at] ^= std::byte(take<std::uint8_t>()); break;
            }
        }
    }

private:
    template <class T>
    static void overwrite(std::vector<std::byte>& bytes, std::size_t at, T value) {
        std::memcpy(bytes.data() + at, &value, std::min(sizeof(T), bytes.size() - at));
    }

    const std::uint8_t* data_;
    std::size_t left_;
};

}  // namespace sunder::fuzz
