// Parts of recordings.
#include "sunder/scene/trim.h"

#include <gtest/gtest.h>

#include "math/quat.h"
#include "scene/recording_for_tests.h"
#include "scene/temporary_folder.h"

namespace sunder {
namespace {

TEST(Trim, FramesAndCamera) {
    const TemporaryFolder folder;
    FormulaRun().write(folder / "run.sunder");
    Recording whole = Recording::open(folder / "run.sunder");
    const Camera camera{{1, 2, 3}, {0, 1, 0}, 50};
    ASSERT_TRUE(trimRecording(whole, folder / "part.sunder", {.first = 10, .last = 20, .camera = camera}));
    Recording part = Recording::open(folder / "part.sunder");
    ASSERT_EQ(part.frameCount(), 11);
    ASSERT_TRUE(part.info().camera);
    EXPECT_EQ(part.info().camera->position, camera.position);
    for (int frame = 0; frame < part.frameCount(); ++frame) {
        part.seek(frame);
        whole.seek(frame + 10);
        ASSERT_EQ(part.living().size(), whole.living().size()) << frame;
        EXPECT_EQ(part.hash(), whole.hash());
        EXPECT_EQ(part.events().size(), whole.events().size());
        for (std::size_t i = 0; i < part.living().size(); ++i) {
            const TrackDef &a = part.tracks()[part.living()[i]].def, &b = whole.tracks()[whole.living()[i]].def;
            EXPECT_EQ(a.name, b.name);
            if (b.parent != kNoTrack) {
                ASSERT_NE(a.parent, kNoTrack);
                EXPECT_EQ(part.tracks()[a.parent].def.name, whole.tracks()[b.parent].def.name);
            }
            // Rounded twice, to one quantum.
            EXPECT_LE(length(part.poses()[i].position - whole.poses()[i].position), whole.info().quantum);
        }
    }
}

TEST(Trim, FramesBeyondTheEndAreRefused) {
    const TemporaryFolder folder;
    FormulaRun().write(folder / "run.sunder");
    Recording whole = Recording::open(folder / "run.sunder");
    EXPECT_THROW(trimRecording(whole, folder / "part.sunder", {.first = 10, .last = 100000}), Error);
    EXPECT_THROW(trimRecording(whole, folder / "part.sunder", {.first = 5, .last = 4}), Error);
}

}  // namespace
}  // namespace sunder
