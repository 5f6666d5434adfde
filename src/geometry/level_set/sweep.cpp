#include "geometry/level_set/sweep.h"

#include <algorithm>
#include <vector>

namespace sunder::geometry {
namespace {

// Two rounds of eight sweeps: one is exact for straight characteristics, the second serves those that bend around a corner.
constexpr int kSweepRounds = 2;

// The smallest d with sum over axes of max(0, d - a_i)^2 = cell^2, from the smaller neighbour of each axis.
Real solveUpwind(Real a, Real b, Real c, Real cell) {
    if (a > b)
        std::swap(a, b);
    if (b > c)
        std::swap(b, c);
    if (a > b)
        std::swap(a, b);
    Real d = a + cell;
    if (d <= b)
        return d;
    const Real two = 2 * cell * cell - square(a - b);
    d = Real(0.5) * (a + b + std::sqrt(max(two, 0)));
    if (d <= c)
        return d;
    const Real sum = a + b + c;
    const Real three = sum * sum - 3 * (a * a + b * b + c * c - cell * cell);
    return (sum + std::sqrt(max(three, 0))) / 3;
}

class Sweeper {
public:
    Sweeper(const Grid& grid, std::span<Real> values, std::span<const std::uint8_t> isFixed)
        : grid_(grid), values_(values), isFixed_(isFixed) {}

    void run() {
        for (int round = 0; round < kSweepRounds; ++round)
            for (int order = 0; order < 8; ++order)
                sweep(order);
    }

private:
    void sweep(int order) {
        const auto [nx, ny, nz] = grid_.nodes;
        for (int k = 0; k < nz; ++k)
            for (int j = 0; j < ny; ++j)
                for (int i = 0; i < nx; ++i)
                    update(order & 1 ? nx - 1 - i : i, order & 2 ? ny - 1 - j : j, order & 4 ? nz - 1 - k : k);
    }
    void update(int x, int y, int z) {
        const std::size_t at = grid_.index(x, y, z);
        if (isFixed_[at])
            return;
        const std::size_t row = std::size_t(grid_.nodes.x), slice = row * std::size_t(grid_.nodes.y);
        const Real a = smaller(at, 1, x, grid_.nodes.x), b = smaller(at, row, y, grid_.nodes.y),
                   c = smaller(at, slice, z, grid_.nodes.z);
        if (min(a, min(b, c)) < values_[at])
            values_[at] = min(values_[at], solveUpwind(a, b, c, grid_.cell));
    }
    Real smaller(std::size_t at, std::size_t stride, int i, int count) const {
        const Real before = i > 0 ? values_[at - stride] : kFar, after = i < count - 1 ? values_[at + stride] : kFar;
        return min(before, after);
    }

public:
    // Finite: differences of two unknowns must stay numbers.
    static constexpr Real kFar = std::numeric_limits<Real>::max() / 4;

private:
    const Grid& grid_;
    std::span<Real> values_;
    std::span<const std::uint8_t> isFixed_;
};

}  // namespace

void sweepDistances(const Grid& grid, std::span<Real> magnitudes, std::span<const std::uint8_t> isKnown,
                    std::span<const std::uint8_t> region) {
    std::vector<std::uint8_t> isFixed(isKnown.begin(), isKnown.end());
    std::vector<Real> distances(magnitudes.begin(), magnitudes.end());
    for (std::size_t node = 0; node < distances.size(); ++node) {
        const bool isOut = !region.empty() && !region[node];
        if (isOut)
            isFixed[node] = 1;
        if (isOut || !isKnown[node])
            distances[node] = Sweeper::kFar;
    }
    Sweeper(grid, distances, isFixed).run();
    for (std::size_t node = 0; node < distances.size(); ++node)
        if (!isFixed[node])
            magnitudes[node] = distances[node];
}

void sweepInside(DistanceField& field) {
    const Grid& grid = field.grid;
    const auto [nx, ny, nz] = grid.nodes;
    std::vector<std::uint8_t> isKnown(field.values.size()), isInside(field.values.size());
    std::vector<Real> magnitudes(field.values.size());
    const std::size_t row = std::size_t(nx), slice = row * std::size_t(ny);
    bool any = false;
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x) {
                const std::size_t at = grid.index(x, y, z);
                isInside[at] = field.values[at] < 0;
                magnitudes[at] = std::fabs(field.values[at]);
                if (!isInside[at])
                    continue;
                const auto isOutside = [&](bool exists, std::size_t other) { return exists && field.values[other] >= 0; };
                isKnown[at] = isOutside(x > 0, at - 1) || isOutside(x < nx - 1, at + 1) || isOutside(y > 0, at - row) ||
                              isOutside(y < ny - 1, at + row) || isOutside(z > 0, at - slice) ||
                              isOutside(z < nz - 1, at + slice);
                any |= isKnown[at] != 0;
            }
    if (!any)
        return;
    sweepDistances(grid, magnitudes, isKnown, isInside);
    for (std::size_t node = 0; node < magnitudes.size(); ++node)
        if (isInside[node])
            field.values[node] = -magnitudes[node];
}

}  // namespace sunder::geometry
