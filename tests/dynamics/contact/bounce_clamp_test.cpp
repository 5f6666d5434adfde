// A bounce adds no energy, whatever axes of its bodies are locked.
#include "dynamics/contact/scalar/bounce_clamp.h"

#include <gtest/gtest.h>

namespace sunder::dynamics {
namespace {

// A body that only turns about z, on its way down at the end of an arm of 1 m, and a bounce that would make it three times as
// fast as it came.
TEST(BounceClamp, HoldsForBodiesThatOnlyTurn) {
    SolverBody still, rotor;
    rotor.inverseInertia.zz = 1;
    rotor.angularVelocity = {0, 0, 3};  // after the bounce; before it -1
    ContactConstraint constraint;
    constraint.count = 1;
    constraint.normal = {0, 1, 0};
    constraint.tangent1 = {1, 0, 0};
    constraint.tangent2 = {0, 0, 1};
    constraint.points[0].armB = {1, 0, 0};
    constraint.points[0].bounceVelocity = 1;
    constraint.points[0].normalImpulse = 4;
    clampBounce(constraint, still, rotor);
    EXPECT_NEAR(rotor.angularVelocity.z, 1, 1e-6);
    EXPECT_NEAR(constraint.points[0].normalImpulse, 2, 1e-6);
    EXPECT_EQ(constraint.clamped, 1);
}

}  // namespace
}  // namespace sunder::dynamics
