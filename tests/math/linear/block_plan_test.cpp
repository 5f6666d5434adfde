// Orders of elimination and the fill they lead to, against elimination on a full table of neighbours.
#include "math/linear/block_plan.h"

#include <gtest/gtest.h>

#include "math/linear/block_systems.h"

namespace sunder::linear {
namespace {

// The oracle: neighbours of neighbours, entry by entry. Per position the rows below, ascending.
std::vector<std::vector<int>> fillOf(int count, const Pairs& pairs, const std::vector<int>& order) {
    std::vector<int> position(order.size());
    for (int p = 0; p < count; ++p)
        position[order[p]] = p;
    std::vector<std::vector<bool>> has(count, std::vector<bool>(count, false));
    for (const auto& [i, j] : pairs)
        has[position[i]][position[j]] = has[position[j]][position[i]] = true;
    std::vector<std::vector<int>> below(count);
    for (int p = 0; p < count; ++p) {
        for (int i = p + 1; i < count; ++i)
            if (has[i][p])
                below[p].push_back(i);
        for (const int i : below[p])
            for (const int j : below[p])
                has[i][j] = true;
    }
    return below;
}

void expectFill(int count, const Pairs& pairs, const std::vector<int>& order) {
    const BlockPlan plan(std::vector<int>(count, 2), pairs, order);
    const auto expected = fillOf(count, pairs, order);
    std::size_t blocks = 0;
    for (int p = 0; p < count; ++p) {
        EXPECT_EQ(plan.columns()[p].block, order[p]);
        EXPECT_EQ(plan.position(order[p]), p);
        std::vector<int> rows;
        for (const BlockPlan::Below& block : plan.below(p))
            rows.push_back(block.row);
        EXPECT_EQ(rows, expected[p]);
        blocks += 1 + rows.size();
    }
    EXPECT_EQ(plan.valueCount(), 4 * blocks);
}

TEST(BlockPlan, HasTheFillOfElimination) {
    for (const int side : {1, 2, 3, 8}) {
        const int count = side * side;
        const std::vector<int> sizes(count, 2);
        for (const Pairs& pairs : {chain(count), star(count), grid(side), randomGraph(count, 2 * count, 21)}) {
            std::vector<int> natural;
            for (int i = 0; i < count; ++i)
                natural.push_back(i);
            expectFill(count, pairs, natural);
            expectFill(count, pairs, *minimumDegreeOrder(sizes, pairs));
        }
    }
}

TEST(EliminationOrder, TreesHaveNoFill) {
    const std::vector<int> sizes(100, 1);
    for (const Pairs& pairs : {chain(100), star(100)})
        EXPECT_EQ(planOf(sizes, pairs)->valueCount(), 100 + pairs.size());
}

TEST(EliminationOrder, EqualDegreesGoByNumber) {
    const std::vector<int> sizes(4, 3);
    EXPECT_EQ(*minimumDegreeOrder(sizes, Pairs{}), (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(*minimumDegreeOrder(sizes, star(4)), (std::vector<int>{1, 2, 0, 3}));
}

TEST(EliminationOrder, DoesNotDependOnTheOrderOfThePairs) {
    Pairs pairs = randomGraph(120, 300, 8);
    const std::vector<int> sizes(120, 3);
    const std::vector<int> order = *minimumDegreeOrder(sizes, pairs);
    std::reverse(pairs.begin(), pairs.end());
    for (auto& [i, j] : pairs)
        std::swap(i, j);
    EXPECT_EQ(*minimumDegreeOrder(sizes, pairs), order);
}

TEST(EliminationOrder, RefusesWhatIsTooDear) {
    Pairs all;
    for (int i = 0; i < 40; ++i)
        for (int j = i + 1; j < 40; ++j)
            all.push_back({i, j});
    const std::vector<int> sizes(40, 6);
    EXPECT_FALSE(minimumDegreeOrder(sizes, all, 1e5));
    EXPECT_TRUE(minimumDegreeOrder(sizes, all, 1e8));
}

}  // namespace
}  // namespace sunder::linear
