// The hash of the state covers every field that a snapshot holds, but for what steers nothing.
#include <gtest/gtest.h>

#include <algorithm>

#include "scenes/piles.h"
#include "world/persist/snapshot.h"
#include "world/persist/state_hash.h"
#include "world/persist/state_visit.h"
#include "world/vertices_for_tests.h"

namespace sunder::world {

// Walks all numbers of a state as the archives do; changes the one it is told to, and changes it back the next time.
class StateFlipper {
public:
    explicit StateFlipper(std::size_t which) : which_(which) {}

    template <class... T>
    void operator()(T&&... values) {
        (flip(values), ...);
    }
    template <class... T>
    void aside(T&&... values) {
        ++asideDepth_;
        (flip(values), ...);
        --asideDepth_;
    }
    template <class T, std::size_t n>
    void firstOf(T (&values)[n], std::int32_t count) {
        for (std::int32_t i = 0; i < std::min(count, static_cast<std::int32_t>(n)); ++i)  // the count may be what is changed
            flip(values[i]);
    }
    template <class... T>
    void alternative(std::variant<T...>&) {}  // there is only one

    std::size_t count() const { return count_; }
    bool wasAside() const { return wasAside_; }
    bool isFlipped() const { return isFlipped_; }

private:
    template <class T>
    void flip(T& value) {
        if constexpr (kIsFlat<std::remove_const_t<T>>) {
            if (count_++ == which_)
                change(value);
        } else {
            visitMembers(*this, value);
        }
    }
    template <class T>
    void change(T& value) {
        wasAside_ = asideDepth_ > 0;
        isFlipped_ = true;
        if constexpr (std::is_const_v<T>) {
            isFlipped_ = false;
        } else if constexpr (std::is_same_v<T, bool>) {
            value = !value;
        } else {
            auto* bytes = reinterpret_cast<unsigned char*>(&value);
            bytes[sizeof(T) / 2] ^= 1;
        }
    }
    void flip(std::string&) {}
    template <class T>
    void flip(std::optional<T>& value) {
        if (value)
            flip(*value);
    }
    template <class T>
    void flip(Rare<T>& value) {
        if (value)
            flip(*value);
    }
    template <class T, class A>
    void flip(std::vector<T, A>& values) {
        for (T& value : values)
            flip(value);
    }
    template <class T, std::size_t n>
    void flip(std::array<T, n>& values) {
        for (T& value : values)
            flip(value);
    }
    // What is shared is not the state's own to change.
    void flip(SharedShape&) {}
    void flip(SharedPattern&) {}
    void flip(std::shared_ptr<const SampledSolid>&) {}
    void flip(std::shared_ptr<const geometry::SurfaceMesh>&) {}
    void flip(Shape&) {}

    std::size_t which_, count_ = 0;
    int asideDepth_ = 0;
    bool wasAside_ = false, isFlipped_ = false;
};

namespace {

using scenes::vec;

// A little of everything: contacts, sleepers, joints with springs, bonds, breakable bodies, requests and explosions that wait.
World richWorld() {
    World world;
    world.addBody({.shape = Box{vec(9, 0.5, 9)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
    for (int i = 0; i < 3; ++i)
        world.addBody({.shape = Box{vec(0.5, 0.5, 0.5)}, .position = vec(0, 0.5 + i, 0)});
    const BodyId rolls = world.addBody({.shape = Sphere{Real(0.3)}, .position = vec(3, 0.3, 0), .velocity = vec(1, 0, 0)});
    const BodyId hangs = world.addBody({.shape = Capsule{Real(0.1), Real(0.3)}, .position = vec(-3, 2, 0)});
    JointDef joint;
    joint.type = JointType::Hinge;
    joint.a = hangs;
    joint.anchor = vec(-3, 2.5, 0);
    joint.breakForce = Real(1e5);
    world.addJoint(joint);
    Compound bricks;
    for (int i = 0; i < 3; ++i)
        bricks.children.push_back({Box{vec(0.2, 0.2, 0.2)}, vec(0.4 * i, 0, 0)});
    BodyDef wall{.shape = bricks, .position = vec(-1, 0.2, 4)};
    wall.bonds.emplace();
    world.addBody(wall);
    BodyDef glass{.shape = Box{vec(0.4, 0.4, 0.4)}, .position = vec(4, 0.4, 4)};
    glass.fracture.emplace();
    glass.fracture->method = Prescored{.pattern = buildPattern({.kind = VoronoiPattern{.pieces = 4, .density = {}}})};
    glass.fracture->threshold = 1000;
    glass.fracture->resolution = {9, 9, 9};
    const BodyId breakable = world.addBody(glass);
    for (int i = 0; i < 90; ++i)
        world.step(Real(1) / 60);
    world.addImpulse(rolls, vec(0, 0, 1));
    world.addForce(hangs, vec(1, 0, 0));
    world.breakBody(breakable, vec(4, 0.8, 4), vec(0, 1, 0), 50);
    world.explode(vec(2, 0, 2), Real(0.5), Real(2));
    return world;
}

TEST(StateHash, EveryVisitedFieldCountsButForWhatSteersNothing) {
    World world = richWorld();
    WorldState state;
    restoreSnapshot(state, world.snapshot());
    EXPECT_EQ(hashState(state), world.hash());
    state.host.ownTasks = makeTaskRunner(1);
    state.tasks = state.host.ownTasks.get();
    commitVertices(state, world.bodies()[1].index, eightVertices(Real(0.5)));
    const std::uint64_t before = hashState(state);
    StateFlipper counter(~std::size_t(0));
    visitState(counter, state);
    ASSERT_GT(counter.count(), 1000u);
    std::size_t missed = 0, seenAside = 0, flipped = 0, first = 0;
    for (std::size_t i = 0; i < counter.count(); ++i) {
        StateFlipper there(i);
        visitState(there, state);
        const bool differs = hashState(state) != before;
        StateFlipper back(i);
        visitState(back, state);
        // Options that count only while they do something are aside on one side of the flip.
        const bool isAside = there.wasAside() && back.wasAside();
        if (there.isFlipped() && differs == isAside) {
            if (missed + seenAside == 0)
                first = i;
            ++(isAside ? seenAside : missed);
        }
        flipped += there.isFlipped();
    }
    EXPECT_EQ(missed, 0u) << "first at " << first;
    EXPECT_EQ(seenAside, 0u) << "first at " << first;
    EXPECT_GT(flipped, counter.count() / 2);
    EXPECT_EQ(hashState(state), before);
}

}  // namespace
}  // namespace sunder::world
