#include "elastic/solve/kept_factor.h"

#include <algorithm>

namespace sunder::elastic {

namespace {

using linear::FrontCholesky;
using linear::FrontTree;

// Stiffness that holds the nodes in place in the kept factor, as a share of E volume / L^2, with L the length of the body. It
// is a millionth of what resists bending, so the error falls with each iteration.
constexpr double kHold = 1e-6;
constexpr std::uint32_t kAlone = 0xffffffffu;

std::vector<std::uint32_t> pairUp(const BlockPattern& pattern, int* pairs) {
    std::vector<std::uint32_t> place(pattern.rows(), kAlone);
    *pairs = 0;
    for (std::size_t row = 0; row < pattern.rows(); ++row) {
        if (place[row] != kAlone)
            continue;
        place[row] = 2 * static_cast<std::uint32_t>(*pairs);
        for (std::uint32_t k = pattern.first[row]; k < pattern.first[row + 1]; ++k)
            if (place[pattern.columns[k]] == kAlone) {
                place[pattern.columns[k]] = place[row] + 1;
                break;
            }
        ++*pairs;
    }
    return place;
}

// Adds a block of three, column by column, into one of six, row by row.
void put(FrontCholesky::Block& target, std::uint32_t row, std::uint32_t column, const double* block) {
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b)
            target[(3 * (row % 2) + a) * FrontCholesky::kSize + 3 * (column % 2) + b] += block[3 * b + a];
}

double extentSquared(const std::vector<Vec3d>& positions) {
    double out = 0;
    for (const Vec3d& p : positions)
        out = std::max(out, dot(p - positions[0], p - positions[0]));
    return out;
}

FrontCholesky::Matrix matrixOf(const Stiffness& stiffness, const std::vector<std::uint32_t>& place, int pairs) {
    const BlockPattern& pattern = stiffness.pattern;
    FrontCholesky::Matrix out;
    for (std::size_t row = 0; row < pattern.rows(); ++row)
        for (std::uint32_t k = pattern.first[row]; k < pattern.first[row + 1]; ++k) {
            const auto i = static_cast<int>(place[row] / 2), j = static_cast<int>(place[pattern.columns[k]] / 2);
            if (i < j)
                out.neighbours.emplace_back(i, j);
        }
    std::sort(out.neighbours.begin(), out.neighbours.end());
    out.neighbours.erase(std::unique(out.neighbours.begin(), out.neighbours.end()), out.neighbours.end());
    out.pairs.assign(out.neighbours.size(), {});
    out.diagonals.assign(std::size_t(pairs), {});
    std::vector<char> isTaken(2 * std::size_t(pairs), 0);
    const double hold = kHold / extentSquared(stiffness.positions);
    for (std::size_t row = 0; row < pattern.rows(); ++row) {
        const std::uint32_t own = place[row];
        isTaken[own] = 1;
        FrontCholesky::Block& diagonal = out.diagonals[own / 2];
        put(diagonal, own, own, stiffness.matrix.diagonal.data() + kBlockSize * row);
        for (std::size_t a = 3 * (own % 2); a < 3 * (own % 2) + 3; ++a)
            diagonal[a * FrontCholesky::kSize + a] += hold * stiffness.volumes[row];
        for (std::uint32_t k = pattern.first[row]; k < pattern.first[row + 1]; ++k) {
            const std::uint32_t other = place[pattern.columns[k]];
            const double* block = stiffness.matrix.values.data() + kBlockSize * k;
            const std::pair<int, int> pair(static_cast<int>(own / 2), static_cast<int>(other / 2));
            if (pair.first == pair.second)
                put(diagonal, own, other, block);
            else if (pair.first < pair.second)
                put(out.pairs[std::lower_bound(out.neighbours.begin(), out.neighbours.end(), pair) - out.neighbours.begin()],
                    own, other, block);
        }
    }
    for (std::size_t i = 0; i < isTaken.size(); ++i)
        for (std::size_t a = 3 * (i % 2); a < 3 * (i % 2) + 3 && !isTaken[i]; ++a)
            out.diagonals[i / 2][a * FrontCholesky::kSize + a] = 1;
    return out;
}

}  // namespace

KeptFactor::KeptFactor(const Stiffness& stiffness) {
    int pairs = 0;
    place_ = pairUp(stiffness.pattern, &pairs);
    std::vector<FrontTree::Point> points(std::size_t(pairs), FrontTree::Point{});
    for (std::size_t row = 0; row < place_.size(); ++row)
        if (place_[row] % 2 == 0)  // the first of the two stands for both
            points[place_[row] / 2] = {stiffness.positions[row].x, stiffness.positions[row].y, stiffness.positions[row].z};
    FrontCholesky::Matrix matrix = matrixOf(stiffness, place_, pairs);
    FrontTree tree(points, matrix.neighbours);
    factor_ = FrontCholesky(std::move(tree), std::move(matrix), nullptr, {});
    work_.assign(std::size_t(pairs) * FrontCholesky::kSize, 0);
}

void KeptFactor::addStages(StageList& list, const double* residual, double* image) {
    residual_ = residual;
    image_ = image;
    list.add(
        1, [](void* self, int, int block) { static_cast<KeptFactor*>(self)->apply(block); }, this, 0);
}

void KeptFactor::apply(int) {
    std::fill(work_.begin(), work_.end(), 0.0);
    for (std::size_t row = 0; row < place_.size(); ++row)
        std::copy(residual_ + 3 * row, residual_ + 3 * row + 3, work_.data() + 3 * std::size_t(place_[row]));
    factor_.solve(work_);
    for (std::size_t row = 0; row < place_.size(); ++row)
        std::copy(work_.data() + 3 * std::size_t(place_[row]), work_.data() + 3 * std::size_t(place_[row]) + 3,
                  image_ + 3 * row);
}

}  // namespace sunder::elastic
