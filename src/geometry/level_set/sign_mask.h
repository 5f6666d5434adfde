// One bit per node: inside or not. Scans for the surface can skip 64 nodes at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "geometry/level_set/level_set.h"

namespace sunder::geometry {

class SignMask {
public:
    template <class Stored>
    explicit SignMask(const LevelSet<Stored>& field);

    int wordsPerRow() const { return words_; }
    // Bit x % 64 of word x / 64 is set where node (x, y, z) is inside; bits beyond the row are clear.
    const std::uint64_t* row(int y, int z) const {
        return &bits_[std::size_t(words_) * (std::size_t(y) + std::size_t(nodes_.y) * std::size_t(z))];
    }

    std::size_t surfaceCellCount() const {
        std::size_t count = 0;
        forEachWord([&](const CellWord& cells) { count += std::size_t(std::popcount(cells.surface)); });
        return count;
    }

    // Calls visit(x, y, z, corners) for the cells that have corners on both sides, in ascending order. Bit i of corners is set
    // where corner i (bit 0 of i: x + 1, bit 1: y + 1, bit 2: z + 1) is inside.
    template <class Visit>
    void forEachSurfaceCell(const Visit& visit) const {
        forEachWord([&](const CellWord& cells) {
            for (std::uint64_t left = cells.surface; left != 0; left &= left - 1) {
                const int bit = std::countr_zero(left);
                visit(cells.x + bit, cells.y, cells.z, cornersOf(cells, bit));
            }
        });
    }

private:
    // 64 cells of a row: the nodes of its four edges at the low and the high x of each cell.
    struct CellWord {
        int x, y, z;
        std::uint64_t here[4], next[4];
        std::uint64_t surface;  // cells with corners on both sides
    };

    // The next node is the next bit, except at the end of a word.
    static unsigned cornersOf(const CellWord& cells, int bit) {
        unsigned corners = 0;
        for (int i = 0; i < 4; ++i)
            corners |= (bit < 63 ? unsigned(cells.here[i] >> bit & 3)
                                 : unsigned(cells.here[i] >> 63) | unsigned(cells.next[i] >> 63) << 1)
                       << (2 * i);
        return corners;
    }

    template <class Visit>
    void forEachWord(const Visit& visit) const {
        // Local copies, which no visitor can write to.
        const Int3 nodes = nodes_;
        const int words = words_;
        const std::size_t row = std::size_t(words), slice = row * std::size_t(nodes.y);
        const std::uint64_t* bits = bits_.data();
        for (int z = 0; z + 1 < nodes.z; ++z)
            for (int y = 0; y + 1 < nodes.y; ++y) {
                const std::uint64_t* first = bits + row * std::size_t(y) + slice * std::size_t(z);
                const std::uint64_t* rows[4] = {first, first + row, first + slice, first + slice + row};
                for (int word = 0; word < words; ++word) {
                    const CellWord cells = cellsAt(rows, word, words, nodes.x, y, z);
                    if (cells.surface != 0)
                        visit(cells);
                }
            }
    }

    static CellWord cellsAt(const std::uint64_t* const* rows, int word, int words, int nodes, int y, int z) {
        CellWord cells{64 * word, y, z, {}, {}, 0};
        std::uint64_t any = 0, all = ~std::uint64_t(0);
        for (int i = 0; i < 4; ++i) {
            const std::uint64_t carry = word + 1 < words ? rows[i][word + 1] << 63 : 0;
            cells.here[i] = rows[i][word];
            cells.next[i] = cells.here[i] >> 1 | carry;
            any |= cells.here[i] | cells.next[i];
            all &= cells.here[i] & cells.next[i];
        }
        const int count = nodes - 1 - cells.x;
        const std::uint64_t valid = count >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << (count > 0 ? count : 0)) - 1;
        cells.surface = any & ~all & valid;
        return cells;
    }

    Int3 nodes_;
    int words_ = 0;
    std::vector<std::uint64_t> bits_;
};

}  // namespace sunder::geometry
