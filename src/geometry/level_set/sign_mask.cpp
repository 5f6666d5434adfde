#include "geometry/level_set/sign_mask.h"

#include <algorithm>
#include <cstring>

namespace sunder::geometry {
namespace {

// The sign bits of eight bytes at once: the product moves bit 8 i + 7 to bit 56 + i. Bytes are little-endian.
std::uint64_t gather(const std::int8_t* values, int count) {
    std::uint64_t word = 0;
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        std::uint64_t bytes;
        std::memcpy(&bytes, values + i, 8);
        word |= ((bytes >> 7 & 0x0101010101010101u) * 0x0102040810204080u >> 56) << i;
    }
    for (; i < count; ++i)
        word |= std::uint64_t(values[i] < 0) << i;
    return word;
}

std::uint64_t gather(const std::int16_t* values, int count) {
    std::int8_t signs[64];
    for (int i = 0; i < count; ++i)
        signs[i] = std::int8_t(values[i] >> 8);
    return gather(signs, count);
}

}  // namespace

template <class Stored>
SignMask::SignMask(const LevelSet<Stored>& field) : nodes_(field.grid.nodes), words_((field.grid.nodes.x + 63) / 64) {
    const std::size_t rows = std::size_t(nodes_.y) * std::size_t(nodes_.z);
    bits_.resize(rows * std::size_t(words_));
    const Stored* values = field.values.data();
    std::uint64_t* out = bits_.data();
    for (std::size_t row = 0; row < rows; ++row, values += nodes_.x)
        for (int first = 0; first < nodes_.x; first += 64)
            *out++ = gather(values + first, std::min(64, nodes_.x - first));
}

template SignMask::SignMask(const LevelSet8&);
template SignMask::SignMask(const LevelSet16&);

}  // namespace sunder::geometry
