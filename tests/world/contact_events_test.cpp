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

// Shapes that land, by name, with a surface that closestPointOn knows.
std::vector<std::pair<const char*, Shape>> landingShapes() {
    Hull hull;
    for (const double x : {-0.2, 0.25})
        for (const double y : {-0.3, 0.2})
            for (const double z : {-0.25, 0.15})
                hull.points.push_back(vec(x * (1 + y), y, z));
    const LevelSet levelSet{.parts = {{Box{vec(0.3, 0.2, 0.25)}}}, .cell = Real(0.05)};
    return {{"sphere", Sphere{Real(0.25)}},
            {"box", Box{vec(0.3, 0.2, 0.25)}},
            {"capsule", Capsule{Real(0.15), Real(0.2)}},
            {"hull", hull},
            {"level set", levelSet}};
}

std::vector<std::pair<const char*, Shape>> floors() {
    Mesh mesh;
    for (int i = 0; i <= 12; ++i)
        for (int j = 0; j <= 12; ++j)
            mesh.vertices.push_back(vec(2 * (i - 6) + 0.3, 0.5, 2 * (j - 6) + 0.2));
    for (std::uint32_t i = 0; i < 12; ++i)
        for (std::uint32_t j = 0; j < 12; ++j) {
            const std::uint32_t a = 13 * i + j;
            mesh.triangles.push_back({a, a + 1, a + 14});
            mesh.triangles.push_back({a, a + 14, a + 13});
        }
    return {{"plane", Box{vec(100, 0.5, 100)}}, {"box", Box{vec(8, 0.5, 8)}}, {"mesh", mesh}};
}

struct Bounce {
    double speed = 0, rate = 0, aside = 0;  // m/s down, Hz, m/s along the floor
    Quat turn{};
    double phase = 0;  // share of a step at which it meets the floor
};

// The point of the Begin event lies on the floor and on the body where it was when they met; the impulses are what it lost.
void expectBounce(const Shape& shape, const Shape& floorShape, const Bounce& bounce) {
    const double dt = 1 / bounce.rate;
    WorldDef def{.gravity = {}};
    World world(def), then(def);
    const Material material{.friction = Real(0), .restitution = Real(0.5)};
    const BodyId floor =
        world.addBody({.shape = floorShape, .motion = Motion::Static, .position = vec(0, -0.5, 0), .material = material});
    BodyDef falling{.shape = shape, .orientation = bounce.turn, .material = material};
    const BodyId there = then.addBody(falling);
    // The height at which it touches: a plane far below is nearest to its lowest point.
    const double low = then.closestPointOn(there, WorldPoint(0, -1e5, 0)).point.y;
    falling.velocity = vec(bounce.aside, -bounce.speed, 0);
    const double time = (1 + bounce.phase) * dt;
    falling.position = vec(-bounce.aside * time, -low + bounce.speed * time, 0.1);
    const BodyId body = world.addBody(falling);
    then.setPose(there, vec(0, -low, 0.1), bounce.turn);
    double sum = 0;
    bool begun = false;
    for (int i = 0; i < 4; ++i) {
        world.step(Real(dt));
        const ContactEvent* event = eventOf(world, floor, body);
        if (!event || event->phase == ContactPhase::End)
            continue;
        sum += double(event->impulse) * double(event->normal.y);
        if (begun)
            continue;
        begun = true;
        const PointHit onBody = then.closestPointOn(there, event->point);
        EXPECT_LT(std::fabs(event->point.y), 0.005);
        EXPECT_LT(std::fabs(onBody.distance), 0.005);
        EXPECT_NEAR(event->normal.y, 1, 0.01);
    }
    EXPECT_TRUE(begun);
    const double lost = double(world.mass(body)) * (double(world.velocity(body).y) + bounce.speed);
    EXPECT_NEAR(sum, lost, 0.02 * lost);
}

TEST(ContactEvents, TellWhereBodiesMetAndHowHard) {
    const auto shapes = landingShapes(), grounds = floors();
    scenes::Random random(3);
    for (const auto& [name, shape] : shapes)
        for (const auto& [groundName, ground] : grounds)
            for (const double rate : {30.0, 60.0, 240.0})
                for (const double speed : {1.0, 5.0, 20.0, 60.0, 100.0})
                    for (const bool isFlat : {true, false}) {
                        const double aside = random.between(-0.5, 0.5) * speed;
                        const Quat turn = isFlat ? Quat{} : random.rotation();
                        const double phase = random.between(0, 1);
                        SCOPED_TRACE(::testing::Message() << name << " on " << groundName << ", " << rate << " Hz, " << speed
                                                          << " m/s, " << aside << " aside, " << isFlat);
                        expectBounce(shape, ground, {speed, rate, aside, turn, phase});
                    }
}

// Blows that are found only once others have turned the body aside.
TEST(ContactEvents, TellOfRicochetsWithinOneStep) {
    for (const double rate : {30.0, 60.0}) {
        World world({.gravity = {}});
        const Material material{.friction = Real(0), .restitution = Real(1)};
        const BodyId left = world.addBody(
            {.shape = Box{vec(0.5, 5, 5)}, .motion = Motion::Static, .position = vec(-1.5, 0, 0), .material = material});
        const BodyId right = world.addBody(
            {.shape = Box{vec(0.5, 5, 5)}, .motion = Motion::Static, .position = vec(1.5, 0, 0), .material = material});
        const BodyId ball =
            world.addBody({.shape = Sphere{Real(0.1)}, .velocity = vec(100, 0, 0), .material = material, .mass = Real(1)});
        double push = 0;
        int begun = 0, ended = 0;
        for (int i = 0; i < 10; ++i) {
            const double before = double(world.velocity(ball).x);
            world.step(Real(1 / rate));
            double inStep = 0;
            for (const BodyId wall : {left, right})
                for (const ContactEvent& event : world.contactEvents()) {
                    if (event.a != wall || event.b != ball)
                        continue;
                    begun += event.phase == ContactPhase::Begin;
                    ended += event.phase == ContactPhase::End;
                    if (event.phase == ContactPhase::End)
                        continue;
                    inStep += double(event.impulse) * double(event.normal.x);
                    push += double(event.impulse);
                    EXPECT_NEAR(std::fabs(event.point.x), 1, 0.005);
                    EXPECT_NEAR(event.normal.x, wall == left ? 1 : -1, 1e-3);
                }
            EXPECT_NEAR(inStep, double(world.velocity(ball).x) - before, 4);
        }
        // It crosses 1.8 m at 100 m/s, and each blow turns 100 N s round.
        EXPECT_NEAR(push, 200 * (10 / rate) * 100 / 1.8, 0.1 * push);
        EXPECT_GT(begun, 4);
        EXPECT_NEAR(begun, ended, 2);
    }
}

TEST(ContactEvents, PersistOnlyWhereAskedFor) {
    for (const bool persists : {true, false}) {
        World world({.sleeping = false, .persistEvents = persists});
        addFloor(world);
        const BodyId cube = world.addBody({.position = vec(0, 0.5, 0)});
        int phases[3] = {0, 0, 0};
        for (int i = 0; i < 30; ++i) {
            world.step(kStep);
            for (const ContactEvent& event : world.contactEvents())
                ++phases[int(event.phase)];
            if (i == 20)
                world.setPose(cube, vec(0, 5, 0), {});
        }
        EXPECT_EQ(phases[0], 1);
        EXPECT_EQ(phases[1], persists ? 20 : 0);
        EXPECT_EQ(phases[2], 1);
    }
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
            // It falls through from y = 1.25 to y = -1.25 at up to 10.5 m/s; the last step may begin in the zone, and End
            // follows.
            EXPECT_LT(std::abs(world.position(ball).y), 1.25 + 2 * 10.5 * kStep);
        }
    }
    EXPECT_EQ(begun, 1);
    EXPECT_EQ(ended, 1);
    EXPECT_NEAR(world.velocity(ball).y, -2 * scenes::kGravity, 1e-2);
}

// Counts of the events between a sensor and the bodies that cross it, by the bodies' slots.
struct Crossings {
    std::map<std::uint32_t, int> begun, ended;
};

// Four bodies fly through a sensor, and where there is a wall behind it come back.
void expectCrossings(const Shape& shape, double speed, double rate, double thickness, bool hasWall, scenes::Random& random) {
    World world({.gravity = {}});
    const Material smooth{.friction = 0, .restitution = 1};
    const BodyId zone = world.addBody(
        {.shape = Box{vec(0.5 * thickness, 20, 20)}, .motion = Motion::Static, .position = vec(3, 0, 0), .sensor = true});
    if (hasWall)
        world.addBody({.shape = Box{vec(0.5, 20, 20)}, .motion = Motion::Static, .position = vec(6, 0, 0), .material = smooth});
    std::vector<BodyId> bodies;
    for (int i = 0; i < 4; ++i)
        bodies.push_back(world.addBody({.shape = shape,
                                        .position = vec(random.between(-0.5, 0.5), 2 * i - 4, 0),
                                        .orientation = random.rotation(),
                                        .velocity = vec(speed, 0, 0),
                                        .material = smooth}));
    Crossings crossings;
    const auto isThrough = [&](BodyId body) {
        return hasWall ? world.position(body).x < 2 && world.velocity(body).x < 0 : world.position(body).x > 4;
    };
    for (int after = 0, i = 0; after < 3 && i < 3000; ++i) {
        world.step(Real(1 / rate));
        after += std::all_of(bodies.begin(), bodies.end(), isThrough);
        for (const ContactEvent& event : world.contactEvents())
            if (event.a == zone) {
                EXPECT_TRUE(event.sensor);
                crossings.begun[event.b.index] += event.phase == ContactPhase::Begin;
                crossings.ended[event.b.index] += event.phase == ContactPhase::End;
            }
    }
    for (const BodyId body : bodies) {
        const int begun = crossings.begun[body.index];
        // Back from the wall they tumble, and edges may dip in once more.
        EXPECT_GE(begun, 1);
        EXPECT_TRUE(hasWall || begun == 1) << begun;
        EXPECT_EQ(begun, crossings.ended[body.index]);
    }
}

// However thin the sensor and fast the body.
TEST(Sensors, SeeWhateverPassesThrough) {
    const auto shapes = landingShapes();
    scenes::Random random(9);
    for (const double rate : {30.0, 60.0, 240.0})
        for (const double thickness : {0.1, 0.01})
            for (const double speed : {5.0, 20.0, 60.0, 200.0})
                for (const auto& [name, shape] : shapes)
                    for (const bool hasWall : {false, true}) {
                        SCOPED_TRACE(::testing::Message() << name << ", " << speed << " m/s, " << rate << " Hz, " << thickness
                                                          << " m, wall " << hasWall);
                        expectCrossings(shape, speed, rate, thickness, hasWall, random);
                    }
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
