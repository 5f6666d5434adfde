// Fact 28: the pairs of the broad phase equal those of brute force while bodies move, appear and vanish.
#include "collision/broad_phase/broad_phase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "support/random_points.h"

namespace sunder::collision {
namespace {

using testing::RandomPoints;

constexpr Real kWorldHalf = 5;
constexpr std::uint32_t kGone = 0xffffffffu;

// Boxes that fly about, without any dynamics. A body's number is its index.
struct Body {
    std::uint32_t proxy = kGone;
    Motion motion = Motion::Dynamic;
    Vec3 position, velocity, half;
    Bounds bounds() const { return {position - half, position + half}; }
};

struct Scene {
    RandomPoints random{7};
    BroadPhase broadPhase;
    std::vector<Body> bodies;
    PairSet known;
    std::set<std::uint64_t> pairs;

    explicit Scene(std::size_t count) : bodies(count) {
        for (std::uint32_t body = 0; body < bodies.size(); ++body)
            appear(body);
    }

    void appear(std::uint32_t index) {
        Body& body = bodies[index];
        const std::uint32_t kind = random.below(10);
        body.motion = kind < 2 ? Motion::Static : (kind < 3 ? Motion::Kinematic : Motion::Dynamic);
        body.position = random.inBox(kWorldHalf);
        body.velocity = body.motion == Motion::Static ? Vec3{} : random.inBox(4) * random.between(0, 1);
        const Real largest = random.below(100) == 0 ? Real(6) : (random.below(4) == 0 ? Real(1) : Real(0.02));
        body.half = abs(random.inBox(largest));
        body.proxy = broadPhase.add(body.motion, fatten(body.bounds(), {}), index);
    }

    void vanish(std::uint32_t index) {
        broadPhase.remove(bodies[index].proxy);
        bodies[index].proxy = kGone;
        for (auto pair = pairs.begin(); pair != pairs.end();) {
            if (lowCollider(*pair) == index || highCollider(*pair) == index) {
                known.erase(*pair);
                pair = pairs.erase(pair);
            } else {
                ++pair;
            }
        }
    }

    void step(Real dt) {
        for (std::uint32_t index = 0; index < bodies.size(); ++index) {
            Body& body = bodies[index];
            if (random.below(50) == 0)
                body.proxy == kGone ? appear(index) : vanish(index);
            if (body.proxy == kGone || body.motion == Motion::Static)
                continue;
            if (random.below(200) == 0)
                body.position = random.inBox(kWorldHalf);  // a jump, as setPose makes
            body.position += body.velocity * dt;
            broadPhase.move(body.proxy, body.bounds(), body.velocity * dt);
        }
    }

    bool mayPair(const Body& a, const Body& b) const {
        return a.proxy != kGone && b.proxy != kGone && (a.motion == Motion::Dynamic || b.motion == Motion::Dynamic);
    }

    void keep(const PairBuffer& found) {
        for (auto pair = pairs.begin(); pair != pairs.end();) {
            if (broadPhase.overlap(bodies[lowCollider(*pair)].proxy, bodies[highCollider(*pair)].proxy)) {
                ++pair;
            } else {
                known.erase(*pair);
                pair = pairs.erase(pair);
            }
        }
        for (const std::uint64_t key : found) {
            ASSERT_TRUE(known.insert(key));
            ASSERT_TRUE(pairs.insert(key).second);
        }
        ASSERT_EQ(known.size(), pairs.size());
    }
};

TEST(BroadPhase, PairsEqualBruteForceEveryStep) {
    Scene scene(1000);
    PairBuffer found;
    std::size_t mostPairs = 0;
    for (int step = 0; step < 200; ++step) {
        scene.broadPhase.updatePairs(scene.known, found);
        ASSERT_TRUE(std::is_sorted(found.begin(), found.end()));
        ASSERT_NO_FATAL_FAILURE(scene.keep(found));
        mostPairs = std::max(mostPairs, scene.pairs.size());
        std::size_t overlapping = 0;
        for (std::uint32_t i = 0; i < scene.bodies.size(); ++i)
            for (std::uint32_t j = i + 1; j < scene.bodies.size(); ++j) {
                const Body& a = scene.bodies[i];
                const Body& b = scene.bodies[j];
                if (!scene.mayPair(a, b))
                    continue;
                const bool overlap = scene.broadPhase.overlap(a.proxy, b.proxy);
                overlapping += overlap;
                if (overlap) {
                    ASSERT_TRUE(scene.pairs.count(pairKey(i, j))) << step << ": " << i << ", " << j;
                }
                // Fat bounds hold the tight ones: no touching pair may be missing for being thin.
                if (overlaps(a.bounds(), b.bounds())) {
                    ASSERT_TRUE(overlap);
                }
            }
        ASSERT_EQ(scene.pairs.size(), overlapping) << step;
        scene.step(Real(1) / 30);
    }
    EXPECT_GT(mostPairs, 1000u);  // else the test shows little
}

TEST(BroadPhase, BlocksOfMovedProxiesFindTheSamePairs) {
    Scene whole(600);
    Scene parts(600);
    PairBuffer expected;
    for (int step = 0; step < 20; ++step) {
        whole.broadPhase.updatePairs(whole.known, expected);
        PairBuffer found;
        const std::span<const std::uint32_t> moved = parts.broadPhase.movedProxies();
        for (std::size_t end = moved.size(); end > 0;) {  // in blocks of odd sizes, last first
            const std::size_t begin = end > 37 ? end - 37 : 0;
            PairBuffer block;
            parts.broadPhase.findPairs(moved.subspan(begin, end - begin), parts.known, block);
            found.insert(found.end(), block.begin(), block.end());
            end = begin;
        }
        parts.broadPhase.finishPairs(*makeSerialRunner(), found);
        ASSERT_EQ(found, expected) << step;
        ASSERT_TRUE(parts.broadPhase.movedProxies().empty());
        whole.keep(expected);
        parts.keep(found);
        whole.step(Real(1) / 30);
        parts.step(Real(1) / 30);
    }
}

TEST(BroadPhase, ABodyAtRestIsNotReinserted) {
    BroadPhase broadPhase;
    const Bounds tight{{0, 0, 0}, {1, 1, 1}};
    const std::uint32_t proxy = broadPhase.add(Motion::Dynamic, fatten(tight, {}), 0);
    EXPECT_FALSE(broadPhase.move(proxy, tight, {}));
    EXPECT_FALSE(broadPhase.move(proxy, expand(tight, Real(0.01)), {}));  // inside the margin of 5 % of a metre
    EXPECT_TRUE(broadPhase.move(proxy, expand(tight, Real(0.2)), {}));
}

TEST(BroadPhase, BoundsOfFasterTimesAreLoose) {
    BroadPhase broadPhase;
    const Bounds tight{{0, 0, 0}, {1, 1, 1}};
    const Vec3 fast{0, -1, 0};
    const std::uint32_t proxy = broadPhase.add(Motion::Dynamic, fatten(tight, fast), 0);
    EXPECT_FALSE(broadPhase.isLoose(proxy, tight, fast));
    EXPECT_TRUE(broadPhase.isLoose(proxy, tight, {}));
    broadPhase.refit(proxy, tight, {});
    EXPECT_FALSE(broadPhase.isLoose(proxy, tight, {}));
    EXPECT_FALSE(broadPhase.isLoose(proxy, expand(tight, Real(-0.05)), {}));  // a margin more or less is nothing
}

TEST(BroadPhase, BoundsReachAheadOfAMovingBodyOnly) {
    const Bounds tight{{0, 0, 0}, {1, 1, 1}};
    const Bounds rest = fatten(tight, {});
    const Bounds moving = fatten(tight, {2, 0, -1});
    EXPECT_EQ(moving.low.x, rest.low.x);
    EXPECT_GE(moving.high.x, rest.high.x + 2);
    EXPECT_LE(moving.low.z, rest.low.z - 1);
    EXPECT_EQ(moving.high.z, rest.high.z);
}

TEST(PairSet, BehavesAsAnOrderedSet) {
    RandomPoints random(3);
    PairSet set;
    std::set<std::uint64_t> reference;
    for (int call = 0; call < 200000; ++call) {
        // Few bodies, so that keys recur; neighbours in a grid share most bits.
        const std::uint64_t key = pairKey(random.below(64), 64 + random.below(64));
        if (random.below(2) == 0)
            ASSERT_EQ(set.insert(key), reference.insert(key).second);
        else
            ASSERT_EQ(set.erase(key), reference.erase(key) == 1);
        ASSERT_EQ(set.size(), reference.size());
    }
    for (std::uint32_t low = 0; low < 64; ++low)
        for (std::uint32_t high = 64; high < 128; ++high)
            ASSERT_EQ(set.contains(pairKey(low, high)), reference.count(pairKey(low, high)) == 1);
    set.clear();
    EXPECT_FALSE(set.contains(pairKey(0, 64)));
    EXPECT_FALSE(set.erase(pairKey(0, 64)));
}

TEST(PairSet, KeysOrderByLowThenHighBody) {
    EXPECT_EQ(pairKey(3, 9), pairKey(9, 3));
    EXPECT_LT(pairKey(3, 9), pairKey(10, 3));
    EXPECT_LT(pairKey(3, 1000000), pairKey(4, 5));
    EXPECT_EQ(lowCollider(pairKey(9, 3)), 3u);
    EXPECT_EQ(highCollider(pairKey(9, 3)), 9u);
}

}  // namespace
}  // namespace sunder::collision
