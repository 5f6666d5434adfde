// Bodies that break: nothing is lost or made, the same on any number of threads, after a restore and in a replay.
#include <gtest/gtest.h>

#include <cmath>

#include "sunder/sunder.h"
#include "support/hashes.h"
#include "world/walls_for_tests.h"

namespace sunder {
namespace {

using support::hashesOf;
using support::kStep;

// Of the world, in double, about the origin.
struct Sums {
    double mass = 0, kinetic = 0, p[3] = {}, l[3] = {};
    explicit Sums(const World& world) {
        const WorldStats stats = world.stats();
        kinetic = stats.kineticEnergy;
        for (int i = 0; i < 3; ++i) {
            p[i] = stats.linearMomentum[i];
            l[i] = stats.angularMomentum[i];
        }
        for (const BodyId body : world.bodies())
            mass += double(world.mass(body));
    }
};

double distance(const double (&a)[3], const double (&b)[3]) {
    return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}
double size(const double (&a)[3]) { return distance(a, {0, 0, 0}); }

// Pieces fly on as the body did; the step that follows moves them without contact forces, as nothing parts them.
TEST(Breaking, KeepsMassAndMomentaAndGainsNoEnergy) {
    for (const FracturePlacement placement : {FracturePlacement::General, FracturePlacement::Aligned})
        for (int seed = 1; seed <= 3; ++seed) {
            World world({.gravity = {}});
            FractureDef fracture = fractureBy(voronoi(25, std::uint64_t(seed)), 1);
            std::get<Prescored>(fracture.method).placement = placement;
            const Shape shape =
                seed == 1 ? Shape(Box{{Real(0.4), Real(0.6), Real(0.5)}}) : Shape(Cylinder{Real(0.5), Real(0.4)});
            const BodyId body = world.addBody({.shape = shape,
                                               .position = {Real(0.5), 1, 0},
                                               .orientation = {Real(0.1), Real(0.3), Real(-0.2), Real(0.9)},
                                               .velocity = {2, -1, Real(0.5)},
                                               .angularVelocity = {3, Real(seed), -2},
                                               .fracture = fracture});
            const Sums before(world);
            world.breakBody(body, world.position(body), {0, 1, 0}, 0);
            world.step(Real(1e-6));
            ASSERT_EQ(world.breakEvents().size(), 1u);
            ASSERT_GT(world.breakEvents()[0].pieces.size(), 5u);
            const Sums after(world);
            EXPECT_NEAR(after.mass / before.mass, 1, 1e-5);
            EXPECT_LT(distance(after.p, before.p), 1e-5 * size(before.p));
            EXPECT_LT(distance(after.l, before.l), 1e-5 * size(before.l));
            EXPECT_LT(after.kinetic, before.kinetic * (1 + 1e-5));
        }
}

// What the parent was, its pieces are together: the volume of their level sets, up to the cells at the cracks.
TEST(Breaking, PiecesFillTheBody) {
    World world({.gravity = {}});
    const BodyId body = world.addBody({.name = "block",
                                       .shape = Box{{Real(0.5), Real(0.5), Real(0.5)}},
                                       .material = {.density = 500},
                                       .fracture = fractureBy(voronoi(), 1)});
    world.breakBody(body, {0, Real(0.5), 0}, {0, 1, 0}, 0);
    world.step(kStep);
    EXPECT_FALSE(world.isValid(body));
    ASSERT_EQ(world.breakEvents().size(), 1u);
    const BreakEvent& event = world.breakEvents()[0];
    EXPECT_EQ(event.body, body);
    EXPECT_EQ(world.stats().pieces, int(event.pieces.size()));
    EXPECT_EQ(world.stats().breaks, 1);
    double mass = 0;
    for (const BodyId piece : event.pieces) {
        EXPECT_EQ(world.parent(piece), body);
        mass += double(world.mass(piece));
        // Both surfaces are there, at once.
        const DrawnSurface surface = world.surface(piece);
        ASSERT_FALSE(surface.triangles.empty());
        EXPECT_EQ(surface.slots.size(), surface.triangles.size());
        EXPECT_EQ(surface.textureCoordinates.size(), surface.positions.size());
        EXPECT_NE(std::count(surface.slots.begin(), surface.slots.end(), DrawnSurface::kFractureSurface), 0);
    }
    EXPECT_NEAR(mass, 500, 500e-5);
    // A point inside the block is inside of one piece, or between two of them.
    int inside = 0, crowded = 0;
    for (int i = 0; i < 1000; ++i) {
        const Vec3 point{Real(i % 10) / 10 - Real(0.45), Real(i / 10 % 10) / 10 - Real(0.45), Real(i / 100) / 10 - Real(0.45)};
        std::vector<PointHit> hits;
        world.closestPointAll(point, 0, hits);
        inside += !hits.empty();
        crowded += hits.size() > 1;
    }
    EXPECT_GT(inside, 900);
    EXPECT_LT(crowded, 60);
}

// The ball goes on through what it broke: it has lost less than it would have against the whole wall.
TEST(Breaking, RemainingImpulseGoesToThePieces) {
    // The mean of six patterns: a piece that wedges itself may stop the ball, as one does in double.
    constexpr int kPatterns = 6;
    double sums[2] = {};
    for (int seed = 1; seed <= kPatterns; ++seed)
        for (const bool breaks : {false, true}) {
            World world;
            // Cracks along the way of the ball, and little to hold the pieces between them.
            PatternDef star;
            star.nodes = 65;
            star.seed = std::uint64_t(seed);
            const Wall ids = addWall(world, fractureBy(buildPattern(star), breaks ? 400 : 1e6));
            world.setMaterial(ids.wall, {.friction = Real(0.05)});
            for (int i = 0; i < 4; ++i)
                world.step(kStep);
            sums[breaks] -= double(world.velocity(ids.ball).z);
        }
    EXPECT_GT(sums[1] / kPatterns, sums[0] / kPatterns + 2);
}

TEST(Breaking, EnergyNeverRises) {
    World world;
    FractureDef fracture = fractureBy(voronoi(), 400);
    addWall(world, fracture);
    WorldStats stats = world.stats();
    double before = stats.kineticEnergy + stats.potentialEnergy;
    int breaks = 0;
    for (int i = 0; i < 45; ++i) {
        world.step(kStep);
        stats = world.stats();
        breaks += stats.breaks;
        const double now = stats.kineticEnergy + stats.potentialEnergy;
        EXPECT_LT(now, before + 2e-3 * std::fabs(before)) << "step " << i;
        before = now;
    }
    EXPECT_GT(breaks, 0);
}

// Neighbours that were one body lie still: nothing flies apart by the overlap of their grids.
TEST(Breaking, PiecesAtRestStayAtRest) {
    World world({.gravity = {}});
    const BodyId body = world.addBody({.shape = Box{{Real(0.5), Real(0.5), Real(0.5)}}, .fracture = fractureBy(voronoi(), 1)});
    world.breakBody(body, {0, Real(0.5), 0}, {0, 1, 0}, 0);
    Real fastest = 0;
    for (int i = 0; i < 30; ++i) {
        world.step(kStep);
        for (const BodyId piece : world.bodies())
            fastest = std::max(fastest, std::hypot(world.velocity(piece).x, world.velocity(piece).y, world.velocity(piece).z));
    }
    EXPECT_LT(fastest, 1e-3);
}

TEST(Breaking, SameBitsOnAnyThreadsAfterARestoreAndInAReplay) {
    class MemoryLog : public CallLog {
    public:
        void write(std::span<const std::byte> record) override { bytes.insert(bytes.end(), record.begin(), record.end()); }
        std::vector<std::byte> bytes;
    };
    std::vector<std::uint64_t> expected;
    for (const FracturePlacement placement : {FracturePlacement::General, FracturePlacement::Aligned})
        for (int threads = 1; threads <= 4; ++threads) {
            World world({.threads = threads});
            MemoryLog log;
            world.record(&log);
            FractureDef fracture = fractureBy(voronoi(), 400);
            std::get<Prescored>(fracture.method).placement = placement;
            addWall(world, fracture);
            for (int i = 0; i < 2; ++i)
                world.step(kStep);
            const std::vector<std::byte> before = world.snapshot();
            const Checkpoint checkpoint = world.checkpoint();
            world.explode({0, 0, 0}, 100, 3);
            std::vector<std::uint64_t> hashes = hashesOf(world, 12);
            ASSERT_GT(world.stats().pieces, 5);
            if (threads == 1)
                expected = hashes;
            EXPECT_EQ(hashes, expected) << threads << " threads";
            const std::vector<std::byte> later = world.snapshot();
            const std::vector<std::uint64_t> rest = hashesOf(world, 3);
            world.record(nullptr);
            if (threads % 2 == 0)
                continue;
            EXPECT_FALSE(replay(log.bytes).difference.has_value());
            World other;
            other.restore(before);
            other.explode({0, 0, 0}, 100, 3);
            EXPECT_EQ(hashesOf(other, 12), expected);
            other.restore(later);
            EXPECT_EQ(hashesOf(other, 3), rest);
            world.rewind(checkpoint);
            world.explode({0, 0, 0}, 100, 3);
            EXPECT_EQ(hashesOf(world, 12), expected);
        }
}

TEST(Breaking, CutMakesTwoHalves) {
    World world({.gravity = {}});
    const BodyId body = world.addBody({.shape = Box{{Real(0.5), Real(0.5), Real(0.5)}}, .fracture = fractureBy(voronoi(), 1)});
    world.cut(body, {Real(0.1), 0, 0}, {1, 0, 0});
    world.step(kStep);
    ASSERT_EQ(world.bodies().size(), 2u);
    // The plane is at 0.6 of the length. Every node counts with its whole cell of 0.05 m: half of one is 25 kg.
    const Real low = std::min(world.mass(world.bodies()[0]), world.mass(world.bodies()[1]));
    EXPECT_NEAR(low, 400, 26);
}

TEST(Breaking, ExplosionBreaksAndPushes) {
    World world({.gravity = {}});
    const BodyId body = world.addBody({.shape = Box{{Real(0.5), Real(0.5), Real(0.5)}}, .fracture = fractureBy(voronoi(), 50)});
    const BodyId far = world.addBody({.shape = Sphere{Real(0.5)}, .position = {20, 0, 0}});
    world.explode({-1, 0, 0}, 2000, 5);
    world.step(kStep);
    EXPECT_FALSE(world.isValid(body));
    EXPECT_GT(world.stats().linearMomentum[0], 50);
    EXPECT_LT(world.stats().linearMomentum[0], 2000);
    EXPECT_EQ(world.velocity(far), Vec3{});
}

// What stands behind a wall is spared, what looks out beside it gets a part; the floor that the bomb lies on hides nothing.
TEST(Breaking, WallsShieldFromExplosions) {
    for (const bool shielded : {true, false}) {
        World world({.gravity = {}});
        world.addBody({.shape = Box{{20, Real(0.5), 20}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
        world.addBody({.shape = Box{{Real(0.1), 2, 2}}, .motion = Motion::Static, .position = {2, 2, 0}});
        const Sphere ball{Real(0.25)};
        const BodyId open = world.addBody({.shape = ball, .position = {-4, Real(0.3), 0}});
        const BodyId behind = world.addBody({.shape = ball, .position = {4, Real(0.3), 0}});
        const BodyId beside = world.addBody({.shape = ball, .position = {4, Real(0.3), 6}});
        const BodyId pane = world.addBody(
            {.shape = Box{{Real(0.2), 1, 1}}, .position = {3, Real(1.1), 0}, .fracture = fractureBy(voronoi(), Real(0.5))});
        world.explode({0, 0, 0}, 500, 20, shielded);
        world.step(kStep);
        const auto speed = [&](BodyId body) { return std::fabs(world.velocity(body).x) + std::fabs(world.velocity(body).z); };
        EXPECT_GT(speed(open), 1e-3);
        EXPECT_EQ(speed(behind) > 0, !shielded);
        EXPECT_GT(speed(beside), 0);
        EXPECT_EQ(world.isValid(pane), shielded);
    }
}

// A door that is shot keeps its hinge: the piece at it hangs on, the others fly.
TEST(Breaking, PiecesKeepTheJointsThatTheyHold) {
    World world({.gravity = {}});
    const BodyId frame = world.addBody({.shape = Box{{Real(0.05), 1, Real(0.05)}}, .motion = Motion::Static});
    FractureDef fracture = fractureBy(voronoi(20), 1);
    const BodyId door =
        world.addBody({.shape = Box{{Real(0.5), 1, Real(0.1)}}, .position = {Real(0.55), 0, 0}, .fracture = fracture});
    JointDef hinge;
    hinge.type = JointType::Hinge;
    hinge.a = frame;
    hinge.b = door;
    hinge.anchor = {Real(0.05), 0, 0};
    hinge.axis = {0, 1, 0};
    const JointId joint = world.addJoint(hinge);
    world.breakBody(door, {Real(0.9), 0, Real(0.1)}, {0, 0, 1}, 50);
    world.step(kStep);
    ASSERT_FALSE(world.isValid(door));
    ASSERT_TRUE(world.isValidJoint(joint));
    const BodyId piece = world.joint(joint).b;
    ASSERT_TRUE(world.isValid(piece));
    EXPECT_EQ(world.parent(piece), door);
    EXPECT_LT(world.closestPointOn(piece, WorldPoint(0.05, 0, 0)).distance, 0.06);
    world.setVelocity(piece, {5, 0, 5});
    for (int i = 0; i < 30; ++i)
        world.step(kStep);
    EXPECT_LT(world.closestPointOn(piece, WorldPoint(0.05, 0, 0)).distance, 0.06) << "it hangs on";
    EXPECT_TRUE(world.isValidJoint(joint));
}

// Cracks end within the reach wherever the pattern is placed.
TEST(Breaking, ReachHoldsForAlignedPatterns) {
    for (const FracturePlacement placement : {FracturePlacement::General, FracturePlacement::Aligned}) {
        World world({.gravity = {}});
        FractureDef fracture = fractureBy(voronoi(60), 1);
        fracture.method = Prescored{.pattern = voronoi(200), .placement = placement, .reach = Real(0.35)};
        const BodyId slab = world.addBody({.shape = Box{{1, Real(0.15), 1}}, .fracture = fracture});
        world.breakBody(slab, {0, Real(0.15), 0}, {0, 1, 0}, 0);
        world.step(kStep);
        ASSERT_FALSE(world.isValid(slab));
        // The frame that no crack reached, with most of the mass, and the pieces in its middle.
        Real most = 0, sum = 0;
        for (const BodyId body : world.bodies()) {
            most = std::max(most, world.mass(body));
            sum += world.mass(body);
        }
        EXPECT_GT(most, Real(0.8) * sum);
        EXPECT_GT(world.bodies().size(), 3u);
    }
}

// A restore to before the last body of a pattern broke takes the pattern that was built.
TEST(Breaking, RestoreBuildsNoPatternAnew) {
    World world({.gravity = {}});
    FractureDef fracture = fractureBy(voronoi(), 1);
    const SharedPattern& pattern = std::get<Prescored>(fracture.method).pattern;
    const BodyId body = world.addBody({.fracture = fracture});
    const std::vector<std::byte> before = world.snapshot();
    world.breakBody(body, {0, Real(0.5), 0}, {0, 1, 0}, 0);
    world.step(kStep);
    for (const BodyId piece : world.bodies())
        world.removeBody(piece);
    const long holders = pattern.use_count();
    world.restore(before);
    ASSERT_TRUE(world.isValid(body));
    EXPECT_GT(pattern.use_count(), holders) << "the body has another pattern";
}

// A wall fixed at its foot: what still holds to the foot stands, the rest falls.
TEST(Breaking, AnchoredPiecesStand) {
    World world;
    FractureDef fracture = fractureBy(voronoi(), 100);
    fracture.anchors = {{{-1, Real(-0.75), -1}, {1, Real(-0.6), 1}}};
    const BodyId wall = world.addBody({.shape = Box{{1, Real(0.75), Real(0.15)}},
                                       .motion = Motion::Static,
                                       .position = {0, Real(0.75), 0},
                                       .fracture = fracture});
    world.breakBody(wall, {0, 1, Real(0.15)}, {0, 0, 1}, 0);
    world.step(kStep);
    int standing = 0, falling = 0;
    for (const BodyId piece : world.bodies()) {
        const bool isStatic = world.motion(piece) == Motion::Static;
        standing += isStatic;
        falling += !isStatic;
        EXPECT_TRUE(isStatic || world.position(piece).y > 0.15);
    }
    EXPECT_GT(standing, 0);
    EXPECT_GT(falling, 2);
}

TEST(Breaking, DebrisGoes) {
    World world({.gravity = {}});
    FractureDef fracture = fractureBy(voronoi(), 1);
    fracture.debris = Debris::Shrink;
    fracture.debrisVolume = Real(0.02);
    fracture.debrisTime = Real(0.2);
    const BodyId body = world.addBody({.shape = Box{{Real(0.5), Real(0.5), Real(0.5)}}, .fracture = fracture});
    world.breakBody(body, {0, Real(0.5), 0}, {0, 1, 0}, 0);
    world.step(kStep);
    int small = 0, all = 0;
    for (const BodyId piece : world.bodies()) {
        small += world.mass(piece) < 20;
        ++all;
    }
    ASSERT_GT(small, 0);
    ASSERT_LT(small, all);
    hashesOf(world, 12);  // 0.43 s: half way
    int shrunk = 0;
    for (const BodyId piece : world.bodies())
        shrunk += world.drawnScale(piece) < 1;
    EXPECT_EQ(shrunk, small);
    hashesOf(world, 12);
    EXPECT_EQ(int(world.bodies().size()), all - small);
}

// Pieces of a ball lie on their round side, too. Where each look chose other points of many, and gave them what others had
// borne, they rocked by 0.1 to 1 rad/s for ever.
TEST(Breaking, PiecesOfABallComeToRest) {
    int pieces = 0, restless = 0;
    for (const double start : {0.3, 0.31, 0.32, 0.33}) {
        WorldDef settings;
        settings.sleeping = false;
        World world(settings);
        world.addBody({.shape = Box{{10, Real(0.5), 10}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
        FractureDef fracture = fractureBy(voronoi(27), 10);
        fracture.cell = Real(0.0055);
        fracture.smallest = Real(4e-5);
        for (int i = 0; i < 3; ++i)
            world.addBody({.shape = Sphere{Real(0.12)},
                           .position = {Real(0.6 * i), Real(start), Real(0.1 * i)},
                           .velocity = {0, -4, 0},
                           .material = {.density = 2500, .friction = Real(0.4)},
                           .fracture = fracture});
        for (int i = 0; i < 240; ++i)
            world.step(Real(1) / 30);
        for (const BodyId id : world.bodies()) {
            const Vec3 w = world.angularVelocity(id);
            pieces += world.mass(id) > 0;
            restless += std::sqrt(w.x * w.x + w.y * w.y + w.z * w.z) > Real(0.1);
        }
    }
    EXPECT_GT(pieces, 80);
    EXPECT_LE(restless, pieces / 8) << "of " << pieces;
}

}  // namespace
}  // namespace sunder
