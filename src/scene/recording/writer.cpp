// Writes a recording chunk by chunk; every frame is handed to the system before the next begins.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <utility>

#include "core/hash.h"
#include "scene/recording/format.h"
#include "scene/recording/frame_codec.h"
#include "scene/recording/surface_codec.h"
#include "scene/recording/vertex_codec.h"

namespace sunder {

using namespace scene;

struct RecordingWriter::State {
    std::filesystem::path path;
    std::FILE* file = nullptr;
    std::uint64_t written = 0;
    RecordingInfo info;
    RecordingIndex index;
    RecordingSizes sizes;
    FrameFront front;  // of the next frame
    std::vector<std::uint32_t> living;
    FrameCodec codec;
    std::map<std::uint32_t, std::shared_ptr<const SurfaceTopology>> topologies;  // by surface, of those that may move
    std::map<std::uint32_t, VertexTrack> vertices;                               // by track
    std::map<std::shared_ptr<const MeshMaterials>, std::uint32_t> materials;     // for look-up only; their numbers
    BinaryWriter buffer, block;
    std::uint32_t nextTrack = 0;

    [[noreturn]] void fail(const char* what) const {
        throw Error(path.string() + ": " + what + " (" + std::strerror(errno) + ")");
    }
    void put(const void* data, std::size_t size) {
        if (std::fwrite(data, 1, size, file) != size)
            fail("could not be written");
        written += size;
    }
    // Writes the buffer as a chunk and returns its offset.
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
    // Before the surfaces that have them.
    void putMaterials(const DrawnShape& shape) {
        for (const PlacedSolid& placed : shape.solids)
            if (const auto* surface = std::get_if<Surface>(&placed.solid); surface && surface->materials)
                if (materials.try_emplace(surface->materials, std::uint32_t(materials.size())).second) {
                    writeMaterials(buffer, *surface->materials);
                    sizes.surfaces += buffer.size() + kChunkHeadBytes;
                    index.materials.push_back(putChunk(kMaterialsChunk));
                }
    }
    NumberOfMaterials numberOf() const {
        return [this](const std::shared_ptr<const MeshMaterials>& list) { return materials.at(list); };
    }
    std::uint32_t putSurface() {
        sizes.surfaces += buffer.size() + kChunkHeadBytes;
        index.surfaces.push_back(putChunk(kSurfaceChunk));
        return std::uint32_t(index.surfaces.size() - 1);
    }
    void requireMoving(const char* field, std::uint32_t surface) const {
        if (!topologies.contains(surface))
            throw Error(std::string(field) + ": " + std::to_string(surface) + " is not allowed (one of addMovingSurface)");
    }
    void listLiving(std::size_t known);
    void writeVertices(std::span<const MovingVertices> moving);
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
    if (!(info.vertexTolerance > 0 && info.vertexTolerance <= 0.1))
        throw Error("vertexTolerance: " + std::to_string(info.vertexTolerance) + " is not allowed (above 0, up to 0.1)");
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
    s.putMaterials(shape);
    writeSurface(s.buffer, shape, s.numberOf());
    return s.putSurface();
}

std::uint32_t RecordingWriter::addMovingSurface(const Surface& surface) {
    State& s = *state_;
    const std::size_t count = surface.positions.size();
    for (const auto& triangle : surface.triangles)
        for (const std::uint32_t corner : triangle)
            if (corner >= count)
                throw Error("surface.triangles: " + std::to_string(corner) + " is not allowed (below " + std::to_string(count) +
                            ", the number of vertices)");
    DrawnShape shape{{{{}, surface}}};
    auto& smooth = std::get<Surface>(shape.solids[0].solid);
    if (smooth.normals.empty())
        smooth.normals = meanNormals(surface, surface.positions);
    const auto fits = [&](std::size_t listed) { return listed == 0 || listed == count; };
    std::shared_ptr<const SurfaceTopology> topology;
    if (fits(smooth.normals.size()) && fits(smooth.textureCoordinates.size()) && fits(smooth.colors.size()) &&
        topologyOf(shape)) {
        s.putMaterials(shape);
        writeSurface(s.buffer, shape, s.numberOf());
        // The topology of the rounded surface, because the reader predicts from that.
        if (const std::optional<DrawnShape> read =
                readSurface(s.buffer.view(), [&](std::uint32_t) { return smooth.materials; }))
            topology = topologyOf(*read);
    }
    if (!topology) {
        s.buffer.clear();
        throw Error("surface: not allowed (finite vertices, as many normals and texture coordinates or none, ranges in order)");
    }
    const std::uint32_t number = s.putSurface();
    s.topologies[number] = std::move(topology);
    return number;
}

std::uint32_t RecordingWriter::addTrack(const TrackDef& track) {
    if (track.surface >= state_->index.surfaces.size())
        throw Error("track.surface: " + std::to_string(track.surface) + " is not allowed (0 to " +
                    std::to_string(std::int64_t(state_->index.surfaces.size()) - 1) + ")");
    if (track.deforms)
        state_->requireMoving("track.surface", track.surface);
    state_->front.appearing.push_back(track);
    return state_->nextTrack++;
}

void RecordingWriter::endTrack(std::uint32_t track) { state_->front.vanishing.push_back(track); }

void RecordingWriter::changeSurface(std::uint32_t track, std::uint32_t surface) {
    state_->requireMoving("changeSurface", surface);
    state_->front.changing.push_back({track, surface});
}

// The tracks that live in the next frame; the first `known` lived before.
void RecordingWriter::State::listLiving(std::size_t known) {
    if (!front.vanishing.empty())
        std::erase_if(living, [&](std::uint32_t track) {
            const bool isGone = index.tracks[track].endFrame <= int(front.number);
            if (isGone)
                vertices.erase(track);
            return isGone;
        });
    for (std::size_t track = known; track < index.tracks.size(); ++track)
        if (index.tracks[track].endFrame > int(front.number))
            living.push_back(std::uint32_t(track));
}

void RecordingWriter::State::writeVertices(std::span<const MovingVertices> moving) {
    std::map<std::uint32_t, std::span<const Vec3>> given;
    for (const MovingVertices& vertex : moving)
        given[vertex.track] = vertex.positions;
    {
        BitWriter bits(block);
        for (const std::uint32_t track : living) {
            const RecordedTrack& recorded = index.tracks[track];
            if (!recorded.def.deforms)
                continue;
            const auto& topology = topologies.at(recorded.surfaceAt(int(front.number)));
            VertexTrack& stream = vertices[track];
            const bool isFresh = stream.topology() != topology.get();
            if (isFresh)
                stream.begin(topology, info.vertexTolerance);
            const auto positions = given.find(track);
            if (positions != given.end() && positions->second.size() != topology->vertexCount())
                throw Error("writeFrame: " + std::to_string(positions->second.size()) + " vertices of track " +
                            std::to_string(track) + " are not allowed (" + std::to_string(topology->vertexCount()) + ")");
            stream.aim(positions != given.end() ? positions->second : std::span<const Vec3>{});
            if (isFresh || front.isKeyframe)
                stream.writeStart(bits);
            else
                stream.writeMove(bits);
        }
    }
    writeVarint(buffer, block.size());
    buffer.bytes(block.view().data(), block.size());
    block.clear();
}

void RecordingWriter::writeFrame(std::span<const Pose> poses, std::span<const RecordedEvent> events,
                                 std::span<const double> stats, std::uint64_t hash, std::span<const MovingVertices> moving) {
    State& s = *state_;
    s.front.number = std::uint32_t(s.index.frames.size());
    s.front.isKeyframe = s.front.number % std::uint32_t(s.info.keyframeInterval) == 0;
    const std::size_t known = s.index.tracks.size();
    if (!applyFront(s.front, s.index.surfaces.size(), s.index.tracks))
        throw Error("endTrack, changeSurface: a track that is not there, or does not deform");
    s.listLiving(known);
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
    s.writeVertices(moving);
    count(s.sizes.vertices);
    s.codec.write(s.buffer, s.living, poses, s.front.isKeyframe ? s.living.size() : s.front.appearing.size());
    count(s.sizes.poses);
    s.sizes.rest += kChunkHeadBytes;
    s.index.frames.push_back({s.putChunk(kFrameChunk), s.front.isKeyframe});
    s.front.appearing.clear();
    s.front.vanishing.clear();
    s.front.changing.clear();
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
