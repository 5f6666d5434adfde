// Reads all poses, filters them body by body, and writes the recording again around them.
#include <algorithm>
#include <cmath>

#include "math/quat.h"
#include "scene/filter/copy_surfaces.h"
#include "scene/filter/new_overlap.h"
#include "sunder/scene/filters.h"

namespace sunder {

namespace {

// The poses of every track, from its first frame on.
std::vector<std::vector<Pose>> readPoses(Recording& recording, const ExportProgress& progress, bool& goesOn) {
    std::vector<std::vector<Pose>> poses(recording.tracks().size());
    for (int frame = 0; frame < recording.frameCount() && goesOn; ++frame) {
        recording.seek(frame);
        for (std::size_t i = 0; i < recording.living().size(); ++i)
            poses[recording.living()[i]].push_back(recording.poses()[i]);
        goesOn = !progress || progress(frame, 2 * recording.frameCount());
    }
    return poses;
}

bool isFiltered(const RecordedTrack& track) { return track.def.motion != Motion::Static && !track.def.deforms; }

struct Trembling {
    double sum = 0, largest = 0;
    std::size_t count = 0;
    void add(const std::vector<Pose>& poses) {
        for (std::size_t i = 1; i + 1 < poses.size(); ++i) {
            const double d = double(length(poses[i - 1].position - poses[i].position * Real(2) + poses[i + 1].position));
            sum += d;
            largest = std::max(largest, d);
            ++count;
        }
    }
    double mean() const { return count > 0 ? sum / double(count) : 0; }
};

FilterReport filterTracks(const Recording& recording, std::vector<std::vector<Pose>>& poses, const PoseFilter& filter) {
    FilterReport report;
    Trembling before, after;
    for (std::size_t track = 0; track < poses.size(); ++track) {
        if (!isFiltered(recording.tracks()[track]))
            continue;
        ++report.bodies;
        const std::vector<Pose> filtered = filterPoses(poses[track], filter);
        before.add(poses[track]);
        after.add(filtered);
        for (std::size_t i = 0; i < filtered.size(); ++i) {
            const Pose &from = poses[track][i], &to = filtered[i];
            report.largestShift = std::max(report.largestShift, double(length(to.position - from.position)));
            report.largestTurn =
                std::max(report.largestTurn, double(length(rotationVectorBetween(from.orientation, to.orientation))));
        }
        poses[track] = filtered;
    }
    report.tremblingBefore = before.mean();
    report.tremblingAfter = after.mean();
    report.popBefore = before.largest;
    report.popAfter = after.largest;
    return report;
}

// Tracks that appear, end or change their surface with this frame.
void copyChanges(const Recording& recording, int frame, std::uint32_t& nextTrack, RecordingWriter& writer) {
    const std::span<const RecordedTrack> tracks = recording.tracks();
    for (; nextTrack < tracks.size() && tracks[nextTrack].firstFrame == frame; ++nextTrack)
        writer.addTrack(tracks[nextTrack].def);
    for (std::uint32_t i = 0; i < nextTrack; ++i) {
        if (tracks[i].endFrame == frame)
            writer.endTrack(i);
        for (const SurfaceChange& change : tracks[i].changes)
            if (change.frame == frame && frame > tracks[i].firstFrame)
                writer.changeSurface(i, change.surface);
    }
}

// Of the frame that the recording stands at.
std::vector<Pose> posesOfFrame(const Recording& recording, const std::vector<std::vector<Pose>>& poses) {
    std::vector<Pose> living;
    for (const std::uint32_t track : recording.living())
        living.push_back(poses[track][std::size_t(recording.frame() - recording.tracks()[track].firstFrame)]);
    return living;
}

void copyFrame(const Recording& recording, std::span<const Pose> living, RecordingWriter& writer) {
    std::vector<MovingVertices> moving;
    for (const MovedSurface& moved : recording.moved())
        moving.push_back({moved.track, moved.positions});
    writer.writeFrame(living, recording.events(), recording.stats(), recording.hash(), moving);
}

}  // namespace

FilterReport filterRecording(Recording& recording, const std::filesystem::path& path, const PoseFilter& filter,
                             const ExportProgress& progress) {
    const std::vector<std::string> problems = validate(filter);
    if (!problems.empty())
        throw Error("filter: " + problems.front());
    bool goesOn = true;
    std::vector<std::vector<Pose>> poses = readPoses(recording, progress, goesOn);
    FilterReport report = filterTracks(recording, poses, filter);
    if (!goesOn)
        return report;
    RecordingWriter writer(path, recording.info());
    scene::copySurfaces(recording, writer);
    std::uint32_t nextTrack = 0;
    const int count = recording.frameCount();
    scene::OverlapMeter overlaps;
    for (int frame = 0; frame < count && goesOn; ++frame) {
        recording.seek(frame);
        copyChanges(recording, frame, nextTrack, writer);
        const std::vector<Pose> living = posesOfFrame(recording, poses);
        report.newOverlap = std::max(report.newOverlap, overlaps.newOverlap(recording, living));
        copyFrame(recording, living, writer);
        goesOn = !progress || progress(count + frame, 2 * count);
    }
    for (const Recording::Thumbnail& thumbnail : recording.thumbnails())
        if (thumbnail.frame < writer.frameCount())
            writer.addThumbnail(thumbnail.frame, thumbnail.png);
    writer.finish();
    return report;
}

}  // namespace sunder
