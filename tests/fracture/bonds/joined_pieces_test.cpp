// [Li18] 4: pieces as bodies of their own, with constraints at the vertices of the faces that they share.
#include "sunder/joined_pieces.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/quat.h"

namespace sunder {
namespace {

BodyDef barOfTwo() {
    Compound bar;
    for (const Real x : {Real(-0.2), Real(0.2)})
        bar.children.push_back({Box{{Real(0.2), Real(0.1), Real(0.05)}}, {x, 0, 0}, {}});
    BodyDef body;
    body.name = "bar";
    body.shape = bar;
    body.mass = Real(6);
    body.velocity = {1, 0, 0};
    body.bonds.emplace();
    body.bonds->young = Real(1e6);
    body.bonds->strength.tension = Real(2e4);
    body.bonds->strength.shear = Real(3e4);
    body.bonds->alpha = Real(0.5);
    return body;
}

// The shared face of two boxes is 0.2 x 0.1 m: its corners are the anchors, and the joints share E A / l and its strength.
TEST(JoinedPieces, JointsAreAtTheCornersOfTheSharedFace) {
    BodyDef body = barOfTwo();
    body.position = {0, 3, 0};
    body.orientation = normalize(Quat{0, 0, 1, 1});  // x to y
    const JoinedPieces joined = joinPieces(body);
    ASSERT_EQ(joined.bodies.size(), 2u);
    ASSERT_EQ(joined.joints.size(), 4u);
    int found = 0;
    for (const Real x : {Real(-0.1), Real(0.1)})
        for (const Real z : {Real(-0.05), Real(0.05)})
            for (const JoinedPieces::Joint& joint : joined.joints)
                found += length(joint.def.anchor - Vec3{x, 3, z}) < Real(1e-5);
    EXPECT_EQ(found, 4);
    const double area = 0.2 * 0.1;
    for (const JoinedPieces::Joint& joint : joined.joints) {
        EXPECT_NE(joint.a, joint.b);
        EXPECT_NEAR(joint.def.stiffness, 1e6 * area / 0.4 / 4, 1);
        EXPECT_NEAR(*joint.def.breakForce, 2e4 * area / 4, 0.01);
        EXPECT_EQ(joint.def.alpha, Real(0.5));
    }
    EXPECT_EQ(joined.bodies[1].name, "bar_1");
    EXPECT_NEAR(*joined.bodies[0].mass + *joined.bodies[1].mass, 6, 1e-5);
    EXPECT_NEAR(joined.bodies[1].position.y, 3.2, 1e-5);
    EXPECT_EQ(joined.bodies[0].velocity.x, 1);
}

TEST(JoinedPieces, RefusesWhatHasNoPieces) {
    EXPECT_THROW(joinPieces({}), Error);
    BodyDef fixed = barOfTwo();
    fixed.motion = Motion::Static;
    EXPECT_THROW(joinPieces(fixed), Error);
}

}  // namespace
}  // namespace sunder
