// Eight integers of sixteen bits, say of the corners of a cell: one vector on any machine. Comparisons give 0 or -1 per lane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sunder {

typedef std::int16_t Eight __attribute__((vector_size(16)));

// From memory, of eight or sixteen bits each.
template <class From>
Eight loadEight(const From* from) {
    typedef From Lanes __attribute__((vector_size(8 * sizeof(From))));
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return __builtin_convertvector(lanes, Eight);
}

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

// Bit i is set where lane i of the mask is. Bytes are little-endian, as everywhere.
inline std::uint64_t bitsOf(const Eight& mask) {
#if defined(__SSE2__)
    return std::uint64_t(_mm_movemask_epi8(_mm_packs_epi16((__m128i)mask, _mm_setzero_si128())));
#else
    typedef std::int8_t Bytes __attribute__((vector_size(8)));
    const Bytes bytes = __builtin_convertvector(mask, Bytes);
    std::uint64_t word;
    std::memcpy(&word, &bytes, sizeof word);
    return (word & 0x0101010101010101u) * 0x0102040810204080u >> 56;  // moves bit 8 k to bit 56 + k
#endif
}

// Whether any lane of the mask is set.
inline bool isAny(const Eight& mask) {
#if defined(__SSE2__)
    return _mm_movemask_epi8((__m128i)mask) != 0;
#else
    return anyBits(mask) != 0;
#endif
}

// At the corners of a cell from its lowest node (bit 0: x, bit 1: y, bit 2: z), two neighbours along x at a time.
template <class From>
Eight atCorners(const From* lowest, std::size_t row, std::size_t slice) {
    typedef From Corners __attribute__((vector_size(8 * sizeof(From))));
    using Pair = std::conditional_t<sizeof(From) == 1, std::uint16_t, std::uint32_t>;
    typedef Pair Pairs __attribute__((vector_size(8 * sizeof(From))));
    static_assert(sizeof(Pair) == 2 * sizeof(From));
    const auto pairAt = [](const From* first) {
        Pair pair;
        std::memcpy(&pair, first, sizeof pair);
        return pair;
    };
    const Pairs pairs{pairAt(lowest), pairAt(lowest + row), pairAt(lowest + slice), pairAt(lowest + slice + row)};
    return __builtin_convertvector((Corners)pairs, Eight);
}

}  // namespace sunder
