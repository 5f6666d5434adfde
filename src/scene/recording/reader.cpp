// Reads a recording: by its index where the run was finished, else by going through its chunks up to the last whole one.
#include <algorithm>
#include <cstring>
#include <map>

#include "core/hash.h"
#include "scene/recording/format.h"
#include "scene/recording/frame_codec.h"
#include "scene/recording/surface_codec.h"
#include "scene/recording/vertex_codec.h"
#include "sunder/scene/input_file.h"

namespace sunder {

using namespace scene;

struct Recording::State {
    std::string name;
    std::vector<std::byte> file;
    std::uint32_t version = 0;
    RecordingInfo info;
    RecordingIndex index;
    std::string warning;
    mutable std::vector<std::optional<DrawnShape>> surfaces;  // read when they are first asked for
    mutable std::vector<std::shared_ptr<const MeshMaterials>> materials;

    FrameCodec codec;
    std::map<std::uint32_t, std::shared_ptr<const SurfaceTopology>> topologies;  // by surface
    std::map<std::uint32_t, VertexTrack> vertices;                               // by track
    struct Shape {
        std::vector<Vec3> positions, normals;
    };
    mutable std::vector<Shape> shapes;                       // of moved
    mutable std::optional<std::vector<MovedSurface>> moved;  // found when first asked for in a frame
    int frame = -1;
    std::vector<std::uint32_t> living;
    std::vector<Pose> poses;
    std::vector<RecordedEvent> events;
    std::vector<double> stats;
    std::uint64_t hash = 0;

    [[noreturn]] void fail(const std::string& why) const { throw Error(name + ": " + why); }
    [[noreturn]] void failAt(std::uint64_t offset) const { fail("the recording is damaged at byte " + std::to_string(offset)); }

    void open();
    bool openByIndex(std::uint64_t firstChunk);
    void openByScan(std::uint64_t firstChunk);
    Chunk chunkAt(std::uint64_t offset, std::uint32_t type) const;
    const DrawnShape& surface(std::uint32_t number) const;
    std::shared_ptr<const MeshMaterials> materialsOf(std::uint32_t number) const;
    std::shared_ptr<const SurfaceTopology> topology(std::uint32_t surface);
    bool readVertices(std::span<const std::byte> bytes, int number, bool isKeyframe);
    void readFrame(int number);
};

void Recording::State::open() {
    BinaryReader in(file);
    const std::span<const std::byte> magic = in.block(kRecordingMagic.size());
    if (magic.size() != kRecordingMagic.size() || std::memcmp(magic.data(), kRecordingMagic.data(), magic.size()) != 0)
        fail("is not a recording");
    version = in.value<std::uint32_t>();
    in.value<std::uint32_t>();
    if (in.failed())
        fail("is cut off before its first frame");
    if (version < kOldestVersion || version > kRecordingVersion)
        fail("version " + std::to_string(version) + " is not known (" + std::to_string(kOldestVersion) + " to " +
             std::to_string(kRecordingVersion) + ")");
    Chunk head;
    const ChunkFault fault = readChunk(file, kHeadBytes, head);
    if (fault == ChunkFault::CutOff)
        fail("is cut off before its first frame");
    if (fault == ChunkFault::Damaged || head.type != kInfoChunk)
        failAt(kHeadBytes);
    try {
        info = parseInfo(head.contents);
    } catch (const Error& error) {
        fail(error.what());
    }
    const std::uint64_t firstChunk = kHeadBytes + kChunkHeadBytes + head.contents.size();
    if (!openByIndex(firstChunk))
        openByScan(firstChunk);
    surfaces.resize(index.surfaces.size());
    materials.resize(index.materials.size());
}

bool Recording::State::openByIndex(std::uint64_t firstChunk) {
    if (file.size() < firstChunk + kFootBytes)
        return false;
    BinaryReader foot(std::span<const std::byte>(file).last(kFootBytes));
    const auto offset = foot.value<std::uint64_t>(), sum = foot.value<std::uint64_t>();
    Hasher hasher;
    hasher.add(offset);
    if (hasher.value() != sum || std::memcmp(foot.block(8).data(), kFootMagic.data(), kFootMagic.size()) != 0)
        return false;
    Chunk chunk;
    if (readChunk(file, offset, chunk) != ChunkFault::None || chunk.type != kIndexChunk ||
        !readIndex(chunk.contents, version, index))
        failAt(offset);
    return true;
}

void Recording::State::openByScan(std::uint64_t firstChunk) {
    bool finished = false;
    for (std::uint64_t offset = firstChunk; !finished;) {
        Chunk chunk;
        // A chunk that is not whole was being written when the run was cut off: it is ignored.
        if (readChunk(file, offset, chunk) != ChunkFault::None)
            break;
        if (chunk.type == kSurfaceChunk) {
            index.surfaces.push_back(offset);
        } else if (chunk.type == kMaterialsChunk) {
            index.materials.push_back(offset);
        } else if (chunk.type == kThumbnailChunk) {
            index.thumbnails.push_back(offset);
        } else if (chunk.type == kFrameChunk) {
            BinaryReader in(chunk.contents);
            const FrameFront front = readFront(in, version);
            if (in.failed() || front.number != index.frames.size() || (front.number == 0 && !front.isKeyframe) ||
                !applyFront(front, index.surfaces.size(), index.tracks))
                failAt(offset);
            index.frames.push_back({offset, front.isKeyframe});
        } else if (chunk.type == kIndexChunk) {
            finished = true;
        }
        offset += kChunkHeadBytes + chunk.contents.size();
    }
    if (index.frames.empty())
        fail("is cut off before its first frame");
    if (!finished)
        warning = "the recording is cut off or damaged after frame " + std::to_string(index.frames.size() - 1) +
                  "; what comes before is used";
}

Chunk Recording::State::chunkAt(std::uint64_t offset, std::uint32_t type) const {
    Chunk chunk;
    if (readChunk(file, offset, chunk) != ChunkFault::None || chunk.type != type)
        failAt(offset);
    return chunk;
}

void Recording::State::readFrame(int number) {
    const Chunk chunk = chunkAt(index.frames[number].offset, kFrameChunk);
    living.clear();
    for (std::uint32_t i = 0; i < index.tracks.size(); ++i)
        if (index.tracks[i].firstFrame <= number && number < index.tracks[i].endFrame)
            living.push_back(i);
    BinaryReader in(chunk.contents);
    const FrameFront front = readFront(in, version);
    if (in.failed() || front.number != std::uint32_t(number) || front.isKeyframe != index.frames[number].isKeyframe)
        failAt(chunk.offset);
    const std::size_t fresh = front.isKeyframe ? living.size() : front.appearing.size();
    hash = in.value<std::uint64_t>();
    stats.resize(info.statNames.size());
    for (double& value : stats)
        value = in.value<double>();
    readEvents(in, events);
    if (version >= kVersionWithVertices && !readVertices(in.block(readCount(in, 1)), number, front.isKeyframe))
        failAt(chunk.offset);
    const std::span<const std::byte> rest = in.block(in.remaining());
    if (in.failed() || fresh > living.size() || !codec.read(rest, living, fresh, poses))
        failAt(chunk.offset);
    frame = number;
}

std::shared_ptr<const SurfaceTopology> Recording::State::topology(std::uint32_t number) {
    auto& known = topologies[number];
    if (!known)
        known = topologyOf(surface(number));
    return known;
}

bool Recording::State::readVertices(std::span<const std::byte> bytes, int number, bool isKeyframe) {
    std::erase_if(vertices, [&](const auto& entry) { return !std::binary_search(living.begin(), living.end(), entry.first); });
    BitReader in(bytes);
    for (const std::uint32_t track : living) {
        const RecordedTrack& recorded = index.tracks[track];
        if (!recorded.def.deforms)
            continue;
        const std::shared_ptr<const SurfaceTopology> wanted = topology(recorded.surfaceAt(number));
        VertexTrack& stream = vertices[track];
        const bool isChanged = !recorded.changes.empty() && recorded.surfaceAt(number) != recorded.surfaceAt(number - 1);
        const bool isFresh = isKeyframe || recorded.firstFrame == number || isChanged;
        if (!wanted || (!isFresh && stream.topology() != wanted.get()))
            return false;
        if (!(isFresh ? stream.readStart(in, wanted) : stream.readMove(in)))
            return false;
    }
    return true;
}

Recording::Recording() : state_(std::make_unique<State>()) {}
Recording::~Recording() = default;
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;

Recording Recording::fromBytes(std::vector<std::byte> bytes, const std::string& name) {
    Recording recording;
    State& s = *recording.state_;
    s.name = name;
    s.file = std::move(bytes);
    s.open();
    s.codec = FrameCodec(s.info.quantum);
    recording.seek(0);
    return recording;
}

Recording Recording::open(const std::filesystem::path& path) { return fromBytes(readFile(path), path.string()); }

void Recording::seek(int frame) {
    State& s = *state_;
    if (frame < 0 || frame >= frameCount())
        throw Error("frame: " + std::to_string(frame) + " is not allowed (0 to " + std::to_string(frameCount() - 1) + ")");
    if (frame == s.frame)
        return;
    int from = frame;
    while (!s.index.frames[from].isKeyframe && from != s.frame + 1)
        --from;
    s.moved.reset();
    s.frame = -1;  // if the frame cannot be read, the recording shows none
    for (; from <= frame; ++from)
        s.readFrame(from);
}

std::shared_ptr<const MeshMaterials> Recording::State::materialsOf(std::uint32_t number) const {
    if (number >= materials.size())
        return nullptr;
    if (!materials[number])
        materials[number] = readMaterials(chunkAt(index.materials[number], kMaterialsChunk).contents);
    return materials[number];
}

const DrawnShape& Recording::State::surface(std::uint32_t number) const {
    if (!surfaces[number]) {
        const Chunk chunk = chunkAt(index.surfaces[number], kSurfaceChunk);
        surfaces[number] = readSurface(chunk.contents, [&](std::uint32_t list) { return materialsOf(list); });
        if (!surfaces[number])
            failAt(chunk.offset);
    }
    return *surfaces[number];
}

const DrawnShape& Recording::surface(std::uint32_t number) const {
    const State& s = *state_;
    if (number >= s.surfaces.size())
        throw Error("surface: " + std::to_string(number) + " is not allowed (0 to " +
                    std::to_string(std::int64_t(s.surfaces.size()) - 1) + ")");
    return s.surface(number);
}

std::span<const MovedSurface> Recording::moved() const {
    const State& s = *state_;
    if (s.frame < 0)
        return {};
    if (s.moved)
        return *s.moved;
    std::vector<MovedSurface> found;
    for (const std::uint32_t track : s.living)
        if (s.index.tracks[track].def.deforms)
            found.push_back({track, s.index.tracks[track].surfaceAt(s.frame), {}, {}});
    s.shapes.resize(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        State::Shape& shape = s.shapes[i];
        const VertexTrack& stream = s.vertices.at(found[i].track);
        stream.positions(shape.positions);
        stream.topology()->findNormals(shape.positions, shape.normals);
        found[i].positions = shape.positions;
        found[i].normals = shape.normals;
    }
    s.moved = std::move(found);
    return *s.moved;
}

Surface Recording::surfaceOf(const MovedSurface& moved) const {
    auto shape = std::get<Surface>(surface(moved.surface).solids.at(0).solid);
    shape.positions.assign(moved.positions.begin(), moved.positions.end());
    shape.normals.assign(moved.normals.begin(), moved.normals.end());
    return shape;
}

std::uint32_t RecordedTrack::surfaceAt(int frame) const {
    std::uint32_t surface = def.surface;
    for (const SurfaceChange& change : changes)
        if (change.frame <= frame)
            surface = change.surface;
    return surface;
}

std::vector<Recording::Thumbnail> Recording::thumbnails() const {
    std::vector<Thumbnail> list;
    for (const std::uint64_t offset : state_->index.thumbnails) {
        const Chunk chunk = state_->chunkAt(offset, kThumbnailChunk);
        BinaryReader in(chunk.contents);
        const int frame = int(readVarint(in));
        const std::span<const std::byte> png = in.block(in.remaining());
        list.push_back({frame, {reinterpret_cast<const char*>(png.data()), png.size()}});
    }
    return list;
}

const RecordingInfo& Recording::info() const { return state_->info; }
int Recording::frameCount() const { return int(state_->index.frames.size()); }
std::span<const RecordedTrack> Recording::tracks() const { return state_->index.tracks; }
int Recording::surfaceCount() const { return int(state_->surfaces.size()); }
const std::string& Recording::warning() const { return state_->warning; }
int Recording::frame() const { return state_->frame; }
std::span<const std::uint32_t> Recording::living() const { return state_->living; }
std::span<const Pose> Recording::poses() const { return state_->poses; }
std::span<const RecordedEvent> Recording::events() const { return state_->events; }
std::span<const double> Recording::stats() const { return state_->stats; }
std::uint64_t Recording::hash() const { return state_->hash; }

}  // namespace sunder
