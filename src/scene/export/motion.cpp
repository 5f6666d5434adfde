// See motion.h.
#include "scene/export/motion.h"

#include "math/quat.h"
#include "scene/recording/track_looks.h"

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

std::vector<ShapeKey::Triple> triples(std::span<const Vec3> list) {
    std::vector<ShapeKey::Triple> made;
    made.reserve(list.size());
    for (const Vec3& v : list)
        made.push_back({float(v.x), float(v.y), float(v.z)});
    return made;
}

// The least number of frames from key to key with which all keys take at most so many bytes.
int intervalFor(const Recording& recording, std::uint64_t mostBytes) {
    std::uint64_t bytes = 0;
    for (const RecordedTrack& track : recording.tracks())
        for (int frame = track.firstFrame; track.def.deforms && frame < track.endFrame; ++frame)
            bytes += 2 * sizeof(ShapeKey::Triple) *
                     std::get<Surface>(recording.surface(track.surfaceAt(frame)).solids.at(0).solid).positions.size();
    return int(bytes / mostBytes + 1);
}

void addKey(std::vector<ShapeKey>& keys, int frame, const MovedSurface& moved) {
    std::vector<ShapeKey::Triple> positions = triples(moved.positions);
    const auto isLike = [&](std::size_t back) {
        return keys.size() >= back && keys[keys.size() - back].positions == positions;
    };
    // While it does not move, keys at the first and the last frame are enough.
    if (isLike(1) && isLike(2))
        keys.back().frame = frame;
    else
        keys.push_back({frame, std::move(positions), triples(moved.normals)});
}

void gatherShapes(const Recording& recording, Motions& motions) {
    for (const MovedSurface& moved : recording.moved()) {
        const RecordedTrack& track = recording.tracks()[moved.track];
        std::vector<ShapeStretch>& stretches = motions.shapes[moved.track];
        if (stretches.empty() || stretches.back().surface != moved.surface)
            stretches.push_back({moved.surface, recording.frame(), 0, {}});
        ShapeStretch& stretch = stretches.back();
        stretch.endFrame = recording.frame() + 1;
        const int next = stretch.endFrame;
        const bool isLast = next == track.endFrame || track.surfaceAt(next) != moved.surface;
        if (isLast || (recording.frame() - stretch.firstFrame) % motions.shapeInterval == 0)
            addKey(stretch.keys, recording.frame(), moved);
    }
}

// Removes a last key that equals the one before it.
void trim(std::vector<ShapeStretch>& stretches) {
    for (ShapeStretch& stretch : stretches)
        if (std::vector<ShapeKey>& keys = stretch.keys;
            keys.size() > 1 && keys[keys.size() - 1].positions == keys[keys.size() - 2].positions)
            keys.pop_back();
}

}  // namespace

Motions gatherMotions(Recording& recording, const ExportProgress& progress, std::uint64_t mostShapeBytes) {
    Motions motions;
    const std::span<const RecordedTrack> tracks = recording.tracks();
    motions.tracks.resize(tracks.size());
    motions.shapes.resize(tracks.size());
    motions.shapeInterval = intervalFor(recording, mostShapeBytes);
    motions.looks = TrackLooks().of(recording);
    for (std::size_t i = 0; i < tracks.size(); ++i) {
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
        gatherShapes(recording, motions);
        if (progress && !progress(frame + 1, recording.frameCount()))
            return motions;
    }
    for (TrackMotion& motion : motions.tracks)
        trim(motion);
    for (std::vector<ShapeStretch>& stretches : motions.shapes)
        trim(stretches);
    motions.finished = true;
    return motions;
}

Surface surfaceAt(const Recording& recording, const ShapeStretch& stretch, const ShapeKey& key) {
    // A single surface keeps the order of its vertices.
    Surface surface = tessellate(recording.surface(stretch.surface));
    const auto vectors = [](const std::vector<ShapeKey::Triple>& list, std::vector<Vec3>& made) {
        for (std::size_t i = 0; i < list.size(); ++i)
            made[i] = {Real(list[i][0]), Real(list[i][1]), Real(list[i][2])};
    };
    vectors(key.positions, surface.positions);
    vectors(key.normals, surface.normals);
    return surface;
}

std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> piecesBySource(const Recording& recording) {
    const std::span<const RecordedTrack> tracks = recording.tracks();
    std::vector<std::uint32_t> sources;  // by track
    std::vector<std::vector<std::uint32_t>> members(tracks.size());
    for (std::uint32_t track = 0; track < tracks.size(); ++track) {
        const std::uint32_t parent = tracks[track].def.parent;
        sources.push_back(parent < track ? sources[parent] : track);
        members[sources.back()].push_back(track);
    }
    std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> groups;
    for (std::uint32_t track = 0; track < tracks.size(); ++track)
        if (members[track].size() > 1)
            groups.emplace_back(track, std::move(members[track]));
    return groups;
}

std::string materialName(const Recording& recording, const render::Look& look, bool isInside) {
    const std::vector<RecordedLook>& looks = recording.info().looks;
    if (look.material >= looks.size())
        return isInside ? "fracture" : "surface";
    return isInside ? looks[look.material].innerName : looks[look.material].name;
}

std::string innerNameOf(const Recording& recording, const render::Look& look, bool isInside, const MeshMaterials* ofMesh) {
    const bool isNamed = look.material < recording.info().looks.size();
    if (!isInside || isNamed || !ofMesh || ofMesh->empty() || ofMesh->front().name.empty())
        return materialName(recording, look, isInside);
    return ofMesh->front().name + " inside";
}

double roughnessOf(Real gloss, bool isNamed) {
    constexpr double kMatt = 0.95, kUsual = 0.6, kGlossiest = 0.1;
    if (!isNamed)
        return gloss < Real(0.5) ? kMatt : kUsual;
    return kMatt + (kGlossiest - kMatt) * double(gloss);
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
