// Events of contacts that last, in a step that is solved in parts.
#include <gtest/gtest.h>

#include "sunder/sunder.h"
#include "world/contact/events.h"
#include "world/persist/snapshot.h"
#include "world/step/steppers.h"

namespace sunder::world {
namespace {

constexpr Real kStep = Real(1) / 60;

// A cube that has come to rest on a floor.
class LastingEvents : public testing::Test {
protected:
    LastingEvents() {
        World world({.sleeping = false});
        floor_ = world.addBody({.shape = Box{{5, Real(0.5), 5}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
        cube_ = world.addBody({.shape = Box{{Real(0.5), Real(0.5), Real(0.5)}}, .position = {0, Real(0.5), 0}});
        for (int i = 0; i < 30; ++i)
            world.step(kStep);
        state_.host.ownTasks = makeTaskRunner(1);
        state_.tasks = state_.host.ownTasks.get();
        restoreSnapshot(state_, world.snapshot());
        stepBy(entryOf(Stepper::FrameRate), state_, kStep);
        state_.events.contacts.clear();
    }
    std::span<const ContactEvent> eventsOf(Lasting lasting) {
        reportContacts(state_, kStep, lasting);
        return state_.events.contacts;
    }

    WorldState state_;
    BodyId floor_, cube_;
};

TEST_F(LastingEvents, AreReportedWhereAllAre) {
    const auto events = eventsOf(Lasting::All);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].phase, ContactPhase::Persist);
}

TEST_F(LastingEvents, AreNotMadeOfContactsFromBeforeTheStep) {
    EXPECT_TRUE(eventsOf(Lasting::None).empty());
    EXPECT_TRUE(eventsOf(Lasting::BegunInStep).empty());
}

TEST_F(LastingEvents, AreMadeWhereTheContactBeganInAnEarlierPart) {
    ContactEvent begin;
    begin.a = floor_;
    begin.b = cube_;
    begin.phase = ContactPhase::Begin;
    state_.events.contacts.push_back(begin);
    const Real impulse = eventsOf(Lasting::BegunInStep).back().impulse;
    ASSERT_EQ(state_.events.contacts.size(), 2u);
    EXPECT_GT(impulse, 0);
    mergeEvents(state_.events.contacts, false);
    ASSERT_EQ(state_.events.contacts.size(), 1u);
    EXPECT_EQ(state_.events.contacts[0].phase, ContactPhase::Begin);
    EXPECT_EQ(state_.events.contacts[0].impulse, impulse);
}

}  // namespace
}  // namespace sunder::world
