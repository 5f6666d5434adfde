// Bits and small numbers of a recording: integers of any length in bytes, and codes that adapt to the sizes they meet.
//   [WSS96] Weinberger, Seroussi and Sapiro, LOCO-I: Golomb-Rice codes with a parameter from the running mean
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/binary_reader.h"
#include "core/binary_writer.h"

namespace sunder::scene {

// Quanta: positions beyond are clamped. Below 2^53, up to which double holds all integers.
inline constexpr double kFarthest = 4e15;

// Maps signed numbers to unsigned ones, small to small: 0, -1, 1, -2 become 0, 1, 2, 3.
inline std::uint64_t zigzag(std::int64_t value) { return (std::uint64_t(value) << 1) ^ std::uint64_t(value >> 63); }
inline std::int64_t unzigzag(std::uint64_t code) { return std::int64_t(code >> 1) ^ -std::int64_t(code & 1); }
// Differences that wrap instead of overflowing: a damaged file may hold any number.
inline std::int64_t minus(std::int64_t a, std::int64_t b) { return std::int64_t(std::uint64_t(a) - std::uint64_t(b)); }
inline std::int64_t plus(std::int64_t a, std::int64_t b) { return std::int64_t(std::uint64_t(a) + std::uint64_t(b)); }

// Seven bits per byte, lowest first.
inline void writeVarint(BinaryWriter& out, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        out.value(std::uint8_t(value | 0x80));
    out.value(std::uint8_t(value));
}
inline std::uint64_t readVarint(BinaryReader& in) {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        const auto byte = in.value<std::uint8_t>();
        value |= std::uint64_t(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            return value;
    }
    in.refuse();
    return 0;
}
// A count of things that take at least `leastBytes` each; refused where the rest of the data cannot hold them.
inline std::size_t readCount(BinaryReader& in, std::size_t leastBytes) {
    const std::uint64_t count = readVarint(in);
    if (count > in.remaining() / leastBytes) {
        in.refuse();
        return 0;
    }
    return std::size_t(count);
}

inline void writeText(BinaryWriter& out, std::string_view text) {
    writeVarint(out, text.size());
    out.bytes(text.data(), text.size());
}
inline std::string readText(BinaryReader& in) {
    const std::span<const std::byte> block = in.block(readCount(in, 1));
    return {reinterpret_cast<const char*>(block.data()), block.size()};
}

class BitWriter {
public:
    explicit BitWriter(BinaryWriter& out) : out_(out) {}
    ~BitWriter() { flush(); }
    BitWriter(const BitWriter&) = delete;
    BitWriter& operator=(const BitWriter&) = delete;

    // The lowest `count` bits, up to 32.
    void bits(std::uint64_t value, int count) {
        held_ |= (value & ((std::uint64_t(1) << count) - 1)) << heldCount_;
        heldCount_ += count;
        if (heldCount_ >= 32) {
            out_.value(std::uint32_t(held_));
            held_ >>= 32;
            heldCount_ -= 32;
        }
    }
    void flush() {
        for (; heldCount_ > 0; heldCount_ -= 8, held_ >>= 8)
            out_.value(std::uint8_t(held_));
        heldCount_ = 0;
        held_ = 0;
    }

private:
    BinaryWriter& out_;
    std::uint64_t held_ = 0;
    int heldCount_ = 0;
};

class BitReader {
public:
    explicit BitReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    std::uint64_t bits(int count) {
        while (heldCount_ < count) {
            if (at_ >= bytes_.size()) {
                failed_ = true;
                return 0;
            }
            held_ |= std::uint64_t(bytes_[at_++]) << heldCount_;
            heldCount_ += 8;
        }
        const std::uint64_t value = held_ & ((std::uint64_t(1) << count) - 1);
        held_ >>= count;
        heldCount_ -= count;
        return value;
    }
    bool failed() const { return failed_; }
    std::size_t remaining() const { return failed_ ? 0 : 8 * (bytes_.size() - at_) + std::size_t(heldCount_); }  // bits

private:
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
    std::uint64_t held_ = 0;
    int heldCount_ = 0;
    bool failed_ = false;
};

// [WSS96] A number is written as quotient (in ones) and remainder by 2^k, where k follows the mean of the numbers before it.
class AdaptiveCode {
public:
    void write(BitWriter& out, std::int64_t value) {
        const std::uint64_t code = zigzag(value);
        const int k = parameter();
        const std::uint64_t quotient = code >> k;
        if (quotient < kEscape) {
            out.bits((std::uint64_t(1) << quotient) - 1, int(quotient) + 1);
            out.bits(code, k);
        } else {
            out.bits((std::uint64_t(1) << kEscape) - 1, kEscape);
            out.bits(code, 32);
            out.bits(code >> 32, 32);
        }
        learn(code);
    }
    std::int64_t read(BitReader& in) {
        const int k = parameter();
        std::uint64_t quotient = 0;
        while (quotient < kEscape && in.bits(1) == 1)
            ++quotient;
        std::uint64_t code = 0;
        if (quotient < kEscape) {
            code = (quotient << k) | in.bits(k);
        } else {
            code = in.bits(32);
            code |= in.bits(32) << 32;
        }
        learn(code);
        return unzigzag(code);
    }

private:
    static constexpr int kEscape = 20;  // ones in front of a number that is written in full, in 64 bits
    static constexpr std::uint64_t kLargest = std::uint64_t(1) << 26;  // keeps k below 32 and the sum small
    static constexpr std::uint32_t kMemory = 12;  // numbers after which count and sum are halved, so that old ones fade

    int parameter() const {
        int k = 0;
        while ((std::uint64_t(count_) << (k + 1)) <= sum_)
            ++k;
        return k;
    }
    void learn(std::uint64_t code) {
        sum_ += code < kLargest ? code : kLargest;
        if (++count_ >= kMemory) {
            sum_ /= 2;
            count_ /= 2;
        }
    }

    std::uint64_t sum_ = 4;
    std::uint32_t count_ = 1;
};

}  // namespace sunder::scene
