// The door for fracture methods: breaking asks a function for the pieces of a body. One that is made up here, which halves
// boxes, stands in for the engine's: threshold, momentum, events, snapshots and anchors work without knowing which method it
// is.
#include <gtest/gtest.h>

#include <cmath>

#include "sunder/sunder.h"
#include "world/breaking/breaking.h"
#include "world/persist/snapshot.h"
#include "world/persist/state_hash.h"
#include "world/state/state.h"
#include "world/step/steppers.h"

namespace sunder::world {
namespace {

constexpr Real kStep = Real(1) / 60;
constexpr Vec3 kHalf{1, Real(0.25), Real(0.5)};  // half extents of the box that breaks

// Two boxes side by side along x, of the same size.
std::vector<CutPiece> halve(WorldState&, const Body& body, const BreakRequest&, int) {
    const Vec3 whole = std::get<Box>(body.shape->definition).halfExtents;
    std::vector<CutPiece> halves(2);
    for (int i = 0; i < 2; ++i) {
        CutPiece& half = halves[std::size_t(i)];
        half.shape = buildShape(Box{{whole.x / 2, whole.y, whole.z}});
        half.center = {(i == 0 ? -whole.x : whole.x) / 2, 0, 0};
        half.mass = geometry::transformed(half.shape->massProperties, {half.center, {}});
    }
    return halves;
}

std::vector<CutPiece> leaveWhole(WorldState&, const Body&, const BreakRequest&, int) { return {}; }

FractureDef brittle(Real threshold) {
    FractureDef def;
    def.method = Prescored{.pattern = buildPattern({.kind = VoronoiPattern{.pieces = 9, .density = {}}, .nodes = 33})};
    def.threshold = threshold;
    def.generations = 3;
    def.smallest = Real(1e-4);
    return def;
}

// A turning box meets a ball of 8 kg in free space; nothing else acts.
class FractureMethodDoor : public testing::Test {
protected:
    void build(Real threshold, PieceMaker maker, Motion motion = Motion::Dynamic) {
        World world(WorldDef{.gravity = {}});
        BodyDef box{.name = "box", .shape = Box{kHalf}, .motion = motion, .fracture = brittle(threshold)};
        if (motion == Motion::Static)
            box.fracture->anchors.push_back({{-2, -1, -1}, {Real(-0.5), 1, 1}});
        else
            box.angularVelocity = {0, Real(0.3), Real(0.2)};
        box_ = world.addBody(box);
        world.addBody({.shape = Sphere{Real(0.2)},
                       .position = {Real(0.3), Real(0.6), 0},
                       .velocity = {0, -6, 0},
                       .material = {.density = Real(8 / 0.0335)}});
        state_.host.ownTasks = makeTaskRunner(1);
        state_.tasks = state_.host.ownTasks.get();
        state_.host.pieceMaker = maker;
        restoreSnapshot(state_, world.snapshot());
    }
    void step(int count = 1) {
        for (int i = 0; i < count; ++i)
            stepBy(entryOf(Stepper::FrameRate), state_, kStep);
    }
    // Steps until something breaks, at most this often; the number of steps that it took.
    int stepToBreak(int most = 20) {
        for (int i = 1; i <= most; ++i) {
            step();
            if (!state_.breaking.events.empty())
                return i;
        }
        return 0;
    }
    std::vector<const Body*> pieces() const {
        std::vector<const Body*> found;
        for (const Body& body : state_.bodies)
            if (body.alive && body.birth > 0)
                found.push_back(&body);
        return found;
    }
    // kg m/s, and kg m^2/s about the origin.
    void momenta(Vec3& linear, Vec3& angular) const {
        linear = angular = {};
        for (const Body& body : state_.bodies) {
            if (!body.alive)
                continue;
            linear += body.velocity * body.mass;
            const Vec3 local = inverseRotate(body.orientation, body.angularVelocity);
            angular += cross(toVec3(body.center), body.velocity * body.mass) +
                       rotate(body.orientation, multiply(body.principalInertia, local));
        }
    }

    WorldState state_;
    BodyId box_;
};

TEST_F(FractureMethodDoor, ABlowAboveTheThresholdBreaksTheBodyIntoThosePieces) {
    build(5, halve);
    ASSERT_GT(stepToBreak(), 0);
    ASSERT_EQ(pieces().size(), 2u);
    for (const Body* piece : pieces()) {
        EXPECT_EQ(std::get<Box>(piece->shape->definition).halfExtents, (Vec3{kHalf.x / 2, kHalf.y, kHalf.z}));
        EXPECT_NEAR(piece->mass, 1000 * 8 * kHalf.x * kHalf.y * kHalf.z / 2, 1e-2);
        EXPECT_EQ(piece->parent, box_);
    }
    const BreakEvent& event = state_.breaking.events.at(0);
    EXPECT_EQ(event.body, box_);
    EXPECT_EQ(event.pieces.size(), 2u);
    EXPECT_GT(event.impulse, 5);
    EXPECT_GT(event.normal.y, Real(0.9));  // struck from above
}

TEST_F(FractureMethodDoor, ABlowBelowTheThresholdDoesNot) {
    build(1000, halve);
    EXPECT_EQ(stepToBreak(), 0);
    EXPECT_TRUE(pieces().empty());
}

TEST_F(FractureMethodDoor, ABodyForWhichItFindsNoPiecesStaysWhole) {
    build(5, leaveWhole);
    EXPECT_EQ(stepToBreak(), 0);
    EXPECT_TRUE(state_.bodies[box_.index].alive);
}

// Nothing outside acts on the box and the ball, so their momenta stay. 1e-5 of the ball's 48 kg m/s is the rounding of float.
TEST_F(FractureMethodDoor, MomentumIsKept) {
    build(5, halve);
    Vec3 linear, angular, linearAfter, angularAfter;
    momenta(linear, angular);
    ASSERT_GT(stepToBreak(), 0);
    momenta(linearAfter, angularAfter);
    EXPECT_NEAR(length(linearAfter - linear), 0, 5e-4);
    EXPECT_NEAR(length(angularAfter - angular), 0, 2e-3);
}

TEST_F(FractureMethodDoor, PiecesHaveAThresholdAndBreakAgain) {
    build(5, halve);
    ASSERT_GT(stepToBreak(), 0);
    for (const Body* piece : pieces()) {
        ASSERT_TRUE(piece->fracture);
        EXPECT_NEAR(thresholdOf(*piece), 5 * std::pow(0.5, 2.0 / 3), 1e-4);
        EXPECT_EQ(piece->fracture->def.generations, 2);
    }
    BreakRequest request;
    request.body = state_.breaking.events.at(0).pieces.at(0);
    request.normal = {0, 1, 0};
    state_.breaking.waiting.push_back(request);
    step();
    EXPECT_EQ(pieces().size(), 3u);
}

TEST_F(FractureMethodDoor, OfAnAnchoredBodyThePieceInTheAnchorStays) {
    build(5, halve, Motion::Static);
    ASSERT_GT(stepToBreak(), 0);
    ASSERT_EQ(pieces().size(), 2u);
    for (const Body* piece : pieces())
        EXPECT_EQ(piece->motion, piece->center.x < 0 ? Motion::Static : Motion::Dynamic);
}

// Before the break, the snapshot breaks the same way; after it, it goes on the same way. The piece maker is the world's, not
// the snapshot's.
TEST_F(FractureMethodDoor, ASnapshotBeforeAndAfterTheBreakRepeatsIt) {
    build(5, halve);
    const std::vector<std::byte> before = takeSnapshot(state_);
    const int breaksAt = stepToBreak();
    ASSERT_GT(breaksAt, 0);
    const std::uint64_t broken = hashState(state_);
    const std::vector<std::byte> after = takeSnapshot(state_);
    step(10);
    const std::uint64_t end = hashState(state_);
    restoreSnapshot(state_, before);
    EXPECT_EQ(stepToBreak(), breaksAt);
    EXPECT_EQ(hashState(state_), broken);
    restoreSnapshot(state_, after);
    EXPECT_EQ(hashState(state_), broken);
    step(10);
    EXPECT_EQ(hashState(state_), end);
}

// Without one the body breaks by the method of its definition.
TEST_F(FractureMethodDoor, WithoutAPieceMakerThePatternDecides) {
    build(5, nullptr);
    ASSERT_GT(stepToBreak(), 0);
    EXPECT_GT(pieces().size(), 2u);
    for (const Body* piece : pieces())
        EXPECT_EQ(piece->shape->type, ShapeType::LevelSet);
}

}  // namespace
}  // namespace sunder::world
