// Follows a run and records it: which bodies are there, where they are, what happened.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>

#include "math/quat.h"
#include "scene/recording/dust_track.h"
#include "scene/recording/shape_mark.h"
#include "scene/text/json.h"
#include "sunder/scene/recording.h"
#include "sunder/scene/runner.h"

#if __has_include(<sys/utsname.h>)
#include <sys/utsname.h>
#endif

namespace sunder {

namespace {

using scene::Json;

// Share of the scene's size that positions are rounded to, and bounds for it: coarser than 2^-14 m would be seen in close-ups
// and breaks the 1e-4 m that exports promise; finer than 2^-24 m is below what float holds in a scene of a metre.
constexpr double kQuantumShare = 1.0 / 262144;
constexpr double kCoarsest = 1.0 / 16384, kFinest = 1.0 / 16777216;

double quantumFor(double extent) {
    double quantum = kCoarsest;
    while (quantum > kFinest && quantum > extent * kQuantumShare)
        quantum /= 2;
    return quantum;
}

struct Radius {
    static double farthest(const std::vector<Vec3>& points) {
        Real squared = 0;
        for (const Vec3& point : points)
            squared = max(squared, lengthSquared(point));
        return std::sqrt(double(squared));
    }
    double operator()(const Sphere& s) const { return double(s.radius); }
    double operator()(const Box& b) const { return double(length(b.halfExtents)); }
    double operator()(const Capsule& c) const { return double(c.radius + c.halfHeight); }
    double operator()(const Cylinder& c) const { return double(c.radius + c.halfHeight); }
    double operator()(const Hull& h) const { return farthest(h.points); }
    double operator()(const Mesh& m) const { return farthest(m.vertices); }
    double operator()(const Surface& s) const { return farthest(s.positions); }
};

double radiusOf(const DrawnShape& shape) {
    double radius = 0;
    for (const PlacedSolid& placed : shape.solids)
        radius = std::max(radius, double(length(placed.bodyFromSolid.position)) + std::visit(Radius{}, placed.solid));
    return radius;
}

// Settings of the scene as JSON: all but the bodies.
std::string settingsOf(const Scene& scene) {
    Scene bare = scene;
    bare.bodies.clear();
    bare.bodyMaterials.clear();
    return writeScene(bare);
}

struct Column {
    std::string name;
    double value;
};

// The numbers of a line of --stats, vectors by component, and the times of the step's stages; the state's hash goes to `hash`.
std::vector<Column> statsOf(const SceneRunner& runner, const std::string& statsLine, std::uint64_t* hash = nullptr) {
    std::vector<Column> columns;
    const auto add = [&](const std::string& name, const Json& value) {
        columns.push_back({name, value.is_number() ? value.get<double>() : std::nan("")});
    };
    const Json line = Json::parse(statsLine);
    for (const auto& [key, value] : line.items()) {
        if (value.is_array())
            for (std::size_t i = 0; i < value.size() && i < 3; ++i)
                add(key + "_" + "xyz"[i], value[i]);
        else if (!value.is_string())
            add(key, value);
        else if (key == "hash" && hash != nullptr)
            *hash = std::strtoull(value.get<std::string>().c_str(), nullptr, 16);
    }
    const WorldStats stats = runner.world().stats();
    columns.push_back({"solve_ms", stats.solveMs});
    columns.push_back({"collide_ms", stats.collideMs});
    columns.push_back({"broad_phase_ms", stats.broadPhaseMs});
    return columns;
}

}  // namespace

struct RunRecorder::State {
    // The track of the body in a slot of the world, and the shape it had last.
    struct Slot {
        std::uint32_t generation = 0;
        std::uint32_t track = kNoTrack;
        scene::ShapeMark shape;  // of a rigid body
        bool deforms = false;
        std::uint64_t revision = 0;  // of a deforming body's triangles
        int seen = -1;               // frame
    };

    RecorderOptions options;
    std::unique_ptr<RecordingWriter> writer;
    std::map<std::uint64_t, std::uint32_t> surfaces;  // by the shape's hash
    std::map<std::string, std::uint32_t> lookOfBody;  // by name
    std::vector<std::uint32_t> lookOf;                // by track
    std::vector<Slot> slots;
    using BodyKey = std::pair<std::uint32_t, std::uint32_t>;
    static BodyKey keyOf(BodyId body) { return {body.index, body.generation}; }
    std::map<BodyKey, std::uint32_t> trackByBody;
    std::map<BodyKey, BodyId> brokeOff;  // of pieces that were made in the last frame
    std::vector<Pose> poseOf;            // by track
    std::vector<std::uint32_t> variantOf;
    std::vector<std::uint32_t> living;
    std::vector<Pose> poses;
    WorldSurfaces ownSurfaces;
    scene::DustTrack dust;
    std::vector<MovingVertices> moving;
    std::vector<RecordedEvent> events;
    std::vector<Real> hardestBlow;  // N s so far, by track
    std::vector<double> stats;

    std::uint32_t surfaceOf(const Shape& shape) {
        const auto [entry, isNew] = surfaces.try_emplace(scene::hashOf(shape), 0);
        if (isNew)
            entry->second = writer->addSurface(drawnShape(shape));
        return entry->second;
    }
    // The track of a body, alive or not. A piece that broke again within a frame has no track; its parent's is given instead.
    std::uint32_t trackOf(BodyId body) const {
        while (!body.isNull()) {
            if (const auto known = trackByBody.find(keyOf(body)); known != trackByBody.end())
                return known->second;
            const auto broken = brokeOff.find(keyOf(body));
            body = broken != brokeOff.end() ? broken->second : BodyId{};
        }
        return kNoTrack;
    }
    void noteBreaks(const SceneRunner& runner) {
        brokeOff.clear();
        for (const BreakEvent& event : runner.broken())
            for (const BodyId piece : event.pieces)
                brokeOff[keyOf(piece)] = event.body;
    }
    std::uint32_t begin(const World& world, BodyId body, std::uint32_t surface, bool deforms);
    void followRigid(const World& world, BodyId body, Slot& slot);
    void followMoving(const World& world, BodyId body, const MovingSurface& moved, Slot& slot);
    void follow(const World& world, BodyId body, int frame);
    void collectEvents(const SceneRunner& runner);
    void collectBlows(const SceneRunner& runner);
};

namespace {

RecordingInfo infoFor(const Scene& scene, const SceneRunner& runner, const RecorderOptions& options) {
    const World& world = runner.world();
    Vec3 low{kInfinity, kInfinity, kInfinity}, high = -low;
    double radius = 0;
    std::map<std::uint64_t, double> radii;
    for (const BodyId body : world.bodies()) {
        if (world.motion(body) == Motion::Static)
            continue;
        const auto [entry, isNew] = radii.try_emplace(scene::hashOf(world.shape(body)), 0);
        if (isNew)
            entry->second = radiusOf(drawnShape(world.shape(body)));
        radius = std::max(radius, entry->second);
        low = min(low, world.position(body));
        high = max(high, world.position(body));
    }
    const Vec3 spread = max(high - low, {0, 0, 0});
    RecordingInfo info;
    info.name = scene.name;
    info.description = scene.description;
    info.frameRate = double(scene.frameRate);
    info.quantum = quantumFor(double(max(spread.x, max(spread.y, spread.z))) + 2 * radius);
    info.camera = scene.camera;
    info.settings = settingsOf(scene);
    info.command = options.command;
    info.machine = describeMachine(scene.world.threads);
    for (const Column& column : statsOf(runner, runner.statsLine()))
        info.statNames.push_back(column.name);
    for (const SceneMaterial& material : scene.materials) {
        const MaterialLook& look = material.look;
        info.looks.push_back({material.name, look.innerName.empty() ? material.name + " inside" : look.innerName, look.color,
                              look.innerColor, look.gloss, look.opacity});
    }
    info.facts = factsOf(scene, runner);
    return info;
}

}  // namespace

RunRecorder::RunRecorder(const std::filesystem::path& path, const Scene& scene, const SceneRunner& runner,
                         const RecorderOptions& options)
    : state_(std::make_unique<State>()) {
    state_->options = options;
    const auto note = [&](const std::string& body, const std::string& material) {
        for (std::size_t look = 0; look < scene.materials.size(); ++look)
            if (scene.materials[look].name == material)
                state_->lookOfBody[body] = std::uint32_t(look);
    };
    for (std::size_t i = 0; i < scene.bodies.size() && i < scene.bodyMaterials.size(); ++i)
        note(scene.bodies[i].name, scene.bodyMaterials[i]);
    for (const LateBody& late : scene.lateBodies)
        note(late.def.name, late.material);
    state_->writer = std::make_unique<RecordingWriter>(path, infoFor(scene, runner, options));
}
RunRecorder::~RunRecorder() = default;
RunRecorder::RunRecorder(RunRecorder&&) noexcept = default;

RecordingWriter& RunRecorder::writer() { return *state_->writer; }
void RunRecorder::finish() { state_->writer->finish(); }

std::uint32_t RunRecorder::State::begin(const World& world, BodyId body, std::uint32_t surface, bool deforms) {
    TrackDef track;
    track.name = world.name(body);
    track.surface = surface;
    track.motion = world.motion(body);
    track.parent = trackOf(world.parent(body));
    // Pieces have the colour of their parent.
    track.variant = track.parent != kNoTrack ? variantOf[track.parent] : body.index;
    track.deforms = deforms;
    if (const auto look = lookOfBody.find(track.name); track.parent != kNoTrack)
        track.look = lookOf[track.parent];
    else if (look != lookOfBody.end())
        track.look = look->second;
    const std::uint32_t number = writer->addTrack(track);
    trackByBody[keyOf(body)] = number;
    poseOf.resize(number + 1);
    variantOf.push_back(track.variant);
    lookOf.push_back(track.look);
    return number;
}

// A body that is new, or whose shape was changed, begins a track.
void RunRecorder::State::followRigid(const World& world, BodyId body, Slot& slot) {
    const scene::ShapeMark shape = scene::markOf(world.shape(body));
    if (slot.track != kNoTrack && slot.generation == body.generation && !slot.deforms && slot.shape == shape)
        return;
    if (slot.track != kNoTrack)
        writer->endTrack(slot.track);
    slot.track = begin(world, body, surfaceOf(world.shape(body)), false);
    slot.shape = shape;
    slot.deforms = false;
}

// A body that deforms keeps its track when its triangles change.
void RunRecorder::State::followMoving(const World& world, BodyId body, const MovingSurface& moved, Slot& slot) {
    if (slot.track == kNoTrack || slot.generation != body.generation || !slot.deforms) {
        if (slot.track != kNoTrack)
            writer->endTrack(slot.track);
        slot.track = begin(world, body, writer->addMovingSurface(*moved.surface), true);
        slot.deforms = true;
    } else if (slot.revision != moved.revision) {
        writer->changeSurface(slot.track, writer->addMovingSurface(*moved.surface));
    }
    slot.revision = moved.revision;
    moving.push_back({slot.track, moved.positions});
}

void RunRecorder::State::follow(const World& world, BodyId body, int frame) {
    if (body.index >= slots.size())
        slots.resize(body.index + 1);
    Slot& slot = slots[body.index];
    if (const std::optional<MovingSurface> moved = options.moving ? options.moving(body) : ownSurfaces.find(world, body))
        followMoving(world, body, *moved, slot);
    else
        followRigid(world, body, slot);
    slot.generation = body.generation;
    slot.seen = frame;
    poseOf[slot.track] = {world.position(body), world.orientation(body)};
    living.push_back(slot.track);
}

// Only those that are harder than all before, so that a body that rests does not fill the file.
void RunRecorder::State::collectBlows(const SceneRunner& runner) {
    for (const Blow& blow : runner.blows()) {
        const std::uint32_t track = trackOf(blow.body);
        if (track == kNoTrack)
            continue;
        if (track >= hardestBlow.size())
            hardestBlow.resize(track + 1);
        if (!(blow.impulse > hardestBlow[track]))
            continue;
        hardestBlow[track] = blow.impulse;
        events.push_back({RecordedEventType::Blow, track, kNoTrack, {}, {0, 1, 0}, float(blow.impulse), {}});
    }
}

void RunRecorder::State::collectEvents(const SceneRunner& runner) {
    const World& world = runner.world();
    events.clear();
    for (const ContactEvent& contact : world.contactEvents()) {
        const bool isHit = contact.phase == ContactPhase::Begin && contact.impulse > 0;
        if (!isHit && (!options.contacts || contact.phase == ContactPhase::End))
            continue;
        events.push_back({isHit ? RecordedEventType::Hit : RecordedEventType::Contact,
                          trackOf(contact.a),
                          trackOf(contact.b),
                          contact.point,
                          contact.normal,
                          float(contact.impulse),
                          {}});
    }
    const auto most = std::size_t(std::max(options.mostHits, 0));
    if (!options.contacts && events.size() > most) {
        std::stable_sort(events.begin(), events.end(),
                         [](const RecordedEvent& a, const RecordedEvent& b) { return a.impulse > b.impulse; });
        events.resize(most);
    }
    for (const BreakEvent& broken : runner.broken())
        events.push_back(
            {RecordedEventType::Break, trackOf(broken.body), kNoTrack, broken.point, broken.normal, float(broken.impulse), {}});
    collectBlows(runner);
    for (const ErrorEvent& error : world.errorEvents())
        events.push_back({RecordedEventType::Error, trackOf(error.body), kNoTrack, {}, {0, 1, 0}, 0, error.message});
}

void RunRecorder::record(const SceneRunner& runner, const std::string& statsLine) {
    State& s = *state_;
    const World& world = runner.world();
    s.living.clear();
    s.moving.clear();
    s.noteBreaks(runner);
    for (const BodyId body : world.bodies())
        s.follow(world, body, runner.frame());
    if (const std::uint32_t dust = s.dust.follow(world, *s.writer, s.moving); dust != kNoTrack) {
        s.poseOf.resize(std::max<std::size_t>(s.poseOf.size(), dust + 1));
        s.variantOf.resize(s.poseOf.size());
        s.lookOf.resize(s.poseOf.size(), kNoLook);
        s.living.push_back(dust);
    }
    s.collectEvents(runner);
    for (State::Slot& slot : s.slots)
        if (slot.track != kNoTrack && slot.seen != runner.frame()) {
            s.writer->endTrack(slot.track);
            slot.track = kNoTrack;
        }
    std::sort(s.living.begin(), s.living.end());
    s.poses.clear();
    for (const std::uint32_t track : s.living)
        s.poses.push_back(s.poseOf[track]);
    s.stats.clear();
    std::uint64_t hash = 0;
    for (const Column& column : statsOf(runner, statsLine, &hash))
        s.stats.push_back(column.value);
    s.writer->writeFrame(s.poses, s.events, s.stats, hash, s.moving);
}

std::string describeMachine(int threads) {
    std::string processor = "unknown processor";
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos) {
            processor = line.substr(line.find(": ") + 2);
            break;
        }
    std::string system;
#if __has_include(<sys/utsname.h>)
    utsname name{};
    if (::uname(&name) == 0)
        system = std::string(", ") + name.sysname + " " + name.machine;
#endif
    return processor + system + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads") + ", Sunder " +
           SUNDER_VERSION + (sizeof(Real) == 8 ? " (double)" : " (float)");
}

}  // namespace sunder
