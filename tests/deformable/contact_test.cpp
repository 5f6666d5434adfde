// Contacts of deformable solids in one system with what they touch: floors, heavy rigid bodies, each other. 30 Hz throughout.
#include <gtest/gtest.h>

#include <cmath>

#include "deformable/solid_for_tests.h"

namespace sunder::deformable {
namespace {

constexpr Real kStep = Real(1) / 30;
constexpr Real kReach = Real(0.5);  // m: farther apart nothing meets within a step

double restSpeed(const TestSolid& solid) {
    double sum = 0;
    for (std::size_t i = 0; i < solid.positions.size(); ++i)
        sum += double(lengthSquared(solid.velocityOf(i)));
    return std::sqrt(sum / double(solid.positions.size()));
}

// The floor is y = 0.
void addFloor(Island& island, std::size_t s, const TestSolid& solid, Real friction) {
    for (const std::uint32_t node : solid.model->surfaceNodes) {
        const Real height = Real(solid.place(node).y);
        if (height > kReach)
            continue;
        IslandContact contact;
        contact.gradient.node[0] = island.rowOf(s, node);
        contact.gradient.weight[0] = 1;
        contact.gradient.nodeCount = 1;
        contact.normal = {0, 1, 0};
        contact.gap = height;
        contact.displacement = island.nodeDisplacement(s, node);
        contact.friction = friction;
        island.contacts.push_back(contact);
    }
}

// The top of a cube carries the flat bottom of a rigid body whose centre is `arm` above it.
void addLoad(Island& island, std::size_t s, const TestSolid& solid, std::size_t body, Real halfHeight) {
    for (const std::uint32_t node : solid.model->surfaceNodes) {
        if (solid.model->mesh.vertices[node].y < Real(0.499))
            continue;
        const IslandBody& rigid = island.bodies[body];
        IslandContact contact;
        contact.gradient.node[0] = island.rowOf(s, node);
        contact.gradient.weight[0] = 1;
        contact.gradient.nodeCount = 1;
        contact.gradient.body[0] = static_cast<std::uint32_t>(body);
        contact.gradient.arm[0] = solid.place(node) - rigid.center;
        contact.gradient.arm[0].y = -halfHeight;
        contact.gradient.sign[0] = -1;
        contact.gradient.bodyCount = 1;
        contact.normal = {0, -1, 0};
        contact.gap = Real(rigid.center.y - double(halfHeight) - solid.place(node).y);
        contact.displacement = island.nodeDisplacement(s, node) - island.bodyDisplacement(body, contact.gradient.arm[0], kStep);
        contact.friction = Real(0.5);
        island.contacts.push_back(contact);
    }
}

TestSolid cubeAt(Real y, Real young, int cells = 4) {
    return {boxOfTets({Real(0.5), Real(0.5), Real(0.5)}, {cells, cells, cells}), materialOf(young), {0, y, 0}};
}

TEST(DeformableContact, AJellyCubeFallsAndComesToRest) {
    TestSolid cube = cubeAt(1, Real(1e5));
    TestIsland island;
    island.gravity = {0, Real(-9.81), 0};
    island.solids = {&cube};
    island.addContacts = [&](Island& i, Real) { addFloor(i, 0, cube, Real(0.5)); };
    Real deepest = 0, lowest = 1;
    double energy = 1000 * 9.81 * 1, worstGain = 0;
    for (int i = 0; i < 150; ++i) {
        island.step(kStep);
        deepest = max(deepest, island.outcome.deepest);
        lowest = min(lowest, Real(cube.motion.center.y));
        worstGain = std::max(worstGain, cube.kineticEnergy() + 1000 * 9.81 * cube.motion.center.y - energy);
    }
    EXPECT_LT(deepest, 5e-3);  // in the step of the impact
    EXPECT_LT(lowest, 0.48) << "it squashes";
    EXPECT_LE(worstGain, 1);
    EXPECT_LT(restSpeed(cube), 1e-3);
    // Its middle sinks by rho g h^2 / (8 E) and a little more.
    EXPECT_NEAR(cube.motion.center.y, 0.5 - 1000 * 9.81 / (3 * 1e5), 0.01);
}

TEST(DeformableContact, AThousandTimesHeavierBoxRestsOnACube) {
    TestSolid cube = cubeAt(Real(0.5), Real(1e8));
    TestIsland island;
    island.gravity = {0, Real(-9.81), 0};
    island.solids = {&cube};
    IslandBody box;
    box.mass = Real(1e6);
    box.inertia = {Real(1.7e5), Real(1.7e5), Real(1.7e5), 0, 0, 0};
    box.center = {0, 1.5, 0};
    island.island.bodies = {box};
    island.addContacts = [&](Island& i, Real) {
        addFloor(i, 0, cube, Real(0.5));
        addLoad(i, 0, cube, 0, Real(0.5));
    };
    Real deepest = 0;
    for (int i = 0; i < 180; ++i) {
        IslandBody& rigid = island.island.bodies[0];
        rigid.velocity.y -= Real(9.81) * kStep;
        rigid.angularVelocity = {};  // it is guided: its orientation is not followed here
        island.step(kStep);
        rigid.center = rigid.center + rigid.velocity * kStep;
        deepest = max(deepest, island.outcome.deepest);
    }
    EXPECT_LT(deepest, 1e-3);
    EXPECT_LT(restSpeed(cube), 1e-3);
    EXPECT_NEAR(island.island.bodies[0].velocity.y, 0, 1e-3);
    // It presses the cube by F h / (E A) = 1e7 / 1e8, less what the floor's and the box's friction hold back.
    EXPECT_NEAR(island.island.bodies[0].center.y, 1.4, 0.03);
}

TEST(DeformableContact, AStackOfFiveStands) {
    std::vector<TestSolid> cubes;
    for (int k = 0; k < 5; ++k)
        cubes.push_back(cubeAt(Real(0.5) + Real(k), Real(1e7), 3));
    TestIsland island;
    island.gravity = {0, Real(-9.81), 0};
    for (TestSolid& cube : cubes)
        island.solids.push_back(&cube);
    // Meshes are alike, so every lower node stands on an upper one.
    island.addContacts = [&](Island& i, Real) {
        addFloor(i, 0, cubes[0], Real(0.5));
        for (std::size_t k = 1; k < 5; ++k)
            for (const std::uint32_t node : cubes[k].model->surfaceNodes) {
                const Vec3 rest = cubes[k].model->mesh.vertices[node];
                if (rest.y > Real(-0.499))
                    continue;
                const std::uint32_t under = cubes[k - 1].nearest({rest.x, Real(0.5), rest.z});
                IslandContact contact;
                contact.gradient.node[0] = i.rowOf(k, node);
                contact.gradient.node[1] = i.rowOf(k - 1, under);
                contact.gradient.weight[0] = 1;
                contact.gradient.weight[1] = -1;
                contact.gradient.nodeCount = 2;
                contact.normal = {0, 1, 0};
                contact.gap = Real(cubes[k].place(node).y - cubes[k - 1].place(under).y);
                contact.displacement = i.nodeDisplacement(k, node) - i.nodeDisplacement(k - 1, under);
                contact.friction = Real(0.5);
                i.contacts.push_back(contact);
            }
    };
    Real deepest = 0;
    for (int i = 0; i < 60; ++i) {
        island.step(kStep);
        deepest = max(deepest, island.outcome.deepest);
    }
    EXPECT_LT(deepest, 5e-3);
    for (const TestSolid& cube : cubes)
        EXPECT_LT(restSpeed(cube), 1e-3);
    EXPECT_NEAR(cubes[4].motion.center.y, 4.5, 0.03);
    EXPECT_LT(std::fabs(cubes[4].motion.center.x), 1e-3);
}

// Gravity leans by 20 degrees (tan 0.364): friction 0.5 holds, friction 0.2 lets it slide at g (sin - 0.2 cos) = 1.512 m/s^2.
TEST(DeformableContact, FrictionHoldsAndSlides) {
    for (const bool holds : {true, false}) {
        TestSolid cube = cubeAt(Real(0.5), Real(1e7), 3);
        TestIsland island;
        island.gravity = {Real(9.81 * std::sin(0.349066)), Real(-9.81 * std::cos(0.349066)), 0};
        island.solids = {&cube};
        island.addContacts = [&](Island& i, Real) { addFloor(i, 0, cube, holds ? Real(0.5) : Real(0.2)); };
        for (int i = 0; i < 30; ++i)
            island.step(kStep);
        if (holds)
            EXPECT_LT(length(cube.motion.velocity), 0.01);
        else
            EXPECT_NEAR(double(cube.motion.velocity.x), 1.512, 0.05);
    }
}

// A stiff cube that lies 2 mm deep in the floor comes out at 2 mm in 1/60 s, whatever the step; not at 2 mm in a step, which
// would throw it up at 1 m/s at 480 Hz.
TEST(DeformableContact, ShortStepsThrowNothingOutOfAnOverlap) {
    for (const int rate : {60, 240, 480}) {
        TestSolid cube = cubeAt(Real(0.498), Real(1e8), 3);
        TestIsland island;
        island.solids = {&cube};
        island.addContacts = [&](Island& i, Real) { addFloor(i, 0, cube, Real(0.5)); };
        double fastest = 0;
        for (int i = 0; i < rate / 4; ++i) {
            island.step(Real(1) / Real(rate));
            fastest = std::max(fastest, double(cube.motion.velocity.y));
        }
        EXPECT_LT(fastest, 0.15) << rate << " Hz";
        EXPECT_GT(cube.motion.center.y, 0.4999) << rate << " Hz";
    }
}

// The solution is the same from anywhere; from near by it takes fewer sweeps.
TEST(DeformableContact, AGuessSavesSweepsAndChangesNothing) {
    TestSolid cube = cubeAt(Real(0.5), Real(1e6));
    std::vector<Vec3> found;
    int sweeps = 0;
    for (const bool isGuessed : {false, true}) {
        Island island;
        island.solids.resize(1);
        island.solids[0].model = cube.model.get();
        island.solids[0].motion = cube.motion;
        island.solids[0].nodes = {cube.positions, cube.velocities};
        island.solids[0].memory = &cube.memory;
        island.solids[0].acceleration = {0, Real(-9.81), 0};
        island.solids[0].guess = found;
        island.settings.mostAugmentations = 0;  // they begin anew
        const std::unique_ptr<TaskRunner> tasks = makeSerialRunner();
        island.predict(*tasks, kStep);
        addFloor(island, 0, cube, 0);
        const ContactOutcome outcome = island.solve(*tasks, kStep);
        if (isGuessed) {
            EXPECT_LT(2 * outcome.iterations, sweeps);
            for (std::uint32_t i = 0; i < found.size(); ++i)
                EXPECT_LT(length(island.changeOf(island.rowOf(0, i)) - found[i]), 1e-3 * 9.81 / 30) << i;
            continue;
        }
        sweeps = outcome.iterations;
        for (std::uint32_t i = 0; i < cube.model->nodeCount(); ++i)
            found.push_back(island.changeOf(island.rowOf(0, i)));
    }
}

}  // namespace
}  // namespace sunder::deformable
