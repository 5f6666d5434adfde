// Deformable bodies that touch themselves, nodes that are held, pinned, pushed and read, and splinters, in a world.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "scenes/rope.h"
#include "sunder/sunder.h"

namespace sunder {
namespace {

constexpr Real kStep = Real(1) / 60;

class MemoryLog : public CallLog {
public:
    void write(std::span<const std::byte> record) override { bytes.insert(bytes.end(), record.begin(), record.end()); }
    std::vector<std::byte> bytes;
};

BodyDef strip(const Vec3& position, int segments = 20) {
    BodyDef def;
    def.name = "strip";
    def.shape = Box{{Real(0.025) * Real(segments), Real(0.025), Real(0.025)}};
    def.position = position;
    def.material.density = 900;
    def.material.young = Real(2e6);
    def.material.poisson = Real(0.3);
    def.deformable = DeformableDef{.cell = Real(0.05)};
    return def;
}

Vec3 placeOf(const World& world, BodyId body, std::uint32_t node) {
    return world.position(body) + rotate(world.orientation(body), world.vertices(body)->positions[node]);
}

std::uint32_t nodeNear(const World& world, BodyId body, const Vec3& p) {
    const auto positions = world.vertices(body)->positions;
    std::uint32_t best = 0;
    for (std::uint32_t i = 0; i < positions.size(); ++i)
        if (length(positions[i] - p) < length(positions[best] - p))
            best = i;
    return best;
}

// A spool winds more than a turn of rope in nine seconds: it lies on itself or beside itself, a thickness away (less what the
// rope is pressed), and no tetrahedron is turned inside out.
TEST(FleshSelf, ARopeLiesOnItself) {
    const scenes::RopeOutcome outcome =
        scenes::windRope({.segments = 70, .turnSpeed = Real(1.5), .touchesItself = true, .threads = 2}, 9);
    EXPECT_TRUE(outcome.isFinite);
    EXPECT_GT(outcome.turns, 1.1);
    EXPECT_GT(outcome.nearest, 0.7 * double(scenes::RopeOnSpool::kThickness));
    EXPECT_EQ(outcome.inverted, 0);
}

// The same without: it goes into itself, or the test above would show nothing.
TEST(FleshSelf, WithoutItARopeGoesIntoItself) {
    const scenes::RopeOutcome outcome =
        scenes::windRope({.segments = 70, .turnSpeed = Real(1.5), .touchesItself = false, .threads = 2}, 9);
    EXPECT_LT(outcome.nearest, 0.5 * double(scenes::RopeOnSpool::kThickness));
}

// Any number of threads, and a world that goes on from a snapshot in the middle: the same bits.
TEST(FleshSelf, ThreadsAndSnapshotsGiveTheSameBits) {
    scenes::RopeOnSpool one({.segments = 50, .turnSpeed = 3, .touchesItself = true, .threads = 1});
    scenes::RopeOnSpool four({.segments = 50, .turnSpeed = 3, .touchesItself = true, .threads = 4});
    for (int i = 0; i < 100; ++i) {
        one.world.step(kStep);
        four.world.step(kStep);
    }
    ASSERT_EQ(one.world.hash(), four.world.hash());
    World other;
    other.restore(one.world.snapshot());
    for (int i = 0; i < 50; ++i) {
        one.world.step(kStep);
        other.step(kStep);
    }
    EXPECT_EQ(one.world.hash(), other.hash());
}

// A box of 10 kg hangs on a strip of 2.25 kg that a static body holds: both ends stay where they are held, and the box stays
// under it.
TEST(FleshHolds, AStripCarriesABoxThatItHolds) {
    World world;
    world.addBody(
        {.name = "beam", .shape = Box{{Real(0.2), Real(0.2), Real(0.2)}}, .motion = Motion::Static, .position = {0, 3, 0}});
    world.addBody(
        {.name = "box", .shape = Box{{Real(0.1), Real(0.1), Real(0.1)}}, .position = {0, Real(1.68), 0}, .mass = Real(10)});
    BodyDef def = strip({0, Real(2.3), 0});
    def.orientation = {0, 0, Real(0.70710678), Real(0.70710678)};  // x points up
    def.deformable->attached = {{"beam", {Real(0.49), -1, -1}, {1, 1, 1}}, {"box", {-1, -1, -1}, {Real(-0.49), 1, 1}}};
    const BodyId held = world.addBody(def), box = world.find("box");
    ASSERT_EQ(world.attachedNodes(held).size(), 8u);
    for (int i = 0; i < 240; ++i)
        world.step(kStep);
    // 10 kg stretch 1 m of 25 cm^2 and E 2 MPa by 2 cm, its own weight by 0.2 cm.
    EXPECT_NEAR(world.position(box).y, 1.68 - 0.022, 0.008);
    EXPECT_NEAR(world.position(box).x, 0, 0.01);
    for (const NodeHold& hold : world.attachedNodes(held)) {
        const Vec3 there = world.position(hold.body) + rotate(world.orientation(hold.body), hold.point);
        EXPECT_LT(length(placeOf(world, held, hold.node) - there), Real(1e-3));
    }
    // Let go, it falls; without the box nothing holds its nodes.
    world.removeBody(box);
    EXPECT_EQ(world.attachedNodes(held).size(), 4u);
    for (const NodeHold& hold : world.attachedNodes(held))
        world.detachNode(held, hold.node);
    const Real before = world.centerOfMass(held).y;
    for (int i = 0; i < 30; ++i)
        world.step(kStep);
    EXPECT_LT(world.centerOfMass(held).y, before - 1);
}

TEST(FleshHolds, BadNamesAndNodesAreRefused) {
    World world;
    BodyDef def = strip({0, 1, 0});
    def.deformable->attached = {{"nobody", {-1, -1, -1}, {1, 1, 1}}};
    const auto messageOf = [](const auto& call) -> std::string {
        try {
            call();
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(messageOf([&] { world.addBody(def); }).find("deformable.attached[0].body: 'nobody'"), std::string::npos);
    def.deformable->attached = {{"nobody", {1, -1, -1}, {-1, 1, 1}}};
    EXPECT_NE(messageOf([&] { world.addBody(def); }).find("deformable.attached[0].low"), std::string::npos);
    def.deformable->attached.clear();
    def.deformable->strainSmoothing = 2;
    EXPECT_NE(messageOf([&] { world.addBody(def); }).find("deformable.strain_smoothing: 2"), std::string::npos);
    def.deformable->strainSmoothing = 0;
    const BodyId body = world.addBody(def);
    const BodyId rigid = world.addBody({.name = "rigid"});
    EXPECT_NE(messageOf([&] { world.addNodeForce(body, 9999, {}); }).find("node 9999"), std::string::npos);
    EXPECT_NE(messageOf([&] { world.addNodeForce(rigid, 0, {}); }).find("'rigid' does not deform"), std::string::npos);
    EXPECT_NE(messageOf([&] { world.attachNode(body, 0, body); }).find("deforms"), std::string::npos);
    EXPECT_NE(messageOf([&] { world.setNodes(body, {}, {}); }).find("0 positions"), std::string::npos);
    const Real nan = std::numeric_limits<Real>::quiet_NaN();
    EXPECT_NE(messageOf([&] { world.addNodeForce(body, 0, {nan, 0, 0}); }), "");
    def.deformable->splinters = Splinters::Wood;
    def.deformable->splinterSize = {Real(0.001), Real(0.001), Real(0.001)};
    EXPECT_NE(messageOf([&] { world.addBody(def); }).find("deformable.splinter_size"), std::string::npos);
}

// What can be set can be read, and a replay sets it again.
TEST(FleshNodes, AreSetReadAndReplayed) {
    World world;
    MemoryLog log;
    world.record(&log);
    world.setGravity({});
    const BodyId rigid = world.addBody({.name = "rigid", .position = {5, 0, 0}});
    BodyDef def = strip({0, 1, 0});
    def.deformable->strainSmoothing = Real(0.55);
    const BodyId body = world.addBody(def);
    const std::uint32_t left = nodeNear(world, body, {Real(-0.5), 0, 0}), right = nodeNear(world, body, {Real(0.5), 0, 0});
    world.pinNode(body, left, placeOf(world, body, left));
    ASSERT_EQ(world.pinnedNodes(body).size(), 1u);
    EXPECT_EQ(world.pinnedNodes(body)[0].node, left);
    world.addNodeForce(body, right, {0, 3, 0});
    world.addNodeForce(body, right, {0, 2, 0});
    ASSERT_EQ(world.nodeForces(body).size(), 1u);
    EXPECT_EQ(world.nodeForces(body)[0].force, (Vec3{0, 5, 0}));
    const Real before = placeOf(world, body, right).y;
    world.step(kStep);
    EXPECT_TRUE(world.nodeForces(body).empty());
    EXPECT_GT(placeOf(world, body, right).y, before);
    world.unpinNode(body, left);
    EXPECT_TRUE(world.pinnedNodes(body).empty());
    world.attachNode(body, left, rigid);
    EXPECT_EQ(world.attachedNodes(body)[0].body, rigid);
    std::vector<Vec3> positions(world.vertices(body)->positions.begin(), world.vertices(body)->positions.end());
    const std::vector<Vec3> velocities(positions.size());
    positions[right].y += Real(0.01);
    world.setNodes(body, positions, velocities);
    EXPECT_EQ(world.vertices(body)->positions[right], positions[right]);
    EXPECT_EQ(world.deformable(body)->strainSmoothing, Real(0.55));
    EXPECT_EQ(world.material(body).young, Real(2e6));
    for (int i = 0; i < 5; ++i)
        world.step(kStep);
    world.record(nullptr);
    EXPECT_FALSE(replay(log.bytes).difference);
}

// A plank with splinters that a ball breaks: none is lost, and none is stretched to more than the tetrahedra are.
TEST(FleshSplinters, AllAreDrawnAndWholeAfterABreak) {
    World world;
    BodyDef plank;
    plank.name = "plank";
    plank.shape = Box{{Real(0.6), Real(0.1), Real(0.03)}};
    plank.position = {0, 1, 0};
    plank.material.density = 650;
    plank.material.young = Real(5e8);
    plank.material.poisson = Real(0.3);
    plank.material.strength = Real(3e6);
    plank.deformable = DeformableDef{.cell = Real(0.07)};
    plank.deformable->stiffnessDamping = Real(2e-4);
    plank.deformable->tears = true;
    plank.deformable->splinters = Splinters::Wood;
    plank.deformable->splinterSize = {Real(0.2), Real(0.03), Real(0.02)};
    plank.deformable->pinned = {{{Real(-0.61), -1, -1}, {Real(-0.59), 1, 1}}, {{Real(0.59), -1, -1}, {Real(0.61), 1, 1}}};
    const BodyId body = world.addBody(plank);
    const std::size_t vertices = world.splinters(body)->positions.size();
    ASSERT_GT(vertices, 500u);
    BodyDef ball;
    ball.shape = Sphere{Real(0.1)};
    ball.position = {0, 1, Real(0.4)};
    ball.velocity = {0, 0, -12};
    ball.material.density = 7850;
    world.addBody(ball);
    double area = 0, faces = 0;
    for (int i = 0; i < 20; ++i) {
        world.step(kStep);
        for (const TearEvent& tear : world.tearEvents()) {
            area += double(tear.area);
            for (const TornFace& face : tear.faces) {
                faces += double(face.area);
                EXPECT_NEAR(double(length(face.normal)), 1, 1e-4);
                EXPECT_LT(length(face.point - Vec3{0, 1, 0}), Real(2));
            }
        }
    }
    EXPECT_GT(area, 0);
    EXPECT_NEAR(faces, area, 1e-4 * area);  // the list of faces, where dust comes from, is the crack
    std::size_t drawn = 0, bodies = 0;
    for (const BodyId id : world.bodies())
        if (const auto view = world.splinters(id)) {
            ++bodies;
            drawn += view->positions.size();
            for (const auto& [a, b, c] : view->triangles)
                EXPECT_LT(length(view->positions[b] - view->positions[a]), Real(0.45));
        }
    EXPECT_GT(bodies, 1u);
    EXPECT_EQ(drawn, vertices);
    World other;
    other.restore(world.snapshot());
    EXPECT_EQ(other.splinters(body)->positions, world.splinters(body)->positions);
}

}  // namespace
}  // namespace sunder
