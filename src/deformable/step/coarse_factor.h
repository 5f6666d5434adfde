// A symmetric matrix of 6 x 6 blocks, one row of blocks for each group, factored as U^T U by blocks, sparsely: most groups
// touch few others.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "sunder/types.h"

namespace sunder::deformable {

// A set of groups. std::bitset cannot be walked.
class GroupSet {
public:
    static constexpr std::size_t kMost = 512;

    void add(std::uint32_t group) { words_[group / 64] |= std::uint64_t(1) << group % 64; }
    void remove(std::uint32_t group) { words_[group / 64] &= ~(std::uint64_t(1) << group % 64); }
    bool has(std::uint32_t group) const { return (words_[group / 64] >> group % 64 & 1) != 0; }
    void addAll(const GroupSet& other) {
        for (std::size_t w = 0; w < words_.size(); ++w)
            words_[w] |= other.words_[w];
    }
    std::uint32_t count() const {
        int sum = 0;
        for (const std::uint64_t word : words_)
            sum += std::popcount(word);
        return static_cast<std::uint32_t>(sum);
    }
    // In ascending order.
    template <class Function>
    void forEach(Function&& function) const {
        for (std::uint32_t w = 0; w < words_.size(); ++w)
            for (std::uint64_t left = words_[w]; left != 0; left &= left - 1)
                function(64 * w + static_cast<std::uint32_t>(std::countr_zero(left)));
    }

private:
    std::array<std::uint64_t, kMost / 64> words_{};
};

class CoarseFactor {
public:
    // Chooses the order of elimination for a matrix that has these blocks beside its diagonal, both (g, h) and (h, g): the
    // group that is linked to the fewest others first, then by number, so that few blocks are filled in.
    void order(std::span<const GroupSet> links);
    // Whether the factor has a place for this block.
    bool has(std::uint32_t g, std::uint32_t h) const {
        return g == h || (isBefore(g, h) ? filled_[g].has(h) : filled_[h].has(g));
    }
    bool isBefore(std::uint32_t g, std::uint32_t h) const { return place_[g] < place_[h]; }
    // All blocks are zero.
    void clear();
    // A block of 6 x 6, by rows. g is eliminated before h, or is h; the other half follows by symmetry.
    Real* block(std::uint32_t g, std::uint32_t h) { return &blocks_[36 * std::size_t(at(g, h))]; }
    // Factors the matrix of the blocks that have been added up; these are lost.
    void factor();
    void solve(std::span<Real> x) const;

private:
    std::uint32_t& at(std::uint32_t g, std::uint32_t h) { return at_[std::size_t(g) * groups_ + h]; }

    std::size_t groups_ = 0;
    std::vector<GroupSet> filled_;       // of the rows of the factor
    std::vector<std::uint32_t> degree_;  // of groups that are left
    std::vector<std::uint32_t> eliminated_, place_;
    std::vector<std::uint32_t> first_, column_;  // by places: blocks of a row, that on the diagonal first
    std::vector<std::uint32_t> at_;              // by pairs of groups that have a block: which
    std::vector<Real> blocks_, pivot_;
};

}  // namespace sunder::deformable
