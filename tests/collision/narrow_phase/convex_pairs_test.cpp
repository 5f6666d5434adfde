// Contact of all fifteen pairs of convex shapes against slow references in double (physics fact 29).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "collision/narrow_phase/convex/collide_convex.h"
#include "collision/narrow_phase/manifold/preference.h"
#include "collision/narrow_phase/reference.h"
#include "collision/shapes_for_tests.h"

namespace sunder::testing {
namespace {

using collision::collideConvex;
using collision::ContactManifold;

// Rounding of float input and output, relative to the shapes' sizes plus the distance from the origin.
constexpr double kRounding = 1e-5;

struct Placed {
    SharedShape shape;
    Pose pose;
};

struct Scene {
    Placed a, b;
    Real margin = 0;

    double size() const {
        return double(a.shape->boundingRadius) + double(b.shape->boundingRadius) + double(length(a.pose.position)) +
               double(length(b.pose.position));
    }
    double smaller() const { return double(std::min(a.shape->boundingRadius, b.shape->boundingRadius)); }
    ContactManifold collide() const { return collideConvex(*a.shape, a.pose, *b.shape, b.pose, margin); }
    ContactManifold collideExchanged() const { return collideConvex(*b.shape, b.pose, *a.shape, a.pose, margin); }
};

double deepest(const ContactManifold& m) {
    double s = 1e300;
    for (int i = 0; i < m.count; ++i)
        s = std::min(s, double(m.points[i].separation));
    return s;
}

Vec3d toD(const Vec3& v) { return toDouble(v); }

// The pair's centres are about as far apart as the shapes reach, so that overlap, touch and gap all are common.
Scene randomScene(RandomPoints& random, ShapeType a, ShapeType b, double low, double high) {
    Scene s;
    s.a = {randomShape(random, a, low, high), {random.inBox(high), random.rotation()}};
    s.b = {randomShape(random, b, low, high), {{}, random.rotation()}};
    const Real reach = s.a.shape->innerRadius + s.b.shape->innerRadius;
    const Real far = s.a.shape->boundingRadius + s.b.shape->boundingRadius;
    s.b.pose.position = s.a.pose.position + random.onSphere() * random.between(0.3 * double(reach), 1.2 * double(far));
    s.margin = random.between(0, high);
    return s;
}

// What must hold for any manifold, whatever the shapes.
void checkConsistency(const Scene& s, const ContactManifold& m) {
    const ReferenceShape a(*s.a.shape, s.a.pose), b(*s.b.shape, s.b.pose);
    ASSERT_GE(m.count, 0);
    ASSERT_LE(m.count, collision::kMaxManifoldPoints);
    if (m.count == 0)
        return;
    ASSERT_NEAR(double(length(m.normal)), 1, 1e-5);
    std::set<std::uint32_t> features;
    for (int i = 0; i < m.count; ++i) {
        const auto& p = m.points[i];
        ASSERT_TRUE(isFinite(p.onA) && isFinite(p.onB) && std::isfinite(p.separation));
        EXPECT_TRUE(features.insert(p.feature).second) << "feature used twice";
        EXPECT_LE(p.separation, s.margin);
        EXPECT_LE(length(toD(p.onB) - toD(p.onA) - toD(m.normal) * double(p.separation)), kRounding * s.size());
        EXPECT_LE(std::fabs(a.surfaceResidual(p.onA)), 2 * kRounding * s.size()) << "point " << i << " of " << m.count;
        EXPECT_LE(std::fabs(b.surfaceResidual(p.onB)), 2 * kRounding * s.size()) << "point " << i << " of " << m.count;
    }
}

// How much another direction may be better than the one chosen.
double allowance(const Scene& s, double separation) {
    return kRounding * s.size() + double(collision::kPreferenceRelative) * std::fabs(separation) +
           double(collision::kPreferenceAbsolute) * s.smaller();
}

struct Tally {
    int contacts = 0, overlaps = 0, preferred = 0;
    double worst = 0;
};

void checkAgainstReference(const Scene& s, RandomPoints& random, Tally& tally) {
    const ReferenceShape a(*s.a.shape, s.a.pose), b(*s.b.shape, s.b.pose);
    const ContactManifold m = s.collide();
    checkConsistency(s, m);
    // Without a margin there always is a normal; along it the separation is a lower bound as good as any.
    Scene unlimited = s;
    unlimited.margin = Real(1e6);
    const double bound = separationAlong(a, b, toD(unlimited.collide().normal));
    const double reference = std::max(bound, largestSeparation(a, b, random));
    const double tolerance = allowance(s, reference);
    if (m.count == 0) {
        EXPECT_GT(reference, double(s.margin) - kRounding * s.size()) << "contact missed";
        return;
    }
    const double along = separationAlong(a, b, toD(m.normal)), depth = deepest(m);
    ++tally.contacts;
    tally.overlaps += reference < 0;
    tally.preferred += along < reference - 2 * kRounding * s.size();
    tally.worst = std::max(tally.worst, (reference - along) / s.size());
    EXPECT_GE(along, reference - tolerance) << "a better direction exists; depth " << depth << " reference " << reference;
    EXPECT_NEAR(depth, reference, tolerance) << "the deepest point is missing; count " << m.count;
    EXPECT_GE(depth, along - 2 * kRounding * s.size());

    // Exchanged: the same depth; the same normal unless two directions are equally good.
    const ContactManifold exchanged = s.collideExchanged();
    if (exchanged.count == 0) {
        EXPECT_NEAR(depth, double(s.margin), 2 * tolerance);
        return;
    }
    EXPECT_NEAR(deepest(exchanged), depth, 2 * tolerance);
    if (dot(m.normal, exchanged.normal) > Real(-0.9999)) {
        EXPECT_NEAR(separationAlong(a, b, toD(exchanged.normal) * -1), along, 2 * tolerance);
    }
}

class ConvexPairs : public ::testing::TestWithParam<std::pair<ShapeType, ShapeType>> {};

TEST_P(ConvexPairs, AgreeWithExhaustiveSearchOverDirections) {
    RandomPoints random(17 + 10 * std::uint64_t(GetParam().first) + std::uint64_t(GetParam().second));
    Tally tally;
    const int count = 250;
    for (int i = 0; i < count && !HasFailure(); ++i) {
        SCOPED_TRACE(i);
        checkAgainstReference(randomScene(random, GetParam().first, GetParam().second, 0.2, 1), random, tally);
    }
    EXPECT_GT(tally.contacts, count / 3);
    EXPECT_GT(tally.overlaps, count / 20);
    EXPECT_LT(tally.preferred, tally.contacts / 5);  // the preference for faces is rare among random poses
    RecordProperty("worst", std::to_string(tally.worst));
}

// Moving both shapes by one pose moves the contact with them.
TEST_P(ConvexPairs, MoveWithACommonPose) {
    RandomPoints random(171 + 10 * std::uint64_t(GetParam().first) + std::uint64_t(GetParam().second));
    for (int i = 0; i < 300 && !HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const Scene s = randomScene(random, GetParam().first, GetParam().second, 0.2, 1);
        const Pose common{random.inBox(2), random.rotation()};
        Scene moved = s;
        moved.a.pose = common * s.a.pose;
        moved.b.pose = common * s.b.pose;
        moved.a.pose.orientation = normalize(moved.a.pose.orientation);
        moved.b.pose.orientation = normalize(moved.b.pose.orientation);
        const ContactManifold m = s.collide(), n = moved.collide();
        const double tolerance = kRounding * moved.size();
        if (m.count == 0 || n.count == 0) {
            const double only = m.count > 0 ? deepest(m) : (n.count > 0 ? deepest(n) : double(s.margin));
            EXPECT_NEAR(only, double(s.margin), tolerance);
            continue;
        }
        // Two directions can be equally good, and the preference for faces has an edge, too.
        const ReferenceShape a(*s.a.shape, s.a.pose), b(*s.b.shape, s.b.pose);
        const Vec3 back = inverseRotate(common.orientation, n.normal);
        if (dot(back, m.normal) > Real(0.99999)) {
            EXPECT_NEAR(deepest(n), deepest(m), tolerance);
        } else {
            EXPECT_NEAR(separationAlong(a, b, toD(back)), separationAlong(a, b, toD(m.normal)), allowance(s, deepest(m)));
        }
    }
}

// Bit for bit: a step must not depend on what was computed before it.
TEST_P(ConvexPairs, RepeatExactly) {
    RandomPoints random(1 + 10 * std::uint64_t(GetParam().first) + std::uint64_t(GetParam().second));
    for (int i = 0; i < 100; ++i) {
        const Scene s = randomScene(random, GetParam().first, GetParam().second, 0.2, 1);
        const ContactManifold m = s.collide();
        randomScene(random, GetParam().first, GetParam().second, 0.2, 1).collide();
        const ContactManifold n = s.collide();
        ASSERT_EQ(m.count, n.count);
        EXPECT_EQ(m.normal, n.normal);
        for (int k = 0; k < m.count; ++k) {
            EXPECT_EQ(m.points[k].onA, n.points[k].onA);
            EXPECT_EQ(m.points[k].onB, n.points[k].onB);
            EXPECT_EQ(m.points[k].separation, n.points[k].separation);
            EXPECT_EQ(m.points[k].feature, n.points[k].feature);
        }
    }
}

// Shapes from a millimetre to a hundred metres and a thousand times longer than thick, exactly touching, concentric or with
// one axis in common: the answer is finite, its points are on the surfaces, and no contact is missed.
TEST_P(ConvexPairs, SurviveExtremeShapesAndPlaces) {
    RandomPoints random(5 + 10 * std::uint64_t(GetParam().first) + std::uint64_t(GetParam().second));
    for (int i = 0; i < 600 && !HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const double scale = std::pow(10.0, double(random.between(-3, 1.9)));
        const double thin = std::max(scale * (i % 3 == 0 ? 1e-3 : 0.3), 2e-5);
        Scene s;
        s.a = {randomShape(random, GetParam().first, thin, scale), {}};
        s.b = {randomShape(random, GetParam().second, thin, scale), {}};
        const Quat quarter = normalize(Quat{Real(i % 5 == 0), Real(i % 5 == 1), Real(i % 5 == 2), 1});
        if (i % 2 == 0)
            s.a.pose.orientation = quarter;
        if (i % 4 > 1)
            s.b.pose.orientation = random.rotation();
        Vec3 direction;
        setComponent(direction, i % 3, 1);
        if (i % 7 > 0)  // otherwise concentric
            s.b.pose.position = direction * random.between(0, 2.2 * scale);
        s.margin = random.between(0, scale);
        const ContactManifold m = s.collide();
        checkConsistency(s, m);
        const ReferenceShape a(*s.a.shape, s.a.pose), b(*s.b.shape, s.b.pose);
        const double tolerance = kRounding * s.size();
        if (m.count > 0) {
            EXPECT_GE(deepest(m), separationAlong(a, b, toD(m.normal)) - tolerance);
        } else {
            Scene unlimited = s;
            unlimited.margin = Real(1e6);
            const ContactManifold far = unlimited.collide();
            ASSERT_GT(far.count, 0);
            EXPECT_GT(separationAlong(a, b, toD(far.normal)), double(s.margin) - tolerance);
        }
    }
}

std::vector<std::pair<ShapeType, ShapeType>> allPairs() {
    std::vector<std::pair<ShapeType, ShapeType>> pairs;
    for (int i = 0; i < 5; ++i)
        for (int j = i; j < 5; ++j)
            pairs.emplace_back(kConvexTypes[i], kConvexTypes[j]);
    return pairs;
}

std::string pairName(const ::testing::TestParamInfo<std::pair<ShapeType, ShapeType>>& info) {
    return std::string(nameOf(info.param.first)) + "_" + nameOf(info.param.second);
}

INSTANTIATE_TEST_SUITE_P(All, ConvexPairs, ::testing::ValuesIn(allPairs()), pairName);

}  // namespace
}  // namespace sunder::testing
