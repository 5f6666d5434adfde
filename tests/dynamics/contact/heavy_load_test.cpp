// Blocks of light bodies under heavy ones: which of them threads may solve at once, and that a kept matrix serves.
#include "dynamics/contact/heavy/heavy_load.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sunder::dynamics {
namespace {

constexpr Real kSubstep = Real(1) / 780, kStep = Real(1) / 30, kGravity = Real(9.81);

// Heavy cubes of 1 m, each on two light ones side by side on the ground; neighbouring towers may share a heavy body.
struct Towers {
    std::vector<SolverBody> bodies{1};
    std::vector<SolverBodyConstants> constants{1};
    std::vector<ContactConstraint> constraints;
    std::vector<ContactLink> links;

    std::uint32_t addBody(Real mass) {
        SolverBody body;
        body.inverseMass = {1 / mass, 1 / mass, 1 / mass};
        const Real inertia = mass / 6;
        body.inverseInertia = {1 / inertia, 1 / inertia, 1 / inertia, 0, 0, 0};
        bodies.push_back(body);
        SolverBodyConstants constant;
        constant.isDynamic = true;
        constant.mass = mass;
        constant.acceleration = {0, -kGravity, 0};
        constants.push_back(constant);
        return static_cast<std::uint32_t>(bodies.size() - 1);
    }
    // Four corners under the load, which is what they start from.
    void addContact(std::uint32_t below, std::uint32_t above, Real width, Real load) {
        ContactConstraint c;
        c.bodyA = below;
        c.bodyB = above;
        c.count = 4;
        c.normal = {0, 1, 0};
        c.tangent1 = {1, 0, 0};
        c.tangent2 = {0, 0, -1};
        c.material.friction = Real(0.6);
        c.centerOffset = {0, 1, 0};
        for (int i = 0; i < 4; ++i) {
            const Vec3 side{i & 1 ? width : -width, 0, i & 2 ? width : -width};
            c.points[i].anchorA = side + Vec3{0, Real(0.5), 0};
            c.points[i].anchorB = side - Vec3{0, Real(0.5), 0};
            c.points[i].normalImpulse = load / 4;
        }
        constraints.push_back(c);
        links.push_back(linkOf(c));
    }
    void addLight(std::uint32_t heavy, Real heavyMass) {
        const std::uint32_t light = addBody(1);
        const Real load = (heavyMass / 2 + 1) * kGravity * kSubstep;
        addContact(kFixedBody, light, Real(0.2), load);
        addContact(light, heavy, Real(0.2), load);
    }
    HeavyLoads find() const {
        HeavyLoads loads;
        loads.find(*makeSerialRunner(), links, constraints, bodies, constants, 20, kSubstep, kStep);
        return loads;
    }
};

int blockCount(const HeavyLoads& loads) {
    int sum = 0;
    for (int color = 0; color < loads.colorCount(); ++color)
        sum += loads.blockCount(color);
    return sum;
}

// Two blocks under each of ten heavy cubes: the two share it, those under different ones share only the ground.
TEST(HeavyLoads, BlocksOfAColourShareNoMovingBody) {
    Towers towers;
    for (int i = 0; i < 10; ++i) {
        const std::uint32_t heavy = towers.addBody(1000);
        towers.addLight(heavy, 1000);
        towers.addLight(heavy, 1000);
    }
    const HeavyLoads loads = towers.find();
    EXPECT_EQ(blockCount(loads), 20);
    ASSERT_EQ(loads.colorCount(), 2);
    EXPECT_EQ(loads.blockCount(0), 10);
    EXPECT_EQ(loads.blockCount(1), 10);
}

// More blocks under one body than there are colours: none is lost.
TEST(HeavyLoads, OneBodyOverManyBlocks) {
    Towers towers;
    const std::uint32_t heavy = towers.addBody(100000);
    for (int i = 0; i < 80; ++i)
        towers.addLight(heavy, 100000);
    const HeavyLoads loads = towers.find();
    EXPECT_EQ(blockCount(loads), 80);
    EXPECT_EQ(loads.colorCount(), 80);
}

// Contacts that have no load and nothing that moves towards them are left to the ordinary passes. They do not count among the
// points of the block either: these six would fill it.
TEST(HeavyLoads, ContactsThatLieIdleAreNoPartOfABlock) {
    Towers towers;
    const std::uint32_t heavy = towers.addBody(1000), light = heavy + 1, idle = 6;
    towers.addBody(1);
    for (std::uint32_t i = 0; i < idle; ++i) {
        towers.addContact(light, towers.addBody(1), Real(0.2), 0);
        for (ConstraintPoint& point : towers.constraints.back().points) {
            point.anchorB.y += Real(0.05);
            point.separation = Real(0.05);
        }
    }
    const Real load = 1001 * kGravity * kSubstep;
    towers.addContact(kFixedBody, light, Real(0.2), load);
    towers.addContact(light, heavy, Real(0.2), load);
    const HeavyLoads loads = towers.find();
    for (std::uint32_t i = 0; i < idle; ++i)
        EXPECT_FALSE(loads.contains(i));
    EXPECT_TRUE(loads.contains(idle) && loads.contains(idle + 1));
}

ContactSettings substepSettings() {
    ContactSettings settings;
    settings.h = kSubstep;
    settings.inverseH = 1 / kSubstep;
    return settings;
}

// A block that keeps its matrix from substep to substep holds the heavy body as one that builds it anew: both stop a fall of
// the heavy cube at once, and differ by what the bodies turn meanwhile.
TEST(HeavyLoads, KeptMatrixHoldsTheSame) {
    const ContactSettings settings = substepSettings();
    const auto speedAfter = [&](bool isKept) {
        Towers towers;
        const std::uint32_t heavy = towers.addBody(1000);
        towers.addLight(heavy, 1000);
        HeavyLoads loads = towers.find();
        for (ContactConstraint& constraint : towers.constraints)
            updateGeometry(constraint, towers.bodies, kSubstep);
        for (int i = 0; i < 8; ++i) {
            towers.bodies[heavy].velocity.y -= Real(0.1);
            towers.bodies[heavy].angularVelocity.z += Real(0.01);
            if (!isKept)
                loads = towers.find();
            loads.block(0, 0).push(towers.constraints, towers.bodies, settings, PointOrder::Forward);
        }
        return towers.bodies[heavy].velocity.y;
    };
    EXPECT_NEAR(speedAfter(true), speedAfter(false), 1e-4);
    EXPECT_LT(std::fabs(speedAfter(true)), 1e-3);
}

// Bodies move on by what the pushes leave them, from substep to substep.
void moveBodies(Towers& towers) {
    for (std::size_t i = 1; i < towers.bodies.size(); ++i) {
        SolverBody& body = towers.bodies[i];
        const Vec3 turn = body.angularVelocity * kSubstep;
        body.displacement += body.velocity * kSubstep;
        body.turned += turn;
        body.orientation = normalize(Quat{turn.x / 2, turn.y / 2, turn.z / 2, 1} * body.orientation);
    }
}

// Between substeps in which it lays its arms a block follows its bodies by their small motions: a heavy cube that comes down
// askew, 2 mm above the light one, is stopped as by a block that lays them in every substep, and where it touches.
TEST(HeavyLoads, KeptArmsFollowTheBodies) {
    const ContactSettings settings = substepSettings();
    const auto heavyAfter = [&](bool isKept) {
        Towers towers;
        const std::uint32_t heavy = towers.addBody(1000);
        towers.addLight(heavy, 1000);
        for (ConstraintPoint& point : towers.constraints[1].points) {
            point.anchorB.y += Real(0.002);
            point.separation = Real(0.002);
            point.normalImpulse = 0;
        }
        towers.links[1] = linkOf(towers.constraints[1]);
        towers.bodies[heavy].velocity = {Real(0.05), Real(-0.3), 0};
        towers.bodies[heavy].angularVelocity = {0, Real(0.02), Real(0.03)};
        HeavyLoads loads = towers.find();
        EXPECT_TRUE(loads.contains(1));
        for (ContactConstraint& constraint : towers.constraints)
            updateGeometry(constraint, towers.bodies, kSubstep);
        for (int i = 0; i < 40; ++i) {
            if (!isKept)
                loads = towers.find();
            loads.block(0, 0).push(towers.constraints, towers.bodies, settings, PointOrder::Forward);
            moveBodies(towers);
        }
        for (ContactConstraint& constraint : towers.constraints)
            updateGeometry(constraint, towers.bodies, kSubstep);
        return std::pair(towers.bodies[heavy], towers.constraints[1]);
    };
    const auto [kept, contact] = heavyAfter(true);
    const auto [anew, contactAnew] = heavyAfter(false);
    // 1 mm/s is the 2e-3 by which arms may lag, of what is stopped; for 40 substeps it is 50 um.
    EXPECT_LT(length(kept.velocity - anew.velocity), 1e-3);
    EXPECT_LT(length(kept.displacement - anew.displacement), 5e-5);
    EXPECT_LT(length(kept.turned - anew.turned), 1e-4);
    for (int i = 0; i < 4; ++i)
        EXPECT_NEAR(contact.points[i].separation, contactAnew.points[i].separation, 5e-5);
}

}  // namespace
}  // namespace sunder::dynamics
