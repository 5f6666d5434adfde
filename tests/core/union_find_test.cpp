// Union-find against labels that are rewritten with every join.
#include "core/union_find.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.h"

namespace sunder {
namespace {

// The oracle: every item knows the lowest item of its set.
class Labels {
public:
    explicit Labels(std::size_t count) : label_(count) {
        for (std::uint32_t i = 0; i < count; ++i)
            label_[i] = i;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t from = std::max(label_[a], label_[b]), to = std::min(label_[a], label_[b]);
        for (std::uint32_t& label : label_)
            if (label == from)
                label = to;
    }
    std::uint32_t root(std::uint32_t item) const { return label_[item]; }

private:
    std::vector<std::uint32_t> label_;
};

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Pairs randomPairs(std::uint32_t items, std::uint32_t count, std::uint64_t seed) {
    core::Random random(seed);
    Pairs pairs;
    for (std::uint32_t i = 0; i < count; ++i)
        pairs.push_back({random.below(items), random.below(items)});  // some of them twice, or with themselves
    return pairs;
}

TEST(UnionFind, AloneAtFirst) {
    UnionFind sets(5);
    ASSERT_EQ(sets.size(), 5u);
    for (std::uint32_t i = 0; i < 5; ++i)
        EXPECT_EQ(sets.root(i), i);
    EXPECT_EQ(UnionFind().size(), 0u);
}

TEST(UnionFind, AgreesWithRewrittenLabelsAfterEveryJoin) {
    for (const std::uint32_t items : {1u, 2u, 7u, 60u})
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            UnionFind sets(items);
            Labels labels(items);
            for (const auto& [a, b] : randomPairs(items, 2 * items, seed)) {
                sets.join(a, b);
                labels.join(a, b);
                for (std::uint32_t i = 0; i < items; ++i)
                    ASSERT_EQ(sets.root(i), labels.root(i)) << items << " items, seed " << seed;
            }
        }
}

TEST(UnionFind, RootsDoNotDependOnTheOrderOfJoining) {
    constexpr std::uint32_t kItems = 500;
    Pairs pairs = randomPairs(kItems, 400, 1);
    UnionFind forward(kItems), backward(kItems);
    for (const auto& [a, b] : pairs)
        forward.join(a, b);
    std::reverse(pairs.begin(), pairs.end());
    for (const auto& [a, b] : pairs)
        backward.join(b, a);
    for (std::uint32_t i = 0; i < kItems; ++i)
        EXPECT_EQ(forward.root(i), backward.root(i));
}

TEST(UnionFind, LongChainsAreJoinedFromEitherEnd) {
    constexpr std::uint32_t kItems = 100000;
    UnionFind up(kItems), down(kItems);
    for (std::uint32_t i = 0; i + 1 < kItems; ++i) {
        up.join(i, i + 1);
        down.join(kItems - 2 - i, kItems - 1 - i);
    }
    for (std::uint32_t i = 0; i < kItems; ++i) {
        ASSERT_EQ(up.root(i), 0u);
        ASSERT_EQ(down.root(i), 0u);
    }
}

TEST(UnionFind, ForestsPutBehindEachOtherStayAsTheyWere) {
    UnionFind whole, second;
    Labels labels(7);
    for (int i = 0; i < 3; ++i)
        whole.add();
    for (int i = 0; i < 4; ++i)
        second.add();
    whole.join(0, 2);
    second.join(1, 3);
    whole.append(second);
    ASSERT_EQ(whole.size(), 7u);
    labels.join(0, 2);
    labels.join(4, 6);
    for (std::uint32_t i = 0; i < 7; ++i)
        EXPECT_EQ(whole.root(i), labels.root(i));
    whole.join(6, 2);
    labels.join(6, 2);
    for (std::uint32_t i = 0; i < 7; ++i)
        EXPECT_EQ(whole.root(i), labels.root(i));
}

}  // namespace
}  // namespace sunder
