// The solver by fronts against the block solver with a minimum-degree order, and a factor that takes over an earlier one
// against the same factor made from nothing.
#include "math/linear/front_cholesky.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "math/linear/block_systems.h"
#include "math/linear/front_boundaries.h"
#include "math/linear/front_kernels.h"

namespace sunder::linear {
namespace {

using Block = FrontCholesky::Block;
constexpr int kSize = FrontCholesky::kSize;

// Blocks on a grid of `side` squared points, joined to their neighbours where isJoined says so.
struct Net {
    std::vector<FrontTree::Point> points;
    FrontCholesky::Matrix matrix;

    template <class IsJoined>
    Net(int side, IsJoined&& isJoined) {
        for (int i = 0; i < side * side; ++i)
            points.push_back({0.2 * (i % side), 0.1 * (i / side) - 1, 0});
        matrix.diagonals.resize(points.size());
        for (Block& block : matrix.diagonals)
            for (int r = 0; r < kSize; ++r)
                block[std::size_t(r) * kSize + std::size_t(r)] = 0.05;
        Pairs all = grid(side);
        std::sort(all.begin(), all.end());
        for (const auto& [i, j] : all)
            if (isJoined(i, j))
                join(i, j);
    }

    // Adds B^T B of a random B with the rows of both blocks: what a spring between them would.
    void join(int i, int j) {
        core::Random random(std::uint64_t(i) * 1000003 + std::uint64_t(j));
        double b[kSize][2 * kSize];
        for (auto& row : b)
            for (double& value : row)
                value = random.unit() - 0.5;
        const auto entry = [&](int r, int c) {
            double sum = 0;
            for (const auto& row : b)
                sum += row[r] * row[c];
            return sum;
        };
        matrix.neighbours.emplace_back(i, j);
        Block& pair = matrix.pairs.emplace_back();
        for (int r = 0; r < kSize; ++r)
            for (int c = 0; c < kSize; ++c) {
                const std::size_t at = std::size_t(r * kSize + c);
                matrix.diagonals[std::size_t(i)][at] += entry(r, c);
                matrix.diagonals[std::size_t(j)][at] += entry(kSize + r, kSize + c);
                pair[at] = entry(r, kSize + c);
            }
    }
};

FrontCholesky factorOf(const Net& net, const FrontCholesky* earlier = nullptr, std::span<const int> sameAs = {}) {
    return {FrontTree(net.points, net.matrix.neighbours), net.matrix, earlier, sameAs};
}

std::vector<double> rightSide(const Net& net, double phase) {
    std::vector<double> b(net.points.size() * kSize);
    for (std::size_t i = 0; i < b.size(); ++i)
        b[i] = std::sin(phase + double(i));
    return b;
}

std::vector<double> oracle(const Net& net, std::vector<double> x) {
    const std::vector<int> sizes(net.points.size(), kSize);
    BlockCholesky<double, kSize> factor(planOf(sizes, net.matrix.neighbours));
    factor.clear();
    for (std::size_t i = 0; i < sizes.size(); ++i)
        std::copy(net.matrix.diagonals[i].begin(), net.matrix.diagonals[i].end(), factor.diagonal(int(i)));
    for (std::size_t n = 0; n < net.matrix.neighbours.size(); ++n) {
        const auto pair = factor.pair(int(n));
        for (int r = 0; r < kSize; ++r)
            for (int c = 0; c < kSize; ++c)
                pair.values[r * pair.stride + c] = pair.row == net.matrix.neighbours[n].first
                                                       ? net.matrix.pairs[n][std::size_t(r * kSize + c)]
                                                       : net.matrix.pairs[n][std::size_t(c * kSize + r)];
    }
    factor.factor();
    factor.solve(x);
    return x;
}

bool always(int, int) { return true; }

TEST(FrontCholesky, SolvesAsTheBlockSolver) {
    for (const int side : {1, 2, 5, 17}) {
        const Net net(side, always);
        std::vector<double> x = rightSide(net, 1);
        const std::vector<double> expected = oracle(net, x);
        factorOf(net).solve(x);
        for (std::size_t i = 0; i < x.size(); ++i)
            ASSERT_NEAR(x[i], expected[i], 1e-9) << side;
    }
}

TEST(FrontCholesky, TwoRightHandSidesAreTwoSolves) {
    const Net net(9, always);
    const FrontCholesky factor = factorOf(net);
    std::vector<double> a = rightSide(net, 1), b = rightSide(net, 2), both(2 * a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        both[2 * i] = a[i];
        both[2 * i + 1] = b[i];
    }
    factor.solve(a);
    factor.solve(b);
    factor.solveTwo(both);
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(both[2 * i], a[i]);
        ASSERT_EQ(both[2 * i + 1], b[i]);
    }
}

// Where entries are gone most fronts are taken over, and no bit tells.
TEST(FrontCholesky, TakenOverIsTheSameToTheBit) {
    constexpr int kSide = 24;
    const FrontCholesky whole = factorOf(Net(kSide, always));
    const Net cracked(kSide, [](int i, int j) { return !(i / kSide == 5 && j / kSide == 6 && i % kSide < 4); });
    std::vector<int> same(std::size_t(kSide * kSide));
    for (std::size_t i = 0; i < same.size(); ++i)
        same[i] = int(i);
    const FrontCholesky anew = factorOf(cracked), over = factorOf(cracked, &whole, same);
    EXPECT_EQ(anew.keptFronts(), 0);
    EXPECT_GT(over.keptFronts(), over.frontCount() / 2);
    EXPECT_LT(over.keptFronts(), over.frontCount());
    std::vector<double> a = rightSide(cracked, 3), b = a;
    const std::vector<double> expected = oracle(cracked, a);
    anew.solve(a);
    over.solve(b);
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(a[i], b[i]);
        ASSERT_NEAR(a[i], expected[i], 1e-9);
    }
}

// The kernel of this processor against its definition: entries are summed up in one order.
TEST(FrontCholesky, TheFastestKernelHasTheSameBits) {
    constexpr int kBlock = kSize * kSize, kMost = 9;
    core::Random random(5);
    std::vector<double> a(kMost * kBlock), turned(kMost * kBlock + kFrontPadding);
    for (std::vector<double>* numbers : {&a, &turned})
        for (double& value : *numbers)
            value = random.unit() - 0.3;
    for (const int count : {0, 1, 2, kMost}) {
        Block target{}, expected{};
        target.fill(0.7);
        for (int r = 0; r < kSize; ++r)
            for (int c = 0; c < kSize; ++c) {
                double sum = 0;
                for (int n = 0; n < count; ++n)
                    for (int k = 0; k < kSize; ++k)
                        sum += a[std::size_t(n * kBlock + r * kSize + k)] * turned[std::size_t(n * kBlock + k * kSize + c)];
                expected[std::size_t(r * kSize + c)] = 0.7 - sum;
            }
        subtractProductsHere()(target.data(), a.data(), turned.data(), count);
        EXPECT_EQ(target, expected) << count;
    }
}

// Fronts that are told by their counts are those that the points give.
TEST(FrontCholesky, FrontsOfAKnownOrderAreTheSame) {
    const Net net(9, always);
    const FrontTree tree(net.points, net.matrix.neighbours);
    std::vector<int> counts;
    for (std::size_t f = 0; f + 1 < tree.fronts.size(); ++f)
        counts.push_back(tree.fronts[f].count);
    const FrontTree again = frontsOf(tree.order, counts, net.matrix.neighbours);
    EXPECT_EQ(again.boundary, tree.boundary);
    EXPECT_EQ(again.childList, tree.childList);
    EXPECT_EQ(again.cost, tree.cost);
}

}  // namespace
}  // namespace sunder::linear
