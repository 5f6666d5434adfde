#include "geometry/level_set/sign_mask.h"

#include <algorithm>

#include "math/eight_integers.h"

namespace sunder::geometry {
namespace {

// Up to 64 sign bits; the last eight overlap those before them.
template <class Stored>
std::uint64_t gather(const Stored* values, int count) {
    std::uint64_t word = 0;
    for (int i = 0; count < 8 && i < count; ++i)
        word |= std::uint64_t(values[i] < 0) << i;
    for (int done = 0; count >= 8 && done < count; done += 8) {
        const int i = std::min(done, count - 8);
        word |= bitsOf(loadEight(values + i) < std::int16_t(0)) << i;
    }
    return word;
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
