// Filters over poses that hide chatter which a run did not get rid of [Egan03] 5.5: over whole recordings, or live over a short
// history of what a viewer draws. They change what is shown, never what is simulated.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <span>
#include <vector>

#include "sunder/scene/exports.h"
#include "sunder/scene/recording.h"

namespace sunder {

enum class PoseFilterKind : std::uint8_t {
    Box,       // the mean of the neighbouring frames: less chatter, but resting bodies squirm and blows are softened
    Envelope,  // a pose is held until the body leaves an envelope about it: nothing squirms, but bodies pop
    Follow,    // the held pose is drawn along behind the body, at most the envelope away: neither squirms nor pops
};

struct PoseFilter {
    PoseFilterKind kind = PoseFilterKind::Box;
    int frames = 2;             // 0 to 100: Box, neighbours on each side; live, frames before this one
    double distance = 0.005;    // m, >= 0: Envelope and Follow
    double angleDegrees = 0.5;  // 0 to 180: likewise
};

// One message per value that is not allowed, as validate() gives.
std::vector<std::string> validate(const PoseFilter& filter);

// The mean of poses: positions by their mean, orientations by the rotation whose squared distances to all are least. Unlike the
// mean of their components it does not depend on the signs of the quaternions, of which q and -q are one rotation. At least
// one.
Pose meanPose(std::span<const Pose> poses);

// The life of one body, a pose per frame. Box: near an end the window shrinks on both sides alike, so that the first and last
// pose stay, and so does motion along a straight line.
std::vector<Pose> filterPoses(std::span<const Pose> poses, const PoseFilter& filter);

// For what is drawn as it happens: looks back, never ahead. Keys are the host's, a body's index for one.
class LivePoseFilter {
public:
    explicit LivePoseFilter(const PoseFilter& filter);  // throws Error where it is not valid
    // The pose to draw; call once per frame and body.
    Pose operator()(std::uint64_t key, const Pose& pose);
    // The body is gone, or was moved by the host: its history does not count.
    void forget(std::uint64_t key);

private:
    struct History {
        std::deque<Pose> poses;  // Box
        Pose held;               // Envelope, Follow
        bool isHeld = false;
    };
    PoseFilter filter_;
    std::map<std::uint64_t, History> histories_;
};

// What a filter did: the artefacts that the thesis names, over all bodies and frames.
struct FilterReport {
    int bodies = 0;           // that were filtered: those that deform, and fixed ones, are left as they are
    double largestShift = 0;  // m: of a body's origin from where it was
    double largestTurn = 0;   // rad
    // m: mean and largest second difference of the origin from frame to frame, which is what the eye sees as trembling (the
    // mean) and as a pop (the largest), before and after.
    double tremblingBefore = 0, tremblingAfter = 0, popBefore = 0, popAfter = 0;
    double newOverlap = 0;  // m: by how much two bodies overlap deeper than before, at most; bodies as their convex hulls
};

// Writes a copy of the recording with filtered poses. Events, stats and hashes stay those of the run. Throws Error where the
// filter is not valid or the file cannot be written; it must not be the file of the recording itself.
FilterReport filterRecording(Recording& recording, const std::filesystem::path& path, const PoseFilter& filter,
                             const ExportProgress& progress = {});

}  // namespace sunder
