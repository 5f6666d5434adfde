// See motion.h.
#include "scene/export/motion.h"

#include "math/quat.h"

namespace sunder::scene {

namespace {

bool isSame(const Pose& a, const Pose& b) { return a.position == b.position && a.orientation == b.orientation; }

void trim(TrackMotion& motion) {
    std::vector<Pose>& poses = motion.poses;
    while (poses.size() > 1 && isSame(poses[poses.size() - 1], poses[poses.size() - 2]))
        poses.pop_back();
    std::size_t still = 0;
    while (still + 1 < poses.size() && isSame(poses[still], poses[still + 1]))
        ++still;
    poses.erase(poses.begin(), poses.begin() + std::ptrdiff_t(still));
    motion.firstFrame += int(still);
}

}  // namespace

Motions gatherMotions(Recording& recording, const ExportProgress& progress) {
    Motions motions;
    const std::span<const RecordedTrack> tracks = recording.tracks();
    motions.tracks.resize(tracks.size());
    render::Palette palette;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        motions.looks.push_back(palette.look(tracks[i].def.name, tracks[i].def.variant, tracks[i].def.motion));
        motions.tracks[i].firstFrame = tracks[i].firstFrame;
        motions.tracks[i].poses.reserve(std::size_t(tracks[i].endFrame - tracks[i].firstFrame));
    }
    for (int frame = 0; frame < recording.frameCount(); ++frame) {
        recording.seek(frame);
        for (std::size_t i = 0; i < recording.living().size(); ++i) {
            std::vector<Pose>& poses = motions.tracks[recording.living()[i]].poses;
            Pose pose = recording.poses()[i];
            if (!poses.empty() && dot(poses.back().orientation, pose.orientation) < 0)
                pose.orientation = {-pose.orientation.x, -pose.orientation.y, -pose.orientation.z, -pose.orientation.w};
            poses.push_back(pose);
        }
        if (progress && !progress(frame + 1, recording.frameCount()))
            return motions;
    }
    for (TrackMotion& motion : motions.tracks)
        trim(motion);
    motions.finished = true;
    return motions;
}

std::string plainName(const std::string& name) {
    std::string plain;
    for (const char c : name) {
        const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        plain += good ? c : '_';
    }
    return plain.empty() || (plain[0] >= '0' && plain[0] <= '9') ? "_" + plain : plain;
}

}  // namespace sunder::scene
