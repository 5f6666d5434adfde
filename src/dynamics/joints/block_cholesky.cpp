#include "dynamics/joints/block_cholesky.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "dynamics/joints/dense_solve.h"

namespace sunder::dynamics {

namespace {

// Of a row's diagonal; less is nothing but rounding.
constexpr double kLeastPivot = 1e-11;

// Minimum degree: whoever has the fewest neighbours left goes next, the lowest number among equals; its neighbours then know
// each other. Returns for each block, in that order, those that come after it; empty where the budget is exceeded.
std::vector<std::pair<int, std::vector<int>>> eliminate(std::span<const int> sizes,
                                                        std::span<const std::pair<int, int>> neighbours, double budget) {
    const int count = static_cast<int>(sizes.size());
    std::vector<std::vector<int>> graph(count);  // ascending
    for (const auto& [i, j] : neighbours) {
        graph[i].push_back(j);
        graph[j].push_back(i);
    }
    for (std::vector<int>& list : graph) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    std::set<std::pair<int, int>> queue;
    for (int i = 0; i < count; ++i)
        queue.insert({static_cast<int>(graph[i].size()), i});
    std::vector<std::pair<int, std::vector<int>>> order;
    double cost = 0;
    std::vector<int> merged;
    while (!queue.empty()) {
        const int next = queue.begin()->second;
        queue.erase(queue.begin());
        std::vector<int> later = std::move(graph[next]);
        graph[next].clear();
        double rows = sizes[next];
        for (const int i : later)
            rows += sizes[i];
        cost += double(sizes[next]) * rows * rows;
        if (cost > budget)
            return {};
        for (const int i : later) {
            queue.erase({static_cast<int>(graph[i].size()), i});
            merged.clear();
            std::set_union(graph[i].begin(), graph[i].end(), later.begin(), later.end(), std::back_inserter(merged));
            std::erase_if(merged, [&](int j) { return j == i || j == next; });
            graph[i].assign(merged.begin(), merged.end());
            queue.insert({static_cast<int>(graph[i].size()), i});
        }
        order.push_back({next, std::move(later)});
    }
    return order;
}

// The same for blocks of six, as pieces on bonds have them: unrolled, and with b turned so that six sums advance together; each
// adds up in the same order.
void subtractSixes(double* target, const double* a, const double* b) {
    double turned[36];
    for (int j = 0; j < 6; ++j)
        for (int k = 0; k < 6; ++k)
            turned[k * 6 + j] = b[j * 6 + k];
    for (int i = 0; i < 6; ++i) {
        double sum[6] = {};
        for (int k = 0; k < 6; ++k)
            for (int j = 0; j < 6; ++j)
                sum[j] += a[i * 6 + k] * turned[k * 6 + j];
        for (int j = 0; j < 6; ++j)
            target[i * 6 + j] -= sum[j];
    }
}

// target -= a b^T
void subtractProduct(double* target, int targetStride, const double* a, int rowsA, const double* b, int rowsB, int inner,
                     int innerStride) {
    if (rowsA == 6 && rowsB == 6 && inner == 6 && innerStride == 6 && targetStride == 6)
        return subtractSixes(target, a, b);
    for (int i = 0; i < rowsA; ++i)
        for (int j = 0; j < rowsB; ++j) {
            double sum = 0;
            for (int k = 0; k < inner; ++k)
                sum += a[i * innerStride + k] * b[j * innerStride + k];
            target[i * targetStride + j] -= sum;
        }
}

}  // namespace

bool BlockCholesky::plan(std::span<const int> sizes, std::span<const std::pair<int, int>> neighbours, double budget) {
    columns_.clear();
    pairs_.clear();
    const int count = static_cast<int>(sizes.size());
    const auto order = eliminate(sizes, neighbours, budget);
    if (static_cast<int>(order.size()) != count)
        return false;
    position_.assign(count, 0);
    offsets_.assign(count + 1, 0);
    for (int p = 0; p < count; ++p)
        position_[order[p].first] = p;
    for (int i = 0; i < count; ++i)
        offsets_[i + 1] = offsets_[i] + sizes[i];
    std::uint32_t used = 0;
    const auto take = [&](int rows, int columns) { return std::exchange(used, used + std::uint32_t(rows * columns)); };
    for (int p = 0; p < count; ++p) {
        Column& column = columns_.emplace_back();
        column.joint = order[p].first;
        column.stride = sizes[column.joint];
        column.diagonal = take(column.stride, column.stride);
        for (const int later : order[p].second)
            column.below.push_back({position_[later], 0});
        std::sort(column.below.begin(), column.below.end(), [](const Block& x, const Block& y) { return x.row < y.row; });
        for (Block& block : column.below)
            block.offset = take(sizes[order[block.row].first], column.stride);
    }
    values_.assign(used, 0);
    const auto find = [&](int row, int column) {
        if (row == column)
            return columns_[column].diagonal;
        const std::vector<Block>& below = columns_[column].below;
        return std::lower_bound(below.begin(), below.end(), row, [](const Block& b, int r) { return b.row < r; })->offset;
    };
    for (Column& column : columns_)
        for (const Block& a : column.below)
            for (const Block& b : column.below)
                if (b.row <= a.row)
                    column.targets.push_back(find(a.row, b.row));
    for (const auto& [i, j] : neighbours) {
        const int row = std::max(position_[i], position_[j]), column = std::min(position_[i], position_[j]);
        pairs_.push_back({columns_[row].joint, columns_[column].joint, find(row, column)});
    }
    return true;
}

void BlockCholesky::clear(std::span<const int> rows) {
    std::fill(values_.begin(), values_.end(), 0.0);
    for (Column& column : columns_)
        column.rows = rows[column.joint];
}

void BlockCholesky::factor() {
    for (Column& column : columns_) {
        double* diagonal = values_.data() + column.diagonal;
        choleskyFactor(diagonal, column.rows, column.stride, kLeastPivot);
        for (const Block& block : column.below)  // B = B L^-T: row by row
            for (int r = 0; r < columns_[block.row].rows; ++r)
                choleskyForward(diagonal, values_.data() + block.offset + r * column.stride, column.rows, column.stride);
        std::size_t target = 0;
        for (const Block& a : column.below)
            for (const Block& b : column.below) {
                if (b.row > a.row)
                    break;
                subtractProduct(values_.data() + column.targets[target++], columns_[b.row].stride, values_.data() + a.offset,
                                columns_[a.row].rows, values_.data() + b.offset, columns_[b.row].rows, column.rows,
                                column.stride);
            }
    }
}

void BlockCholesky::solve(std::span<double> x) const {
    const auto piece = [&](int position) { return x.data() + offsets_[columns_[position].joint]; };
    for (std::size_t p = 0; p < columns_.size(); ++p) {
        const Column& column = columns_[p];
        double* y = piece(static_cast<int>(p));
        choleskyForward(values_.data() + column.diagonal, y, column.rows, column.stride);
        for (const Block& block : column.below) {
            double* other = piece(block.row);
            const double* values = values_.data() + block.offset;
            for (int r = 0; r < columns_[block.row].rows; ++r)
                for (int c = 0; c < column.rows; ++c)
                    other[r] -= values[r * column.stride + c] * y[c];
        }
    }
    for (std::size_t p = columns_.size(); p-- > 0;) {
        const Column& column = columns_[p];
        double* y = piece(static_cast<int>(p));
        for (const Block& block : column.below) {
            const double* other = piece(block.row);
            const double* values = values_.data() + block.offset;
            for (int r = 0; r < columns_[block.row].rows; ++r)
                for (int c = 0; c < column.rows; ++c)
                    y[c] -= values[r * column.stride + c] * other[r];
        }
        choleskyBackward(values_.data() + column.diagonal, y, column.rows, column.stride);
    }
}

}  // namespace sunder::dynamics
