// Binary glTF: a node per body, a mesh per surface and colour, one animation. Written directly: the JSON is small and regular,
// and reading it back with tinygltf is what the tests do.
//
// Bodies that appear late or vanish have a scale of 0 while they are not there, in steps: every viewer knows scale, few know
// the extension for visibility.
#include <cmath>
#include <limits>

#include "math/quat.h"
#include "render/view.h"
#include "scene/export/glb_builder.h"
#include "sunder/scene/output_file.h"

namespace sunder {

namespace scene {

using render::Look;

namespace {

constexpr int kUnsignedByte = 5121, kUnsignedShort = 5123, kIndices = 34963;
constexpr std::size_t kMostBytes = std::numeric_limits<std::uint32_t>::max();  // sizes in a GLB are 32-bit

}  // namespace

float gltfTime(int frame, double frameRate) {
    const double time = frame / frameRate;
    const auto rounded = float(time);
    return double(rounded) > time ? std::nextafter(rounded, 0.0f) : rounded;
}

int GlbBuilder::addView(int target) {
    while (data_.size() % 4 != 0)
        data_.push_back('\0');
    Json view{{"buffer", 0}, {"byteOffset", data_.size()}};
    if (target != 0)
        view["target"] = target;
    views_.push_back(view);
    return int(views_.size() - 1);
}

void GlbBuilder::closeView() { views_.back()["byteLength"] = data_.size() - views_.back()["byteOffset"].get<std::size_t>(); }

int GlbBuilder::addAccessor(int view, std::size_t offset, int type, std::size_t count, const char* shape, Json low, Json high) {
    Json accessor{{"bufferView", view}, {"byteOffset", offset}, {"componentType", type}, {"count", count}, {"type", shape}};
    if (!low.is_null()) {
        accessor["min"] = std::move(low);
        accessor["max"] = std::move(high);
    }
    accessors_.push_back(std::move(accessor));
    return int(accessors_.size() - 1);
}

// The accessors of a surface, made once.
const GlbBuilder::Vertices& GlbBuilder::verticesOf(std::uint32_t number) {
    const auto [known, isNew] = vertices_.try_emplace(number);
    if (isNew)
        known->second = addVertices(tessellate(recording_.surface(number)));
    return known->second;
}

GlbBuilder::Vertices GlbBuilder::addVertices(const Surface& surface) {
    Vertices entry;
    if (surface.triangles.empty())
        return entry;
    const std::size_t count = surface.positions.size();
    Vec3 low = surface.positions[0], high = low;
    for (const Vec3& p : surface.positions) {
        low = min(low, p);
        high = max(high, p);
    }
    const auto bound = [](const Vec3& v) { return Json{float(v.x), float(v.y), float(v.z)}; };
    int view = addView(kVertices);
    for (const Vec3& p : surface.positions)
        appendVector(p);
    closeView();
    entry.attributes["POSITION"] = addAccessor(view, 0, kFloat, count, "VEC3", bound(low), bound(high));
    view = addView(kVertices);
    for (const Vec3& n : surface.normals)
        appendVector(normalizeOr(n, {0, 1, 0}));
    closeView();
    entry.attributes["NORMAL"] = addAccessor(view, 0, kFloat, count, "VEC3");
    if (!surface.textureCoordinates.empty()) {
        view = addView(kVertices);
        for (const auto& c : surface.textureCoordinates) {
            append(c[0]);
            append(c[1]);
        }
        closeView();
        entry.attributes["TEXCOORD_0"] = addAccessor(view, 0, kFloat, count, "VEC2");
    }
    if (!surface.colors.empty()) {
        view = addView(kVertices);
        for (const auto& color : surface.colors)
            for (const std::uint8_t x : color)
                append(x);
        closeView();
        entry.attributes["COLOR_0"] = addAccessor(view, 0, kUnsignedByte, count, "VEC4");
        accessors_.back()["normalized"] = true;
    }
    entry.materials = surface.materials;
    const bool isSmall = count < 65535;
    view = addView(kIndices);
    std::size_t offset = 0;
    for (const SurfaceRange& range : surface.ranges) {
        for (std::uint32_t i = 0; i < range.triangleCount; ++i)
            for (const std::uint32_t vertex : surface.triangles[range.firstTriangle + i]) {
                if (isSmall)
                    append(std::uint16_t(vertex));
                else
                    append(vertex);
            }
        entry.slots.push_back(range.slot);
        entry.indices.push_back(
            addAccessor(view, offset, isSmall ? kUnsignedShort : kUnsignedInt, 3 * std::size_t(range.triangleCount), "SCALAR"));
        offset += 3 * std::size_t(range.triangleCount) * (isSmall ? 2 : 4);
    }
    closeView();
    return entry;
}

int GlbBuilder::meshOf(std::uint32_t surface, const Look& look) {
    const auto [entry, isNew] = meshOf_.try_emplace(
        {surface, look.albedo.x, look.albedo.y, look.albedo.z, look.gloss, look.material}, int(meshes_.size()));
    if (!isNew)
        return entry->second;
    const Vertices& vertices = verticesOf(surface);
    if (vertices.indices.empty())
        return entry->second = -1;
    meshes_.push_back({{"name", "surface " + std::to_string(surface)}, {"primitives", primitivesOf(vertices, look)}});
    return entry->second;
}

Json GlbBuilder::primitivesOf(const Vertices& vertices, const Look& look) {
    Json primitives = Json::array();
    for (std::size_t i = 0; i < vertices.indices.size(); ++i)
        primitives.push_back({{"attributes", vertices.attributes},
                              {"indices", vertices.indices[i]},
                              {"material", materialOf(look, vertices.slots[i], vertices.materials)}});
    return primitives;
}

void GlbBuilder::addNode(std::uint32_t track) {
    const RecordedTrack& recorded = recording_.tracks()[track];
    const Pose& pose = motions_.tracks[track].poses[0];
    const Vec3& p = pose.position;
    const Quat q = pose.orientation;
    Json node{{"name", recorded.def.name.empty() ? "body " + std::to_string(track) : recorded.def.name}};
    node["translation"] = {float(p.x), float(p.y), float(p.z)};
    node["rotation"] = {float(q.x), float(q.y), float(q.z), float(q.w)};
    if (recorded.firstFrame > 0)
        node["scale"] = {0, 0, 0};
    const int mesh = recorded.def.deforms ? -1 : meshOf(recorded.def.surface, motions_.looks[track]);
    if (mesh >= 0)
        node["mesh"] = mesh;
    Json extras{{"track", track}};
    if (recorded.def.parent != kNoTrack)
        extras["parent_track"] = recorded.def.parent;
    node["extras"] = std::move(extras);
    const int number = int(nodes_.size());
    nodes_.push_back(std::move(node));
    isChild_.push_back(false);
    nodeOfTrack_[track] = number;
    animate(number, track);
    addShapes(number, track);
}

// The camera of the recording, or one that sees it all. glTF's cameras look along -z.
void GlbBuilder::addCamera() {
    const Camera camera = recording_.info().camera ? *recording_.info().camera : frameBodies(recording_);
    const render::View view = render::makeView(camera, Real(16) / 9);
    const Vec3 back = -view.forward;
    const Quat q =
        toQuat({{view.right.x, view.up.x, back.x}, {view.right.y, view.up.y, back.y}, {view.right.z, view.up.z, back.z}});
    const float distance = float(length(camera.target - camera.position));
    camera_ = {{"type", "perspective"},
               {"perspective",
                {{"yfov", float(camera.fovDegrees * kPi / 180)},
                 {"aspectRatio", 16.0 / 9},
                 {"znear", 0.01f * distance},
                 {"zfar", 100.0f * distance}}}};
    const Vec3& p = view.position;
    nodes_.push_back({{"name", "camera"},
                      {"camera", 0},
                      {"translation", {float(p.x), float(p.y), float(p.z)}},
                      {"rotation", {float(q.x), float(q.y), float(q.z), float(q.w)}}});
}

void GlbBuilder::addGroups() {
    for (const auto& [root, members] : piecesBySource(recording_)) {
        Json children = Json::array();
        for (const std::uint32_t track : members)
            if (const auto node = nodeOfTrack_.find(track); node != nodeOfTrack_.end()) {
                children.push_back(node->second);
                isChild_[std::size_t(node->second)] = true;
            }
        if (children.empty())
            continue;
        const std::string& name = recording_.tracks()[root].def.name;
        nodes_.push_back({{"name", (name.empty() ? "body " + std::to_string(root) : name) + " and its pieces"},
                          {"children", std::move(children)},
                          {"extras", {{"group_of_track", root}}}});
    }
}

// All bodies share one list of times; each refers to its span of it.
int GlbBuilder::timesOf(int first, std::size_t count) {
    const auto [entry, isNew] = timesOf_.try_emplace({first, count}, 0);
    if (isNew) {
        const double rate = recording_.info().frameRate;
        entry->second = addAccessor(timeView_, sizeof(float) * std::size_t(first), kFloat, count, "SCALAR",
                                    Json{gltfTime(first, rate)}, Json{gltfTime(first + int(count) - 1, rate)});
    }
    return entry->second;
}

void GlbBuilder::addChannel(int node, const char* path, int input, int output, const char* interpolation) {
    channels_.push_back({{"sampler", samplers_.size()}, {"target", {{"node", node}, {"path", path}}}});
    samplers_.push_back({{"input", input}, {"output", output}, {"interpolation", interpolation}});
}

void GlbBuilder::animate(int node, std::uint32_t track) {
    const auto appendMotion = [&](std::initializer_list<Real> values) {
        for (const Real value : values) {
            const auto number = float(value);
            motion_.append(reinterpret_cast<const char*>(&number), sizeof number);
        }
    };
    const TrackMotion& motion = motions_.tracks[track];
    const std::size_t count = motion.poses.size();
    if (motion.moves()) {
        const int times = timesOf(motion.firstFrame, count);
        std::size_t at = motion_.size();
        for (const Pose& pose : motion.poses)
            appendMotion({pose.position.x, pose.position.y, pose.position.z});
        addChannel(node, "translation", times, addAccessor(motionView_, at, kFloat, count, "VEC3"), "LINEAR");
        at = motion_.size();
        for (const Pose& pose : motion.poses) {
            const Quat& q = pose.orientation;
            appendMotion({q.x, q.y, q.z, q.w});
        }
        addChannel(node, "rotation", times, addAccessor(motionView_, at, kFloat, count, "VEC4"), "LINEAR");
    }
    hide(node, recording_.tracks()[track].firstFrame, recording_.tracks()[track].endFrame);
}

int GlbBuilder::motionNumbers(std::span<const float> numbers, const char* shape) {
    const std::size_t at = motion_.size(), width = shape[0] == 'S' ? 1 : std::size_t(shape[3] - '0');
    motion_.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
    return addAccessor(motionView_, at, kFloat, numbers.size() / width, shape);
}

int GlbBuilder::motionTimes(const std::vector<int>& frames) {
    std::vector<float> times;
    for (const int frame : frames)
        times.push_back(gltfTime(frame, recording_.info().frameRate));
    const int accessor = motionNumbers(times, "SCALAR");
    accessors_[accessor]["min"] = Json{times.front()};
    accessors_[accessor]["max"] = Json{times.back()};
    return accessor;
}

void GlbBuilder::hide(int node, int firstFrame, int endFrame) {
    const bool appears = firstFrame > 0, vanishes = endFrame < recording_.frameCount();
    if (!appears && !vanishes)
        return;
    std::vector<int> frames{0};
    std::vector<float> scales(3, appears ? 0.0f : 1.0f);
    const auto step = [&](int frame, float scale) {
        frames.push_back(frame);
        scales.insert(scales.end(), 3, scale);
    };
    if (appears)
        step(firstFrame, 1);
    if (vanishes)
        step(endFrame, 0);
    const int times = motionTimes(frames);
    addChannel(node, "scale", times, motionNumbers(scales, "VEC3"), "STEP");
}

std::string GlbBuilder::build() {
    timeView_ = addView(0);
    for (int frame = 0; frame < recording_.frameCount(); ++frame)
        append(gltfTime(frame, recording_.info().frameRate));
    closeView();
    // The view of the animation's values; its size is known only at the end.
    motionView_ = int(views_.size());
    views_.push_back({{"buffer", 0}, {"byteOffset", 0}, {"byteLength", 0}});
    for (std::uint32_t track = 0; track < recording_.tracks().size(); ++track)
        if (!motions_.tracks[track].poses.empty())
            addNode(track);
    addCamera();
    addGroups();
    if (motion_.empty())
        motion_.assign(sizeof(float), '\0');  // a view may not be empty
    while (data_.size() % 4 != 0)
        data_.push_back('\0');
    views_[motionView_]["byteOffset"] = data_.size();
    views_[motionView_]["byteLength"] = motion_.size();
    data_ += motion_;

    Json root;
    root["asset"] = {{"version", "2.0"}, {"generator", std::string("Sunder ") + SUNDER_VERSION}};
    root["scene"] = 0;
    Json all = Json::array();
    for (std::size_t i = 0; i < nodes_.size(); ++i)
        if (i >= isChild_.size() || !isChild_[i])
            all.push_back(i);
    Json view{{"name", recording_.info().name.empty() ? "sunder" : recording_.info().name}};
    view["extras"] = {{"frame_rate", recording_.info().frameRate}, {"frames", recording_.frameCount()}};
    if (recording_.info().firstFrame > 0)
        view["extras"]["first_frame"] = recording_.info().firstFrame;
    if (!all.empty())
        view["nodes"] = std::move(all);
    root["scenes"] = Json::array({std::move(view)});
    const auto put = [&](const char* key, Json& list) {
        if (!list.empty())
            root[key] = std::move(list);
    };
    put("nodes", nodes_);
    root["cameras"] = Json::array({std::move(camera_)});
    put("meshes", meshes_);
    put("materials", materials_);
    put("textures", textures_);
    put("images", images_);
    if (!textureSamplers_.empty())
        root["samplers"] = std::move(textureSamplers_);
    if (!channels_.empty())
        root["animations"] =
            Json::array({{{"name", "run"}, {"channels", std::move(channels_)}, {"samplers", std::move(samplers_)}}});
    put("accessors", accessors_);
    put("bufferViews", views_);
    root["buffers"] = Json::array({{{"byteLength", data_.size()}}});

    return packGlb(root.dump(-1, ' ', false, Json::error_handler_t::replace), std::move(data_));
}

std::string packGlb(std::string json, std::string data) {
    while (json.size() % 4 != 0)
        json.push_back(' ');
    while (data.size() % 4 != 0)
        data.push_back('\0');
    if (json.size() + data.size() + 28 > kMostBytes)
        throw Error("this is too large for GLB, which holds 4 GB");
    std::string file;
    const auto word = [&](std::uint32_t value) { file.append(reinterpret_cast<const char*>(&value), sizeof value); };
    file.append("glTF");
    word(2);
    word(std::uint32_t(json.size() + data.size() + 28));
    word(std::uint32_t(json.size()));
    file.append("JSON");
    file += json;
    word(std::uint32_t(data.size()));
    file.append("BIN\0", 4);
    file += data;
    return file;
}

}  // namespace scene

bool writeGlb(Recording& recording, const std::filesystem::path& path, const ExportProgress& progress) {
    OutputFile file(path);
    const scene::Motions motions = scene::gatherMotions(recording, progress);
    if (!motions.finished)
        return false;
    file.write(scene::GlbBuilder(recording, motions).build());
    file.commit();
    return true;
}

}  // namespace sunder
