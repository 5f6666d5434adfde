// The tree of bounds against brute force: same overlaps after any history of calls, at any depth.
#include "collision/broad_phase/tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/task_runner.h"
#include "support/random_points.h"

namespace sunder::collision {
namespace {

using testing::RandomPoints;

Bounds randomBox(RandomPoints& random) {
    const Vec3 middle = random.inBox(20);
    const Real size = random.below(10) == 0 ? Real(8) : Real(0.5);
    const Vec3 half = abs(random.inBox(size));
    return {middle - half, middle + half};
}

std::vector<std::uint32_t> inOrder(const BoundsTree& tree, const Bounds& box) {
    std::vector<std::uint32_t> result;
    tree.query(box, [&](std::uint32_t user) { result.push_back(user); });
    return result;
}

std::vector<std::uint32_t> found(const BoundsTree& tree, const Bounds& box) {
    std::vector<std::uint32_t> result = inOrder(tree, box);
    std::sort(result.begin(), result.end());
    return result;
}

using Leaves = std::map<std::uint32_t, std::pair<std::uint32_t, Bounds>>;  // user index -> leaf, bounds

std::vector<std::uint32_t> expected(const Leaves& leaves, const Bounds& box) {
    std::vector<std::uint32_t> result;
    for (const auto& [user, entry] : leaves)
        if (overlaps(entry.second, box))
            result.push_back(user);
    return result;
}

TEST(BoundsTree, QueriesEqualBruteForceThroughInsertMoveRemoveAndRebuild) {
    RandomPoints random(1);
    BoundsTree tree;
    Leaves leaves;
    for (std::uint32_t call = 0; call < 4000; ++call) {
        const std::uint32_t kind = random.below(8);
        const Bounds box = randomBox(random);
        if (leaves.empty() || kind < 3) {
            leaves[call] = {tree.insert(box, call), box};
        } else {
            const auto chosen = std::next(leaves.begin(), random.below(std::uint32_t(leaves.size())));
            if (kind < 5) {
                tree.remove(chosen->second.first);
                leaves.erase(chosen);
            } else {
                tree.move(chosen->second.first, box);
                chosen->second.second = box;
            }
        }
        if (call % 500 == 499)
            tree.rebuild(*makeSerialRunner());
        if (call % 50 == 49) {
            ASSERT_TRUE(tree.isConsistent()) << call;
            const Bounds probe = randomBox(random);
            ASSERT_EQ(found(tree, probe), expected(leaves, probe)) << call;
        }
    }
    ASSERT_EQ(tree.leafCount(), int(leaves.size()));
    for (const auto& [user, entry] : leaves) {  // leaves keep their indices through rebuilds
        ASSERT_EQ(tree.userIndex(entry.first), user);
        ASSERT_EQ(tree.fatBounds(entry.first).low, entry.second.low);
    }
    for (const auto& [user, entry] : Leaves(leaves))
        tree.remove(entry.first);
    EXPECT_TRUE(tree.isConsistent());
    EXPECT_TRUE(found(tree, {{-100, -100, -100}, {100, 100, 100}}).empty());
}

// Few moves climb from each leaf, many fit the whole tree: both must leave a sound tree that finds the same, and the order in
// which it finds must not depend on the number of threads.
TEST(BoundsTree, ManyMovesAtOnceEqualMovesOneByOneOnAnyNumberOfThreads) {
    for (const std::uint32_t count : {1u, 2u, 3u, 50u, 2000u})
        for (const std::uint32_t every : {1u, 2u, 10u}) {
            RandomPoints random(7 + count);
            BoundsTree tree;
            std::vector<std::uint32_t> leaves(count);
            for (std::uint32_t i = 0; i < count; ++i)
                leaves[i] = tree.insert(randomBox(random), i);
            BoundsTree alone = tree;
            std::vector<BoundsTree::Move> moves;
            for (std::uint32_t i = 0; i < count; i += every) {
                // Most creep, some go elsewhere.
                const Vec3 way = random.below(5) == 0 ? random.inBox(20) : random.inBox(Real(0.1));
                const Bounds& old = tree.fatBounds(leaves[i]);
                moves.push_back({leaves[i], {old.low + way, old.high + way}});
            }
            for (const BoundsTree::Move& move : moves)
                alone.move(move.leaf, move.fatBounds);
            BoundsTree second = tree;
            tree.move(*makeTaskRunner(1), moves);
            second.move(*makeTaskRunner(4), moves);
            ASSERT_TRUE(tree.isConsistent() && second.isConsistent());
            for (int i = 0; i < 20; ++i) {
                const Bounds probe = randomBox(random);
                EXPECT_EQ(inOrder(tree, probe), inOrder(second, probe));
                EXPECT_EQ(found(tree, probe), found(alone, probe));
            }
        }
}

TEST(BoundsTree, RebuiltOnAnyNumberOfThreadsItIsTheSame) {
    for (const std::uint32_t count : {3u, 257u, 5000u}) {
        RandomPoints random(count);
        BoundsTree tree;
        for (std::uint32_t i = 0; i < count; ++i)
            tree.insert(randomBox(random), i);
        BoundsTree second = tree;
        tree.rebuild(*makeSerialRunner());
        second.rebuild(*makeTaskRunner(4));
        ASSERT_TRUE(tree.isConsistent() && second.isConsistent());
        for (int i = 0; i < 20; ++i) {
            const Bounds probe = randomBox(random);
            EXPECT_EQ(inOrder(tree, probe), inOrder(second, probe));
        }
    }
}

// Nested boxes share their centre, so that no plane parts them; a chain of them is deeper than the query's stack.
TEST(BoundsTree, DeepTreesAreSearchedInFull) {
    BoundsTree tree;
    Leaves leaves;
    for (std::uint32_t i = 0; i < 2000; ++i) {
        const Real size = Real(1) + Real(i) * Real(0.05);
        const Bounds box{{-size, -size, -size}, {size, size, size}};
        leaves[i] = {tree.insert(box, i), box};
    }
    EXPECT_GT(tree.depth(), 100);  // else the test shows nothing
    ASSERT_TRUE(tree.isConsistent());
    for (const Real reach : {Real(0), Real(3), Real(40), Real(200)}) {
        const Bounds probe{{reach, 0, 0}, {reach + 1, 1, 1}};
        EXPECT_EQ(found(tree, probe), expected(leaves, probe));
    }
}

TEST(BoundsTree, CoincidentLeavesCanBeRebuilt) {
    BoundsTree tree;
    for (std::uint32_t i = 0; i < 300; ++i)
        tree.insert({{0, 0, 0}, {1, 1, 1}}, i);
    tree.rebuild(*makeSerialRunner());
    EXPECT_TRUE(tree.isConsistent());
    EXPECT_EQ(found(tree, {{0, 0, 0}, {1, 1, 1}}).size(), 300u);
    EXPECT_LE(tree.depth(), 10);  // cut in the middle: ceil(log2 300) = 9
}

// The reference is a tree built at once; rows added in sorted order are the worst case for insertion.
TEST(BoundsTree, InsertionInSortedOrderStaysNearARebuiltTree) {
    BoundsTree tree;
    for (std::uint32_t i = 0; i < 4096; ++i) {
        const Vec3 corner{Real(i % 16), Real(i / 16 % 16), Real(i / 256)};
        tree.insert({corner, corner + Vec3{Real(0.9), Real(0.9), Real(0.9)}}, i);
    }
    const Real grown = tree.areaRatio();
    const int grownDepth = tree.depth();
    tree.rebuild(*makeSerialRunner());
    EXPECT_TRUE(tree.isConsistent());
    EXPECT_LT(grown, Real(1.7) * tree.areaRatio());  // measured 1.50
    EXPECT_LT(grownDepth, 40);                       // a balanced tree has 12
}

}  // namespace
}  // namespace sunder::collision
