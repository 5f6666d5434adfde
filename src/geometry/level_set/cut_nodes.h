// One bit per node of a piece's grid: outside of the piece, but once inside of the body it came from. Where the surface passes
// such a node it is a fracture surface.
#pragma once

#include <cstdint>
#include <vector>

namespace sunder::geometry {

class CutNodes {
public:
    CutNodes() = default;
    explicit CutNodes(std::size_t nodes) : words_((nodes + 63) / 64) {}
    // Of a whole body, which has none: nodes beyond the last word are not cut.
    bool isEmpty() const { return words_.empty(); }
    bool at(std::size_t node) const { return node / 64 < words_.size() && (words_[node / 64] >> (node % 64) & 1) != 0; }
    void set(std::size_t node) { words_[node / 64] |= std::uint64_t(1) << (node % 64); }
    // Nodes first .. first + count - 1 where the byte is 1; the bytes go on as zeros to the next multiple of 8.
    void setRow(std::size_t first, const std::uint8_t* bytes, std::size_t count) {
        for (std::size_t i = 0; i < count; i += 8) {
            std::uint64_t eight = 0;
            for (std::size_t k = 0; k < 8; ++k)  // the product below moves bit 8 k to bit 56 + k
                eight |= std::uint64_t(bytes[i + k]) << (8 * k);
            const std::uint64_t bits = eight * 0x0102040810204080u >> 56;
            const std::size_t at = first + i;
            words_[at / 64] |= bits << (at % 64);
            if (at % 64 > 56 && (bits >> (64 - at % 64)) != 0)
                words_[at / 64 + 1] |= bits >> (64 - at % 64);
        }
    }
    const std::vector<std::uint64_t>& words() const { return words_; }
    static CutNodes ofWords(std::vector<std::uint64_t> words) {
        CutNodes nodes;
        nodes.words_ = std::move(words);
        return nodes;
    }
    std::size_t memory() const { return words_.capacity() * sizeof(std::uint64_t); }

private:
    std::vector<std::uint64_t> words_;
};

}  // namespace sunder::geometry
