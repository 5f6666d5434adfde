// On the ground a contact's frame depends on the body's own arm alone: it stays as it is while the body slides, and under a
// ball while it rolls.
#include <gtest/gtest.h>

#include "dynamics/contact/scalar/contact_frame.h"

namespace sunder::dynamics {
namespace {

struct OnGround {
    SolverBody ground, body;
    ContactConstraint contact;

    explicit OnGround(AnchorMotion motion) {
        body.inverseMass = {1, 1, 1};
        body.inverseInertia = {2, 2, 2, 0, 0, 0};
        contact.bodyA = kFixedBody;
        contact.bodyB = 1;
        contact.pointOnB = 1;
        contact.count = 1;
        contact.normal = {0, 1, 0};
        contact.tangent1 = {1, 0, 0};
        contact.tangent2 = cross(contact.normal, contact.tangent1);
        contact.centerOffset = {0, Real(0.5), 0};
        contact.points[0].anchorA = {0, Real(-0.01), 0};
        contact.points[0].anchorB = {0, Real(-0.5), 0};
        contact.frameB.motion = motion;
    }
    // Whether a new frame would be asked for. The separation by the old frame must be that of a new one.
    bool asksForFrame(const ContactFrame& frame) const {
        const FrameMotion since = motionSince(frame, ground, body);
        EXPECT_NEAR(separationNow(contact, frame, since, 0), planeOf(contact, ground, body).points[0].separation, 1e-6);
        return since.isFar;
    }
};

TEST(GroundFrame, StaysWhileABoxSlides) {
    OnGround box(AnchorMotion::Turns);
    const ContactFrame frame = layFrame(box.contact, box.ground, box.body);
    box.body.displacement = {Real(0.3), Real(-0.002), Real(0.1)};
    EXPECT_FALSE(box.asksForFrame(frame));
    EXPECT_LT(length(frame.plane.armB - planeOf(box.contact, box.ground, box.body).armB), 1e-6);
}

TEST(GroundFrame, StaysWhileABallRolls) {
    OnGround ball(AnchorMotion::Stays);
    const ContactFrame frame = layFrame(ball.contact, ball.ground, ball.body);
    ball.body.displacement = {Real(0.3), Real(-0.002), 0};
    ball.body.turned = {Real(0.1), Real(0.2), Real(-0.6)};
    ball.body.orientation = quatFromRotationVector(ball.body.turned);
    EXPECT_FALSE(ball.asksForFrame(frame));
    EXPECT_LT(length(frame.plane.armB - planeOf(ball.contact, ball.ground, ball.body).armB), 1e-6);
}

// The middle of a ball that is a child of a compound goes round the centre of mass.
TEST(GroundFrame, FollowsABallBesideTheCenterOfMass) {
    OnGround ball(AnchorMotion::Stays);
    ball.contact.frameB.center = {Real(0.2), 0, 0};
    const ContactFrame frame = layFrame(ball.contact, ball.ground, ball.body);
    ball.body.turned = {0, 0, Real(0.02)};
    ball.body.orientation = quatFromRotationVector(ball.body.turned);
    EXPECT_TRUE(motionSince(frame, ball.ground, ball.body).isFar);
}

TEST(GroundFrame, FollowsABoxThatTurns) {
    OnGround box(AnchorMotion::Turns);
    const ContactFrame frame = layFrame(box.contact, box.ground, box.body);
    box.body.turned = {0, 0, Real(0.01)};
    box.body.orientation = quatFromRotationVector(box.body.turned);
    EXPECT_TRUE(motionSince(frame, box.ground, box.body).isFar);
}

// On what moves, or where the common point stays on the ground, the arms change with the way.
TEST(GroundFrame, FollowsWhatSlidesOnAMovingBody) {
    for (const bool isMoving : {true, false}) {
        OnGround box(AnchorMotion::Turns);
        box.contact.bodyA = isMoving ? 2 : kFixedBody;
        box.contact.pointOnB = isMoving ? Real(1) : Real(0.5);
        const ContactFrame frame = layFrame(box.contact, box.ground, box.body);
        box.body.displacement = {Real(0.3), 0, 0};
        EXPECT_TRUE(box.asksForFrame(frame));
    }
}

}  // namespace
}  // namespace sunder::dynamics
