// Compounds collide as their children do.
#include "collision/narrow_phase/compound_contact.h"

#include <gtest/gtest.h>

#include "collision/narrow_phase/collide.h"
#include "support/mesh_builder.h"

namespace sunder::collision {
namespace {

using testing::RandomPoints;

constexpr Real kMargin = Real(0.01);

ManifoldList contacts(const SharedShape& a, const Pose& poseA, const SharedShape& b, const Pose& poseB) {
    ManifoldList list;
    collide(*a, poseA, *b, poseB, kMargin, list);
    return list;
}

CompoundChild child(const Shape& shape, const Vec3& position, const Quat& orientation = {}) {
    return {shape, position, orientation};
}

// A plate on four legs; the feet are at y = 0.
SharedShape table() {
    const Box leg{{Real(0.05), Real(0.3), Real(0.05)}};
    Compound compound;
    for (const Real x : {Real(-0.4), Real(0.4)})
        for (const Real z : {Real(-0.4), Real(0.4)})
            compound.children.push_back(child(leg, {x, Real(0.3), z}));
    compound.children.push_back(child(Box{{Real(0.5), Real(0.05), Real(0.5)}}, {0, Real(0.65), 0}));
    return buildShape(compound);
}

SharedShape compoundOfKinds(RandomPoints& random) {
    Compound compound;
    for (int i = 0; i < 5; ++i) {
        const Vec3 at = random.inBox(0.6);
        switch (random.below(4)) {
            case 0: compound.children.push_back(child(Sphere{Real(0.2)}, at)); break;
            case 1: compound.children.push_back(child(Box{{Real(0.1), Real(0.2), Real(0.3)}}, at, random.rotation())); break;
            case 2: compound.children.push_back(child(Capsule{Real(0.1), Real(0.2)}, at, random.rotation())); break;
            default: compound.children.push_back(child(Cylinder{Real(0.2), Real(0.2)}, at, random.rotation()));
        }
    }
    return buildShape(compound);
}

TEST(CompoundContact, ATableStandsOnItsFourLegs) {
    const SharedShape floor = buildShape(Box{{10, 1, 10}});
    const SharedShape mesh = buildShape(testing::irregularGrid(20, 6, 3));
    const SharedShape standing = table();
    const Pose pose{{Real(0.123), Real(-0.002), Real(0.077)}, {}};
    for (const bool onMesh : {false, true}) {
        const ManifoldList found =
            onMesh ? contacts(mesh, {}, standing, pose) : contacts(floor, {{0, -1, 0}, {}}, standing, pose);
        ASSERT_EQ(found.size(), 4u);
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_LT(length(found[i].normal - Vec3{0, 1, 0}), Real(1e-5));
            EXPECT_EQ(found[i].count, 4);
            for (int k = 0; k < found[i].count; ++k)
                EXPECT_NEAR(found[i].points[k].separation, Real(-0.002), Real(1e-5));
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_NE(found[i].key, found[j].key);
        }
    }
}

// The oracle: every pair of children, without bounds.
TEST(CompoundContact, ManifoldsAreThoseOfAllPairsOfChildren) {
    RandomPoints random(5);
    std::size_t manifolds = 0;
    for (int step = 0; step < 100; ++step) {
        const SharedShape a = compoundOfKinds(random), b = compoundOfKinds(random);
        const Pose poseA{random.inBox(0.5), random.rotation()}, poseB{random.inBox(0.9), random.rotation()};
        ManifoldList expected;
        for (const BuiltShape::Child& partA : a->children)
            for (const BuiltShape::Child& partB : b->children)
                collide(*partA.shape, poseA * partA.parentFromChild, *partB.shape, poseB * partB.parentFromChild, kMargin,
                        expected);
        const ManifoldList found = contacts(a, poseA, b, poseB);
        ASSERT_EQ(found.size(), expected.size());
        manifolds += found.size();
        for (std::size_t i = 0; i < found.size(); ++i) {
            ASSERT_EQ(found[i].normal, expected[i].normal);
            ASSERT_EQ(found[i].count, expected[i].count);
            for (std::size_t j = 0; j < i; ++j)
                ASSERT_NE(found[i].key, found[j].key);
        }
    }
    EXPECT_GT(manifolds, 100u);
}

TEST(CompoundContact, NormalsPointFromAToBInEitherOrder) {
    const SharedShape standing = table();
    const SharedShape mesh = buildShape(testing::flatGrid(8, 6));
    const SharedShape ball = buildShape(Sphere{Real(0.3)});
    const Pose onTop{{Real(0.1), Real(0.995), 0}, {}};
    const ManifoldList up = contacts(standing, {}, ball, onTop);
    const ManifoldList down = contacts(ball, onTop, standing, {});
    ASSERT_EQ(up.size(), 1u);
    ASSERT_EQ(down.size(), 1u);
    EXPECT_GT(up[0].normal.y, Real(0.999));
    EXPECT_LT(down[0].normal.y, Real(-0.999));
    const ManifoldList onMesh = contacts(standing, {{0, Real(-0.001), 0}, {}}, mesh, {});
    EXPECT_EQ(onMesh.size(), 4u);
    for (const ContactManifold& manifold : onMesh)
        EXPECT_LT(manifold.normal.y, Real(-0.999));
}

// Keys name the children, so that a contact keeps its own while others come and go.
TEST(CompoundContact, KeysStayWithTheirChildren) {
    const SharedShape floor = buildShape(Box{{10, 1, 10}});
    const SharedShape standing = table();
    const ManifoldList all = contacts(floor, {{0, -1, 0}, {}}, standing, {{0, Real(-0.002), 0}, {}});
    ASSERT_EQ(all.size(), 4u);
    // Tilted about z by 0.05, it stands on the two legs at x = -0.4: their feet are 0.0225 lower, the others' as much higher.
    const Quat tilt = quatFromRotationVector({0, 0, Real(0.05)});
    const ManifoldList two = contacts(floor, {{0, -1, 0}, {}}, standing, {{0, Real(0.019), 0}, tilt});
    ASSERT_EQ(two.size(), 2u);
    for (const ContactManifold& manifold : two) {
        bool seen = false;
        for (const ContactManifold& before : all)
            seen = seen || (before.key == manifold.key && length(before.points[0].onB - manifold.points[0].onB) < Real(0.2));
        EXPECT_TRUE(seen);
    }
}

}  // namespace
}  // namespace sunder::collision
