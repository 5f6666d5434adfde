// One bit per node of a piece's grid: outside the piece, but inside the body it broke off. Where the surface passes such a node
// it is a fracture surface.
#pragma once

#include <cstdint>
#include <vector>

namespace sunder::geometry {

class CutNodes {
public:
    CutNodes() = default;
    explicit CutNodes(std::size_t nodes) : words_((nodes + 63) / 64) {}
    // Nodes beyond the last word are not cut; a whole body has none.
    bool isEmpty() const { return words_.empty(); }
    bool at(std::size_t node) const { return node / 64 < words_.size() && (words_[node / 64] >> (node % 64) & 1) != 0; }
    void set(std::size_t node) { words_[node / 64] |= std::uint64_t(1) << (node % 64); }
    // The eight nodes from `first` on, as low bits; bits for nodes beyond the grid must be zero.
    std::uint64_t eightAt(std::size_t first) const {
        const std::size_t word = first / 64, shift = first % 64;
        std::uint64_t bits = word < words_.size() ? words_[word] >> shift : 0;
        if (shift > 56 && word + 1 < words_.size())
            bits |= words_[word + 1] << (64 - shift);
        return bits & 0xff;
    }
    void setEight(std::size_t first, std::uint64_t bits) { setEight(words_.data(), first, bits); }
    // Sets eight bits in words that will become the nodes.
    static void setEight(std::uint64_t* words, std::size_t first, std::uint64_t bits) {
        const std::size_t word = first / 64, shift = first % 64;
        words[word] |= bits << shift;
        if (shift > 56 && bits >> (64 - shift) != 0)
            words[word + 1] |= bits >> (64 - shift);
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
