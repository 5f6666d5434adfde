// A host's thread that waits for others may step another world meanwhile. Nothing of the first may be lost by it.
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "scenes/piles.h"

namespace sunder {
namespace {

using scenes::vec;

constexpr Real kStep = Real(1) / 60;

// Runs all tasks on the calling thread, and something else between them, as a job system does that never lets a thread idle.
class BusyRunner : public TaskRunner {
public:
    int concurrency() const override { return 2; }
    void run(int count, void (*function)(void* context, int index), void* context) override {
        for (int i = 0; i < count; ++i) {
            if (meanwhile && i == count / 2) {
                const std::function<void()> other = std::exchange(meanwhile, nullptr);
                other();
                meanwhile = other;
            }
            function(context, i);
        }
    }
    std::function<void()> meanwhile;
};

// A bonded wall whose lowest row has more contacts with the ground than are solved, beside loose boxes.
World wallAndBoxes(TaskRunner* runner, Real shift) {
    World world(WorldDef{}, runner);
    world.addBody({.shape = Box{vec(20, 0.5, 20)}, .motion = Motion::Static, .position = vec(0, -0.5, 0)});
    Compound bricks;
    for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 2; ++j)
            bricks.children.push_back({Box{vec(0.2, 0.1, 0.1)}, vec(0.4 * i, 0.2 * j, 0)});
    BodyDef wall{.shape = bricks, .position = vec(-2.2, 0.1, shift)};
    wall.bonds.emplace();
    world.addBody(wall);
    for (int i = 0; i < 40; ++i)
        world.addBody({.shape = Box{vec(0.15, 0.15, 0.15)}, .position = vec(-3 + 0.31 * (i % 20), 0.4 + 0.4 * (i / 20), 2)});
    return world;
}

TEST(NestedWorlds, AWorldThatIsSteppedWhileAnotherWaitsTakesNothingFromIt) {
    World plain = wallAndBoxes(nullptr, 0);
    BusyRunner runner;
    World hosted = wallAndBoxes(&runner, 0);
    World other = wallAndBoxes(nullptr, Real(0.5));
    int stepped = 0;
    runner.meanwhile = [&] {
        other.step(kStep);
        ++stepped;
    };
    for (int i = 0; i < 40; ++i) {
        plain.step(kStep);
        hosted.step(kStep);
        ASSERT_EQ(plain.hash(), hosted.hash()) << "step " << i;
    }
    EXPECT_GT(stepped, 40);
}

}  // namespace
}  // namespace sunder
