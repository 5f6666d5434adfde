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

// Of some nodes, the blocks of neighbours with higher numbers.
struct Rows {
    std::vector<std::uint32_t> counts;  // of neighbours, per node
    std::vector<std::uint32_t> neighbours;
    std::vector<double> values;
};

// The nodes from begin to end: first P^T A, over the fine rows of the support, then that times P. Both are sums of few blocks;
// all products of weights at once would be ten times as many.
void addRows(const BlockPattern& pattern, const BlockMatrix<double>& matrix, const CoarseNodes& coarse,
             const Supports& supports, std::size_t begin, std::size_t end, Rows& rows, std::vector<double>& diagonal) {
    BlockList half(pattern.rows()), whole(coarse.positions.size());
    for (std::size_t node = begin; node < end; ++node) {
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
                if (coarse.node[k] >= node)
                    addScaled(whole.at(coarse.node[k]), coarse.weight[k], half.block(i));
        for (std::size_t i = 0; i < whole.numbers.size(); ++i) {
            const double* values = whole.block(i);
            if (whole.numbers[i] == node) {
                std::copy(values, values + kBlockSize, diagonal.data() + kBlockSize * node);
            } else {
                rows.neighbours.push_back(whole.numbers[i]);
                rows.values.insert(rows.values.end(), values, values + kBlockSize);
            }
        }
        rows.counts.push_back(static_cast<std::uint32_t>(whole.numbers.size() - 1));
    }
}

// Calls visit(node, other, block) for every block above the diagonal, row by row.
template <class Visit>
void forEachAbove(const std::vector<Rows>& found, Visit&& visit) {
    std::uint32_t node = 0;
    for (const Rows& rows : found) {
        std::size_t at = 0;
        for (const std::uint32_t count : rows.counts) {
            for (std::uint32_t i = 0; i < count; ++i, ++at)
                visit(node, rows.neighbours[at], rows.values.data() + kBlockSize * at);
            ++node;
        }
    }
}

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

// The blocks below the diagonal are those above it, transposed.
CoarseMatrix galerkin(const BlockPattern& pattern, const BlockMatrix<double>& matrix, const CoarseNodes& coarse,
                      const Supports& supports, TaskRunner& runner) {
    const std::size_t nodes = coarse.positions.size();
    std::vector<Rows> found((nodes + kNodesPerTask - 1) / kNodesPerTask);
    CoarseMatrix out;
    out.diagonal.resize(kBlockSize * nodes);
    runTasks(runner, static_cast<int>(found.size()), [&](int block) {
        const std::size_t begin = std::size_t(block) * kNodesPerTask, end = std::min(nodes, begin + kNodesPerTask);
        addRows(pattern, matrix, coarse, supports, begin, end, found[std::size_t(block)], out.diagonal);
    });
    std::vector<std::uint32_t>& first = out.graph.first;
    first.assign(nodes + 1, 0);
    forEachAbove(found, [&](std::uint32_t node, std::uint32_t other, const double*) {
        ++first[node + 1];
        ++first[other + 1];
    });
    std::partial_sum(first.begin(), first.end(), first.begin());
    out.graph.neighbours.resize(first.back());
    out.values.resize(kBlockSize * first.back());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    forEachAbove(found, [&](std::uint32_t node, std::uint32_t other, const double* block) {
        const std::uint32_t above = next[node]++, below = next[other]++;
        out.graph.neighbours[above] = other;
        out.graph.neighbours[below] = node;
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b) {
                out.values[kBlockSize * above + 3 * b + a] = block[3 * b + a];
                out.values[kBlockSize * below + 3 * b + a] = block[3 * a + b];
            }
    });
    return out;
}

}  // namespace sunder::elastic
