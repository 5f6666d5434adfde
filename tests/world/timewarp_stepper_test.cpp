// The steppers `timewarp` and `timewarp_safer` [Egan03] 5.1: collisions in the order of time, against formulas, the thesis'
// figure 5.1 and a run with tiny steps of the stepper `impulse`, which knows no order within a step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "scenes/egan.h"
#include "scenes/piles.h"
#include "sunder/replay.h"
#include "sunder/sunder.h"

namespace sunder {
namespace {

constexpr double kGravity = 9.81;

WorldDef warpWorld(Stepper stepper = Stepper::Timewarp) {
    WorldDef def;
    def.stepper = stepper;
    def.sleeping = false;
    return def;
}

BodyDef boxAt(const Vec3& position, const Vec3& halfExtents = {Real(0.5), Real(0.5), Real(0.5)}) {
    BodyDef def;
    def.shape = Box{halfExtents};
    def.position = position;
    return def;
}

BodyId addFloor(World& world, Real restitution = 0) {
    BodyDef def = boxAt({0, -1, 0}, {20, 1, 20});
    def.motion = Motion::Static;
    def.material.restitution = restitution;
    return world.addBody(def);
}

double totalEnergy(const World& world) { return world.stats().kineticEnergy + world.stats().potentialEnergy; }

class TimewarpStepper : public ::testing::TestWithParam<std::pair<Stepper, int>> {
protected:
    WorldDef def() const { return warpWorld(GetParam().first); }
    int rate() const { return GetParam().second; }
    Real dt() const { return Real(1) / Real(rate()); }
    void run(World& world, double seconds) const {
        for (int i = 0; i < static_cast<int>(std::lround(seconds * rate())); ++i)
            world.step(dt());
    }
};

INSTANTIATE_TEST_SUITE_P(Both, TimewarpStepper,
                         ::testing::Values(std::pair{Stepper::Timewarp, 60}, std::pair{Stepper::Timewarp, 30},
                                           std::pair{Stepper::TimewarpSafer, 60}, std::pair{Stepper::TimewarpSafer, 30}));

// Only rounding is left.
TEST_P(TimewarpStepper, FreeFall) {
    World world(def());
    const BodyId body = world.addBody(boxAt({0, 0, 0}));
    run(world, 2);
    EXPECT_NEAR(world.velocity(body).y, -kGravity * 2, 1e-4 * kGravity * 2);
    EXPECT_NEAR(world.position(body).y, -kGravity * 2, 1e-4 * kGravity * 2);
}

// t = sqrt(2 h / g), speed g t, and a rebound to e^2 h. The time is exact to the distance at which bodies count as met (20 um
// at 7.7 m/s) and rounding.
TEST_P(TimewarpStepper, ABallMeetsTheFloorWhenTheFormulaSays) {
    World world(def());
    addFloor(world);
    const BodyId ball =
        world.addBody({.shape = Sphere{Real(0.5)}, .position = {0, Real(3.5), 0}, .material = {.restitution = Real(0.8)}});
    std::vector<CollisionEvent> hits;
    for (int i = 0; i < rate(); ++i) {
        world.step(dt());
        hits.insert(hits.end(), world.collisionEvents().begin(), world.collisionEvents().end());
    }
    ASSERT_EQ(hits.size(), 1u);
    const double fall = std::sqrt(2 * 3 / kGravity);
    EXPECT_NEAR(hits[0].time, fall, 2e-5);
    EXPECT_NEAR(hits[0].speed, kGravity * fall, 1e-3);
    EXPECT_EQ(hits[0].b, ball);
    const double t = 1 - fall, v = 0.8 * kGravity * fall;
    EXPECT_NEAR(world.position(ball).y, 0.5 + v * t - kGravity / 2 * t * t, 2e-3);
}

// Balls of 0.1 m radius on a line along x without gravity; `places` and `speeds` by ball.
std::vector<BodyId> addLine(World& world, const std::vector<Real>& places, const std::vector<Real>& speeds) {
    std::vector<BodyId> balls;
    for (std::size_t i = 0; i < places.size(); ++i) {
        BodyDef ball;
        ball.shape = Sphere{Real(0.1)};
        ball.position = {places[i], 0, 0};
        ball.velocity = {speeds[i], 0, 0};
        ball.material = {.friction = 0, .restitution = 1};
        balls.push_back(world.addBody(ball));
    }
    return balls;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> order(const World& world, const std::vector<BodyId>& balls) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const CollisionEvent& event : world.collisionEvents())
        pairs.emplace_back(event.a.index - balls[0].index, event.b.index - balls[0].index);
    return pairs;
}

WorldDef lineWorld(Stepper stepper, bool swept) {
    WorldDef def = warpWorld(stepper);
    def.gravity = {};
    def.timewarp.swept = swept;
    return def;
}

using Order = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// Figure 5.1, within one step of 1/60 s: A at 60 m/s passes B and reaches C at the end of the step, D reaches E by itself just
// before. In truth the blow runs A, B, C, D, E. E takes all of A's speed; C, which took D's, hands it
// back to D, which stands in its way.
TEST(TimewarpLine, Figure51InOrder) {
    for (const Stepper stepper : {Stepper::Timewarp, Stepper::TimewarpSafer}) {
        World world(lineWorld(stepper, true));
        const auto balls = addLine(world, {0, Real(0.5), 1, Real(1.5), Real(1.716)}, {60, 0, 0, 1, 0});
        world.step(Real(1) / 60);
        EXPECT_EQ(order(world, balls), (Order{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {2, 3}}));
        EXPECT_NEAR(world.velocity(balls[4]).x, 60, 1e-3);
        EXPECT_NEAR(world.velocity(balls[3]).x, 1, 1e-3);
        for (const int still : {0, 1, 2})
            EXPECT_NEAR(world.velocity(balls[std::size_t(still)]).x, 0, 1e-3) << still;
    }
}

// The thesis' own search sees test states only: A and C, which never meet. So it does in the safer form, as the thesis says.
TEST(TimewarpLine, Figure51WithoutSweptVolumes) {
    for (const Stepper stepper : {Stepper::Timewarp, Stepper::TimewarpSafer}) {
        World world(lineWorld(stepper, false));
        const auto balls = addLine(world, {0, Real(0.5), 1, Real(1.5), Real(1.716)}, {60, 0, 0, 1, 0});
        world.step(Real(1) / 60);
        ASSERT_FALSE(world.collisionEvents().empty());
        EXPECT_EQ(order(world, balls)[0], (std::pair<std::uint32_t, std::uint32_t>{0, 2}));
    }
}

// B hangs just before C: when A meets C it is still within B, which is what the safer form looks for.
TEST(TimewarpLine, TheSaferFormFindsAMissedNeighbour) {
    const auto first = [](Stepper stepper, int& missed) {
        World world(lineWorld(stepper, false));
        const auto balls = addLine(world, {0, Real(0.5), Real(0.72)}, {45, 0, 0});
        world.step(Real(1) / 60);
        missed = world.stats().missedCollisions;
        return order(world, balls)[0];
    };
    int missed = 0;
    EXPECT_EQ(first(Stepper::Timewarp, missed), (std::pair<std::uint32_t, std::uint32_t>{0, 2}));
    EXPECT_EQ(missed, 0);
    EXPECT_EQ(first(Stepper::TimewarpSafer, missed), (std::pair<std::uint32_t, std::uint32_t>{0, 1}));
    EXPECT_EQ(missed, 1);
}

// A ball thrown along a row of gaps bounces off a wall within the step and comes back through where it was not expected: the
// broad phase is asked again after a collision.
TEST(TimewarpLine, ABodyTurnedAsideMeetsWhatWasNotOnItsWay) {
    World world(lineWorld(Stepper::Timewarp, true));
    const auto balls = addLine(world, {0, Real(-1)}, {60, 0});
    BodyDef wall = boxAt({Real(0.7), 0, 0}, {Real(0.5), 1, 1});
    wall.motion = Motion::Static;
    wall.material.restitution = 1;
    world.addBody(wall);
    for (int i = 0; i < 2; ++i)
        world.step(Real(1) / 60);
    EXPECT_NEAR(world.velocity(balls[1]).x, -60, 1e-2);  // equal masses exchange their speeds
    EXPECT_NEAR(world.velocity(balls[0]).x, 0, 1e-2);
}

Shape shapeOf(int i) {
    Hull hull;
    for (int k = 0; k < 8; ++k)
        hull.points.push_back({Real(k & 1 ? 0.25 : -0.25), Real(k & 2 ? 0.2 : -0.2), Real(k & 4 ? 0.3 : -0.25)});
    const Shape shapes[] = {
        Sphere{Real(0.25)},
        Box{{Real(0.3), Real(0.2), Real(0.25)}},
        Capsule{.radius = Real(0.15), .halfHeight = Real(0.2)},
        Cylinder{.radius = Real(0.2), .halfHeight = Real(0.2)},
        hull,
        Compound{{{Box{{Real(0.3), Real(0.1), Real(0.1)}}, {}}, {Box{{Real(0.1), Real(0.1), Real(0.3)}}, {0, Real(0.15), 0}}}}};
    return shapes[i % 6];
}

// A loose grid of all shapes that fall, drift and turn, different in each.
void addRain(World& world, int count) {
    for (int i = 0; i < count; ++i) {
        BodyDef def;
        def.shape = shapeOf(i);
        def.position = {Real(0.9) * Real(i % 3), Real(1.2) + Real(0.9) * Real(i / 9), Real(0.9) * Real(i / 3 % 3)};
        def.velocity = {Real(i * 7 % 11) * Real(0.4) - 2, Real(i * 5 % 7) * Real(0.3) - 1, Real(i * 3 % 13) * Real(0.3) - 2};
        def.angularVelocity = {Real(i % 5) - 2, Real(i % 3), Real(i % 7) - 3};
        def.material = {.friction = Real(0.3), .restitution = Real(0.5)};
        world.addBody(def);
    }
}

// First meetings of each two bodies, in order, until `seconds`. Those of a step of `impulse` are all at its end.
struct Meet {
    std::uint32_t a, b;
    double time;
};
std::vector<Meet> meetingsOf(Stepper stepper, int count, double rate, double seconds) {
    WorldDef def = warpWorld(stepper);
    def.restitutionThreshold = 0;
    def.persistEvents = false;
    World world(def);
    addFloor(world, Real(0.5));
    addRain(world, count);
    std::vector<Meet> meets;
    const auto add = [&](BodyId a, BodyId b, double time) {
        for (const Meet& meet : meets)
            if (meet.a == a.index && meet.b == b.index)
                return;
        meets.push_back({a.index, b.index, time});
    };
    for (int i = 0; i < static_cast<int>(std::lround(seconds * rate)); ++i) {
        world.step(Real(1 / rate));
        if (stepper == Stepper::Impulse)
            for (const ContactEvent& event : world.contactEvents())
                add(event.a, event.b, world.stats().time);
        else
            for (const CollisionEvent& event : world.collisionEvents())
                add(event.a, event.b, event.time);
    }
    return meets;
}

// 36 bodies for 0.4 s. A tiny step says only within which 0.5 ms two bodies met.
TEST(TimewarpOrder, IsThatOfTinySteps) {
    constexpr double kTiny = 2000, kSeconds = 0.4;
    const std::vector<Meet> fine = meetingsOf(Stepper::Impulse, 36, kTiny, kSeconds + 2 / kTiny);
    for (const Stepper stepper : {Stepper::Timewarp, Stepper::TimewarpSafer}) {
        const std::vector<Meet> meets = meetingsOf(stepper, 36, 60, kSeconds);
        EXPECT_GE(meets.size(), 20u);
        for (const Meet& meet : meets) {
            const auto same = std::find_if(fine.begin(), fine.end(),
                                           [&](const Meet& other) { return other.a == meet.a && other.b == meet.b; });
            ASSERT_NE(same, fine.end()) << meet.a << " " << meet.b << " at " << meet.time;
            EXPECT_NEAR(meet.time, same->time, 1.5 / kTiny) << meet.a << " " << meet.b;
        }
    }
}

TEST_P(TimewarpStepper, FiveBoxesStand) {
    World world(def());
    addFloor(world);
    std::vector<BodyId> boxes;
    for (int i = 0; i < 5; ++i)
        boxes.push_back(world.addBody(boxAt({0, Real(0.5) + Real(i), 0})));
    run(world, 5);
    for (int i = 0; i < 5; ++i) {
        EXPECT_NEAR(world.position(boxes[std::size_t(i)]).x, 0, 5e-3) << i;
        EXPECT_NEAR(world.position(boxes[std::size_t(i)]).y, 0.5 + i, 5e-3) << i;
    }
}

// What would not bounce is contact: the box lands without a collision, and lies on the floor, not in it.
TEST_P(TimewarpStepper, SlowLandingsAreContact) {
    for (const bool isSlow : {true, false}) {
        WorldDef slow = def();
        slow.restitutionThreshold = isSlow ? Real(0.5) : Real(0.1);
        World world(slow);
        addFloor(world);
        BodyDef box = boxAt({0, Real(0.505), 0});  // falls 5 mm: 0.31 m/s
        box.material.restitution = Real(0.5);
        const BodyId body = world.addBody(box);
        int collisions = 0;
        for (int i = 0; i < rate(); ++i) {
            world.step(dt());
            collisions += world.stats().collisions;
            EXPECT_GT(world.position(body).y, 0.5 - 1e-3);
        }
        EXPECT_EQ(collisions == 0, isSlow);
        EXPECT_NEAR(world.position(body).y, 0.5, 1e-3);
    }
}

// Contact starts from the impulses of the last step: a pile comes to rest, and has no collisions then.
TEST_P(TimewarpStepper, APileFallsAsleep) {
    WorldDef sleepy = def();
    sleepy.sleeping = true;
    scenes::BoxScene pile = scenes::boxPile(sleepy, 3, 2.2);
    for (int i = 0; i < 8 * rate() && (i == 0 || pile.world.stats().awake > 0); ++i)
        pile.world.step(dt());
    EXPECT_EQ(pile.world.stats().awake, 0);
}

// Figure 6.7 with 30 boxes. Nothing but contact itself stops what passes leave of their errors: with those of `damped` three of
// these eight did not fall asleep.
TEST_P(TimewarpStepper, ClumpsFallAsleep) {
    WorldDef sleepy = def();
    sleepy.sleeping = true;
    for (const std::uint64_t seed : {8, 10}) {
        scenes::BoxScene clump = scenes::clump(sleepy, 30, seed);
        for (int i = 0; i < 9 * rate() && (i == 0 || clump.world.stats().awake > 0); ++i)
            clump.world.step(dt());
        EXPECT_EQ(clump.world.stats().awake, 0) << "seed " << seed;
    }
}

// 1e-4 of the initial energy in any step: the rounding of heights.
TEST_P(TimewarpStepper, NeverRaisesEnergyAndLosesNobody) {
    World world(def());
    addFloor(world);
    addRain(world, 27);
    const double initial = totalEnergy(world);
    double last = initial;
    for (int i = 0; i < 3 * rate(); ++i) {
        world.step(dt());
        const double now = totalEnergy(world);
        EXPECT_LE(now, last + 1e-4 * initial) << "step " << i;
        last = now;
    }
    for (const BodyId body : world.bodies())
        EXPECT_GT(world.position(body).y, -1.5);
    EXPECT_LT(world.stats().maxPenetration, 0.01);
}

// A bound of one collision per body and step: the rest is counted, and contact still holds everything above the floor.
TEST(TimewarpStepperWorld, CutsWhatIsTooMuch) {
    WorldDef def = warpWorld();
    def.timewarp.eventsPerBody = 1;
    World world(def);
    addFloor(world);
    addRain(world, 27);
    int cut = 0;
    for (int i = 0; i < 120; ++i) {
        world.step(Real(1) / 60);
        EXPECT_LE(world.stats().collisions, 27);
        cut += world.stats().cutCollisions;
    }
    EXPECT_GT(cut, 0);
    for (const BodyId body : world.bodies())
        EXPECT_GT(world.position(body).y, -1.5);
}

struct Log : CallLog {
    std::vector<std::byte> bytes{};
    void write(std::span<const std::byte> record) override { bytes.insert(bytes.end(), record.begin(), record.end()); }
};

TEST(TimewarpStepperWorld, SameBitsForThreadsRestoreAndReplay) {
    for (const Stepper stepper : {Stepper::Timewarp, Stepper::TimewarpSafer}) {
        const auto make = [&](int threads) {
            WorldDef def = warpWorld(stepper);
            def.sleeping = true;
            def.threads = threads;
            World world(def);
            return world;
        };
        World one = make(1), four = make(4);
        Log log;
        one.record(&log);
        for (World* world : {&one, &four}) {
            addFloor(*world);
            addRain(*world, 27);
            for (int i = 0; i < 40; ++i)
                world->step(Real(1) / 60);
        }
        EXPECT_EQ(one.hash(), four.hash());
        World restored;
        restored.restore(four.snapshot());
        for (int i = 0; i < 40; ++i)
            for (World* world : {&one, &restored})
                world->step(Real(1) / 60);
        EXPECT_EQ(one.hash(), restored.hash());
        one.record(nullptr);
        const ReplayReport report = replay(log.bytes);
        EXPECT_EQ(report.steps, 80u);
        EXPECT_FALSE(report.difference);
    }
}

TEST(TimewarpStepperWorld, RefusesJointsByItsName) {
    for (const auto& [stepper, name] : {std::pair{Stepper::Timewarp, "this world has timewarp"},
                                        std::pair{Stepper::TimewarpSafer, "this world has timewarp_safer"}}) {
        World world(warpWorld(stepper));
        const BodyId body = world.addBody({});
        try {
            world.addJoint({.a = body});
            FAIL() << "a joint was taken";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace sunder
