// Random symmetric positive systems of blocks over given graphs, for a sparse solver and, densely, for its oracle.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/random.h"
#include "math/linear/block_cholesky.h"
#include "math/linear/elimination_order.h"

namespace sunder::linear {

using Pairs = std::vector<std::pair<int, int>>;

inline Pairs chain(int count) {
    Pairs pairs;
    for (int i = 0; i + 1 < count; ++i)
        pairs.push_back({i, i + 1});
    return pairs;
}

// Its middle is the first block.
inline Pairs star(int count) {
    Pairs pairs;
    for (int i = 1; i < count; ++i)
        pairs.push_back({i, 0});
    return pairs;
}

inline Pairs grid(int side) {
    Pairs pairs;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            if (x + 1 < side)
                pairs.push_back({y * side + x, y * side + x + 1});
            if (y + 1 < side)
                pairs.push_back({y * side + x, (y + 1) * side + x});
        }
    return pairs;
}

inline Pairs randomGraph(int count, int pairCount, std::uint64_t seed) {
    core::Random random(seed);
    std::vector<Pairs::value_type> pairs;
    std::vector<std::vector<bool>> has(count, std::vector<bool>(count, false));
    for (int k = 0; k < pairCount; ++k) {
        const int i = int(random.below(std::uint32_t(count))), j = int(random.below(std::uint32_t(count)));
        if (i == j || has[i][j])
            continue;
        has[i][j] = has[j][i] = true;
        pairs.push_back({i, j});
    }
    return pairs;
}

inline std::shared_ptr<const BlockPlan> planOf(const std::vector<int>& sizes, const Pairs& pairs) {
    return std::make_shared<const BlockPlan>(sizes, pairs, *minimumDegreeOrder(sizes, pairs));
}

// The oracle: a dense Cholesky factorisation written down from the definition.
class DenseSystem {
public:
    explicit DenseSystem(std::size_t size) : size_(size), values_(size * size, 0) {}
    double& at(std::size_t i, std::size_t j) { return values_[i * size_ + j]; }
    void set(std::size_t i, std::size_t j, double value) { at(i, j) = at(j, i) = value; }

    std::vector<double> solve(const std::vector<double>& b) const {
        std::vector<double> L = values_, x = b;
        for (std::size_t i = 0; i < size_; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                double sum = L[i * size_ + j];
                for (std::size_t k = 0; k < j; ++k)
                    sum -= L[i * size_ + k] * L[j * size_ + k];
                L[i * size_ + j] = i == j ? std::sqrt(sum) : sum / L[j * size_ + j];
            }
        for (std::size_t i = 0; i < size_; ++i) {
            for (std::size_t k = 0; k < i; ++k)
                x[i] -= L[i * size_ + k] * x[k];
            x[i] /= L[i * size_ + i];
        }
        for (std::size_t i = size_; i-- > 0;) {
            for (std::size_t k = i + 1; k < size_; ++k)
                x[i] -= L[k * size_ + i] * x[k];
            x[i] /= L[i * size_ + i];
        }
        return x;
    }

private:
    std::size_t size_;
    std::vector<double> values_;
};

// Diagonally dominant, hence positive, with numbers that depend on the seed and the blocks alone. rows: of each block. Entries
// are rounded to float, so that systems in float and in double are the same. dense: gets the same, without gaps.
template <class Matrix>
void fillRandom(Matrix& matrix, const std::vector<int>& rows, std::uint64_t seed, DenseSystem* dense = nullptr) {
    std::vector<int> first(rows.size() + 1, 0), degree(rows.size(), 1);
    for (std::size_t i = 0; i < rows.size(); ++i)
        first[i + 1] = first[i] + rows[i];
    const int pairCount = int(matrix.plan().pairs().size());
    for (int p = 0; p < pairCount; ++p) {
        const auto pair = matrix.pair(p);
        const int low = std::min(pair.row, pair.column), high = std::max(pair.row, pair.column);
        core::Random random(seed + std::uint64_t(low) * 1000003u + std::uint64_t(high));
        for (int r = 0; r < rows[low]; ++r)
            for (int c = 0; c < rows[high]; ++c) {
                const float value = float(random.between(-1, 1));
                (pair.row == low ? pair.values[r * pair.stride + c] : pair.values[c * pair.stride + r]) = value;
                if (dense)
                    dense->set(first[low] + r, first[high] + c, value);
            }
        degree[low] += rows[high];
        degree[high] += rows[low];
    }
    for (int i = 0; i < int(rows.size()); ++i) {
        core::Random random(seed + 77 + std::uint64_t(i) * 7919u);
        for (int r = 0; r < rows[i]; ++r)
            for (int c = 0; c <= r; ++c) {
                const float value = r == c ? float(degree[i] + rows[i]) : float(random.between(-1, 1));
                matrix.diagonal(i)[r * matrix.stride(i) + c] = value;
                if (dense)
                    dense->set(first[i] + r, first[i] + c, value);
            }
    }
}

}  // namespace sunder::linear
