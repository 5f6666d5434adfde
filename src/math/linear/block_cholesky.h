// A sparse symmetric positive system of small dense blocks, solved directly: A = L L^T, with the blocks in an order that keeps
// L sparse. Along a tree of blocks L has no more blocks than A, and a chain costs as much as its length.
//
//     1  order   which block is eliminated when               elimination_order.h    by the pattern alone
//     2  plan    where the blocks of L lie                    block_plan.h           by the pattern and the order
//     3  fill    the lower triangle of A in the place of L    clear, diagonal, pair
//     4  factor  numbers                                      factor
//     5  solve   L y = b, L^T x = y                           solve                  as often as wanted
//
// New numbers in the same pattern need 3 to 5 only. Right-looking: once column p is factored,
//     D_p = L_p L_p^T,   B_ip = A_ip L_p^-T,   A_ij -= B_ip B_jp^T   for all blocks i >= j below p.
// Every block of A gets its subtrahends in the order of elimination, each summed up by itself first: the same bits whatever the
// machine, and whether the block size is known to the compiler or not.
//
// kBlock: the rows of every block, or kAnySize where blocks have their own sizes and may have fewer rows than planned (joints
// whose limits come and go). Rows that say nothing new are left out, see SkippingPivot in dense_cholesky.h.
//
// One block at a time, no supernodes: 5 GFlop/s in double with blocks of 3, 9 with blocks of 6, on one core of 2026. A cube of
// 13^3 blocks of 3 takes 80 ms to factor, and as long to order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "math/linear/block_plan.h"
#include "math/linear/dense_cholesky.h"

namespace sunder::linear {

inline constexpr int kAnySize = 0;
inline constexpr int kOften = 6;  // rows that blocks of any size often have: those of fixed joints

// Share of a row's diagonal that the rest of its block must leave of it; less is nothing but rounding.
template <class Scalar>
inline constexpr Scalar kLeastPivot = sizeof(Scalar) == sizeof(double) ? Scalar(1e-11) : Scalar(1e-5);

// target -= a b^T, all of kSize rows and columns. b is turned, so that the sums of a row advance together; each adds up in the
// order of subtractProduct's.
template <int kSize, class Scalar>
void subtractProductOf(Scalar* target, const Scalar* a, const Scalar* b) {
    Scalar turned[kSize * kSize];
    for (int j = 0; j < kSize; ++j)
        for (int k = 0; k < kSize; ++k)
            turned[k * kSize + j] = b[j * kSize + k];
    for (int i = 0; i < kSize; ++i) {
        Scalar sum[kSize] = {};
        for (int k = 0; k < kSize; ++k)
            for (int j = 0; j < kSize; ++j)
                sum[j] += a[i * kSize + k] * turned[k * kSize + j];
        for (int j = 0; j < kSize; ++j)
            target[i * kSize + j] -= sum[j];
    }
}

// block L^-T, all of kSize rows and columns: the rows of the block advance together, each as choleskyForward would have it.
template <int kSize, class Scalar>
void divideByFactor(const Scalar* factor, Scalar* block) {
    Scalar turned[kSize * kSize];
    for (int r = 0; r < kSize; ++r)
        for (int c = 0; c < kSize; ++c)
            turned[c * kSize + r] = block[r * kSize + c];
    for (int c = 0; c < kSize; ++c) {
        Scalar* const column = turned + c * kSize;
        const Scalar* const row = factor + c * kSize;
        for (int k = 0; k < c; ++k)
            for (int r = 0; r < kSize; ++r)
                column[r] -= row[k] * turned[k * kSize + r];
        const bool hasPivot = row[c] > 0;
        const Scalar pivot = hasPivot ? row[c] : Scalar(1);
        for (int r = 0; r < kSize; ++r)
            column[r] = hasPivot ? column[r] / pivot : Scalar(0);
    }
    for (int r = 0; r < kSize; ++r)
        for (int c = 0; c < kSize; ++c)
            block[r * kSize + c] = turned[c * kSize + r];
}

// target -= a b^T, of rowsA x rowsB, with `inner` columns in a and b.
template <class Scalar>
void subtractProduct(Scalar* target, int targetStride, const Scalar* a, int rowsA, const Scalar* b, int rowsB, int inner,
                     int innerStride) {
    for (int i = 0; i < rowsA; ++i)
        for (int j = 0; j < rowsB; ++j) {
            Scalar sum = 0;
            for (int k = 0; k < inner; ++k)
                sum += a[i * innerStride + k] * b[j * innerStride + k];
            target[i * targetStride + j] -= sum;
        }
}

template <class Scalar, int kBlock = kAnySize>
class BlockCholesky {
public:
    BlockCholesky() = default;
    explicit BlockCholesky(std::shared_ptr<const BlockPlan> plan) : plan_(std::move(plan)), values_(plan_->valueCount()) {
        if constexpr (kBlock == kAnySize)
            rows_.resize(plan_->columns().size());
    }

    const BlockPlan& plan() const { return *plan_; }

    // Clears the matrix for new numbers.
    void clear() requires(kBlock != kAnySize) { std::fill(values_.begin(), values_.end(), Scalar(0)); }
    // Block i has rows[i] rows this time.
    void clear(std::span<const int> rows) requires(kBlock == kAnySize) {
        std::fill(values_.begin(), values_.end(), Scalar(0));
        for (std::size_t p = 0; p < rows_.size(); ++p)
            rows_[p] = rows[plan_->columns()[p].block];
    }

    // Row by row, stride(i) numbers from row to row; only its lower triangle counts.
    Scalar* diagonal(int block) { return values_.data() + plan_->columns()[plan_->position(block)].diagonal; }
    int stride(int block) const { return strideAt(plan_->position(block)); }
    // The block of a pair of neighbours, by its number in the plan: its rows belong to `row`, its columns to `column`.
    struct Pair {
        int row, column;
        Scalar* values;
        int stride;
    };
    Pair pair(int neighbour) {
        const BlockPlan::Pair& place = plan_->pairs()[neighbour];
        return {place.row, place.column, values_.data() + place.values, stride(place.column)};
    }

    // False where rows were left out: the matrix is singular, or not positive.
    bool factor(Scalar leastPivot = kLeastPivot<Scalar>);
    // x: the right-hand side, replaced by the solution; plan().unknowns() numbers, those of block i from plan().offset(i) on.
    void solve(std::span<Scalar> x) const;
    // The smallest share of a diagonal of A that was left for its pivot, 0 where a row was left out: a solution loses as many
    // digits as this has zeros. A matrix that is nearly singular as a whole, though no block is, shows here alone.
    Scalar leastShare() const;

private:
    int strideAt(int p) const {
        if constexpr (kBlock == kAnySize)
            return plan_->columns()[p].capacity;
        else
            return kBlock;
    }
    int rowsAt(int p) const {
        if constexpr (kBlock == kAnySize)
            return rows_[p];
        else
            return kBlock;
    }
    int offsetAt(int p) const {
        const int block = plan_->columns()[p].block;
        if constexpr (kBlock == kAnySize)
            return plan_->offset(block);
        else
            return block * kBlock;
    }
    // Takes a b^T, both of column p, from the block `target` in column j.
    void subtract(Scalar* target, int j, const Scalar* a, int rowsA, const Scalar* b, int p);
    void eliminate(int p);

    std::shared_ptr<const BlockPlan> plan_;
    std::vector<Scalar> values_;
    std::vector<int> rows_;  // by position; none where kBlock says it
};

template <class Scalar, int kBlock>
void BlockCholesky<Scalar, kBlock>::subtract(Scalar* target, int j, const Scalar* a, int rowsA, const Scalar* b, int p) {
    if constexpr (kBlock != kAnySize) {
        subtractProductOf<kBlock>(target, a, b);
    } else {
        const int rowsB = rowsAt(j), inner = rowsAt(p), stride = strideAt(p), targetStride = strideAt(j);
        if (rowsA == kOften && rowsB == kOften && inner == kOften && stride == kOften && targetStride == kOften)
            subtractProductOf<kOften>(target, a, b);
        else
            subtractProduct(target, targetStride, a, rowsA, b, rowsB, inner, stride);
    }
}

// What column p takes from those after it. Its rows below b are among the rows of b's own column, both ascending.
template <class Scalar, int kBlock>
void BlockCholesky<Scalar, kBlock>::eliminate(int p) {
    const std::span<const BlockPlan::Below> blocks = plan_->below(p);
    Scalar* values = values_.data();
    for (std::size_t k = 0; k < blocks.size(); ++k) {
        const BlockPlan::Below& b = blocks[k];
        subtract(values + plan_->columns()[b.row].diagonal, b.row, values + b.values, rowsAt(b.row), values + b.values, p);
        const BlockPlan::Below* target = plan_->below(b.row).data();
        for (const BlockPlan::Below& a : blocks.subspan(k + 1)) {
            while (target->row != a.row)
                ++target;
            subtract(values + target->values, b.row, values + a.values, rowsAt(a.row), values + b.values, p);
        }
    }
}

template <class Scalar, int kBlock>
bool BlockCholesky<Scalar, kBlock>::factor(Scalar leastPivot) {
    const BlockPlan& plan = *plan_;
    bool isWhole = true;
    for (int p = 0; p < plan.blockCount(); ++p) {
        const int rows = rowsAt(p), stride = strideAt(p);
        Scalar* diagonal = values_.data() + plan.columns()[p].diagonal;
        isWhole = choleskyFactor(diagonal, rows, stride, leastPivot) && isWhole;
        for (const BlockPlan::Below& block : plan.below(p)) {  // B = B L^-T
            Scalar* row = values_.data() + block.values;
            if constexpr (kBlock != kAnySize)
                divideByFactor<kBlock>(diagonal, row);
            else if (rows == kOften && stride == kOften && rowsAt(block.row) == kOften)
                divideByFactor<kOften>(diagonal, row);
            else
                for (int left = rowsAt(block.row); left > 0; --left, row += stride)
                    choleskyForward(diagonal, row, rows, stride);
        }
        eliminate(p);
    }
    return isWhole;
}

template <class Scalar, int kBlock>
void BlockCholesky<Scalar, kBlock>::solve(std::span<Scalar> x) const {
    const BlockPlan& plan = *plan_;
    const Scalar* const factor = values_.data();
    for (int p = 0; p < plan.blockCount(); ++p) {
        const int rows = rowsAt(p), stride = strideAt(p);
        Scalar* y = x.data() + offsetAt(p);
        choleskyForward(factor + plan.columns()[p].diagonal, y, rows, stride);
        for (const BlockPlan::Below& block : plan.below(p)) {
            Scalar* other = x.data() + offsetAt(block.row);
            const Scalar* row = factor + block.values;
            for (Scalar* const end = other + rowsAt(block.row); other < end; ++other, row += stride)
                for (int c = 0; c < rows; ++c)
                    *other -= row[c] * y[c];
        }
    }
    for (int p = plan.blockCount(); p-- > 0;) {
        const int rows = rowsAt(p), stride = strideAt(p);
        Scalar* y = x.data() + offsetAt(p);
        for (const BlockPlan::Below& block : plan.below(p)) {
            const Scalar* other = x.data() + offsetAt(block.row);
            const Scalar* row = factor + block.values;
            for (const Scalar* const end = other + rowsAt(block.row); other < end; ++other, row += stride)
                for (int c = 0; c < rows; ++c)
                    y[c] -= row[c] * *other;
        }
        choleskyBackward(factor + plan.columns()[p].diagonal, y, rows, stride);
    }
}

// The squares of a row of L add up to the diagonal of A.
template <class Scalar, int kBlock>
Scalar BlockCholesky<Scalar, kBlock>::leastShare() const {
    std::vector<Scalar> whole(plan_->unknowns(), Scalar(0));
    const auto addRows = [&](const Scalar* values, int row, int rows, int p, bool isDiagonal) {
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < (isDiagonal ? r + 1 : rowsAt(p)); ++c)
                whole[offsetAt(row) + r] += values[r * strideAt(p) + c] * values[r * strideAt(p) + c];
    };
    const int count = static_cast<int>(plan_->columns().size());
    for (int p = 0; p < count; ++p) {
        addRows(values_.data() + plan_->columns()[p].diagonal, p, rowsAt(p), p, true);
        for (const BlockPlan::Below& block : plan_->below(p))
            addRows(values_.data() + block.values, block.row, rowsAt(block.row), p, false);
    }
    Scalar least = 1;
    for (int p = 0; p < count; ++p)
        for (int r = 0; r < rowsAt(p); ++r) {
            const Scalar pivot = values_[plan_->columns()[p].diagonal + r * strideAt(p) + r];
            least = std::min(least, pivot > 0 ? pivot * pivot / whole[offsetAt(p) + r] : Scalar(0));
        }
    return least;
}

}  // namespace sunder::linear
