#include "elastic/solve/kept_factor.h"

#include <algorithm>
#include <numeric>

#include "math/linear/front_boundaries.h"

namespace sunder::elastic {

namespace {

using linear::FrontCholesky;
using linear::FrontTree;

// Stiffness that holds the nodes in place in the kept factor, as a share of E volume / L^2, with L the length of the body. It
// is a millionth of what resists bending, so the error falls with each iteration.
constexpr double kHold = 1e-6;
constexpr std::uint32_t kNowhere = 0xffffffffu;

using Neighbours = std::vector<std::pair<int, int>>;

// Pairs of places below each other, each once. placeOf: of a row.
template <class PlaceOf>
Neighbours neighboursOf(const BlockPattern& pattern, PlaceOf&& placeOf) {
    Neighbours out;
    for (std::size_t row = 0; row < pattern.rows(); ++row)
        for (std::uint32_t k = pattern.first[row]; k < pattern.first[row + 1]; ++k) {
            const int i = placeOf(row), j = placeOf(pattern.columns[k]);
            if (i < j)
                out.emplace_back(i, j);
        }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

// Rows of one front, two by two, neighbours where there are any. Pairs are in the order of elimination.
struct Pairing {
    std::vector<std::uint32_t> place;  // by row: 2 * pair + which of the two
    std::vector<int> counts;           // pairs by front
    int pairs = 0;
};

Pairing pairUp(const Stiffness& stiffness) {
    const BlockPattern& pattern = stiffness.pattern;
    std::vector<FrontTree::Point> points;
    for (const Vec3d& p : stiffness.positions)
        points.push_back({p.x, p.y, p.z});
    const FrontTree nodes(points, neighboursOf(pattern, [](std::size_t row) { return static_cast<int>(row); }));
    Pairing out;
    out.place.assign(pattern.rows(), kNowhere);
    for (std::size_t f = 0; f + 1 < nodes.fronts.size(); ++f) {
        const FrontTree::Front& front = nodes.fronts[f];
        const int before = out.pairs, end = front.first + front.count;
        const auto isFree = [&](std::uint32_t row) {
            return out.place[row] == kNowhere && nodes.position[row] >= front.first && nodes.position[row] < end;
        };
        for (int p = front.first; p < end; ++p) {
            const auto row = static_cast<std::uint32_t>(nodes.order[p]);
            if (!isFree(row))
                continue;
            out.place[row] = 2 * static_cast<std::uint32_t>(out.pairs);
            const auto first = pattern.columns.begin() + pattern.first[row],
                       last = pattern.columns.begin() + pattern.first[row + 1];
            if (const auto other = std::find_if(first, last, isFree); other != last)
                out.place[*other] = out.place[row] + 1;
            ++out.pairs;
        }
        out.counts.push_back(out.pairs - before);
    }
    return out;
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
    out.neighbours = neighboursOf(pattern, [&](std::size_t row) { return static_cast<int>(place[row] / 2); });
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
    Pairing pairing = pairUp(stiffness);
    FrontCholesky::Matrix matrix = matrixOf(stiffness, pairing.place, pairing.pairs);
    std::vector<int> order(std::size_t(pairing.pairs));
    std::iota(order.begin(), order.end(), 0);
    FrontTree tree = linear::frontsOf(std::move(order), pairing.counts, matrix.neighbours);
    const double cost = tree.cost;
    kept_ = std::make_shared<const Kept>(
        Kept{std::move(pairing.place), FrontCholesky(std::move(tree), std::move(matrix), nullptr, {}), cost});
    work_.assign(std::size_t(pairing.pairs) * FrontCholesky::kSize, 0);
}

void KeptFactor::addStages(StageList& list, const double* residual, double* image) {
    residual_ = residual;
    image_ = image;
    list.add(
        1, [](void* self, int, int block) { static_cast<KeptFactor*>(self)->apply(block); }, this, 0);
}

void KeptFactor::apply(int) {
    const std::vector<std::uint32_t>& place = kept_->place;
    std::fill(work_.begin(), work_.end(), 0.0);
    for (std::size_t row = 0; row < place.size(); ++row)
        std::copy(residual_ + 3 * row, residual_ + 3 * row + 3, work_.data() + 3 * std::size_t(place[row]));
    kept_->factor.solve(work_);
    for (std::size_t row = 0; row < place.size(); ++row)
        std::copy(work_.data() + 3 * std::size_t(place[row]), work_.data() + 3 * std::size_t(place[row]) + 3, image_ + 3 * row);
}

}  // namespace sunder::elastic
