// Eight integers of sixteen bits, say of the corners of a cell: one vector on any machine. Comparisons give 0 or -1 per lane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sunder {

typedef std::int16_t Eight __attribute__((vector_size(16)));

// Bits that are set in any of the eight, and in all of them.
inline std::uint16_t anyBits(const Eight& eight) {
    std::uint64_t halves[2];
    std::memcpy(halves, &eight, sizeof halves);
    std::uint64_t bits = halves[0] | halves[1];
    bits |= bits >> 32;
    return std::uint16_t(bits | bits >> 16);
}
inline std::uint16_t commonBits(const Eight& eight) { return std::uint16_t(~anyBits(~eight)); }

// The numbers, or their negatives where the mask is set.
inline Eight negateWhere(const Eight& mask, const Eight& eight) { return (eight ^ mask) - mask; }

// At the corners of a cell from its lowest node (bit 0: x, bit 1: y, bit 2: z).
template <class From>
Eight atCorners(const From* lowest, std::size_t row, std::size_t slice) {
    const From *row0 = lowest, *row1 = lowest + row, *row2 = lowest + slice, *row3 = row2 + row;
    return Eight{std::int16_t(row0[0]), std::int16_t(row0[1]), std::int16_t(row1[0]), std::int16_t(row1[1]),
                 std::int16_t(row2[0]), std::int16_t(row2[1]), std::int16_t(row3[0]), std::int16_t(row3[1])};
}

}  // namespace sunder
