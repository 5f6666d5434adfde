#include "math/linear/block_plan.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace sunder::linear {

BlockPlan::BlockPlan(std::span<const int> capacities, std::span<const std::pair<int, int>> neighbours,
                     std::span<const int> order) {
    const int count = static_cast<int>(capacities.size());
    assert(order.size() == capacities.size());
    position_.assign(count, -1);
    offsets_.assign(count + 1, 0);
    columns_.reserve(count + 1);
    for (int p = 0; p < count; ++p) {
        assert(position_[order[p]] < 0);
        position_[order[p]] = p;
        columns_.push_back({order[p], capacities[order[p]], 0, 0});
    }
    columns_.push_back({});
    for (int i = 0; i < count; ++i)
        offsets_[i + 1] = offsets_[i] + capacities[i];
    findFill(neighbours);
    layOut();
    pairs_.reserve(neighbours.size());
    for (const auto& [i, j] : neighbours) {
        const int row = std::max(position_[i], position_[j]), column = std::min(position_[i], position_[j]);
        pairs_.push_back({columns_[row].block, columns_[column].block, find(row, column)});
    }
}

// The rows of each column: its own, and what its children in the elimination tree hand up.
void BlockPlan::findFill(std::span<const std::pair<int, int>> neighbours) {
    constexpr int kNone = -1;
    const int count = blockCount();
    std::vector<std::pair<int, int>> own;  // column, row
    own.reserve(neighbours.size());
    for (const auto& [i, j] : neighbours)
        own.push_back(std::minmax({position_[i], position_[j]}));
    std::sort(own.begin(), own.end());
    std::vector<int> firstChild(count, kNone), nextSibling(count, kNone), seenBy(count, kNone);
    auto next = own.begin();
    for (int p = 0; p < count; ++p) {
        const std::size_t first = below_.size();
        columns_[p].firstBelow = static_cast<std::uint32_t>(first);
        const auto add = [&](int row) {
            if (row > p && std::exchange(seenBy[row], p) != p)
                below_.push_back({row, 0});
        };
        for (; next != own.end() && next->first == p; ++next)
            add(next->second);
        for (int child = firstChild[p]; child != kNone; child = nextSibling[child])
            for (std::uint32_t k = columns_[child].firstBelow; k < columns_[child + 1].firstBelow; ++k)
                add(below_[k].row);
        std::sort(below_.begin() + std::ptrdiff_t(first), below_.end(),
                  [](const Below& a, const Below& b) { return a.row < b.row; });
        if (first < below_.size()) {
            const int parent = below_[first].row;
            nextSibling[p] = std::exchange(firstChild[parent], p);
        }
    }
    columns_[count].firstBelow = static_cast<std::uint32_t>(below_.size());
}

void BlockPlan::layOut() {
    const auto take = [&](int rows, int columns) {
        return static_cast<std::uint32_t>(std::exchange(valueCount_, valueCount_ + std::size_t(rows) * std::size_t(columns)));
    };
    for (int p = 0; p < blockCount(); ++p) {
        Column& column = columns_[p];
        column.diagonal = take(column.capacity, column.capacity);
        for (Below& block : std::span(below_).subspan(column.firstBelow, below(p).size()))
            block.values = take(columns_[block.row].capacity, column.capacity);
    }
    assert(valueCount_ <= std::numeric_limits<std::uint32_t>::max());
}

std::uint32_t BlockPlan::find(int row, int column) const {
    const std::span<const Below> blocks = below(column);
    return std::lower_bound(blocks.begin(), blocks.end(), row, [](const Below& b, int r) { return b.row < r; })->values;
}

}  // namespace sunder::linear
