// A stepper is an entry in a table: one that is made up here runs through the same beginning and end as those of the engine,
// and gathers, searches and scatters only some of the bodies.
#include <gtest/gtest.h>

#include "sunder/sunder.h"
#include "world/contact/find_contacts.h"
#include "world/exchange/motion.h"
#include "world/persist/snapshot.h"
#include "world/step/steppers.h"

namespace sunder::world {
namespace {

constexpr Real kStep = Real(1) / 60;

// Moves the body that was added last, and nothing else, straight down by a metre a second.
StepOutcome sinkTheLast(WorldState& world, Real dt) {
    const std::uint32_t last[] = {world.roster.moving.back()};
    gatherBodies(world, last, dt);
    findContacts(world, {dt, dt}, 0);
    dynamics::SolverBody& body = world.solve.bodies[1];
    body.velocity = {0, -1, 0};
    body.displacement = body.velocity * dt;
    scatterBodies(world, true);
    return {};
}

constexpr StepperEntry kSinking{"sinking", {}, sinkTheLast};

class StepperDoor : public testing::Test {
protected:
    StepperDoor() {
        World world;
        world.addBody({.shape = Box{{5, Real(0.5), 5}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
        low_ = world.addBody({.position = {0, Real(0.5), 0}, .velocity = {0, 0, 3}});
        world.addBody({.position = {3, Real(0.5), 0}});
        high_ = world.addBody({.position = {0, Real(1.51), 0}});
        state_.host.ownTasks = makeTaskRunner(1);
        state_.tasks = state_.host.ownTasks.get();
        restoreSnapshot(state_, world.snapshot());
    }
    const Body& body(BodyId id) const { return state_.bodies[id.index]; }

    WorldState state_;
    BodyId low_, high_;
};

TEST_F(StepperDoor, AnEntryOfItsOwnStepsSomeOfTheBodies) {
    const WorldPoint before = body(low_).center;
    for (int i = 0; i < 3; ++i)
        stepBy(kSinking, state_, kStep);
    EXPECT_EQ(state_.clock.steps, 3u);
    EXPECT_NEAR(state_.clock.time, 3.0 / 60, 1e-6);
    EXPECT_NEAR(body(high_).center.y, 1.51 - 3.0 / 60, 1e-5);
    EXPECT_EQ(body(low_).center.z, before.z);  // it holds still, although it has a velocity
    EXPECT_EQ(body(low_).velocity.z, 3);
}

TEST_F(StepperDoor, TheSearchFindsContactsOfThoseBodiesAlone) {
    stepBy(kSinking, state_, kStep);
    ASSERT_GT(state_.constraints.size(), 0u);
    for (const ContactPair& pair : state_.pairs) {
        const bool isOfTheLast = pair.bodyA == high_.index || pair.bodyB == high_.index;
        EXPECT_EQ(pair.manifoldCount > 0, isOfTheLast && (pair.bodyA == low_.index || pair.bodyB == low_.index));
    }
    for (const dynamics::ContactConstraint& constraint : state_.constraints)
        EXPECT_TRUE((constraint.bodyA == 1) != (constraint.bodyB == 1));  // the other one is the fixed body
}

TEST(Steppers, TheTableSaysWhatIsRefused) {
    for (const Stepper stepper : {Stepper::FrameRate, Stepper::Impulse, Stepper::Damped}) {
        const StepperAbilities can = abilitiesOf(stepper);
        World world(WorldDef{.stepper = stepper});
        const BodyId body = world.addBody({});
        const auto isRefused = [](auto&& call) {
            try {
                call();
                return false;
            } catch (const Error&) {
                return true;
            }
        };
        EXPECT_EQ(isRefused([&] { world.addJoint({.a = body}); }), !can.joints);
        BodyDef bonded{.shape = Compound{{{Box{}, {}}, {Box{}, {1, 0, 0}}}}};
        bonded.bonds.emplace();
        EXPECT_EQ(isRefused([&] { world.addBody(bonded); }), !can.bonds);
    }
}

}  // namespace
}  // namespace sunder::world
