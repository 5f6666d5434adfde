// Contact events: begin, persist and end in a fixed order, impulses that carry what stands, sensors, layers and masks.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "scenes/parts.h"
#include "scenes/piles.h"

namespace sunder {
namespace {

using scenes::vec;

constexpr Real kStep = Real(1) / 30;

BodyId addFloor(World& world) {
    return world.addBody(
        {.name = "floor", .shape = Box{vec(20, 0.5, 20)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
}

const ContactEvent* eventOf(const World& world, BodyId a, BodyId b) {
    for (const ContactEvent& event : world.contactEvents())
        if (event.a == a && event.b == b)
            return &event;
    return nullptr;
}

class ContactImpulse : public ::testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Rates, ContactImpulse, ::testing::Values(15.0, 30.0, 60.0, 120.0));

// Fact 12: over a step the contacts carry the weight of all that stands on them.
TEST_P(ContactImpulse, CarriesTheWeightAbove) {
    const double dt = 1 / GetParam();
    World world({.sleeping = false});  // sleepers report nothing
    const BodyId floor = addFloor(world);
    const BodyId low = world.addBody({.position = vec(0, 0.5, 0)});
    const BodyId high = world.addBody({.position = vec(0.1, 1.25, 0), .material = {.density = 400}, .mass = Real(50)});
    world.setShape(high, Box{vec(0.25, 0.25, 0.25)});
    for (double time = 0; time < 2; time += dt)
        world.step(Real(dt));
    const double weight = (double(world.mass(low)) + double(world.mass(high))) * scenes::kGravity * dt;
    const ContactEvent *lower = eventOf(world, floor, low), *upper = eventOf(world, low, high);
    ASSERT_TRUE(lower && upper);
    EXPECT_NEAR(lower->impulse, weight, 0.01 * weight);
    EXPECT_NEAR(upper->impulse, 50 * scenes::kGravity * dt, 0.01 * 50 * scenes::kGravity * dt);
    EXPECT_NEAR(lower->normal.y, 1, 1e-4);  // from a to b, and a was added first
    EXPECT_NEAR(lower->point.y, 0, 0.01);
    EXPECT_NEAR(lower->point.x, 0, 0.51);
    EXPECT_LT(std::abs(lower->penetration), 0.005);
    EXPECT_LT(lower->frictionImpulse, 0.01 * weight);
    EXPECT_EQ(eventOf(world, floor, high), nullptr);
}

// On an incline friction carries m g sin(a) and the normal m g cos(a).
TEST_P(ContactImpulse, FrictionCarriesTheSlope) {
    const double dt = 1 / GetParam(), angle = scenes::radians(20);
    const Quat tilt = scenes::turnAbout(0, 0, 1, angle);
    World world({.sleeping = false});  // sleepers report nothing
    const BodyId slope = world.addBody({.shape = Box{vec(20, 0.5, 20)}, .motion = Motion::Static, .orientation = tilt});
    const BodyId cube = world.addBody({.position = vec(-std::sin(angle), std::cos(angle), 0), .orientation = tilt});
    for (double time = 0; time < 2; time += dt)
        world.step(Real(dt));
    const ContactEvent* event = eventOf(world, slope, cube);
    ASSERT_TRUE(event);
    const double weight = double(world.mass(cube)) * scenes::kGravity * dt;
    EXPECT_NEAR(event->impulse, weight * std::cos(angle), 0.01 * weight);
    EXPECT_NEAR(event->frictionImpulse, weight * std::sin(angle), 0.01 * weight);
}

// The impulse of an impact is what it changes: m v (1 + e).
TEST_P(ContactImpulse, StopsWhatHits) {
    const double dt = 1 / GetParam();
    World world({.gravity = {}});
    const BodyId wall = world.addBody({.shape = Box{vec(0.5, 5, 5)},
                                       .motion = Motion::Static,
                                       .position = vec(1.5, 0, 0),
                                       .material = {.restitution = Real(0.5)}});
    const BodyId ball = world.addBody({.shape = Sphere{}, .velocity = vec(4, 0, 0), .mass = Real(2)});
    double sum = 0;
    for (double time = 0; time < 1; time += dt) {
        world.step(Real(dt));
        if (const ContactEvent* event = eventOf(world, wall, ball))
            sum += event->impulse;
    }
    EXPECT_NEAR(world.velocity(ball).x, -2, 2e-3);
    EXPECT_NEAR(sum, 2 * 4 * 1.5, 0.01 * 12);
}

TEST(ContactEvents, BeginPersistEnd) {
    World world;
    const BodyId floor = addFloor(world);
    const BodyId ball = world.addBody({.shape = Sphere{}, .position = vec(0, 1, 0)});
    std::vector<ContactPhase> phases;
    const auto record = [&] {
        world.step(kStep);
        ASSERT_LE(world.contactEvents().size(), 1u);
        for (const ContactEvent& event : world.contactEvents()) {
            EXPECT_EQ(event.a, floor);
            EXPECT_EQ(event.b, ball);
            EXPECT_FALSE(event.sensor);
            phases.push_back(event.phase);
        }
    };
    for (int i = 0; i < 30; ++i)
        record();
    world.setPose(ball, vec(0, 5, 0), {});
    world.setVelocity(ball, {});
    for (int i = 0; i < 3; ++i)
        record();
    ASSERT_GE(phases.size(), 4u);
    EXPECT_EQ(phases.front(), ContactPhase::Begin);
    EXPECT_EQ(phases.back(), ContactPhase::End);
    for (std::size_t i = 1; i + 1 < phases.size(); ++i)
        EXPECT_EQ(phases[i], ContactPhase::Persist) << i;
}

// Whatever happens, a pair begins, persists and ends in this order, and never twice.
TEST(ContactEvents, EveryPairGoesThroughItsPhasesInOrder) {
    scenes::BoxScene scene = scenes::boxPile({.sleeping = false}, 4, 3);
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> touching;
    for (int i = 0; i < 90; ++i) {
        scene.world.step(kStep);
        std::map<std::pair<std::uint32_t, std::uint32_t>, bool> seen;
        for (const ContactEvent& event : scene.world.contactEvents()) {
            bool& now = touching[{event.a.index, event.b.index}];
            EXPECT_EQ(now, event.phase != ContactPhase::Begin);
            now = event.phase != ContactPhase::End;
            bool& twice = seen[{event.a.index, event.b.index}];
            EXPECT_FALSE(twice);
            twice = true;
            EXPECT_GE(event.impulse, 0);
        }
        for (const auto& [pair, now] : touching) {
            EXPECT_TRUE(!now || seen.count(pair)) << "a touching pair was not reported";
        }
    }
}

// In the order the bodies were added, which after a removal is not the order of their slots.
TEST(ContactEvents, AreOrderedByWhenBodiesWereAdded) {
    World world;
    const BodyId first = world.addBody({.position = vec(0, 50, 0)});
    const BodyId floor = addFloor(world);
    std::vector<BodyId> added{floor};
    for (int i = 0; i < 8; ++i)
        added.push_back(world.addBody({.position = vec(-8 + 2 * i, 0.5, 0)}));
    world.removeBody(first);
    added.push_back(world.addBody({.position = vec(8, 0.5, 0)}));  // takes the slot of the first
    added.push_back(world.addBody({.position = vec(8, 1.5, 0)}));
    const auto rank = [&](BodyId id) { return std::find(added.begin(), added.end(), id) - added.begin(); };
    for (int i = 0; i < 10; ++i)
        world.step(kStep);
    ASSERT_EQ(world.contactEvents().size(), 10u);
    std::pair<std::ptrdiff_t, std::ptrdiff_t> last{-1, -1};
    for (const ContactEvent& event : world.contactEvents()) {
        const std::pair now{rank(event.a), rank(event.b)};
        EXPECT_LT(now.first, now.second);
        EXPECT_LT(last, now);
        last = now;
    }
}

TEST(ContactEvents, StepOfZeroLengthHasNone) {
    World world;
    addFloor(world);
    world.addBody({.position = vec(0, 0.5, 0)});
    for (int i = 0; i < 5; ++i)
        world.step(kStep);
    EXPECT_EQ(world.contactEvents().size(), 1u);
    world.step(0);
    EXPECT_TRUE(world.contactEvents().empty());
    world.step(kStep);
    ASSERT_EQ(world.contactEvents().size(), 1u);
    EXPECT_EQ(world.contactEvents()[0].phase, ContactPhase::Persist);
}

TEST(ContactEvents, NeverNameARemovedBodyAsTouching) {
    World world;
    addFloor(world);
    const BodyId low = world.addBody({.position = vec(0, 0.5, 0)});
    const BodyId high = world.addBody({.position = vec(0, 1.5, 0)});
    for (int i = 0; i < 5; ++i)
        world.step(kStep);
    world.removeBody(low);
    for (int i = 0; i < 60; ++i) {
        world.step(kStep);
        for (const ContactEvent& event : world.contactEvents())
            EXPECT_TRUE(event.phase == ContactPhase::End || (world.isValid(event.a) && world.isValid(event.b)));
    }
    EXPECT_NEAR(world.position(high).y, 0.5, 5e-3);  // it fell to where the other had been
}

TEST(Sensors, ReportContactsAndFeelNothing) {
    World world;
    const BodyId zone = world.addBody({.shape = Box{vec(2, 1, 2)}, .motion = Motion::Static, .sensor = true});
    const BodyId ball = world.addBody({.shape = Sphere{Real(0.25)}, .position = vec(0, 4, 0)});
    int begun = 0, ended = 0;
    for (int i = 0; i < 60; ++i) {
        world.step(kStep);
        for (const ContactEvent& event : world.contactEvents()) {
            EXPECT_TRUE(event.sensor);
            EXPECT_EQ(event.a, zone);
            EXPECT_EQ(event.b, ball);
            EXPECT_EQ(event.impulse, 0);
            begun += event.phase == ContactPhase::Begin;
            ended += event.phase == ContactPhase::End;
            // It falls through from y = 1.25 to y = -1.25 at up to 10.5 m/s; the zone is looked at once per step.
            EXPECT_LT(std::abs(world.position(ball).y), 1.25 + 2 * 10.5 * kStep);
        }
    }
    EXPECT_EQ(begun, 1);
    EXPECT_EQ(ended, 1);
    EXPECT_NEAR(world.velocity(ball).y, -2 * scenes::kGravity, 1e-2);
}

TEST(Filters, BothSidesMustAgree) {
    constexpr std::uint32_t kGhost = 2, kSolid = 1;
    struct Case {
        std::uint32_t layer, mask;
        bool collides;
    };
    for (const Case& c : {Case{kSolid, 0xffffffffu, true}, Case{kSolid, kGhost, false}, Case{kGhost, kSolid, false},
                          Case{kGhost | kSolid, kSolid, true}, Case{0, 0xffffffffu, false}, Case{kSolid, 0, false}}) {
        World world;
        const BodyId floor = addFloor(world);
        world.setFilter(floor, kSolid, kSolid);
        const BodyId cube = world.addBody({.position = vec(0, 0.6, 0), .layer = c.layer, .mask = c.mask});
        for (int i = 0; i < 30; ++i)
            world.step(kStep);
        EXPECT_EQ(world.position(cube).y > 0, c.collides) << "layer " << c.layer << " mask " << c.mask;
    }
}

TEST(Filters, ChangeBetweenStepsAndEndTheContact) {
    World world;
    addFloor(world);
    const BodyId cube = world.addBody({.position = vec(0, 0.5, 0)});
    for (int i = 0; i < 10; ++i)
        world.step(kStep);
    ASSERT_EQ(world.contactEvents().size(), 1u);
    world.setFilter(cube, 1, 0);
    world.step(kStep);
    ASSERT_EQ(world.contactEvents().size(), 1u) << "a contact that begins must end";
    EXPECT_EQ(world.contactEvents()[0].phase, ContactPhase::End);
    for (int i = 0; i < 10; ++i)
        world.step(kStep);
    EXPECT_LT(world.position(cube).y, 0.2);  // it falls through
    world.setFilter(cube, 1, 1);
    world.setPose(cube, vec(0, 0.5, 0), {});
    world.setVelocity(cube, {});
    world.step(kStep);
    ASSERT_EQ(world.contactEvents().size(), 1u);
    EXPECT_EQ(world.contactEvents()[0].phase, ContactPhase::Begin);
}

}  // namespace
}  // namespace sunder
