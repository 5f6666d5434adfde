// See trim.h.
#include "scene/filter/copy_surfaces.h"
#include "sunder/scene/trim.h"

namespace sunder {

namespace {

class Trimmer {
public:
    Trimmer(Recording& recording, RecordingWriter& writer, int first)
        : recording_(recording), writer_(writer), first_(first), numbers_(recording.tracks().size(), kNoTrack) {}

    void copyFrame(int frame) {
        recording_.seek(frame);
        copyChanges(frame);
        std::vector<MovingVertices> moving;
        for (const MovedSurface& moved : recording_.moved())
            moving.push_back({numbers_[moved.track], moved.positions});
        std::vector<RecordedEvent> events(recording_.events().begin(), recording_.events().end());
        for (RecordedEvent& event : events) {
            event.a = numberOf(event.a);
            event.b = numberOf(event.b);
        }
        writer_.writeFrame(recording_.poses(), events, recording_.stats(), recording_.hash(), moving);
    }

private:
    std::uint32_t numberOf(std::uint32_t track) const { return track < numbers_.size() ? numbers_[track] : kNoTrack; }

    // What broke before the first frame is there for none, so that its pieces keep its colour and hang together in exports.
    void addAncestors(std::uint32_t track) {
        if (track >= numbers_.size() || numbers_[track] != kNoTrack)
            return;
        TrackDef def = recording_.tracks()[track].def;
        addAncestors(def.parent);
        def.parent = numberOf(def.parent);
        numbers_[track] = writer_.addTrack(def);
        writer_.endTrack(numbers_[track]);
    }

    // Tracks that are there from this frame on, end, or change their surface with it.
    void copyChanges(int frame) {
        const std::span<const RecordedTrack> tracks = recording_.tracks();
        for (std::uint32_t i = 0; i < tracks.size(); ++i) {
            const RecordedTrack& track = tracks[i];
            const bool isThere = track.firstFrame <= frame && frame < track.endFrame;
            if (isThere && numbers_[i] == kNoTrack) {
                addAncestors(track.def.parent);
                TrackDef def = track.def;
                def.surface = track.surfaceAt(frame);
                def.parent = numberOf(def.parent);
                numbers_[i] = writer_.addTrack(def);
                continue;
            }
            if (numbers_[i] != kNoTrack && track.endFrame == frame)
                writer_.endTrack(numbers_[i]);
            for (const SurfaceChange& change : track.changes)
                if (isThere && change.frame == frame && frame > first_)
                    writer_.changeSurface(numbers_[i], change.surface);
        }
    }

    Recording& recording_;
    RecordingWriter& writer_;
    int first_;
    std::vector<std::uint32_t> numbers_;  // of tracks in the copy
};

}  // namespace

bool trimRecording(Recording& recording, const std::filesystem::path& path, const TrimOptions& options,
                   const ExportProgress& progress) {
    RecordingInfo info = recording.info();
    const int base = info.firstFrame, end = recording.frameCount() - 1;
    const int first = options.first < 0 ? 0 : options.first - base, last = options.last < 0 ? end : options.last - base;
    if (first < 0 || first > last || last > end)
        throw Error("frames " + std::to_string(first + base) + "-" + std::to_string(last + base) + ": not in the recording (" +
                    std::to_string(base) + " to " + std::to_string(end + base) + ")");
    info.firstFrame = base + first;
    if (options.camera)
        info.camera = options.camera;
    RecordingWriter writer(path, info);
    Trimmer trimmer(recording, writer, first);
    scene::copySurfaces(recording, writer);
    for (int frame = first; frame <= last; ++frame) {
        trimmer.copyFrame(frame);
        if (progress && !progress(frame - first + 1, last - first + 1))
            return false;
    }
    for (const Recording::Thumbnail& thumbnail : recording.thumbnails())
        if (thumbnail.frame >= first && thumbnail.frame <= last)
            writer.addThumbnail(thumbnail.frame - first, thumbnail.png);
    writer.finish();
    return true;
}

}  // namespace sunder
