#include "math/linear/front_cholesky.h"

#include <algorithm>
#include <numeric>

#include "math/linear/block_cholesky.h"
#include "math/linear/dense_cholesky.h"
#include "math/linear/front_kernels.h"

namespace sunder::linear {

namespace {

constexpr int kSize = FrontCholesky::kSize, kBlock = FrontCholesky::kBlock;
static_assert(kSize == kFrontBlock);

void turn(const double* block, double* turned) {
    for (int i = 0; i < kSize; ++i)
        for (int j = 0; j < kSize; ++j)
            turned[j * kSize + i] = block[i * kSize + j];
}

using TwoInMemory = double __attribute__((vector_size(16), aligned(8), may_alias));

// The inverse of the factor of a diagonal block, in its place; zero above the diagonal, and in rows that were left out.
void invertFactor(double* block) {
    double inverse[kBlock] = {};
    choleskyFactor(block, kSize, kSize, kLeastPivot<double>);
    for (int c = 0; c < kSize; ++c) {
        double column[kSize] = {};
        column[c] = 1;
        choleskyForward(block, column, kSize, kSize);
        for (int r = c; r < kSize; ++r)
            inverse[r * kSize + c] = column[r];
    }
    std::copy(inverse, inverse + kBlock, block);
}

// Value: a number, or two numbers of two right-hand sides.

// y -= block x
template <class Value>
void subtractImage(Value* y, const double* block, const Value* x) {
    for (int r = 0; r < kSize; ++r, block += kSize)
        y[r] -= (x[0] * block[0] + x[1] * block[1]) + (x[2] * block[2] + x[3] * block[3]) + (x[4] * block[4] + x[5] * block[5]);
}

// y -= block^T x
template <class Value>
void subtractTurnedImage(Value* y, const double* block, const Value* x) {
    for (int c = 0; c < kSize; ++c)
        y[c] -= (x[0] * block[c] + x[1] * block[kSize + c]) + (x[2] * block[2 * kSize + c] + x[3] * block[3 * kSize + c]) +
                (x[4] * block[4 * kSize + c] + x[5] * block[5 * kSize + c]);
}

// x = lower x, x = lower^T x
template <class Value>
void applyLower(const double* lower, Value* x) {
    for (int r = kSize; r-- > 0;) {
        Value sum = x[0] * lower[r * kSize];
        for (int c = 1; c <= r; ++c)
            sum += x[c] * lower[r * kSize + c];
        x[r] = sum;
    }
}
template <class Value>
void applyUpper(const double* lower, Value* x) {
    for (int c = 0; c < kSize; ++c) {
        Value sum = x[c] * lower[c * kSize + c];
        for (int r = c + 1; r < kSize; ++r)
            sum += x[r] * lower[r * kSize + c];
        x[c] = sum;
    }
}

}  // namespace

FrontCholesky::FrontCholesky(FrontTree tree, Matrix matrix, const FrontCholesky* earlier, std::span<const int> sameAs)
    : tree_(std::move(tree)), matrix_(std::move(matrix)) {
    listPairs();
    const int count = static_cast<int>(tree_.fronts.size()) - 1;
    numbers_.resize(std::size_t(count));
    std::vector<int> keptFrom(std::size_t(count), kGone), local(tree_.order.size(), 0);
    std::vector<double> turned;
    for (int f = 0; f < count; ++f) {
        keptFrom[f] = earlier ? earlierFront(f, *earlier, sameAs, keptFrom) : kGone;
        if (keptFrom[f] != kGone) {
            numbers_[f] = earlier->numbers_[keptFrom[f]];
            ++kept_;
            continue;
        }
        const auto numbers = std::make_shared<Numbers>();
        assemble(f, local, *numbers);
        eliminate(f, turned, *numbers);
        numbers_[f] = numbers;
    }
}

void FrontCholesky::listPairs() {
    firstPair_.assign(matrix_.diagonals.size() + 1, 0);
    for (const auto& pair : matrix_.neighbours) {
        ++firstPair_[std::size_t(pair.first) + 1];
        ++firstPair_[std::size_t(pair.second) + 1];
    }
    std::partial_sum(firstPair_.begin(), firstPair_.end(), firstPair_.begin());
    pairsOf_.resize(2 * matrix_.neighbours.size());
    std::vector<int> next(firstPair_.begin(), firstPair_.end() - 1);
    for (std::size_t n = 0; n < matrix_.neighbours.size(); ++n)
        for (const int block : {matrix_.neighbours[n].first, matrix_.neighbours[n].second})
            pairsOf_[std::size_t(next[block]++)] = static_cast<int>(n);
}

// Whether the rows of A of a block are, number by number, those of the block that it was.
bool FrontCholesky::hasSameEntries(int block, const FrontCholesky& earlier, std::span<const int> sameAs) const {
    const int was = sameAs[block];
    const int count = firstPair_[std::size_t(block) + 1] - firstPair_[block];
    if (count != earlier.firstPair_[std::size_t(was) + 1] - earlier.firstPair_[was] ||
        matrix_.diagonals[block] != earlier.matrix_.diagonals[was])
        return false;
    for (int k = 0; k < count; ++k) {
        const int now = pairsOf_[firstPair_[block] + k];
        const int then = earlier.pairsOf_[earlier.firstPair_[was] + k];
        const auto& [i, j] = matrix_.neighbours[now];
        if (earlier.matrix_.neighbours[then] != std::pair(sameAs[i], sameAs[j]) ||
            matrix_.pairs[now] != earlier.matrix_.pairs[then])
            return false;
    }
    return true;
}

// The front of the earlier factor that holds the same numbers, or kGone. keptFrom: of the fronts before this one.
int FrontCholesky::earlierFront(int front, const FrontCholesky& earlier, std::span<const int> sameAs,
                                std::span<const int> keptFrom) const {
    const FrontTree& then = earlier.tree_;
    const auto wasAt = [&](int p) {
        const int was = sameAs[tree_.order[p]];
        return was == kGone ? kGone : then.position[was];
    };
    const FrontTree::Front& own = tree_.fronts[front];
    const int first = wasAt(own.first);
    if (first == kGone)
        return kGone;
    const int found = then.frontOf[first];
    const FrontTree::Front& old = then.fronts[found];
    const auto boundary = tree_.boundaryOf(front), oldBoundary = then.boundaryOf(found);
    const auto children = tree_.childrenOf(front), oldChildren = then.childrenOf(found);
    if (old.first != first || old.count != own.count || boundary.size() != oldBoundary.size() ||
        children.size() != oldChildren.size())
        return kGone;
    for (std::size_t i = 0; i < children.size(); ++i)
        if (keptFrom[children[i]] != oldChildren[i])
            return kGone;
    for (std::size_t i = 0; i < boundary.size(); ++i)
        if (wasAt(boundary[i]) != oldBoundary[i])
            return kGone;
    for (int i = 0; i < own.count; ++i)
        if (wasAt(own.first + i) != first + i || !hasSameEntries(tree_.order[own.first + i], earlier, sameAs))
            return kGone;
    return found;
}

// The rows of A, and what the children hand up. local: scratch, by position.
void FrontCholesky::assemble(int front, std::vector<int>& local, Numbers& numbers) const {
    const FrontTree::Front& own = tree_.fronts[front];
    const auto boundary = tree_.boundaryOf(front);
    const int s = own.count, b = static_cast<int>(boundary.size());
    for (int i = 0; i < s; ++i)
        local[own.first + i] = i;
    for (int i = 0; i < b; ++i)
        local[boundary[i]] = s + i;
    numbers.rows.assign(rowOf(s + b, s), 0.0);
    numbers.up.assign(upOf(b, 0), 0.0);
    for (int i = 0; i < s; ++i) {
        const int block = tree_.order[own.first + i];
        const Block& diagonal = matrix_.diagonals[block];
        std::copy(diagonal.begin(), diagonal.end(), numbers.rows.data() + rowOf(i, s) + std::size_t(i) * kBlock);
        for (int k = firstPair_[block]; k < firstPair_[std::size_t(block) + 1]; ++k) {
            const auto& pair = matrix_.neighbours[pairsOf_[k]];
            const int other = tree_.position[pair.first == block ? pair.second : pair.first];
            if (other < own.first + i)
                continue;
            const Block& values = matrix_.pairs[pairsOf_[k]];
            double* at = numbers.rows.data() + rowOf(local[other], s) + std::size_t(i) * kBlock;
            if (pair.first == block)
                turn(values.data(), at);
            else
                std::copy(values.begin(), values.end(), at);
        }
    }
    for (const int child : tree_.childrenOf(front)) {
        const auto handed = tree_.boundaryOf(child);
        const double* from = numbers_[child]->up.data();
        for (const int row : handed)
            for (const int column : handed) {
                if (column > row)
                    break;
                const int i = local[row], j = local[column];
                double* at = j < s ? numbers.rows.data() + rowOf(i, s) + std::size_t(j) * kBlock
                                   : numbers.up.data() + upOf(i - s, j - s);
                for (int k = 0; k < kBlock; ++k)
                    at[k] += from[k];
                from += kBlock;
            }
    }
}

void FrontCholesky::eliminate(int front, std::vector<double>& turned, Numbers& numbers) const {
    const int s = tree_.fronts[front].count, b = static_cast<int>(tree_.boundaryOf(front).size());
    static const SubtractProducts subtractProducts = subtractProductsHere();
    turned.resize(std::size_t(s) * kBlock + kFrontPadding);
    const auto turnRow = [&](const double* row, int count) {
        for (int p = 0; p < count; ++p)
            turn(row + std::size_t(p) * kBlock, turned.data() + std::size_t(p) * kBlock);
    };
    double* rows = numbers.rows.data();
    for (int j = 0; j < s; ++j) {
        double* pivot = rows + rowOf(j, s) + std::size_t(j) * kBlock;
        turnRow(rows + rowOf(j, s), j);
        subtractProducts(pivot, rows + rowOf(j, s), turned.data(), j);
        invertFactor(pivot);
        double scale[kBlock + kFrontPadding] = {};  // - D^-T, so that subtracting makes it a product
        turn(pivot, scale);
        for (double& value : scale)
            value = -value;
        for (int i = j + 1; i < s + b; ++i) {
            double* at = rows + rowOf(i, s) + std::size_t(j) * kBlock;
            subtractProducts(at, rows + rowOf(i, s), turned.data(), j);
            double whole[kBlock];
            std::copy(at, at + kBlock, whole);
            std::fill(at, at + kBlock, 0.0);
            subtractProducts(at, whole, scale, 1);
        }
    }
    for (int j = 0; j < b; ++j) {
        turnRow(rows + rowOf(s + j, s), s);
        for (int i = j; i < b; ++i)
            subtractProducts(numbers.up.data() + upOf(i, j), rows + rowOf(s + i, s), turned.data(), s);
    }
}

void FrontCholesky::solve(std::span<double> x) const { solveAs(x.data()); }
void FrontCholesky::solveTwo(std::span<double> x) const { solveAs(reinterpret_cast<TwoInMemory*>(x.data())); }

template <class Value>
void FrontCholesky::solveAs(Value* x) const {
    const auto at = [&](int p) { return x + std::size_t(tree_.order[p]) * kSize; };
    for (int f = 0; f < frontCount(); ++f) {
        const FrontTree::Front& own = tree_.fronts[f];
        const double* block = numbers_[f]->rows.data();
        for (int i = 0; i < own.count; ++i) {
            Value* y = at(own.first + i);
            for (int p = 0; p < i; ++p, block += kBlock)
                subtractImage(y, block, at(own.first + p));
            applyLower(block, y);
            block += kBlock;
        }
        for (const int place : tree_.boundaryOf(f))
            for (int p = 0; p < own.count; ++p, block += kBlock)
                subtractImage(at(place), block, at(own.first + p));
    }
    for (int f = frontCount(); f-- > 0;) {
        const FrontTree::Front& own = tree_.fronts[f];
        const double* block = numbers_[f]->rows.data() + rowOf(own.count, own.count);
        for (const int place : tree_.boundaryOf(f))
            for (int p = 0; p < own.count; ++p, block += kBlock)
                subtractTurnedImage(at(own.first + p), block, at(place));
        for (int i = own.count; i-- > 0;) {
            block = numbers_[f]->rows.data() + rowOf(i, own.count);
            applyUpper(block + std::size_t(i) * kBlock, at(own.first + i));
            for (int p = 0; p < i; ++p, block += kBlock)
                subtractTurnedImage(at(own.first + p), block, at(own.first + i));
        }
    }
}

}  // namespace sunder::linear
