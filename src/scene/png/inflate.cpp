#include "scene/png/inflate.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "sunder/definitions.h"

namespace sunder::scene {

namespace {

[[noreturn]] void damaged() { throw Error("its compressed data are damaged"); }

constexpr int kLongestCode = 15;  // bits

// Bits of a byte come lowest first.
class DeflateBits {
public:
    explicit DeflateBits(std::string_view data) : data_(data) {}

    std::uint32_t take(int count) {
        while (held_ < count) {
            if (next_ >= data_.size())
                damaged();
            bits_ |= std::uint32_t(std::uint8_t(data_[next_++])) << held_;
            held_ += 8;
        }
        const std::uint32_t value = bits_ & ((1u << count) - 1);
        bits_ >>= count;
        held_ -= count;
        return value;
    }
    std::string_view takeBytes(std::size_t count) {
        bits_ = 0;  // the rest of a byte that was begun is padding; take() never holds a whole byte more
        held_ = 0;
        if (count > data_.size() - next_)
            damaged();
        next_ += count;
        return data_.substr(next_ - count, count);
    }

private:
    std::string_view data_;
    std::size_t next_ = 0;
    std::uint32_t bits_ = 0;
    int held_ = 0;
};

// A prefix code that is given by the lengths of its words alone: words of one length are consecutive numbers, by symbol, and
// shorter ones come first.
class PrefixCode {
public:
    PrefixCode(const std::uint8_t* lengths, int symbols) {
        for (int symbol = 0; symbol < symbols; ++symbol)
            ++counts_[lengths[symbol]];
        counts_[0] = 0;
        int left = 1;  // words that are not taken yet
        for (int length = 1; length <= kLongestCode; ++length) {
            left = 2 * left - counts_[length];
            if (left < 0)
                damaged();
        }
        std::array<int, kLongestCode + 2> first{};
        for (int length = 1; length <= kLongestCode; ++length)
            first[length + 1] = first[length] + counts_[length];
        for (int symbol = 0; symbol < symbols; ++symbol)
            if (lengths[symbol] != 0)
                symbols_[first[lengths[symbol]]++] = std::uint16_t(symbol);
    }
    int read(DeflateBits& bits) const {
        int word = 0, firstWord = 0, firstSymbol = 0;
        for (int length = 1; length <= kLongestCode; ++length) {
            word |= int(bits.take(1));
            if (word - firstWord < counts_[length])
                return symbols_[firstSymbol + word - firstWord];
            firstSymbol += counts_[length];
            firstWord = (firstWord + counts_[length]) * 2;
            word *= 2;
        }
        damaged();
    }

private:
    std::array<int, kLongestCode + 1> counts_{};  // by length
    std::array<std::uint16_t, 288> symbols_{};    // by word
};

// Lengths of copies and distances back: a base and further bits, by symbol.
struct CodeRange {
    std::uint16_t base;
    std::uint8_t bits;
};

template <std::size_t Count>
constexpr std::array<CodeRange, Count> rangesOf(int first, int alike) {
    std::array<CodeRange, Count> ranges{};
    int base = first;
    for (std::size_t i = 0; i < Count; ++i) {
        // The first symbols have no bits; then every `alike` of them have one more.
        const int bits = std::max(0, int(i) / alike - 1);
        ranges[i] = {std::uint16_t(base), std::uint8_t(bits)};
        base += 1 << bits;
    }
    return ranges;
}

constexpr std::array<CodeRange, 29> kLengths = [] {
    std::array<CodeRange, 29> ranges = rangesOf<29>(3, 4);
    ranges[28] = {258, 0};  // the longest has a symbol of its own
    return ranges;
}();
constexpr std::array<CodeRange, 30> kDistances = rangesOf<30>(1, 2);
static_assert(kLengths[27].base == 227 && kLengths[27].bits == 5 && kDistances[29].base == 24577 && kDistances[29].bits == 13);

struct Codes {
    PrefixCode literals, distances;
};

Codes fixedCodes() {
    std::array<std::uint8_t, 288> literals{};
    for (int i = 0; i < 288; ++i)
        literals[i] = std::uint8_t(i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
    std::array<std::uint8_t, 30> distances{};
    distances.fill(5);
    return {{literals.data(), 288}, {distances.data(), 30}};
}

// The lengths of both codes' words are themselves written in a prefix code, runs shortened.
Codes readCodes(DeflateBits& bits) {
    constexpr std::uint8_t kOrder[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    const int literals = 257 + int(bits.take(5)), distances = 1 + int(bits.take(5)), lengths = 4 + int(bits.take(4));
    if (literals > 286 || distances > 30)
        damaged();
    std::array<std::uint8_t, 19> ofLengths{};
    for (int i = 0; i < lengths; ++i)
        ofLengths[kOrder[i]] = std::uint8_t(bits.take(3));
    const PrefixCode code(ofLengths.data(), 19);
    std::array<std::uint8_t, 286 + 30> all{};
    for (int at = 0; at < literals + distances;) {
        const int symbol = code.read(bits);
        if (symbol < 16) {
            all[at++] = std::uint8_t(symbol);
            continue;
        }
        if (symbol == 16 && at == 0)
            damaged();
        const std::uint8_t repeated = symbol == 16 ? all[at - 1] : std::uint8_t(0);
        const int count = symbol == 16 ? 3 + int(bits.take(2)) : symbol == 17 ? 3 + int(bits.take(3)) : 11 + int(bits.take(7));
        if (at + count > literals + distances)
            damaged();
        std::fill_n(all.begin() + at, count, repeated);
        at += count;
    }
    return {{all.data(), literals}, {all.data() + literals, distances}};
}

class Inflater {
public:
    Inflater(std::string_view data, std::size_t most) : bits_(data), most_(most) {}

    std::string run() {
        for (bool isLast = false; !isLast;) {
            isLast = bits_.take(1) == 1;
            switch (bits_.take(2)) {
                case 0: copyStored(); break;
                case 1: expand(fixedCodes()); break;
                case 2: expand(readCodes(bits_)); break;
                default: damaged();
            }
        }
        return std::move(out_);
    }

private:
    void makeRoom(std::size_t count) const {
        if (count > most_ - out_.size())
            throw Error("its compressed data hold more than they should");
    }
    void copyStored() {
        const std::string_view head = bits_.takeBytes(4);
        const auto byte = [&](int i) { return std::uint32_t(std::uint8_t(head[i])); };
        const std::uint32_t count = byte(0) | byte(1) << 8, check = byte(2) | byte(3) << 8;
        if ((count ^ check) != 0xffff)
            damaged();
        makeRoom(count);
        out_ += bits_.takeBytes(count);
    }
    void expand(const Codes& codes) {
        constexpr int kEnd = 256;
        for (int symbol = codes.literals.read(bits_); symbol != kEnd; symbol = codes.literals.read(bits_)) {
            if (symbol < kEnd) {
                makeRoom(1);
                out_ += char(symbol);
            } else {
                copyEarlier(symbol - kEnd - 1, codes.distances);
            }
        }
    }
    void copyEarlier(int lengthSymbol, const PrefixCode& distances) {
        if (lengthSymbol >= int(kLengths.size()))
            damaged();
        const CodeRange length = kLengths[lengthSymbol];
        const std::size_t count = length.base + bits_.take(length.bits);
        const CodeRange distance = kDistances[distances.read(bits_)];
        const std::size_t back = distance.base + bits_.take(distance.bits);
        if (back > out_.size())
            damaged();
        makeRoom(count);
        for (std::size_t i = 0; i < count; ++i)  // what is copied may begin with what this copies
            out_ += out_[out_.size() - back];
    }

    DeflateBits bits_;
    std::size_t most_;
    std::string out_;
};

std::uint32_t adler32(std::string_view data) {
    std::uint32_t low = 1, high = 0;
    for (const char c : data) {
        low = (low + std::uint8_t(c)) % 65521;
        high = (high + low) % 65521;
    }
    return high << 16 | low;
}

}  // namespace

std::string inflate(std::string_view compressed, std::size_t most) {
    constexpr std::size_t kHead = 2, kCheck = 4;
    if (compressed.size() < kHead + kCheck)
        damaged();
    const std::uint32_t method = std::uint8_t(compressed[0]), flags = std::uint8_t(compressed[1]);
    if ((method & 15) != 8 || (method << 8 | flags) % 31 != 0 || (flags & 32) != 0)
        damaged();
    std::string data = Inflater(compressed.substr(kHead, compressed.size() - kHead - kCheck), most).run();
    std::uint32_t check = 0;
    for (const char c : compressed.substr(compressed.size() - kCheck))
        check = check << 8 | std::uint8_t(c);
    if (check != adler32(data))
        damaged();
    return data;
}

}  // namespace sunder::scene
