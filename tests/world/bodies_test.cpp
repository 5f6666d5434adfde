// Handles, and bodies that come, change and go between steps.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "scenes/parts.h"

namespace sunder {
namespace {

using scenes::vec;

constexpr Real kStep = Real(1) / 30;

TEST(Handles, StayValidUntilTheBodyIsRemoved) {
    World world;
    const BodyId a = world.addBody({.name = "a"}), b = world.addBody({.name = "b", .position = vec(5, 0, 0)});
    EXPECT_NE(a, b);
    EXPECT_TRUE(world.isValid(a));
    EXPECT_TRUE(world.removeBody(a));
    EXPECT_FALSE(world.isValid(a));
    EXPECT_FALSE(world.removeBody(a));
    EXPECT_TRUE(world.isValid(b));
    EXPECT_EQ(world.name(b), "b");
    EXPECT_FALSE(world.isValid({}));
    EXPECT_FALSE(world.isValid({.index = 12345, .generation = 1}));
}

TEST(Handles, OfARemovedBodyDoNotReachItsSuccessor) {
    World world;
    std::vector<BodyId> old;
    for (int i = 0; i < 100; ++i) {
        const BodyId id = world.addBody({});
        for (const BodyId& stale : old) {
            EXPECT_FALSE(world.isValid(stale));
            EXPECT_NE(stale, id);
        }
        old.push_back(id);
        world.removeBody(id);
    }
}

TEST(Handles, StaleOnesThrowEverywhere) {
    World world;
    const BodyId id = world.addBody({.motion = Motion::Kinematic});
    world.removeBody(id);
    world.addBody({});  // may sit in the same slot
    const std::vector<std::function<void()>> calls{
        [&] { world.position(id); },
        [&] { world.orientation(id); },
        [&] { world.centerOfMass(id); },
        [&] { world.velocity(id); },
        [&] { world.angularVelocity(id); },
        [&] { world.mass(id); },
        [&] { world.motion(id); },
        [&] { world.name(id); },
        [&] { world.material(id); },
        [&] { world.shape(id); },
        [&] { world.userData(id); },
        [&] { world.setPose(id, {}, {}); },
        [&] { world.setVelocity(id, {}); },
        [&] { world.setAngularVelocity(id, {}); },
        [&] { world.setMaterial(id, {}); },
        [&] { world.setMotion(id, Motion::Static); },
        [&] { world.setShape(id, Sphere{}); },
        [&] { world.setCenterOfMass(id, {}); },
        [&] { world.setLockedAxes(id, 0); },
        [&] { world.setDamping(id, 0, 0); },
        [&] { world.setGravityFactor(id, 1); },
        [&] { world.setSurfaceVelocity(id, {}); },
        [&] { world.setFilter(id, 1, 1); },
        [&] { world.setUserData(id, 0); },
        [&] { world.addForce(id, {}); },
        [&] { world.addForceAt(id, {}, {}); },
        [&] { world.addTorque(id, {}); },
        [&] { world.addImpulse(id, {}); },
        [&] { world.addImpulseAt(id, {}, {}); },
        [&] { world.addAngularImpulse(id, {}); },
        [&] { world.moveTo(id, {}, {}); },
    };
    for (std::size_t i = 0; i < calls.size(); ++i)
        EXPECT_THROW(calls[i](), Error) << "call " << i;
}

TEST(Bodies, AreListedInTheOrderTheyWereAdded) {
    World world;
    const BodyId a = world.addBody({}), b = world.addBody({}), c = world.addBody({});
    world.removeBody(a);
    const BodyId d = world.addBody({});
    EXPECT_EQ(world.bodies(), (std::vector<BodyId>{b, c, d}));
}

TEST(Bodies, AreFoundByName) {
    World world;
    world.addBody({.name = "other"});
    const BodyId first = world.addBody({.name = "twin"});
    const BodyId second = world.addBody({.name = "twin"});
    EXPECT_EQ(world.find("twin"), first);
    world.removeBody(first);
    EXPECT_EQ(world.find("twin"), second);
    EXPECT_TRUE(world.find("nobody").isNull());
}

TEST(Bodies, TellWhatTheyWereGiven) {
    World world;
    const BodyId id = world.addBody({.name = "it",
                                     .shape = Capsule{Real(0.25), Real(0.5)},
                                     .position = vec(1, 2, 3),
                                     .orientation = {0, 0, 0, 2},
                                     .velocity = vec(4, 5, 6),
                                     .angularVelocity = vec(7, 8, 9),
                                     .material = {.friction = Real(0.25)},
                                     .mass = Real(3),
                                     .userData = 0x123456789abcdefull});
    EXPECT_EQ(world.name(id), "it");
    EXPECT_EQ(std::get<Capsule>(world.shape(id)).halfHeight, Real(0.5));
    EXPECT_EQ(world.position(id), vec(1, 2, 3));
    EXPECT_EQ(world.orientation(id), Quat{});  // normalised on entry
    EXPECT_EQ(world.velocity(id), vec(4, 5, 6));
    EXPECT_EQ(world.angularVelocity(id), vec(7, 8, 9));
    EXPECT_EQ(world.material(id).friction, Real(0.25));
    EXPECT_EQ(world.mass(id), 3);
    EXPECT_EQ(world.motion(id), Motion::Dynamic);
    EXPECT_EQ(world.userData(id), 0x123456789abcdefull);
    world.setUserData(id, 7);
    EXPECT_EQ(world.userData(id), 7u);
}

TEST(Bodies, BadDefinitionsAreRefusedAndChangeNothing) {
    World world;
    world.addBody({});
    const std::uint64_t hash = world.hash();
    EXPECT_THROW(world.addBody({.shape = Sphere{-1}}), Error);
    EXPECT_THROW(world.addBody({.mass = Real(0)}), Error);
    EXPECT_THROW(world.addBody({.shape = Hull{{vec(0, 0, 0), vec(1, 0, 0), vec(0, 1, 0)}}}), Error);
    EXPECT_THROW(world.addBody({.shape = Mesh{{vec(0, 0, 0), vec(1, 0, 0), vec(0, 0, 1)}, {{0, 2, 1}}}}), Error);  // dynamic
    EXPECT_EQ(world.bodies().size(), 1u);
    EXPECT_EQ(world.hash(), hash);
    EXPECT_THROW(World({.threads = 0}), Error);
}

TEST(Bodies, NumbersThatAreNoneAreRefused) {
    World world;
    const BodyId id = world.addBody({});
    const Real nan = std::numeric_limits<Real>::quiet_NaN(), inf = std::numeric_limits<Real>::infinity();
    const std::uint64_t hash = world.hash();
    for (const Real bad : {nan, inf}) {
        const Vec3 v{0, bad, 0};
        EXPECT_THROW(world.setPose(id, v, {}), Error);
        EXPECT_THROW(world.setPose(id, {}, {bad, 0, 0, 1}), Error);
        EXPECT_THROW(world.setVelocity(id, v), Error);
        EXPECT_THROW(world.setAngularVelocity(id, v), Error);
        EXPECT_THROW(world.setCenterOfMass(id, v), Error);
        EXPECT_THROW(world.setDamping(id, bad, 0), Error);
        EXPECT_THROW(world.setGravityFactor(id, bad), Error);
        EXPECT_THROW(world.setSurfaceVelocity(id, v), Error);
        EXPECT_THROW(world.addForce(id, v), Error);
        EXPECT_THROW(world.addForceAt(id, {}, v), Error);
        EXPECT_THROW(world.addTorque(id, v), Error);
        EXPECT_THROW(world.addImpulse(id, v), Error);
        EXPECT_THROW(world.addImpulseAt(id, vec(1, 0, 0), v), Error);
        EXPECT_THROW(world.addAngularImpulse(id, v), Error);
        EXPECT_THROW(world.setGravity(v), Error);
        EXPECT_THROW(world.step(bad), Error);
    }
    EXPECT_THROW(world.step(Real(-0.1)), Error);
    EXPECT_EQ(world.hash(), hash) << "a refused call changed something";
}

// Boxes come and go in every step of a pile; what remains ends up at rest on the floor, nothing below it.
TEST(Bodies, ComeAndGoBetweenSteps) {
    World world;
    world.addBody({.shape = Box{vec(20, 0.5, 20)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
    scenes::Random random(6);
    std::vector<BodyId> boxes;
    for (int i = 0; i < 150; ++i) {
        const double x = random.between(-1, 1), z = random.between(-1, 1);
        boxes.push_back(world.addBody({.shape = Box{vec(0.2, 0.2, 0.2)}, .position = vec(x, 4, z)}));
        if (boxes.size() > 20) {
            const std::size_t victim = random.bits() % boxes.size();
            EXPECT_TRUE(world.removeBody(boxes[victim]));
            boxes.erase(boxes.begin() + std::ptrdiff_t(victim));
        }
        world.step(kStep);
    }
    for (int i = 0; i < 240; ++i)
        world.step(kStep);
    EXPECT_EQ(world.bodies().size(), boxes.size() + 1);
    for (const BodyId id : boxes)
        EXPECT_GT(world.position(id).y, 0.18);
    EXPECT_LT(world.stats().kineticEnergy / double(boxes.size()), 0.01);
}

TEST(Bodies, FallWhenTheirSupportIsRemovedOrShrinks) {
    World world;
    const BodyId shelf = world.addBody({.shape = Box{vec(2, 0.5, 2)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
    const BodyId cube = world.addBody({.position = vec(1, 0.5, 0)});
    for (int i = 0; i < 15; ++i)
        world.step(kStep);
    EXPECT_NEAR(world.position(cube).y, 0.5, 2e-3);
    world.setShape(shelf, Box{vec(0.25, 0.5, 2)});  // no longer below the cube
    for (int i = 0; i < 30; ++i)
        world.step(kStep);
    EXPECT_NEAR(world.velocity(cube).y, -scenes::kGravity, 0.05);
    world.setPose(cube, vec(0, 0.5, 0), {});
    world.setVelocity(cube, {});
    world.setAngularVelocity(cube, {});
    for (int i = 0; i < 15; ++i)
        world.step(kStep);
    EXPECT_NEAR(world.position(cube).y, 0.5, 2e-3);
    world.setPose(shelf, vec(10, 0, 0), {});
    for (int i = 0; i < 30; ++i)
        world.step(kStep);
    EXPECT_NEAR(world.velocity(cube).y, -scenes::kGravity, 0.05);
}

TEST(Bodies, OnTheFloorFollowANewGravity) {
    World world;
    world.addBody({.shape = Box{vec(20, 0.5, 20)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
    const BodyId cube = world.addBody({.position = vec(0, 0.5, 0)});
    for (int i = 0; i < 15; ++i)
        world.step(kStep);
    world.setGravity(vec(0, 5, 0));
    EXPECT_EQ(world.gravity(), vec(0, 5, 0));
    for (int i = 0; i < 30; ++i)
        world.step(kStep);
    EXPECT_NEAR(world.velocity(cube).y, 5, 0.05);
}

// Two of the largest numbers add up to infinity: the body is taken out and reported once, the others go on.
TEST(Bodies, StateThatIsNotFiniteIsQuarantined) {
    World world;
    world.addBody({.shape = Box{vec(20, 0.5, 20)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
    const BodyId victim = world.addBody({.name = "victim", .position = vec(0, 0.5, 0)});
    const BodyId other = world.addBody({.position = vec(0, 1.5, 0)});
    for (int i = 0; i < 5; ++i)
        world.step(kStep);
    const Real most = std::numeric_limits<Real>::max();
    world.addForce(victim, {most, 0, 0});
    world.addForce(victim, {most, 0, 0});
    world.step(kStep);
    ASSERT_EQ(world.errorEvents().size(), 1u);
    EXPECT_EQ(world.errorEvents()[0].body, victim);
    EXPECT_NE(world.errorEvents()[0].message.find("victim"), std::string::npos);
    for (int i = 0; i < 30; ++i) {
        world.step(kStep);
        EXPECT_TRUE(world.errorEvents().empty());
    }
    EXPECT_TRUE(std::isfinite(world.position(victim).x));
    EXPECT_TRUE(std::isfinite(world.position(other).y));
    EXPECT_TRUE(std::isfinite(world.stats().kineticEnergy));
    EXPECT_TRUE(world.removeBody(victim));
    world.step(kStep);
}

TEST(World, CanBeMoved) {
    World first;
    const BodyId ball = first.addBody({.shape = Sphere{}});
    World second(std::move(first));
    second.step(kStep);
    EXPECT_LT(second.velocity(ball).y, 0);
    World third;
    third = std::move(second);
    third.step(kStep);
    EXPECT_EQ(third.stats().step, 2u);
}

}  // namespace
}  // namespace sunder
