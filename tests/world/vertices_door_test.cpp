// The door for bodies that are more than a pose: a body whose vertices move goes through bounds, pairs, contacts, events,
// sleep, snapshots, hashes and replays. Who moves the vertices and finds their contacts is made up (vertices_for_tests.h).
#include <gtest/gtest.h>

#include "world/persist/state_hash.h"
#include "world/state/proxies.h"
#include "world/vertices_for_tests.h"

namespace sunder::world {
namespace {

std::vector<ContactPair> pairsOf(const WorldState& state, BodyId body) {
    std::vector<ContactPair> found;
    for (const ContactPair& pair : state.pairs)
        if (pair.bodyA == body.index || pair.bodyB == body.index)
            found.push_back(pair);
    return found;
}

std::uint32_t childOfPair(const ContactPair& pair, BodyId body) { return pair.bodyA == body.index ? pair.childA : pair.childB; }

TEST(VerticesDoor, EveryColliderHasBoundsOfItsOwn) {
    VertexWorld world({0, 3, 0});
    const Body& body = world.state.bodies[world.cube.index];
    EXPECT_EQ(colliderCount(body), 2u);
    EXPECT_EQ(world.state.broadPhase.proxyCount(), 3u);
    EXPECT_FLOAT_EQ(float(tightBounds(body, 0).high.x), -0.5f);
    EXPECT_FLOAT_EQ(float(tightBounds(body, 1).low.x), 0.5f);
    for (std::uint32_t child = 0; child < 2; ++child)
        EXPECT_TRUE(contains(world.state.broadPhase.fatBounds(proxyOf(body, child)), tightBounds(body, child)));
    // Far from each other's: the left one knows nothing of what the right one does.
    EXPECT_FALSE(world.state.broadPhase.overlap(proxyOf(body, 0), proxyOf(body, 1)));
}

// A vertex runs away by 4 m/s for 30 steps of 1/60 s, far beyond the shape at rest.
TEST(VerticesDoor, BoundsFollowTheVertices) {
    VertexWorld world({0, 6, 0});
    world.vertices().velocities[7] = {4, 0, 0};
    world.step(30);
    const Body& body = world.state.bodies[world.cube.index];
    EXPECT_NEAR(world.vertices().positions[7].x, 2.5, 1e-4);
    EXPECT_NEAR(tightBounds(body, 1).high.x, 2.5, 1e-4);
    EXPECT_TRUE(contains(world.state.broadPhase.fatBounds(proxyOf(body, 1)), tightBounds(body, 1)));
    EXPECT_LT(world.state.broadPhase.fatBounds(proxyOf(body, 0)).high.x, 0);
    EXPECT_NEAR(boundingRadius(body), length(world.vertices().positions[7]), 1e-5);
}

// The next step would be too late: what a vertex meets within a step is in a pair at its start.
TEST(VerticesDoor, BoundsReachAsFarAsVerticesGoInAStep) {
    VertexWorld world({0, Real(0.5), 0}, [](World& w) {
        w.addBody({.shape = Sphere{Real(0.1)}, .position = {Real(1.5), Real(0.5), Real(0.5)}});
    });
    world.step();
    EXPECT_EQ(pairsOf(world.state, world.cube).size(), 2u);  // with the floor
    world.vertices().velocities[5] = {70, 0, 0};
    world.vertices().positions[5].x -= Real(70) / 60;  // the stage gives it back
    world.step();
    EXPECT_EQ(pairsOf(world.state, world.cube).size(), 3u);
}

TEST(VerticesDoor, PairsNameCollidersAndNeverOneBodyTwice) {
    VertexWorld world({0, Real(0.5), 0}, [](World& w) {
        w.addBody({.shape = Sphere{Real(0.2)}, .position = {Real(0.75), Real(0.5), 0}});  // beside the right half
    });
    const BodyId ball{2, 1};
    world.step();
    const std::vector<ContactPair> pairs = pairsOf(world.state, world.cube);
    ASSERT_EQ(pairs.size(), 3u);
    std::uint32_t withFloor = 0;
    for (const ContactPair& pair : pairs) {
        EXPECT_LT(pair.bodyA, pair.bodyB);
        EXPECT_TRUE(world.state.pairSet.contains(keyOf(pair)));
        if (pair.bodyA == world.floor.index) {
            withFloor |= 1u << childOfPair(pair, world.cube);
        } else {
            EXPECT_EQ(pair.bodyB, ball.index);
            EXPECT_EQ(childOfPair(pair, world.cube), 1u);
        }
    }
    EXPECT_EQ(withFloor, 3u);              // both halves
    for (const ContactPair& pair : pairs)  // only those with the floor: nothing is known of balls
        for (std::uint32_t i = 0; i < pair.manifoldCount; ++i)
            EXPECT_EQ(world.state.constraints[pair.firstManifold + i].id.childB, childOfPair(pair, world.cube));
}

// A pair of colliders ends where their own bounds part, although those of the bodies still overlap.
TEST(VerticesDoor, PairsEndColliderByCollider) {
    VertexWorld world({0, Real(0.5), 0});
    world.step();
    ASSERT_EQ(pairsOf(world.state, world.cube).size(), 2u);
    for (const std::uint32_t vertex : world.vertices().colliders[0].vertices)
        world.vertices().positions[vertex].y += 3;
    world.step(2);
    ASSERT_EQ(pairsOf(world.state, world.cube).size(), 1u);
    EXPECT_EQ(childOfPair(pairsOf(world.state, world.cube)[0], world.cube), 1u);
}

// The cube falls by 0.1 m onto its four lower vertices, two of either half.
TEST(VerticesDoor, ItRestsOnItsVerticesAndTellsSoOnce) {
    VertexWorld world({0, Real(0.6), 0});
    int begins = 0;
    for (int i = 0; i < 30; ++i) {
        world.step();
        EXPECT_LE(world.state.events.contacts.size(), 1u) << "two colliders touch, but they are one body";
        for (const ContactEvent& event : world.state.events.contacts)
            begins += event.phase == ContactPhase::Begin;
    }
    EXPECT_EQ(begins, 1);
    EXPECT_NEAR(world.state.bodies[world.cube.index].center.y, 0.5, 2e-3);
    // Both halves bear: the event's impulse is the whole weight for a step.
    ASSERT_EQ(world.state.events.contacts.size(), 1u);
    EXPECT_NEAR(world.state.events.contacts[0].impulse, 1000 * 9.81 / 60, 2);
}

TEST(VerticesDoor, ItTouchesUntilItsLastColliderHasParted) {
    VertexWorld world({0, Real(0.5), 0});
    world.step(20);
    for (const std::uint32_t vertex : world.vertices().colliders[0].vertices)
        world.vertices().positions[vertex].y += 3;
    for (int i = 0; i < 4; ++i) {
        world.step();
        ASSERT_EQ(world.state.events.contacts.size(), 1u);
        EXPECT_EQ(world.state.events.contacts[0].phase, ContactPhase::Persist);
    }
    commitRemove(world.state, world.cube.index);
    world.step();
    ASSERT_EQ(world.state.events.contacts.size(), 1u);
    EXPECT_EQ(world.state.events.contacts[0].phase, ContactPhase::End);
    EXPECT_EQ(world.state.broadPhase.proxyCount(), 1u);
    EXPECT_TRUE(world.state.roster.deforming.empty());
}

TEST(VerticesDoor, ItSleepsOnceAndNotWhileItsVerticesMove) {
    VertexWorld world({0, Real(0.5), 0});
    world.vertices().velocities[7] = {0, Real(0.01), 0};
    world.step(90);
    EXPECT_FALSE(isAsleep(world.state.bodies[world.cube.index])) << "a vertex creeps by 1 cm/s";
    world.vertices().velocities[7] = {};
    world.step(90);
    const Body& body = world.state.bodies[world.cube.index];
    ASSERT_TRUE(isAsleep(body));
    const SleepingIsland& island = world.state.sleep.islands[body.island];
    EXPECT_EQ(island.bodies, std::vector<std::uint32_t>{world.cube.index});
    EXPECT_EQ(island.pairs.size(), 2u);
    EXPECT_TRUE(world.state.pairs.empty());
}

// Its pairs come back collider by collider, and its weight with them.
TEST(VerticesDoor, ABodyThatLandsOnItWakesIt) {
    VertexWorld world({0, Real(0.5), 0}, [](World& w) {
        w.addBody({.shape = Box{{Real(0.2), Real(0.2), Real(0.2)}}, .position = {Real(0.5), 40, 0}});  // above the right half
    });
    world.state.host.vertexSearch = [](const ColliderAt& a, const ColliderAt& b, Real margin, collision::ManifoldList& out) {
        if (a.body->motion == Motion::Static || b.body->motion == Motion::Static)
            return findVerticesOnBox(a, b, margin, out);
        const ColliderAt &soft = a.body->vertices ? a : b, &box = a.body->vertices ? b : a;
        const Real gap = box.pose.position.y - Real(0.2) - soft.pose.position.y - Real(0.5);
        if (gap > margin)
            return;
        collision::ContactManifold manifold;
        manifold.normal = {0, a.body->vertices ? Real(1) : Real(-1), 0};
        manifold.count = 1;
        const Vec3 under = box.pose.position - Vec3{0, Real(0.2), 0}, on = under - Vec3{0, gap, 0};
        manifold.points[0] = {a.body->vertices ? on : under, a.body->vertices ? under : on, gap, 0};
        out.push_back(manifold);
    };
    world.step(90);
    ASSERT_TRUE(isAsleep(world.state.bodies[world.cube.index]));
    bool woke = false;
    for (int i = 0; i < 120 && !woke; ++i) {
        world.step();
        woke = !isAsleep(world.state.bodies[world.cube.index]);
    }
    EXPECT_TRUE(woke);
    EXPECT_GE(pairsOf(world.state, world.cube).size(), 3u);
}

TEST(VerticesDoor, SnapshotsHashesAndAnyNumberOfThreadsCarryThem) {
    VertexWorld world({0, 1, 0});
    world.vertices().velocities[3] = {Real(0.3), Real(0.2), Real(-0.1)};
    world.step(10);
    const std::uint64_t before = hashState(world.state);
    const std::vector<std::byte> snapshot = takeSnapshot(world.state);
    std::vector<SharedShape> shapes;
    const std::vector<std::byte> inMemory = takeState(world.state, shapes);
    world.step(40);
    const std::uint64_t end = hashState(world.state);
    const Vec3 vertex = world.vertices().positions[3];

    VertexWorld other(
        {2, 5, 0}, [](World&) {}, 3);
    restoreSnapshot(other.state, snapshot);
    EXPECT_EQ(hashState(other.state), before);
    other.step(40);
    EXPECT_EQ(hashState(other.state), end);
    EXPECT_EQ(other.vertices().positions[3], vertex);

    restoreState(world.state, inMemory, shapes);
    EXPECT_EQ(hashState(world.state), before);
    world.vertices().positions[0].x += Real(1e-6);
    EXPECT_NE(hashState(world.state), before);
    world.vertices().positions[0].x -= Real(1e-6);
    world.vertices().velocities[0].x = Real(1e-6);
    EXPECT_NE(hashState(world.state), before);
}

TEST(VerticesDoor, ASnapshotWhoseVerticesDoNotFitIsRefused) {
    const auto isRefused = [](auto&& spoil) {
        VertexWorld world({0, Real(0.5), 0});
        spoil(world);
        WorldState other;
        try {
            restoreSnapshot(other, takeSnapshot(world.state));
            return false;
        } catch (const Error&) {
            return true;
        }
    };
    EXPECT_FALSE(isRefused([](VertexWorld&) {}));
    EXPECT_TRUE(isRefused([](VertexWorld& w) { w.vertices().velocities.pop_back(); }));
    EXPECT_TRUE(isRefused([](VertexWorld& w) { w.vertices().colliders[1].vertices[0] = 8; }));
    EXPECT_TRUE(isRefused([](VertexWorld& w) { w.vertices().triangles[0][2] = 8; }));
    EXPECT_TRUE(isRefused([](VertexWorld& w) { w.vertices().positions[2].x = std::numeric_limits<Real>::quiet_NaN(); }));
    EXPECT_TRUE(isRefused([](VertexWorld& w) { w.vertices().colliders.pop_back(); }));
    EXPECT_TRUE(isRefused([](VertexWorld& w) { w.state.roster.deforming.clear(); }));
    EXPECT_TRUE(isRefused([](VertexWorld& w) {
        w.step();
        w.state.pairs.front().childB = 2;
    }));
}

class MemoryLog : public CallLog {
public:
    void write(std::span<const std::byte> record) override { bytes.insert(bytes.end(), record.begin(), record.end()); }
    std::vector<std::byte> bytes;
};

TEST(VerticesDoor, AReplayOfAWorldWithVerticesIsTheSame) {
    VertexWorld made({0, 1, 0});
    made.vertices().velocities[3] = {0, Real(0.2), 0};
    World world;
    world.restore(takeSnapshot(made.state));
    ASSERT_TRUE(world.vertices(made.cube));
    EXPECT_EQ(world.vertices(made.cube)->positions.size(), 8u);
    EXPECT_EQ(world.vertices(made.cube)->velocities[3].y, Real(0.2));
    EXPECT_FALSE(world.vertices(made.floor));
    MemoryLog log;
    world.record(&log);
    for (int i = 0; i < 10; ++i)
        world.step(Real(1) / 60);
    world.record(nullptr);
    const ReplayReport report = replay(log.bytes);
    EXPECT_FALSE(report.difference);
    EXPECT_EQ(report.hash, world.hash());
}

TEST(VerticesDoor, VerticesThatAreNotFiniteTakeTheirBodyOut) {
    VertexWorld world({0, 2, 0});
    world.vertices().velocities[6] = {std::numeric_limits<Real>::infinity(), 0, 0};
    world.step(2);
    EXPECT_TRUE(world.state.bodies[world.cube.index].quarantined);
    ASSERT_EQ(world.state.events.errors.size(), 1u);
    EXPECT_TRUE(areFinite(world.vertices()));
    WorldState other;
    restoreSnapshot(other, takeSnapshot(world.state));
}

TEST(VerticesDoor, AnotherShapeMakesItRigidAgain) {
    VertexWorld world({0, 3, 0});
    commitShape(world.state, world.cube.index, buildBody(world.state.bodies[world.cube.index], Sphere{Real(0.5)}));
    EXPECT_FALSE(world.state.bodies[world.cube.index].vertices);
    EXPECT_TRUE(world.state.roster.deforming.empty());
    EXPECT_EQ(world.state.broadPhase.proxyCount(), 2u);
    world.step(3);
}

TEST(VerticesDoor, QueriesSeeRigidBodiesAlone) {
    VertexWorld made({0, 3, 0});
    World world;
    world.restore(takeSnapshot(made.state));
    const auto hit = world.castRay({.origin = {0, 9, 0}, .displacement = {0, -20, 0}});
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->body, made.floor);
}

TEST(Colliders, ARigidBodysColliderIsItsSlot) {
    EXPECT_EQ(colliderOf(77, 0), 77u);
    EXPECT_EQ(slotOf(colliderOf(77, 5)), 77u);
    EXPECT_EQ(childOf(colliderOf(77, 5)), 5u);
    EXPECT_EQ(slotOf(colliderOf(kMostSlots - 1, kMostColliders - 1)), kMostSlots - 1);
    EXPECT_EQ(childOf(colliderOf(kMostSlots - 1, kMostColliders - 1)), kMostColliders - 1);
}

}  // namespace
}  // namespace sunder::world
