// The sparse block solver against a dense one, on chains, stars, grids and random graphs.
#include "math/linear/block_cholesky.h"

#include <gtest/gtest.h>

#include "math/linear/block_systems.h"

namespace sunder::linear {
namespace {

template <class Scalar, int kBlock>
BlockCholesky<Scalar, kBlock> filled(std::shared_ptr<const BlockPlan> plan, const std::vector<int>& rows, std::uint64_t seed,
                                     DenseSystem* dense = nullptr) {
    BlockCholesky<Scalar, kBlock> matrix(std::move(plan));
    if constexpr (kBlock == kAnySize)
        matrix.clear(rows);
    else
        matrix.clear();
    fillRandom(matrix, rows, seed, dense);
    return matrix;
}

// By unknown of the plan, rounded to Scalar; rows that a block does not have this time stay zero.
template <class Scalar>
std::vector<double> rightSide(const BlockPlan& plan, const std::vector<int>& rows) {
    std::vector<double> b(std::size_t(plan.unknowns()), 0);
    for (int i = 0; i < plan.blockCount(); ++i)
        for (int r = 0; r < rows[i]; ++r)
            b[std::size_t(plan.offset(i) + r)] = Scalar(std::sin(1 + plan.offset(i) + r));
    return b;
}

// Without the rows that blocks do not have.
std::vector<double> packed(const BlockPlan& plan, const std::vector<int>& rows, const std::vector<double>& x) {
    std::vector<double> result;
    for (int i = 0; i < plan.blockCount(); ++i)
        for (int r = 0; r < rows[i]; ++r)
            result.push_back(x[std::size_t(plan.offset(i) + r)]);
    return result;
}

// A system, and what the oracle says to it. Rows by block, without gaps.
struct Example {
    std::vector<int> capacities, rows;
    Pairs pairs;
    std::vector<double> expected;
};

Example exampleOf(std::vector<int> capacities, std::vector<int> rows, Pairs pairs) {
    std::size_t size = 0;
    for (const int count : rows)
        size += std::size_t(count);
    DenseSystem dense(size);
    const auto matrix = filled<double, kAnySize>(planOf(capacities, pairs), rows, 1, &dense);
    const std::vector<double> b = rightSide<float>(matrix.plan(), rows);
    return {std::move(capacities), rows, std::move(pairs), dense.solve(packed(matrix.plan(), rows, b))};
}

// The largest difference from the oracle. The systems are diagonally dominant: solutions and errors are below one.
template <class Scalar, int kBlock>
double worstError(const Example& example) {
    auto matrix = filled<Scalar, kBlock>(planOf(example.capacities, example.pairs), example.rows, 1);
    const std::vector<double> b = rightSide<float>(matrix.plan(), example.rows);
    std::vector<Scalar> x(b.begin(), b.end());
    EXPECT_TRUE(matrix.factor());
    matrix.solve(x);
    const std::vector<double> found = packed(matrix.plan(), example.rows, std::vector<double>(x.begin(), x.end()));
    double worst = 0;
    for (std::size_t k = 0; k < found.size(); ++k)
        worst = std::fmax(worst, std::fabs(found[k] - example.expected[k]));
    return worst;
}

template <class Scalar, int kBlock>
void expectExact(const Example& example, const char* name) {
    const double tolerance = sizeof(Scalar) == 8 ? 1e-14 : 1e-6;  // a few roundings of numbers below one
    EXPECT_LT((worstError<Scalar, kBlock>(example)), tolerance) << name << ' ' << example.rows.size() << " of " << kBlock;
    EXPECT_LT((worstError<Scalar, kAnySize>(example)), tolerance) << name << ' ' << example.rows.size() << " of " << kBlock;
}

template <int kBlock>
void expectExactOnAllGraphs(std::initializer_list<int> sides) {
    for (const int side : sides) {
        const int count = side * side;
        const std::vector<int> sizes(std::size_t(count), kBlock);
        const std::pair<const char*, Pairs> graphs[] = {{"alone", {}},
                                                        {"chain", chain(count)},
                                                        {"star", star(count)},
                                                        {"grid", grid(side)},
                                                        {"random", randomGraph(count, 2 * count, 3)}};
        for (const auto& [name, pairs] : graphs) {
            const Example example = exampleOf(sizes, sizes, pairs);
            expectExact<double, kBlock>(example, name);
            expectExact<float, kBlock>(example, name);
        }
    }
}

TEST(BlockCholesky, AgreesWithADenseSolver) {
    expectExactOnAllGraphs<1>({1, 2, 5, 17});
    expectExactOnAllGraphs<3>({1, 2, 7});
    expectExactOnAllGraphs<6>({1, 2, 5});
}

TEST(BlockCholesky, BlocksMayHaveTheirOwnSizesAndFewerRowsThanPlanned) {
    const auto error = [](std::vector<int> capacities, std::vector<int> rows, Pairs pairs) {
        return worstError<double, kAnySize>(exampleOf(std::move(capacities), std::move(rows), std::move(pairs)));
    };
    EXPECT_LT(error({3, 3, 3, 3}, {3, 3, 3, 3}, {{0, 1}, {1, 2}, {2, 3}}), 1e-14);
    EXPECT_LT(error({6, 3, 5, 1}, {5, 3, 4, 1}, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}), 1e-14);
    EXPECT_LT(error({3, 6, 3, 6, 3}, {3, 6, 0, 5, 3}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 4}}), 1e-14);
    core::Random random(5);
    std::vector<int> capacities, rows;
    for (int i = 0; i < 60; ++i) {
        capacities.push_back(1 + int(random.below(8)));
        rows.push_back(int(random.below(std::uint32_t(capacities.back()) + 1)));
    }
    EXPECT_LT(error(capacities, rows, randomGraph(60, 150, 6)), 1e-14);
}

// 500 blocks of 3 are too many for the dense oracle to be quick: the residual shows it as well.
TEST(BlockCholesky, FiveHundredBlocksMeetTheirEquations) {
    const Pairs pairs = randomGraph(500, 900, 9);
    const std::vector<int> sizes(500, 3);
    DenseSystem dense(1500);
    auto matrix = filled<double, 3>(planOf(sizes, pairs), sizes, 4, &dense);
    const std::vector<double> b = rightSide<double>(matrix.plan(), sizes);
    std::vector<double> x = b;
    ASSERT_TRUE(matrix.factor());
    matrix.solve(x);
    for (std::size_t i = 0; i < 1500; ++i) {
        double sum = -b[i];
        for (std::size_t j = 0; j < 1500; ++j)
            sum += dense.at(i, j) * x[j];
        ASSERT_NEAR(sum, 0, 1e-13);
    }
}

TEST(BlockCholesky, AnyOrderSolvesTheSystem) {
    const Pairs pairs = grid(6);
    const std::vector<int> sizes(36, 3);
    std::vector<int> given;
    for (int i = 0; i < 36; ++i)
        given.push_back(i * 7 % 36);  // 7 and 36 have no factor in common
    auto best = filled<double, 3>(planOf(sizes, pairs), sizes, 2);
    auto other = filled<double, 3>(std::make_shared<const BlockPlan>(sizes, pairs, given), sizes, 2);
    EXPECT_LT(best.plan().valueCount(), other.plan().valueCount());
    std::vector<double> x = rightSide<double>(best.plan(), sizes), y = x;
    ASSERT_TRUE(best.factor());
    ASSERT_TRUE(other.factor());
    best.solve(x);
    other.solve(y);
    for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(x[i], y[i], 1e-14);
}

TEST(BlockCholesky, AKeptPlanGivesTheBitsOfANewOne) {
    const Pairs pairs = randomGraph(80, 200, 11);
    const std::vector<int> sizes(80, 3);
    const std::shared_ptr<const BlockPlan> kept = planOf(sizes, pairs);
    auto matrix = filled<double, 3>(kept, sizes, 1);
    matrix.factor();
    for (std::uint64_t seed = 2; seed < 5; ++seed) {
        matrix.clear();
        fillRandom(matrix, sizes, seed);
        auto fresh = filled<double, 3>(planOf(sizes, pairs), sizes, seed);
        std::vector<double> x = rightSide<double>(*kept, sizes), y = x;
        ASSERT_TRUE(matrix.factor());
        ASSERT_TRUE(fresh.factor());
        matrix.solve(x);
        fresh.solve(y);
        EXPECT_EQ(x, y);
    }
}

// Joints and bonds rely on it: which of both is used may not show in a scene.
TEST(BlockCholesky, BlockSizesKnownToTheCompilerGiveTheBitsOfThoseThatAreNot) {
    const Pairs pairs = randomGraph(50, 120, 12);
    const std::vector<int> sizes(50, 6);
    auto known = filled<double, 6>(planOf(sizes, pairs), sizes, 3);
    auto any = filled<double, kAnySize>(planOf(sizes, pairs), sizes, 3);
    std::vector<double> x = rightSide<double>(known.plan(), sizes), y = x;
    known.factor();
    any.factor();
    known.solve(x);
    any.solve(y);
    EXPECT_EQ(x, y);
}

// Springs of stiffness one along a chain, in three dimensions; without a hold its blocks sum up to nothing.
BlockCholesky<double, 3> springChain(int count, double hold) {
    const std::vector<int> sizes(std::size_t(count), 3);
    const Pairs pairs = chain(count);
    BlockCholesky<double, 3> matrix(planOf(sizes, pairs));
    matrix.clear();
    for (int i = 0; i < count; ++i)
        for (int r = 0; r < 3; ++r)
            matrix.diagonal(i)[r * 3 + r] = (i == 0 || i + 1 == count ? 1 : 2) + (i == 0 ? hold : 0);
    for (int p = 0; p < int(pairs.size()); ++p)
        for (int r = 0; r < 3; ++r)
            matrix.pair(p).values[r * 3 + r] = -1;
    return matrix;
}

TEST(BlockCholesky, NearlySingularSystemsAreTold) {
    auto held = springChain(20, 1), hardly = springChain(20, 1e-13), free = springChain(20, 0);
    EXPECT_TRUE(held.factor());
    EXPECT_GT(held.leastShare(), 0.01);
    hardly.factor();
    EXPECT_LT(hardly.leastShare(), 1e-12);
    free.factor();
    EXPECT_LT(free.leastShare(), 1e-12);
}

TEST(BlockCholesky, RowsThatSayNothingNewAreLeftOut) {
    const std::vector<int> sizes(2, 3);
    BlockCholesky<double, 3> matrix(planOf(sizes, chain(2)));
    matrix.clear();
    for (int i = 0; i < 2; ++i)
        for (int r = 0; r < 3; ++r)
            matrix.diagonal(i)[r * 3 + r] = 4;
    matrix.diagonal(1)[1 * 3 + 0] = 4;  // row 1 says what row 0 says
    EXPECT_FALSE(matrix.factor());
    EXPECT_EQ(matrix.leastShare(), 0);
    std::vector<double> x{1, 2, 3, 8, 8, 12};
    matrix.solve(x);
    EXPECT_EQ(x, (std::vector<double>{0.25, 0.5, 0.75, 2, 0, 3}));
}

TEST(BlockCholesky, NegativeMatricesAreTold) {
    const std::vector<int> sizes(1, 1);
    BlockCholesky<float, 1> matrix(planOf(sizes, {}));
    matrix.clear();
    matrix.diagonal(0)[0] = -1;
    EXPECT_FALSE(matrix.factor());
}

TEST(BlockCholesky, NothingIsSolvedForNoBlocks) {
    BlockCholesky<double, 3> matrix(planOf({}, {}));
    matrix.clear();
    EXPECT_TRUE(matrix.factor());
    matrix.solve({});
    EXPECT_EQ(matrix.leastShare(), 1);
}

}  // namespace
}  // namespace sunder::linear
