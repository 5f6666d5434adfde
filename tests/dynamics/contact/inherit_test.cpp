// Warm starting where the points of a manifold are others than in the step before.
#include "dynamics/contact/scalar/inherit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/random_points.h"

namespace sunder::dynamics {
namespace {

// Points on a plane through the two bodies' common origin.
KeptManifold manifoldOf(const std::vector<Vec3>& places, std::uint32_t firstFeature) {
    KeptManifold old{};
    old.id.key = 3;
    old.count = int(places.size());
    old.normal = {0, 1, 0};
    old.tangent1 = {1, 0, 0};
    old.tangent2 = {0, 0, -1};
    for (std::size_t i = 0; i < places.size(); ++i) {
        old.points[i].anchorA = old.points[i].anchorB = places[i];
        old.points[i].feature = firstFeature + std::uint32_t(i);
        old.points[i].normalImpulse = Real(1) + Real(i);
        old.points[i].tangentImpulse1 = Real(0.1);
    }
    return old;
}

ContactConstraint constraintOf(const std::vector<Vec3>& places, std::uint32_t firstFeature) {
    ContactConstraint constraint;
    resume(manifoldOf(places, firstFeature), constraint);
    for (int i = 0; i < constraint.count; ++i)
        constraint.points[i].normalImpulse = constraint.points[i].tangentImpulse1 = constraint.points[i].tangentImpulse2 = 0;
    return constraint;
}

template <class Manifold>
void expectSameLoad(const ContactConstraint& now, const Manifold& old, double scale) {
    double force = 0, before = 0, friction = 0, frictionBefore = 0;
    Vec3 moment, momentBefore;
    for (int i = 0; i < now.count; ++i) {
        const ConstraintPoint& point = now.points[i];
        EXPECT_GE(point.normalImpulse, 0);
        force += double(point.normalImpulse);
        friction += double(point.tangentImpulse1);
        moment += point.anchorA * point.normalImpulse;
    }
    for (int i = 0; i < old.count; ++i) {
        before += scale * double(old.points[i].normalImpulse);
        frictionBefore += scale * double(old.points[i].tangentImpulse1);
        momentBefore += old.points[i].anchorA * (Real(scale) * old.points[i].normalImpulse);
    }
    EXPECT_NEAR(force, before, 1e-5 * before);
    EXPECT_NEAR(friction, frictionBefore, 1e-5 * before);
    EXPECT_LT(length(moment - momentBefore), 0.005 * length(momentBefore) + 1e-3 * before * 0.01);
}

TEST(InheritLoad, OtherPointsBearTheSameForceAndMoment) {
    const KeptManifold old = manifoldOf({{Real(0.01), 0, 0}, {Real(-0.01), 0, Real(0.01)}, {0, 0, Real(-0.012)}}, 0);
    ContactConstraint constraint = constraintOf({{Real(0.02), 0, Real(0.02)},
                                                 {Real(-0.02), 0, Real(0.02)},
                                                 {Real(0.02), 0, Real(-0.02)},
                                                 {Real(-0.02), 0, Real(-0.02)}},
                                                10);
    inheritLoad(constraint, std::span(&old, 1), Real(0.5));
    expectSameLoad(constraint, old, 0.5);
}

// A lever: the load of a point that is gone, far out on the left, takes all load from the one on the right. Friction on points
// without load counted or not with the company they kept in a block of the wide solver, so that a wall in the browser, whose
// blocks are smaller, parted from the same wall elsewhere.
TEST(InheritLoad, APointThatLosesItsLoadLosesItsFriction) {
    const KeptManifold old = manifoldOf({{Real(0.02), 0, 0}, {0, 0, Real(0.01)}, {0, 0, Real(-0.01)}, {Real(-0.2), 0, 0}}, 0);
    ContactConstraint constraint =
        constraintOf({{Real(0.02), 0, 0}, {0, 0, Real(0.01)}, {0, 0, Real(-0.01)}, {Real(-0.02), 0, 0}}, 0);
    constraint.points[3].feature = 77;
    inheritLoad(constraint, std::span(&old, 1), 1);
    ASSERT_EQ(constraint.points[0].normalImpulse, 0);
    double friction = 0;
    for (int i = 0; i < constraint.count; ++i)
        friction += double(constraint.points[i].tangentImpulse1);
    EXPECT_EQ(constraint.points[0].tangentImpulse1, 0);
    EXPECT_NEAR(friction, 0.4, 1e-6);
}

TEST(InheritLoad, PointsThatStayKeepWhatTheyBear) {
    const KeptManifold old = manifoldOf({{Real(0.02), 0, Real(0.02)}, {Real(-0.02), 0, Real(0.02)}, {0, 0, Real(-0.02)}}, 0);
    ContactConstraint constraint =
        constraintOf({{Real(0.02), 0, Real(0.02)}, {Real(-0.02), 0, Real(0.02)}, {0, 0, Real(-0.02)}}, 0);
    inheritLoad(constraint, std::span(&old, 1), 1);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(constraint.points[i].normalImpulse, old.points[i].normalImpulse);
    constraint = constraintOf({{Real(0.02), 0, Real(0.02)}, {Real(-0.02), 0, Real(0.02)}, {Real(0.001), 0, Real(-0.021)}}, 0);
    constraint.points[2].feature = 77;  // the third is another one, close by
    inheritLoad(constraint, std::span(&old, 1), 1);
    expectSameLoad(constraint, old, 1);
    EXPECT_NEAR(constraint.points[0].normalImpulse, old.points[0].normalImpulse, 0.1);
}

// Torques against rolling and spinning are there for a load.
TEST(InheritImpulses, TorquesAreBoundedByTheLoadThatIsInherited) {
    const std::vector<Vec3> places{{Real(0.02), 0, Real(0.02)}, {Real(-0.02), 0, Real(0.02)}, {0, 0, Real(-0.02)}};
    KeptManifold old = manifoldOf(places, 0);  // bears 6 N s
    old.angular.spinning = Real(-0.06);
    old.angular.rolling1 = Real(0.03);
    old.angular.rolling2 = Real(-0.04);
    const auto inherit = [&](const std::vector<Vec3>& now, std::uint32_t firstFeature) {
        ContactConstraint constraint = constraintOf(now, firstFeature);
        constraint.material.spinningFriction = Real(0.0101);
        constraint.material.rollingFriction = Real(0.0101);
        inheritImpulses(constraint, std::span(&old, 1), 1);
        limitRotation(constraint);
        return constraint;
    };
    const ContactConstraint same = inherit(places, 0);
    EXPECT_EQ(same.angular.spinning, old.angular.spinning);
    EXPECT_EQ(same.angular.rolling1, old.angular.rolling1);
    EXPECT_EQ(same.angular.rolling2, old.angular.rolling2);
    const ContactConstraint one = inherit({places[0]}, 0);  // bears 1 N s
    EXPECT_NEAR(one.angular.spinning, -0.0101, 1e-7);
    EXPECT_NEAR(std::hypot(one.angular.rolling1, one.angular.rolling2), 0.0101, 1e-7);
    const ContactConstraint none = inherit({{Real(0.3), 0, 0}}, 10);  // nothing to bear, and nothing that would solve it
    EXPECT_EQ(none.angular.spinning, 0);
    EXPECT_EQ(none.angular.rolling1, 0);
    EXPECT_EQ(none.angular.rolling2, 0);
}

// A load beyond all points cannot be had by pushing: the force is, and it acts as far out as it can.
TEST(InheritLoad, NothingPulls) {
    const KeptManifold old = manifoldOf({{Real(0.05), 0, 0}}, 0);
    ContactConstraint constraint = constraintOf({{0, 0, 0}, {Real(0.01), 0, Real(0.01)}, {Real(0.01), 0, Real(-0.01)}}, 10);
    inheritLoad(constraint, std::span(&old, 1), 1);
    double force = 0;
    for (int i = 0; i < 3; ++i)
        force += double(constraint.points[i].normalImpulse);
    EXPECT_NEAR(force, 1, 1e-5);
    EXPECT_EQ(constraint.points[0].normalImpulse, 0);
    EXPECT_NEAR(constraint.points[1].normalImpulse, 0.5, 1e-3);
}

}  // namespace
}  // namespace sunder::dynamics
