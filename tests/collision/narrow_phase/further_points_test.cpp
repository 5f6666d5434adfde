// Points that touch besides the four of a manifold.
#include "collision/narrow_phase/manifold/further_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "collision/narrow_phase/collide.h"
#include "collision/shapes_for_tests.h"

namespace sunder::testing {
namespace {

using namespace collision;

const SharedShape& unitBox() {
    static const SharedShape box = buildShape(Box{{Real(0.5), Real(0.5), Real(0.5)}});
    return box;
}

// A box turned by an eighth of a turn on another: their faces overlap in an octagon.
Pose turnedOnTop(Real overlap, Real lean = 0) {
    const Quat turn = quatFromRotationVector({0, Real(0.785398), 0});
    return {{0, 1 - overlap, 0}, quatFromRotationVector({lean, 0, 0}) * turn};
}

ManifoldList onTop(const Pose& pose, KnownManifolds known = {}) {
    ManifoldList found;
    collide(*unitBox(), {}, *unitBox(), pose, {Real(0.02)}, found, known);
    return found;
}

std::set<std::uint32_t> featuresOf(const ContactManifold& manifold) {
    std::set<std::uint32_t> features;
    for (int i = 0; i < manifold.count; ++i)
        features.insert(manifold.points[i].feature);
    return features;
}

std::vector<KnownManifold> knownFrom(const ManifoldList& list) {
    std::vector<KnownManifold> known;
    for (std::size_t i = 0; i < list.size(); ++i) {
        KnownManifold& manifold = known.emplace_back();
        manifold.key = list[i].key;
        manifold.normal = list[i].normal;
        manifold.count = list[i].count;
        for (int j = 0; j < list[i].count; ++j)
            manifold.features[j] = list[i].points[j].feature;
    }
    return known;
}

TEST(FurtherPoints, AllEightCornersThatTouchAreThere) {
    const ManifoldList found = onTop(turnedOnTop(Real(0.001)));
    ASSERT_EQ(found.size(), 2u);
    EXPECT_NE(found[0].key, found[1].key);
    EXPECT_EQ(found[0].count + found[1].count, 8);
    std::set<std::uint32_t> all = featuresOf(found[0]);
    all.merge(featuresOf(found[1]));
    EXPECT_EQ(all.size(), 8u);
}

TEST(FurtherPoints, AreNoneWhereNothingMoreTouches) {
    EXPECT_EQ(onTop(turnedOnTop(Real(-0.001))).size(), 1u);
    EXPECT_EQ(onTop({{0, Real(0.999), 0}, {}}).size(), 1u);
}

// As the box rocks other points are the deepest and others cease to touch; none that stays changes its manifold.
TEST(FurtherPoints, StayInTheirManifoldWhileABodyRocks) {
    ManifoldList before = onTop(turnedOnTop(Real(0.001)));
    for (const double lean : {0.0015, -0.0015, 0.0008, -0.003, 0.003, 0.0}) {
        const ManifoldList now = onTop(turnedOnTop(Real(0.001), Real(lean)), knownFrom(before));
        for (std::size_t i = 0; i < now.size(); ++i)
            for (const std::uint32_t feature : featuresOf(now[i]))
                for (std::size_t j = 0; j < before.size(); ++j)
                    EXPECT_FALSE(j != i && featuresOf(before[j]).count(feature) > 0) << lean;
        before = now;
    }
    EXPECT_EQ(before.size(), 2u);
}

// Five touch where four were known: the new one is the further one, whichever four would be chosen now.
TEST(FurtherPoints, WhatWasInTheFirstManifoldStaysThere) {
    ContactManifold manifold, further;
    KnownManifold known;
    for (std::uint32_t i = 0; i < 4; ++i)
        known.features[known.count++] = 10 + i;
    for (const std::uint32_t feature : {10u, 20u, 12u, 13u})
        manifold.points[manifold.count++].feature = feature;
    further.points[further.count++].feature = 11;
    keepPlaces(known, {}, manifold, further);
    EXPECT_EQ(featuresOf(manifold), (std::set<std::uint32_t>{10, 11, 12, 13}));
    EXPECT_EQ(featuresOf(further), (std::set<std::uint32_t>{20}));
}

TEST(FurtherPoints, AFirstManifoldIsNeverEmpty) {
    ContactManifold manifold, further;
    KnownManifold knownFurther;
    knownFurther.count = 1;
    knownFurther.features[0] = 7;
    manifold.points[manifold.count++].feature = 7;
    keepPlaces({}, knownFurther, manifold, further);
    EXPECT_EQ(manifold.count, 1);
    EXPECT_EQ(further.count, 0);
}

}  // namespace
}  // namespace sunder::testing
