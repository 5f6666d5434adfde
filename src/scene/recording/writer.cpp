// Writes a recording chunk by chunk; every frame is handed to the system before the next begins.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/hash.h"
#include "scene/recording/format.h"
#include "scene/recording/frame_codec.h"
#include "scene/recording/surface_codec.h"

namespace sunder {

using namespace scene;

struct RecordingWriter::State {
    std::filesystem::path path;
    std::FILE* file = nullptr;
    std::uint64_t written = 0;
    RecordingInfo info;
    RecordingIndex index;
    RecordingSizes sizes;
    FrameFront front;  // of the frame to come
    std::vector<std::uint32_t> living;
    FrameCodec codec;
    BinaryWriter buffer;
    std::uint32_t nextTrack = 0;

    [[noreturn]] void fail(const char* what) const {
        throw Error(path.string() + ": " + what + " (" + std::strerror(errno) + ")");
    }
    void put(const void* data, std::size_t size) {
        if (std::fwrite(data, 1, size, file) != size)
            fail("could not be written");
        written += size;
    }
    // What the buffer holds, as a chunk; its offset.
    std::uint64_t putChunk(std::uint32_t type) {
        const std::uint64_t offset = written;
        const auto size = std::uint32_t(buffer.size());
        if (buffer.size() != size)
            throw Error(path.string() + ": could not be written (a part of it is larger than 4 GB)");
        const std::uint64_t sum = chunkChecksum(type, buffer.view());
        put(&type, sizeof type);
        put(&size, sizeof size);
        put(&sum, sizeof sum);
        put(buffer.view().data(), size);
        buffer.clear();
        return offset;
    }
    void flush() {
        if (std::fflush(file) != 0)
            fail("could not be written");
    }
};

RecordingWriter::RecordingWriter(const std::filesystem::path& path, const RecordingInfo& info)
    : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.path = path;
    s.info = info;
    s.codec = FrameCodec(info.quantum);
    s.file = std::fopen(path.c_str(), "wb");
    if (s.file == nullptr)
        s.fail("cannot be written");
    const std::uint32_t version[2] = {kRecordingVersion, 0};
    s.put(kRecordingMagic.data(), kRecordingMagic.size());
    s.put(version, sizeof version);
    const std::string text = infoText(info);
    s.buffer.bytes(text.data(), text.size());
    s.putChunk(kInfoChunk);
    s.sizes.rest = s.written;
}

RecordingWriter::~RecordingWriter() {
    if (state_->file != nullptr)
        std::fclose(state_->file);
    std::error_code ignored;
    if (state_->index.frames.empty() && std::filesystem::is_regular_file(state_->path, ignored))
        std::filesystem::remove(state_->path, ignored);
}

std::uint32_t RecordingWriter::addSurface(const DrawnShape& shape) {
    State& s = *state_;
    writeSurface(s.buffer, shape);
    s.sizes.surfaces += s.buffer.size() + kChunkHeadBytes;
    s.index.surfaces.push_back(s.putChunk(kSurfaceChunk));
    return std::uint32_t(s.index.surfaces.size() - 1);
}

std::uint32_t RecordingWriter::addTrack(const TrackDef& track) {
    if (track.surface >= state_->index.surfaces.size())
        throw Error("track.surface: " + std::to_string(track.surface) + " is not allowed (0 to " +
                    std::to_string(std::int64_t(state_->index.surfaces.size()) - 1) + ")");
    state_->front.appearing.push_back(track);
    return state_->nextTrack++;
}

void RecordingWriter::endTrack(std::uint32_t track) { state_->front.vanishing.push_back(track); }

void RecordingWriter::writeFrame(std::span<const Pose> poses, std::span<const RecordedEvent> events,
                                 std::span<const double> stats, std::uint64_t hash) {
    State& s = *state_;
    s.front.number = std::uint32_t(s.index.frames.size());
    s.front.isKeyframe = s.front.number % std::uint32_t(s.info.keyframeInterval) == 0;
    const std::size_t known = s.index.tracks.size();
    if (!applyFront(s.front, s.index.surfaces.size(), s.index.tracks))
        throw Error("endTrack: a track that is not there");
    if (!s.front.vanishing.empty())
        std::erase_if(s.living, [&](std::uint32_t track) { return s.index.tracks[track].endFrame <= int(s.front.number); });
    for (std::size_t track = known; track < s.index.tracks.size(); ++track)
        s.living.push_back(std::uint32_t(track));
    if (poses.size() != s.living.size() || stats.size() != s.info.statNames.size())
        throw Error("writeFrame: " + std::to_string(poses.size()) + " poses and " + std::to_string(stats.size()) +
                    " stats are not allowed (" + std::to_string(s.living.size()) + " and " +
                    std::to_string(s.info.statNames.size()) + ")");
    std::uint64_t at = 0;
    const auto count = [&](std::uint64_t& size) {
        size += s.buffer.size() - at;
        at = s.buffer.size();
    };
    writeFront(s.buffer, s.front);
    count(s.sizes.tracks);
    s.buffer.value(hash);
    for (const double value : stats)
        s.buffer.value(value);
    count(s.sizes.stats);
    writeEvents(s.buffer, events);
    count(s.sizes.events);
    s.codec.write(s.buffer, s.living, poses, s.front.isKeyframe ? s.living.size() : s.front.appearing.size());
    count(s.sizes.poses);
    s.sizes.rest += kChunkHeadBytes;
    s.index.frames.push_back({s.putChunk(kFrameChunk), s.front.isKeyframe});
    s.front.appearing.clear();
    s.front.vanishing.clear();
    s.flush();
}

void RecordingWriter::addThumbnail(int frame, std::string_view png) {
    State& s = *state_;
    writeVarint(s.buffer, std::uint64_t(frame));
    s.buffer.bytes(png.data(), png.size());
    s.sizes.thumbnails += s.buffer.size() + kChunkHeadBytes;
    s.index.thumbnails.push_back(s.putChunk(kThumbnailChunk));
}

void RecordingWriter::finish() {
    State& s = *state_;
    if (s.file == nullptr || s.index.frames.empty())
        return;
    writeIndex(s.buffer, s.index);
    const std::uint64_t before = s.written, offset = s.putChunk(kIndexChunk);
    Hasher hasher;
    hasher.add(offset);
    const std::uint64_t foot[2] = {offset, hasher.value()};
    s.put(foot, sizeof foot);
    s.put(kFootMagic.data(), kFootMagic.size());
    s.sizes.rest += s.written - before;
    s.flush();
    if (std::fclose(std::exchange(s.file, nullptr)) != 0)
        s.fail("could not be written");
}

int RecordingWriter::frameCount() const { return int(state_->index.frames.size()); }
const RecordingSizes& RecordingWriter::sizes() const { return state_->sizes; }

}  // namespace sunder
