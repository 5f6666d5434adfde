// Filters over poses [Egan03] 5.5: exact on signals whose answer is known, and what each does to a body that trembles.
#include "sunder/scene/filters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "math/quat.h"
#include "sunder/describe.h"

namespace sunder {
namespace {

Pose at(double x, double angle = 0) { return {{Real(x), 0, 0}, quatFromRotationVector({0, Real(angle), 0})}; }
Pose negated(Pose pose) {
    const Quat q = pose.orientation;
    pose.orientation = {-q.x, -q.y, -q.z, -q.w};
    return pose;
}
double angleOf(const Pose& pose) { return double(rotationVectorBetween({}, pose.orientation).y); }

PoseFilter filterOf(PoseFilterKind kind) {
    PoseFilter filter;
    filter.kind = kind;
    return filter;
}

// q and -q are one rotation; the mean of their components would be nothing at all. 1e-6: rounding of float.
TEST(PoseFilter, MeanDoesNotDependOnSigns) {
    const Pose poses[] = {at(1, 0.1), negated(at(2, 0.2)), at(3, 0.3)};
    const Pose mean = meanPose(poses);
    EXPECT_NEAR(mean.position.x, 2, 1e-6);
    EXPECT_NEAR(angleOf(mean), 0.2, 1e-6);
    const Pose opposite[] = {at(0, 0.4), negated(at(0, 0.4))};
    EXPECT_NEAR(std::fabs(angleOf(meanPose(opposite))), 0.4, 1e-6);
}

// Of turns far apart the mean is that of the rotations: 0 and 90 degrees have 45 between them, about any axis.
TEST(PoseFilter, MeanOfTurnsFarApart) {
    const Pose poses[] = {at(0, 0), at(0, 1.5707963)};
    EXPECT_NEAR(angleOf(meanPose(poses)), 0.7853982, 1e-6);
}

// Straight motion at constant speed is left as it is, up to both ends; a trembling of one frame's period is a fifth.
TEST(PoseFilter, BoxKeepsLinesAndDampsTrembling) {
    std::vector<Pose> line, trembling;
    for (int i = 0; i < 20; ++i) {
        line.push_back(at(0.1 * i, 0.02 * i));
        trembling.push_back(at(i % 2 == 0 ? 1 : -1));
    }
    const PoseFilter filter = filterOf(PoseFilterKind::Box);
    const std::vector<Pose> same = filterPoses(line, filter), calm = filterPoses(trembling, filter);
    for (std::size_t i = 0; i < line.size(); ++i) {
        EXPECT_NEAR(same[i].position.x, line[i].position.x, 1e-6);
        EXPECT_NEAR(angleOf(same[i]), angleOf(line[i]), 1e-6);
    }
    for (std::size_t i = 2; i + 2 < calm.size(); ++i)
        EXPECT_NEAR(std::fabs(double(calm[i].position.x)), 0.2, 1e-6);
    EXPECT_EQ(calm.front().position.x, 1);
}

TEST(PoseFilter, EnvelopeHoldsUntilTheBodyLeavesIt) {
    const PoseFilter filter = filterOf(PoseFilterKind::Envelope);
    const std::vector<Pose> held = filterPoses(std::vector{at(0), at(0.004), at(-0.004), at(0.006), at(0.002)}, filter);
    EXPECT_EQ(held[1].position.x, 0);
    EXPECT_EQ(held[2].position.x, 0);
    EXPECT_NEAR(held[3].position.x, 0.006, 1e-9);  // the pop
    EXPECT_EQ(held[4].position.x, held[3].position.x);
    const std::vector<Pose> turned = filterPoses(std::vector{at(0), at(0, 0.005), at(0, 0.02)}, filter);
    EXPECT_NEAR(angleOf(turned[1]), 0, 1e-9);  // 0.5 degrees are 0.0087
    EXPECT_NEAR(angleOf(turned[2]), 0.02, 1e-6);
}

// It holds as the envelope does, and what it shows never jumps by more than the body moved, nor is farther away than that.
TEST(PoseFilter, FollowNeitherPopsNorLags) {
    std::vector<Pose> poses;
    for (int i = 0; i < 200; ++i)
        poses.push_back(at(0.003 * std::sin(1.7 * i) + (i < 100 ? 0 : 0.01 * (i - 100)), 0.002 * std::cos(2.3 * i)));
    const std::vector<Pose> shown = filterPoses(poses, filterOf(PoseFilterKind::Follow));
    for (std::size_t i = 1; i < poses.size(); ++i) {
        EXPECT_LE(std::fabs(double(shown[i].position.x - poses[i].position.x)), 0.005 + 1e-6);
        EXPECT_LE(std::fabs(double(shown[i].position.x - shown[i - 1].position.x)),
                  std::fabs(double(poses[i].position.x - poses[i - 1].position.x)) + 1e-6);
    }
    for (std::size_t i = 2; i < 100; ++i)
        EXPECT_NEAR(shown[i].position.x, shown[1].position.x, 2e-3);  // 6 mm of trembling became at most 1
}

TEST(PoseFilter, LiveLooksBackOnly) {
    LivePoseFilter live(filterOf(PoseFilterKind::Box));
    EXPECT_EQ(live(7, at(0)).position.x, 0);
    EXPECT_NEAR(live(7, at(3)).position.x, 1.5, 1e-6);
    EXPECT_NEAR(live(7, at(6)).position.x, 3, 1e-6);
    EXPECT_NEAR(live(7, at(9)).position.x, 6, 1e-6);
    EXPECT_EQ(live(8, at(5)).position.x, 5);
    live.forget(7);
    EXPECT_EQ(live(7, at(1)).position.x, 1);
    LivePoseFilter envelope(filterOf(PoseFilterKind::Envelope));
    envelope(1, at(0));
    EXPECT_EQ(envelope(1, at(0.004)).position.x, 0);
}

TEST(PoseFilter, BadValuesAreNamed) {
    PoseFilter filter;
    filter.frames = -1;
    ASSERT_EQ(validate(filter).size(), 1u);
    EXPECT_EQ(validate(filter)[0], "frames: -1 is not allowed (0 to 100)");
    EXPECT_THROW(LivePoseFilter{filter}, Error);
}

// Two boxes of 1 m that touch. The left one moves on by 4.5 mm, which the envelope of 5 mm holds back, the right one follows by
// 5.5 mm and is shown: 1 mm of overlap is shown as 5.5. Followed, they overlap by no more than they do.
TEST(PoseFilter, NewOverlapIsMeasured) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "sunder_overlap_test";
    std::filesystem::create_directories(folder);
    {
        RecordingInfo info;
        info.quantum = 1.0 / 1048576;
        RecordingWriter writer(folder / "in.sunder", info);
        const std::uint32_t surface = writer.addSurface(drawnShape(Box{{Real(0.5), Real(0.5), Real(0.5)}}));
        writer.addTrack({.name = "left", .surface = surface});
        writer.addTrack({.name = "right", .surface = surface});
        writer.writeFrame(std::vector{at(0), at(1)}, {}, {}, 0);
        writer.writeFrame(std::vector{at(-0.0045), at(1 - 0.0055)}, {}, {}, 1);
        writer.finish();
    }
    Recording in = Recording::open(folder / "in.sunder");
    const auto reported = [&](PoseFilterKind kind) {
        return filterRecording(in, folder / "out.sunder", filterOf(kind)).newOverlap;
    };
    EXPECT_NEAR(reported(PoseFilterKind::Envelope), 0.0045, 1e-5);
    EXPECT_EQ(reported(PoseFilterKind::Follow), 0);
    std::filesystem::remove_all(folder);
}

// A recording comes out with its tracks, surfaces, stats and hashes, and one body that trembles less.
TEST(PoseFilter, RecordingIsCopiedAroundItsPoses) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "sunder_filter_test";
    std::filesystem::create_directories(folder);
    RecordingInfo info;
    info.name = "trembling";
    info.statNames = {"energy"};
    {
        RecordingWriter writer(folder / "in.sunder", info);
        const std::uint32_t surface = writer.addSurface(drawnShape(Box{}));
        writer.addTrack({.name = "floor", .surface = surface, .motion = Motion::Static});
        writer.addTrack({.name = "box", .surface = surface});
        for (int i = 0; i < 30; ++i) {
            if (i == 10)
                writer.addTrack({.name = "piece", .parent = 1, .surface = surface});
            if (i == 20)
                writer.endTrack(1);
            std::vector<Pose> poses{at(0)};
            if (i < 20)
                poses.push_back(at(i % 2 == 0 ? 0.01 : -0.01));
            if (i >= 10)
                poses.push_back(at(1 + 0.1 * i));
            const double stats[] = {double(i)};
            writer.writeFrame(poses, {}, stats, std::uint64_t(i));
        }
        writer.finish();
    }
    Recording in = Recording::open(folder / "in.sunder");
    const FilterReport report = filterRecording(in, folder / "out.sunder", filterOf(PoseFilterKind::Box));
    EXPECT_EQ(report.bodies, 2);
    EXPECT_LT(report.tremblingAfter, 0.5 * report.tremblingBefore);
    EXPECT_NEAR(report.largestShift, 0.01333, 2e-4);  // next to an end: from 10 mm to a third of it on the other side
    Recording out = Recording::open(folder / "out.sunder");
    ASSERT_EQ(out.frameCount(), 30);
    ASSERT_EQ(out.tracks().size(), 3u);
    EXPECT_EQ(out.tracks()[2].def.name, "piece");
    EXPECT_EQ(out.tracks()[2].firstFrame, 10);
    EXPECT_EQ(out.tracks()[1].endFrame, 20);
    out.seek(12);
    EXPECT_EQ(out.hash(), 12u);
    EXPECT_EQ(out.stats()[0], 12);
    EXPECT_NEAR(std::fabs(double(out.poses()[1].position.x)), 0.002, 2e-4);  // recorded to 1/16384 m
    EXPECT_NEAR(out.poses()[2].position.x, 2.2, 2e-4);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sunder
