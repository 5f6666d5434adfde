#include "elastic/multigrid/galerkin.h"

#include <algorithm>
#include <numeric>

#include "core/none.h"

namespace sunder::elastic {

namespace {

constexpr std::size_t kNodesPerTask = 64;

// Twelve numbers, of which nine count: three loads of four.
constexpr std::size_t kRoom = 12;

void addScaled(double* target, double scale, const double* block) {
    const FourDoubles s{scale, scale, scale, scale};
    const FourDoubles low = loadFour(target) + s * loadFour(block), high = loadFour(target + 4) + s * loadFour(block + 4);
    std::memcpy(target, &low, sizeof low);
    std::memcpy(target + 4, &high, sizeof high);
    target[8] += scale * block[8];
}

// A sparse list of blocks by number, in the order in which they were first met.
class BlockList {
public:
    explicit BlockList(std::size_t size) : place_(size, kNone) {}

    double* at(std::uint32_t number) {
        if (place_[number] == kNone) {
            place_[number] = static_cast<std::uint32_t>(numbers.size());
            numbers.push_back(number);
            blocks_.resize(kRoom * numbers.size(), 0.0);
        }
        return blocks_.data() + kRoom * place_[number];
    }
    const double* block(std::size_t place) const { return blocks_.data() + kRoom * place; }
    void clear() {
        for (const std::uint32_t number : numbers)
            place_[number] = kNone;
        numbers.clear();
        blocks_.clear();
    }

    std::vector<std::uint32_t> numbers;

private:
    std::vector<std::uint32_t> place_;
    std::vector<double> blocks_;
};

struct Rows {
    std::vector<std::uint32_t> neighbours;
    std::vector<double> values;
};

}  // namespace

Supports supportsOf(const CoarseNodes& coarse) {
    Supports out;
    const std::size_t nodes = coarse.positions.size();
    out.first.assign(nodes + 1, 0);
    for (const std::uint32_t node : coarse.node)
        ++out.first[node + 1];
    std::partial_sum(out.first.begin(), out.first.end(), out.first.begin());
    out.row.resize(coarse.node.size());
    out.weight.resize(coarse.node.size());
    std::vector<std::uint32_t> next(out.first.begin(), out.first.end() - 1);
    for (std::uint32_t row = 0; row + 1 < coarse.first.size(); ++row)
        for (std::uint32_t k = coarse.first[row]; k < coarse.first[row + 1]; ++k) {
            const std::uint32_t at = next[coarse.node[k]]++;
            out.row[at] = row;
            out.weight[at] = coarse.weight[k];
        }
    return out;
}

// Row by row: first P^T A, over the fine rows of the support, then that times P. Both are sums of few blocks; all products of
// weights at once would be ten times as many.
CoarseMatrix galerkin(const BlockPattern& pattern, const BlockMatrix<double>& matrix, const CoarseNodes& coarse,
                      const Supports& supports, TaskRunner& runner) {
    const std::size_t nodes = coarse.positions.size();
    const int blocks = static_cast<int>((nodes + kNodesPerTask - 1) / kNodesPerTask);
    std::vector<Rows> found(blocks);
    CoarseMatrix out;
    out.graph.first.assign(nodes + 1, 0);
    out.diagonal.resize(kBlockSize * nodes);
    runTasks(runner, blocks, [&](int block) {
        BlockList half(pattern.rows()), whole(nodes);
        Rows& rows = found[block];
        const std::size_t end = std::min(nodes, (std::size_t(block) + 1) * kNodesPerTask);
        for (std::size_t node = block * kNodesPerTask; node < end; ++node) {
            half.clear();
            whole.clear();
            for (std::uint32_t s = supports.first[node]; s < supports.first[node + 1]; ++s) {
                const std::uint32_t row = supports.row[s];
                const double w = supports.weight[s];
                addScaled(half.at(row), w, matrix.diagonal.data() + kBlockSize * row);
                for (std::uint32_t k = pattern.first[row]; k < pattern.first[row + 1]; ++k)
                    addScaled(half.at(pattern.columns[k]), w, matrix.values.data() + kBlockSize * k);
            }
            for (std::size_t i = 0; i < half.numbers.size(); ++i)
                for (std::uint32_t k = coarse.first[half.numbers[i]]; k < coarse.first[half.numbers[i] + 1]; ++k)
                    addScaled(whole.at(coarse.node[k]), coarse.weight[k], half.block(i));
            for (std::size_t i = 0; i < whole.numbers.size(); ++i) {
                const double* values = whole.block(i);
                if (whole.numbers[i] == node) {
                    std::copy(values, values + kBlockSize, out.diagonal.data() + kBlockSize * node);
                } else {
                    rows.neighbours.push_back(whole.numbers[i]);
                    rows.values.insert(rows.values.end(), values, values + kBlockSize);
                }
            }
            out.graph.first[node + 1] = static_cast<std::uint32_t>(whole.numbers.size() - 1);
        }
    });
    std::partial_sum(out.graph.first.begin(), out.graph.first.end(), out.graph.first.begin());
    for (const Rows& rows : found) {
        out.graph.neighbours.insert(out.graph.neighbours.end(), rows.neighbours.begin(), rows.neighbours.end());
        out.values.insert(out.values.end(), rows.values.begin(), rows.values.end());
    }
    return out;
}

}  // namespace sunder::elastic
