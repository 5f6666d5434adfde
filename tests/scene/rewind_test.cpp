// A run that is taken back: its events happen again, and at the same time.
#include <gtest/gtest.h>

#include "sunder/scene/runner.h"

namespace sunder {
namespace {

Scene blastAt(Real time) {
    Scene scene;
    scene.bodies.push_back({.name = "box", .position = {0, 5, 0}});
    SceneEvent event;
    event.time = time;
    event.explode = ExplodeEvent{{-1, 5, 0}, 500, 4};
    scene.events.push_back(event);
    return scene;
}

TEST(Rewind, EventsHappenAgainAtTheirTime) {
    // At 30 Hz: within a frame, at the very start of one, and between the two that are nearest to it.
    for (const Real time : {Real(0), Real(0.1), Real(0.21), Real(0.3)}) {
        SceneRunner runner(blastAt(time));
        std::vector<Checkpoint> checkpoints;
        std::vector<std::uint64_t> hashes;
        constexpr int kFrames = 15;
        for (int frame = 0; frame < kFrames; ++frame) {
            checkpoints.push_back(runner.world().checkpoint());
            hashes.push_back(runner.world().hash());
            runner.stepFrame();
        }
        const std::uint64_t end = runner.world().hash();
        EXPECT_GT(runner.world().velocity(runner.world().find("box")).x, Real(0.01)) << "the event happened";
        for (int frame = kFrames - 1; frame >= 0; --frame) {
            runner.rewind(checkpoints[frame], frame);
            EXPECT_EQ(runner.frame(), frame);
            EXPECT_EQ(runner.world().hash(), hashes[frame]);
            while (runner.frame() < kFrames)
                runner.stepFrame();
            EXPECT_EQ(runner.world().hash(), end) << "event at " << time << " s, back to frame " << frame;
        }
    }
}

}  // namespace
}  // namespace sunder
