// A body that lies on three points whose friction pushes them against each other, as far as it can, comes to rest.
#include <gtest/gtest.h>

#include "core/random.h"
#include "dynamics/contact/scalar/soft_contact.h"
#include "dynamics/integrate/substep.h"

namespace sunder::dynamics {
namespace {

constexpr Real kSubstep = Real(1) / 780;
// A hull found in a pile, and others like it: on three points, 0.4 mm deep, two of which push against each other sideways as
// hard as friction can.
struct Lying {
    SolverBody bodies[2];
    ContactConstraint contact;
};

Lying lyingHull(std::uint64_t seed) {
    core::Random random(seed);
    const auto about = [&](double value) { return Real(value * random.between(0.9, 1.1)); };
    Lying lying;
    SolverBody& body = lying.bodies[1];
    body.inverseMass = Vec3{1, 1, 1} / Real(26.1);
    body.inverseInertia = {about(2.193), about(1.457), about(2.821), about(-0.084), about(0.166), about(0.089)};
    body.velocity = {Real(-2.4e-3), 0, Real(-0.3e-3)};
    body.angularVelocity = {Real(-7.6e-3), Real(8.3e-3), Real(-1.3e-3)};

    ContactConstraint& c = lying.contact;
    c.bodyA = kFixedBody;
    c.bodyB = 1;
    c.count = 3;
    c.age = 100;
    c.normal = {0, 1, 0};
    c.tangent1 = {1, 0, 0};
    c.tangent2 = {0, 0, -1};
    c.pointOnB = 1;
    c.material.friction = Real(0.5);
    const Real height = Real(0.0798);
    c.centerOffset = {0, height, 0};
    const Vec3 places[] = {{about(0.037), about(0.47e-3), about(0.296)},
                           {about(-0.221), about(0.38e-3), about(-0.196)},
                           {about(0.206), about(0.37e-3), about(-0.221)}};
    const Vec3 impulses[] = {{Real(-0.0150), Real(0.1437), Real(0.0138)},
                             {Real(0.0264), Real(0.1007), Real(0.0429)},
                             {Real(-0.0213), Real(0.0817), Real(-0.0349)}};
    for (int i = 0; i < 3; ++i) {
        const Vec3 at{places[i].x, 0, places[i].z};
        c.points[i].anchorA = at;
        c.points[i].anchorB = at - Vec3{0, height + places[i].y, 0};
        c.points[i].normalImpulse = impulses[i].y;
        c.points[i].tangentImpulse1 = impulses[i].x;
        c.points[i].tangentImpulse2 = -impulses[i].z;
    }
    return lying;
}

// m/s: how fast the fastest of the points slips after a second.
Real slipOf(Lying& lying) {
    ContactSettings settings;
    settings.h = kSubstep;
    settings.inverseH = 1 / kSubstep;
    SolverBody& body = lying.bodies[1];
    for (int i = 0; i < 780; ++i) {
        body.velocity += Vec3{0, Real(-9.81) * kSubstep, 0};
        ContactFrame frame;
        start(lying.contact, frame, lying.bodies);
        push(lying.contact, frame, lying.bodies, settings, i % 2 == 0 ? PointOrder::Forward : PointOrder::Backward);
    }
    Real fastest = 0;
    for (int i = 0; i < lying.contact.count; ++i) {
        const Vec3 v = body.velocity + cross(body.angularVelocity, lying.contact.points[i].anchorB);
        fastest = max(fastest, std::sqrt(v.x * v.x + v.z * v.z));
    }
    return fastest;
}

TEST(FrictionAtRest, DoesNotTurnABodyToAndFro) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Lying lying = lyingHull(seed);
        EXPECT_LT(slipOf(lying), Real(1e-4)) << seed;
    }
}

}  // namespace
}  // namespace sunder::dynamics
