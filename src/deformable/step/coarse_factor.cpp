#include "deformable/step/coarse_factor.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::deformable {

namespace {

// A row of which no more than this share is left has no pivot of its own: motions of groups of one or two nodes.
constexpr Real kLeastPivotShare = 16 * std::numeric_limits<Real>::epsilon();

// own = U^T U in place; pivots: the inverse of U's diagonal, 0 where a row has none of its own.
void factorBlock(Real* own, const Real* scale, Real* pivot) {
    for (std::size_t k = 0; k < 6; ++k) {
        Real* row = own + 6 * k;
        const Real inverse = row[k] > kLeastPivotShare * scale[k] ? 1 / std::sqrt(row[k]) : Real(0);
        pivot[k] = inverse;
        for (std::size_t j = k + 1; j < 6; ++j)
            row[j] *= inverse;
        for (std::size_t i = k + 1; i < 6; ++i)
            for (std::size_t j = i; j < 6; ++j)
                own[6 * i + j] -= row[i] * row[j];
    }
}

// block = U^-T block
void solveBlock(const Real* own, const Real* pivot, Real* block) {
    for (std::size_t k = 0; k < 6; ++k) {
        Real* row = block + 6 * k;
        for (std::size_t j = 0; j < 6; ++j)
            row[j] *= pivot[k];
        for (std::size_t i = k + 1; i < 6; ++i)
            for (std::size_t j = 0; j < 6; ++j)
                block[6 * i + j] -= own[6 * k + i] * row[j];
    }
}

// out -= a^T b
void subtractProduct(const Real* __restrict a, const Real* __restrict b, Real* __restrict out) {
    for (std::size_t i = 0; i < 6; ++i) {
        Real sum[6] = {};
        for (std::size_t k = 0; k < 6; ++k)
            for (std::size_t j = 0; j < 6; ++j)
                sum[j] += a[6 * k + i] * b[6 * k + j];
        for (std::size_t j = 0; j < 6; ++j)
            out[6 * i + j] -= sum[j];
    }
}

}  // namespace

void CoarseFactor::order(std::span<const GroupSet> links) {
    groups_ = links.size();
    filled_.assign(links.begin(), links.end());
    degree_.clear();
    for (const GroupSet& others : filled_)
        degree_.push_back(others.count());
    constexpr std::uint32_t kOut = ~0u;
    eliminated_.clear();
    place_.resize(groups_);
    first_.assign(1, 0);
    column_.clear();
    for (std::uint32_t k = 0; k < groups_; ++k) {
        const auto g = static_cast<std::uint32_t>(std::min_element(degree_.begin(), degree_.end()) - degree_.begin());
        degree_[g] = kOut;
        place_[g] = k;
        eliminated_.push_back(g);
        column_.push_back(g);
        const std::size_t firstColumn = column_.size();
        filled_[g].forEach([&](std::uint32_t h) { column_.push_back(h); });
        for (std::size_t c = firstColumn; c < column_.size(); ++c) {
            GroupSet& others = filled_[column_[c]];
            others.addAll(filled_[g]);
            others.remove(column_[c]);
            others.remove(g);
            degree_[column_[c]] = others.count();
        }
        first_.push_back(static_cast<std::uint32_t>(column_.size()));
    }
    // In the order of elimination, so that of two columns of a row the first is a row of the block that they change.
    at_.resize(groups_ * groups_);
    for (std::uint32_t k = 0; k < groups_; ++k) {
        std::sort(column_.begin() + first_[k], column_.begin() + first_[k + 1],
                  [&](std::uint32_t a, std::uint32_t b) { return place_[a] < place_[b]; });
        for (std::uint32_t b = first_[k]; b < first_[k + 1]; ++b)
            at(eliminated_[k], column_[b]) = b;
    }
}

void CoarseFactor::clear() { blocks_.assign(36 * column_.size(), 0); }

void CoarseFactor::factor() {
    pivot_.resize(6 * groups_);
    std::vector<Real> scale(6 * groups_);
    for (std::uint32_t g = 0; g < groups_; ++g)
        for (std::size_t k = 0; k < 6; ++k)
            scale[6 * g + k] = block(g, g)[7 * k];
    for (std::uint32_t e = 0; e < groups_; ++e) {
        const std::uint32_t g = eliminated_[e], begin = first_[e], end = first_[e + 1];
        Real* own = &blocks_[36 * std::size_t(begin)];
        factorBlock(own, &scale[6 * g], &pivot_[6 * g]);
        for (std::uint32_t b = begin + 1; b < end; ++b)
            solveBlock(own, &pivot_[6 * g], &blocks_[36 * std::size_t(b)]);
        for (std::uint32_t b = begin + 1; b < end; ++b)
            for (std::uint32_t c = b; c < end; ++c)
                subtractProduct(&blocks_[36 * std::size_t(b)], &blocks_[36 * std::size_t(c)], block(column_[b], column_[c]));
    }
}

void CoarseFactor::solve(std::span<Real> x) const {
    for (std::size_t e = 0; e < groups_; ++e) {
        const std::uint32_t g = eliminated_[e];
        Real* __restrict own = &x[6 * g];
        const Real* diagonal = &blocks_[36 * std::size_t(first_[e])];
        for (std::size_t i = 0; i < 6; ++i) {
            const Real solved = own[i] *= pivot_[6 * g + i];
            for (std::size_t j = i + 1; j < 6; ++j)
                own[j] -= solved * diagonal[6 * i + j];
        }
        for (std::uint32_t b = first_[e] + 1; b < first_[e + 1]; ++b) {
            const Real* __restrict block = &blocks_[36 * std::size_t(b)];
            Real* __restrict y = &x[6 * column_[b]];
            for (std::size_t i = 0; i < 6; ++i)
                for (std::size_t j = 0; j < 6; ++j)
                    y[j] -= own[i] * block[6 * i + j];
        }
    }
    for (std::size_t e = groups_; e-- > 0;) {
        const std::uint32_t g = eliminated_[e];
        Real* __restrict own = &x[6 * g];
        for (std::uint32_t b = first_[e] + 1; b < first_[e + 1]; ++b) {
            const Real* __restrict block = &blocks_[36 * std::size_t(b)];
            const Real* __restrict y = &x[6 * column_[b]];
            for (std::size_t i = 0; i < 6; ++i) {
                Real sum = 0;
                for (std::size_t j = 0; j < 6; ++j)
                    sum += block[6 * i + j] * y[j];
                own[i] -= sum;
            }
        }
        const Real* diagonal = &blocks_[36 * std::size_t(first_[e])];
        for (std::size_t i = 6; i-- > 0;) {
            for (std::size_t j = i + 1; j < 6; ++j)
                own[i] -= diagonal[6 * i + j] * own[j];
            own[i] *= pivot_[6 * g + i];
        }
    }
}

}  // namespace sunder::deformable
