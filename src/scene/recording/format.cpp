// See format.h.
#include "scene/recording/format.h"

#include <cmath>

#include "core/checksum.h"
#include "math/vec3.h"
#include "scene/recording/octahedral.h"
#include "scene/text/json.h"

namespace sunder::scene {

namespace {

constexpr double kEventQuantum = 1.0 / 1024;  // m: points of events are shown as marks, which need no more than a millimetre
constexpr int kEventNormalBits = 8;           // of each octahedral coordinate
constexpr double kFarthestEvent = 1e9;        // m: points beyond are moved to it, so that quanta fit 64 bits

}  // namespace

std::uint64_t chunkChecksum(std::uint32_t type, std::span<const std::byte> contents) {
    Hasher hasher;
    hasher.add(type);
    hasher.add(contents.size());
    hasher.add(checksum(contents));
    return hasher.value();
}

ChunkFault readChunk(std::span<const std::byte> file, std::uint64_t offset, Chunk& chunk) {
    if (offset > file.size() || file.size() - offset < kChunkHeadBytes)
        return ChunkFault::CutOff;
    BinaryReader in(file.subspan(offset));
    chunk.offset = offset;
    chunk.type = in.value<std::uint32_t>();
    const auto size = in.value<std::uint32_t>();
    const auto sum = in.value<std::uint64_t>();
    if (size > in.remaining())
        return ChunkFault::CutOff;
    chunk.contents = in.block(size);
    return chunkChecksum(chunk.type, chunk.contents) == sum ? ChunkFault::None : ChunkFault::Damaged;
}

namespace {

void writeTrack(BinaryWriter& out, const TrackDef& track) {
    writeText(out, track.name);
    writeVarint(out, track.parent + 1);  // none becomes 0
    writeVarint(out, track.surface);
    out.value(std::uint8_t(track.motion));
    writeVarint(out, track.variant);
    out.value(std::uint8_t(track.deforms));
    writeVarint(out, track.look + 1);
}

TrackDef readTrack(BinaryReader& in, std::uint32_t version) {
    TrackDef track;
    track.name = readText(in);
    track.parent = std::uint32_t(readVarint(in)) - 1;
    track.surface = std::uint32_t(readVarint(in));
    const auto motion = in.value<std::uint8_t>();
    if (motion > std::uint8_t(Motion::Dynamic))
        in.refuse();
    track.motion = Motion(motion);
    track.variant = std::uint32_t(readVarint(in));
    track.deforms = version >= kVersionWithVertices && in.value<std::uint8_t>() != 0;
    track.look = version >= kVersionWithLooks ? std::uint32_t(readVarint(in)) - 1 : kNoLook;
    return track;
}
// A track takes at least so many bytes: a forged count of tracks is refused by it.
constexpr std::size_t kLeastTrackBytes = 5;

void writeOffsets(BinaryWriter& out, const std::vector<std::uint64_t>& offsets) {
    writeVarint(out, offsets.size());
    std::uint64_t last = 0;
    for (const std::uint64_t offset : offsets) {
        writeVarint(out, offset - last);
        last = offset;
    }
}

void readOffsets(BinaryReader& in, std::vector<std::uint64_t>& offsets) {
    offsets.resize(readCount(in, 1));
    std::uint64_t last = 0;
    for (std::uint64_t& offset : offsets)
        offset = last += readVarint(in);
}

void writeChanges(BinaryWriter& out, const std::vector<SurfaceChange>& changes) {
    writeVarint(out, changes.size());
    for (const SurfaceChange& change : changes) {
        writeVarint(out, std::uint64_t(change.frame));
        writeVarint(out, change.surface);
    }
}

// False where the changes are not within the track's life, one after another.
bool readChanges(BinaryReader& in, std::size_t surfaceCount, RecordedTrack& track) {
    track.changes.resize(readCount(in, 2));
    bool good = track.changes.empty() || track.def.deforms;
    std::uint64_t last = std::uint64_t(track.firstFrame);
    for (SurfaceChange& change : track.changes) {
        const std::uint64_t frame = readVarint(in), surface = readVarint(in);
        good = good && frame > last && frame < std::uint64_t(track.endFrame) && surface < surfaceCount;
        change = good ? SurfaceChange{int(frame), std::uint32_t(surface)} : SurfaceChange{};
        last = frame;
    }
    return good;
}

}  // namespace

void writeIndex(BinaryWriter& out, const RecordingIndex& index) {
    writeVarint(out, index.frames.size());
    std::uint64_t last = 0;
    for (const RecordingIndex::Frame& frame : index.frames) {
        writeVarint(out, (frame.offset - last) * 2 + (frame.isKeyframe ? 1 : 0));
        last = frame.offset;
    }
    writeOffsets(out, index.surfaces);
    writeOffsets(out, index.thumbnails);
    writeOffsets(out, index.materials);
    writeVarint(out, index.tracks.size());
    for (const RecordedTrack& track : index.tracks) {
        writeTrack(out, track.def);
        writeVarint(out, std::uint64_t(track.firstFrame));
        writeVarint(out, std::uint64_t(track.endFrame));
        writeChanges(out, track.changes);
    }
}

bool readIndex(std::span<const std::byte> contents, std::uint32_t version, RecordingIndex& index) {
    BinaryReader in(contents);
    index.frames.resize(readCount(in, 1));
    std::uint64_t last = 0;
    for (RecordingIndex::Frame& frame : index.frames) {
        const std::uint64_t code = readVarint(in);
        frame = {last += code / 2, code % 2 == 1};
    }
    readOffsets(in, index.surfaces);
    readOffsets(in, index.thumbnails);
    if (version >= kVersionWithMaterials)
        readOffsets(in, index.materials);
    index.tracks.resize(readCount(in, kLeastTrackBytes));
    const std::uint64_t frames = index.frames.size();
    bool good = !index.frames.empty() && index.frames[0].isKeyframe;
    for (RecordedTrack& track : index.tracks) {
        track.def = readTrack(in, version);
        const std::uint64_t first = readVarint(in), end = readVarint(in);
        good = good && first <= end && end <= frames && track.def.surface < index.surfaces.size();
        track.firstFrame = good ? int(first) : 0;
        track.endFrame = good ? int(end) : 0;
        if (version >= kVersionWithVertices)
            good = readChanges(in, index.surfaces.size(), track) && good;
    }
    return good && !in.failed() && in.remaining() == 0;
}

void writeFront(BinaryWriter& out, const FrameFront& front) {
    out.value(front.number);
    out.value(std::uint8_t(front.isKeyframe));
    writeVarint(out, front.appearing.size());
    for (const TrackDef& track : front.appearing)
        writeTrack(out, track);
    writeVarint(out, front.vanishing.size());
    for (const std::uint32_t track : front.vanishing)
        writeVarint(out, track);
    writeVarint(out, front.changing.size());
    for (const FrameFront::Change& change : front.changing) {
        writeVarint(out, change.track);
        writeVarint(out, change.surface);
    }
}

FrameFront readFront(BinaryReader& in, std::uint32_t version) {
    FrameFront front;
    front.number = in.value<std::uint32_t>();
    front.isKeyframe = in.value<std::uint8_t>() != 0;
    front.appearing.resize(readCount(in, kLeastTrackBytes));
    for (TrackDef& track : front.appearing)
        track = readTrack(in, version);
    front.vanishing.resize(readCount(in, 1));
    for (std::uint32_t& track : front.vanishing)
        track = std::uint32_t(readVarint(in));
    if (version >= kVersionWithVertices)
        front.changing.resize(readCount(in, 2));
    for (FrameFront::Change& change : front.changing) {
        change.track = std::uint32_t(readVarint(in));
        change.surface = std::uint32_t(readVarint(in));
    }
    return front;
}

bool applyFront(const FrameFront& front, std::size_t surfaceCount, std::vector<RecordedTrack>& tracks) {
    const int frame = int(front.number);
    for (RecordedTrack& track : tracks)
        if (track.endFrame == frame)
            track.endFrame = frame + 1;
    for (const TrackDef& track : front.appearing) {
        if (track.surface >= surfaceCount)
            return false;
        tracks.push_back({track, frame, frame + 1});
    }
    for (const std::uint32_t number : front.vanishing) {
        if (number >= tracks.size() || tracks[number].endFrame != frame + 1)
            return false;
        tracks[number].endFrame = frame;  // one that appears with this frame is there for none
    }
    for (const FrameFront::Change& change : front.changing) {
        const bool isThere = change.track < tracks.size() && tracks[change.track].endFrame == frame + 1;
        if (!isThere || change.surface >= surfaceCount)
            return false;
        RecordedTrack& track = tracks[change.track];
        const int last = track.changes.empty() ? track.firstFrame : track.changes.back().frame;
        if (!track.def.deforms || last >= frame)
            return false;
        track.changes.push_back({frame, change.surface});
    }
    return true;
}

void writeEvents(BinaryWriter& out, std::span<const RecordedEvent> events) {
    writeVarint(out, events.size());
    for (const RecordedEvent& event : events) {
        out.value(std::uint8_t(event.type));
        writeVarint(out, event.a + 1);
        writeVarint(out, event.b + 1);
        for (int axis = 0; axis < 3; ++axis) {
            const double x = double(component(event.point, axis));
            const bool good = x > -kFarthestEvent && x < kFarthestEvent;
            writeVarint(out, zigzag(good ? std::int64_t(std::floor(x / kEventQuantum + 0.5)) : 0));
        }
        const auto normal = octahedralFrom(event.normal, kEventNormalBits);
        out.value(std::uint8_t(normal[0]));
        out.value(std::uint8_t(normal[1]));
        out.value(event.impulse);
        writeText(out, event.text);
    }
}

void readEvents(BinaryReader& in, std::vector<RecordedEvent>& events) {
    constexpr std::size_t kLeastBytes = 13;  // of an event: a forged count of events is refused by it
    events.resize(readCount(in, kLeastBytes));
    for (RecordedEvent& event : events) {
        const auto type = in.value<std::uint8_t>();
        if (type > std::uint8_t(RecordedEventType::Blow))
            in.refuse();
        event.type = RecordedEventType(type);
        event.a = std::uint32_t(readVarint(in)) - 1;
        event.b = std::uint32_t(readVarint(in)) - 1;
        for (int axis = 0; axis < 3; ++axis)
            setComponent(event.point, axis, Real(double(unzigzag(readVarint(in))) * kEventQuantum));
        const std::uint32_t u = in.value<std::uint8_t>(), v = in.value<std::uint8_t>();
        event.normal = fromOctahedral({u, v}, kEventNormalBits);
        event.impulse = in.value<float>();
        event.text = readText(in);
    }
}

namespace {

Json toJson(const BodyFacts& body) {
    return {{"first", body.first},       {"last", body.last}, {"count", body.count},
            {"dynamic", body.isDynamic}, {"mass", body.mass}, {"size", {body.size[0], body.size[1], body.size[2]}},
            {"cell", body.cell},         {"wall", body.wall}, {"threshold", body.threshold}};
}

BodyFacts bodyFrom(const Json& json) {
    BodyFacts body;
    body.first = json.at("first");
    body.last = json.at("last");
    body.count = json.at("count");
    body.isDynamic = json.at("dynamic");
    body.mass = json.at("mass");
    for (std::size_t axis = 0; axis < 3; ++axis)
        body.size[axis] = json.at("size").at(axis);
    body.cell = json.at("cell");
    body.wall = json.at("wall");
    body.threshold = json.at("threshold");
    return body;
}

Json toJson(const RecordedLook& look) {
    const auto list = [](const std::optional<Vec3>& v) { return v ? Json{v->x, v->y, v->z} : Json(nullptr); };
    return {{"name", look.name},         {"inner_name", look.innerName},
            {"color", list(look.color)}, {"inner_color", list(look.innerColor)},
            {"gloss", look.gloss},       {"opacity", look.opacity}};
}

RecordedLook lookFrom(const Json& json) {
    const auto vector = [](const Json& v) {
        return v.is_null() ? std::nullopt : std::optional(Vec3{v.at(0).get<Real>(), v.at(1).get<Real>(), v.at(2).get<Real>()});
    };
    return {json.at("name"),
            json.at("inner_name"),
            vector(json.at("color")),
            vector(json.at("inner_color")),
            json.at("gloss").get<Real>(),
            json.at("opacity").get<Real>()};
}

}  // namespace

std::string infoText(const RecordingInfo& info) {
    Json json;
    json["name"] = info.name;
    json["description"] = info.description;
    json["frame_rate"] = info.frameRate;
    if (info.firstFrame != 0)
        json["first_frame"] = info.firstFrame;
    json["quantum"] = info.quantum;
    json["keyframe_interval"] = info.keyframeInterval;
    json["vertex_tolerance"] = info.vertexTolerance;
    if (info.camera) {
        const Camera& c = *info.camera;
        json["camera"] = {{"position", {c.position.x, c.position.y, c.position.z}},
                          {"target", {c.target.x, c.target.y, c.target.z}},
                          {"fov_degrees", c.fovDegrees}};
    }
    json["settings"] = info.settings;
    json["command"] = info.command;
    json["machine"] = info.machine;
    json["stats"] = info.statNames;
    json["looks"] = Json::array();
    for (const RecordedLook& look : info.looks)
        json["looks"].push_back(toJson(look));
    json["bodies"] = Json::array();
    for (const BodyFacts& body : info.facts.bodies)
        json["bodies"].push_back(toJson(body));
    json["warnings"] = info.facts.warnings;
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

RecordingInfo parseInfo(std::span<const std::byte> text) {
    const JsonResult parsed = parseJson({reinterpret_cast<const char*>(text.data()), text.size()});
    if (!parsed.value)
        throw Error("its head is not readable (" + parsed.where + ": " + parsed.message + ")");
    try {
        const Json& json = *parsed.value;
        RecordingInfo info;
        info.name = json.at("name");
        info.description = json.at("description");
        info.frameRate = json.at("frame_rate");
        info.firstFrame = json.value("first_frame", 0);  // of parts only
        info.quantum = json.at("quantum");
        info.keyframeInterval = json.at("keyframe_interval");
        info.vertexTolerance = json.value("vertex_tolerance", info.vertexTolerance);  // not in version 1
        if (json.contains("camera")) {
            const auto vector = [](const Json& v) {
                return Vec3{v.at(0).get<Real>(), v.at(1).get<Real>(), v.at(2).get<Real>()};
            };
            const Json& c = json.at("camera");
            info.camera = Camera{vector(c.at("position")), vector(c.at("target")), c.at("fov_degrees").get<Real>()};
        }
        info.settings = json.at("settings");
        info.command = json.at("command");
        info.machine = json.at("machine");
        info.statNames = json.at("stats").get<std::vector<std::string>>();
        if (json.contains("looks"))  // not before version 3
            for (const Json& look : json.at("looks"))
                info.looks.push_back(lookFrom(look));
        if (json.contains("bodies"))
            for (const Json& body : json.at("bodies"))
                info.facts.bodies.push_back(bodyFrom(body));
        info.facts.warnings = json.value("warnings", std::vector<std::string>{});
        if (!(info.frameRate > 0 && info.frameRate < 1e6 && info.quantum > 0 && info.quantum < 1e3))
            throw Error("its frame rate or quantum makes no sense");
        constexpr int kLastFirstFrame = 1 << 30;
        if (info.firstFrame < 0 || info.firstFrame > kLastFirstFrame)
            throw Error("its first frame makes no sense");
        return info;
    } catch (const Json::exception& error) {
        throw Error(std::string("its head is not readable (") + error.what() + ")");
    }
}

}  // namespace sunder::scene
