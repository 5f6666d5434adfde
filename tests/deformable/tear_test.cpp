// Tension at nodes, cracks along faces, and the motion of what comes apart.
#include <gtest/gtest.h>

#include <set>

#include "deformable/frame/part_motion.h"
#include "deformable/tear/open_nodes.h"
#include "solid_for_tests.h"

namespace sunder::deformable {
namespace {

constexpr Real kYoung = Real(1e6);

TestSolid bar(std::array<int, 3> cells = {8, 2, 2}) {
    return TestSolid(boxOfTets({Real(0.8), Real(0.2), Real(0.2)}, cells), materialOf(kYoung, Real(0.25)));
}

TensionFound tensionOf(const TestSolid& solid, Real strength) {
    const auto tasks = makeSerialRunner();
    return findTension(*tasks, *solid.model, solid.positions, solid.memory, strength);
}

// Uniform uniaxial tension, turned: nodes on its surface and inside show that stress, whatever the tetrahedra. The
// lateral contraction leaves one stress only; the tolerance is float's rounding of positions over the strain of 1 %.
TEST(DeformableTear, UniformTensionIsTheTensionAtEveryNode) {
    for (const std::array<int, 3> cells : {std::array<int, 3>{8, 2, 2}, std::array<int, 3>{5, 3, 1}}) {
        TestSolid solid = bar(cells);
        const Real strain = Real(0.01), stress = strain * kYoung;
        const Quat turn = quatFromRotationVector({Real(0.3), Real(-0.2), Real(0.5)});
        for (Vec3& p : solid.positions)
            p = rotate(turn, Vec3{p.x * (1 + strain), p.y * (1 - strain / 4), p.z * (1 - strain / 4)});
        const TensionFound found = tensionOf(solid, stress / 2);
        const Vec3 axis = rotate(turn, Vec3{1, 0, 0});
        // Nodes of the two ends are pulled to one side only, by a load that is not theirs to bear: they do not open.
        std::size_t within = 0;
        for (const Vec3& p : solid.model->mesh.vertices)
            within += std::fabs(double(p.x)) < 0.79;
        EXPECT_EQ(found.beyond.size(), within);
        for (const NodeTension& node : found.beyond) {
            EXPECT_NEAR(node.stress, stress, 0.01 * stress) << "node " << node.node;
            EXPECT_NEAR(std::fabs(double(dot(node.normal, axis))), 1, 1e-3);
        }
        EXPECT_NEAR(found.load, 2, 0.02);
    }
}

TEST(DeformableTear, CompressionAndRotationTearNothing) {
    TestSolid solid = bar();
    for (Vec3& p : solid.positions)
        p = Vec3{p.x * Real(0.98), p.y * Real(0.98), p.z * Real(0.98)};
    EXPECT_TRUE(tensionOf(solid, Real(1e3)).beyond.empty());
    for (Vec3& p : solid.positions)
        p = rotate(quatFromRotationVector({1, 2, Real(-0.5)}), p * (1 / Real(0.98)));
    EXPECT_LT(tensionOf(solid, Real(1e3)).load, 0.05);
}

std::vector<NodeTension> acrossTheMiddle(const TestSolid& solid) {
    std::vector<NodeTension> nodes;
    for (std::uint32_t i = 0; i < solid.model->nodeCount(); ++i)
        if (std::fabs(double(solid.model->mesh.vertices[i].x)) < 1e-4)
            nodes.push_back({i, 1, {1, 0, 0}});
    return nodes;
}

// All nodes of a plane of faces open: two parts of the same volume, and the crack has the area of the section.
TEST(DeformableTear, AWholeSectionOpensIntoTwoParts) {
    const TestSolid solid = bar();
    const auto nodes = acrossTheMiddle(solid);
    ASSERT_EQ(nodes.size(), 9u);
    const Torn torn = openNodes(*solid.model, solid.positions, nodes, {100, 3});
    ASSERT_EQ(torn.parts.size(), 2u);
    EXPECT_NEAR(torn.area, 0.16, 1e-6);
    EXPECT_EQ(torn.parts[0].mesh.tets.size(), torn.parts[1].mesh.tets.size());
    EXPECT_EQ(torn.parts[0].mesh.vertices.size() + torn.parts[1].mesh.vertices.size(), solid.model->nodeCount() + 9);
    for (const SolidPart& part : torn.parts)
        EXPECT_EQ(buildSolid(part.mesh, solid.model->material).error, "");
}

// One node of the section: a crack, and still one part. Opening the others then is the same as opening all at once.
TEST(DeformableTear, CracksAddUp) {
    const TestSolid whole = bar();
    const auto nodes = acrossTheMiddle(whole);
    const Torn first = openNodes(*whole.model, whole.positions, std::span(nodes).first(4), {100, 3});
    ASSERT_EQ(first.parts.size(), 1u);
    EXPECT_GT(first.area, 0);
    EXPECT_GE(first.parts[0].mesh.vertices.size(), whole.model->nodeCount());
    const TestSolid cracked(first.parts[0].mesh, whole.model->material);
    const Torn second = openNodes(*cracked.model, cracked.positions, acrossTheMiddle(cracked), {100, 3});
    ASSERT_EQ(second.parts.size(), 2u);
    EXPECT_NEAR(first.area + second.area, 0.16, 1e-6);
}

// One node of the section bears half as much again as the strength, the others nine tenths. Alone it makes a crack that stops;
// of a share of .5 its neighbours get a quarter more, open, and so do theirs; a share of .1 is not enough for them.
TEST(DeformableTear, ResidualsOpenTheNextNodes) {
    const TestSolid solid = bar();
    std::vector<NodeTension> nodes = acrossTheMiddle(solid);
    for (NodeTension& node : nodes)
        node.stress = Real(0.9);
    nodes[0].stress = Real(1.5);
    const auto opened = [&](Real share) { return openNodes(*solid.model, solid.positions, nodes, {100, 3, {share, 1}}); };
    EXPECT_EQ(opened(0).openedNodes, 1u);
    EXPECT_EQ(opened(Real(0.1)).openedNodes, 1u);
    const Torn through = opened(Real(0.5));
    EXPECT_GT(through.openedNodes, 3u);
    EXPECT_EQ(through.first.node, nodes[0].node) << "the largest tension is first";
    EXPECT_GT(through.area, 2 * opened(0).area);
}

// Every node of a cube is asked to open in every direction in turn: no part is below the limit, no edge or corner alone holds
// two tetrahedra together, and no volume is lost.
TEST(DeformableTear, NoCrumbsAndNoHinges) {
    TestSolid solid(boxOfTets({Real(0.5), Real(0.5), Real(0.5)}, {3, 3, 3}), materialOf(kYoung));
    std::vector<geometry::TetMesh> meshes = {solid.model->mesh};
    for (int round = 0; round < 3; ++round) {
        std::vector<geometry::TetMesh> next;
        for (const geometry::TetMesh& mesh : meshes) {
            const TestSolid part(mesh, solid.model->material);
            std::vector<NodeTension> nodes;
            for (std::uint32_t i = 0; i < part.model->nodeCount(); ++i)
                nodes.push_back({i, 1, normalizeOr(Vec3{Real(round == 0), Real(round == 1), Real(round == 2)}, {1, 0, 0})});
            const Torn torn = openNodes(*part.model, part.positions, nodes, {100000, 3});
            if (torn.parts.empty())
                next.push_back(mesh);
            for (const SolidPart& made : torn.parts)
                next.push_back(made.mesh);
        }
        meshes = std::move(next);
    }
    EXPECT_GT(meshes.size(), 6u);
    double volume = 0;
    for (const geometry::TetMesh& mesh : meshes) {
        EXPECT_GE(mesh.tets.size(), 3u);
        const auto model = buildSolid(mesh, solid.model->material).model;
        ASSERT_TRUE(model);
        volume += geometry::measureQuality(mesh).volume;
        // Around every node its tetrahedra hang together through faces at that node.
        for (std::uint32_t node = 0; node < model->nodeCount(); ++node) {
            std::set<std::uint32_t> star, reached;
            for (std::uint32_t c = model->graph.firstCorner[node]; c < model->graph.firstCorner[node + 1]; ++c)
                star.insert(model->graph.cornerList[c][0]);
            std::vector<std::uint32_t> open = {*star.begin()};
            reached.insert(open[0]);
            while (!open.empty()) {
                const std::uint32_t tet = open.back();
                open.pop_back();
                for (int face = 0; face < 4; ++face) {
                    const std::uint32_t other = model->neighbors.across[tet][std::size_t(face)];
                    if (model->mesh.tets[tet][std::size_t(face)] != node && star.count(other) && reached.insert(other).second)
                        open.push_back(other);
                }
            }
            EXPECT_EQ(reached.size(), star.size());
        }
    }
    EXPECT_NEAR(volume, 1, 1e-6);
}

TEST(DeformableTear, PartsKeepMomentaAndPlaces) {
    TestSolid solid = bar();
    solid.motion.velocity = {1, 2, 3};
    solid.motion.angularVelocity = {Real(0.5), 4, -2};
    for (std::size_t i = 0; i < solid.positions.size(); ++i) {
        const Vec3 p = solid.positions[i];
        solid.positions[i] = {p.x * Real(1.1), p.y + p.x * Real(0.1), p.z};
        solid.velocities[i] = {p.x, -p.z, p.y * 2};
    }
    const Torn torn = openNodes(*solid.model, solid.positions, acrossTheMiddle(solid), {100, 3});
    ASSERT_EQ(torn.parts.size(), 2u);
    Vec3 momentum, angular;
    for (const SolidPart& part : torn.parts) {
        TestSolid made(part.mesh, solid.model->material);
        std::vector<std::uint32_t> nodeFrom;
        for (const std::uint32_t given : made.model->givenNode)
            nodeFrom.push_back(part.nodeFrom[given]);
        const PartMotion motion =
            motionOfPart(*solid.model, solid.motion, solid.positions, solid.velocities, *made.model, nodeFrom);
        made.motion = motion.motion;
        made.positions = motion.positions;
        made.velocities = motion.velocities;
        for (std::size_t i = 0; i < nodeFrom.size(); ++i) {
            EXPECT_LT(length(made.place(i) - solid.place(nodeFrom[i])), 1e-5);
            EXPECT_LT(length(made.velocityOf(i) - solid.velocityOf(nodeFrom[i])), 1e-5);
        }
        momentum += made.momentum();
        angular += made.angularMomentum() + cross(made.motion.center - solid.motion.center, made.momentum());
    }
    EXPECT_LT(length(momentum - solid.momentum()), 1e-4 * double(length(momentum)));
    EXPECT_LT(length(angular - solid.angularMomentum()), 1e-3 * double(length(angular)));
}

// A plane through a box parts it there, whatever it bears; one beside it does nothing, and no crumb comes off.
TEST(DeformableTear, ACutPartsItAlongAPlane) {
    const SolidResult solid = buildSolid(boxOfTets({1, Real(0.5), Real(0.5)}, {8, 4, 4}), {});
    ASSERT_TRUE(solid.model);
    const std::vector<Vec3>& places = solid.model->mesh.vertices;
    const Torn torn = cutAlong(*solid.model, places, {Real(0.25), 0, 0}, {1, 0, 0}, 3);
    ASSERT_EQ(torn.parts.size(), 2u);
    EXPECT_GE(torn.area, 1.0);  // the section, or more where faces lie askew to it
    EXPECT_LT(torn.area, 2.0);
    double share[2] = {};
    for (int k = 0; k < 2; ++k)
        for (std::uint32_t t = 0; t < torn.parts[std::size_t(k)].mesh.tets.size(); ++t)
            share[k] += geometry::volumeOf(torn.parts[std::size_t(k)].mesh, t) / 2;
    EXPECT_NEAR(share[0] + share[1], 1, 1e-5);
    EXPECT_NEAR(share[0], 0.625, 0.02);
    EXPECT_TRUE(cutAlong(*solid.model, places, {2, 0, 0}, {1, 0, 0}, 3).parts.empty());
    // A corner is one tetrahedron: less than the smallest piece.
    const Vec3 aslant = normalizeOr(Vec3{1, 1, 1}, Vec3{1, 0, 0});
    EXPECT_TRUE(cutAlong(*solid.model, places, {Real(0.9), Real(0.45), Real(0.45)}, aslant, 3).parts.empty());
}

}  // namespace
}  // namespace sunder::deformable
