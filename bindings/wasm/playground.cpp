// See playground.h.
#include "playground.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>

#include "answers.h"

namespace sunder::web {

using Json = nlohmann::ordered_json;

namespace {

// Beyond this, every second one of the older frames is forgotten.
constexpr std::size_t kMostKeptBytes = std::size_t(256) << 20;

// The spring that pulls a grabbed body, per unit of its mass: it turns around in about a third of a second, or more slowly
// where a frame is long, and is damped critically. It acts once per frame, so it must be weak enough for the point that it
// holds, which gives way more easily than the centre does, up to 5.5 times as easily at the corner of a cube: hence the small
// torque.
constexpr Real kGrabRate = 10;  // 1/s
constexpr Real kGrabRateTimesDt = Real(0.3);
constexpr Real kGrabTorque = Real(0.25);  // of that of a force at the point
constexpr Real kGrabSpin = Real(0.9);     // of it is left after each frame

// A node that is held goes this share of its way in a frame, and no faster (m/s).
constexpr Real kNodeShare = Real(0.3), kNodeSpeed = 6;

// Most of a blast goes past bodies that lie on one side of it.
constexpr Real kBlastShare = 3;

Vec3 minus(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vec3 plus(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec3 times(const Vec3& a, Real s) { return {a.x * s, a.y * s, a.z * s}; }
Vec3 cross(const Vec3& a, const Vec3& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
Vec3 rotate(const Quat& q, const Vec3& v) {
    const Vec3 u{q.x, q.y, q.z};
    const Vec3 t = times(cross(u, v), 2);
    return plus(plus(v, times(t, q.w)), cross(u, t));
}
Quat conjugate(const Quat& q) { return {-q.x, -q.y, -q.z, q.w}; }

// Of the nodes that nothing pins, the one nearest to a point in the body's frame.
std::uint32_t nearestNode(const World& world, BodyId body, std::span<const Vec3> nodes, const Vec3& point) {
    std::vector<bool> isPinned(nodes.size());
    for (const NodePin& pin : world.pinnedNodes(body))
        isPinned[pin.node] = true;
    std::uint32_t best = 0;
    Real least = std::numeric_limits<Real>::max();
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        const Vec3 d = minus(nodes[i], point);
        const Real squared = d.x * d.x + d.y * d.y + d.z * d.z;
        if (isPinned[i] || squared >= least)
            continue;
        best = i;
        least = squared;
    }
    return best;
}

Json toJson(const Vec3& v) { return {v.x, v.y, v.z}; }
Json toJson(const std::optional<Camera>& camera) {
    if (!camera)
        return nullptr;
    return {{"position", toJson(camera->position)}, {"target", toJson(camera->target)}, {"fov_degrees", camera->fovDegrees}};
}

}  // namespace

std::string Playground::load(std::string_view text, std::string_view settings, const std::string& folder) {
    SceneResult result = parseScene(text, optionsFor(settings, folder));
    if (!result)
        return failure(result.problems);
    result.scene->world.threads = 1;
    auto runner = std::make_unique<SceneRunner>(*result.scene, tasks_.get());
    release();
    recorder_.reset();
    recording_.reset();
    scene_ = std::move(*result.scene);
    runner_ = std::move(runner);
    kept_.clear();
    keptBytes_ = 0;
    surfaces_.clear();
    moverSurfaces_.clear();
    ownSurfaces_ = {};
    kinds_.clear();
    bodies_.clear();
    blows_.clear();
    filteredFrame_ = kNoFrame;
    noteMaterials();
    keep();
    listBodies();
    const std::optional<Camera> camera = scene_.camera ? scene_.camera : frameBodies(runner_->world());
    Json materials = Json::array();
    for (const SceneMaterial& material : scene_.materials)
        materials.push_back(material.name);
    return Json{{"ok", true},
                {"name", scene_.name},
                {"description", scene_.description},
                {"figure", scene_.figure},
                {"frame_rate", scene_.frameRate},
                {"frames", scene_.frames},
                {"camera", toJson(camera)},
                {"materials", materials}}
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string Playground::openRecording(const std::string& path) {
    Recording opened = Recording::open(path);
    release();
    recorder_.reset();
    runner_.reset();
    kept_.clear();
    keptBytes_ = 0;
    recording_.emplace(std::move(opened));
    surfaces_.clear();
    moverSurfaces_.clear();
    ownSurfaces_ = {};
    kinds_.clear();
    for (int i = 0; i < recording_->surfaceCount(); ++i)
        surfaces_.add(recording_->surface(std::uint32_t(i)));
    bodies_.clear();
    filteredFrame_ = kNoFrame;
    goTo(0);
    const RecordingInfo& info = recording_->info();
    const std::optional<Camera> camera = info.camera ? info.camera : frameBodies(*recording_);
    return Json{{"ok", true},
                {"recording", true},
                {"name", info.name},
                {"description", info.description},
                {"frame_rate", info.frameRate},
                {"frames", recording_->frameCount() - 1},
                {"camera", toJson(camera)},
                {"warning", recording_->warning()}}
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

int Playground::frame() const {
    if (recording_)
        return recording_->frame();
    return runner_ ? runner_->frame() : 0;
}

int Playground::lastKeptFrame() const {
    if (recording_)
        return recording_->frameCount() - 1;
    return kept_.empty() ? 0 : kept_.back().frame;
}

void Playground::stepFrame() {
    if (recording_) {
        goTo(std::min(recording_->frame() + 1, recording_->frameCount() - 1));
        return;
    }
    if (!runner_)
        return;
    forgetLater();
    if (settingsStale_)
        applySettings();
    pull();
    runner_->stepFrame();
    letNodesGo();
    keepBlows();
    keep();
    if (recorder_)
        recorder_->record(*runner_, runner_->statsLine());
    listBodies();
}

void Playground::keep() {
    kept_.push_back({runner_->frame(), runner_->world().checkpoint()});
    keptBytes_ += kept_.back().checkpoint.bytes();
    if (keptBytes_ <= kMostKeptBytes || kept_.size() < 8)
        return;
    // The newer half stays as dense as it is.
    std::deque<Kept> thinned;
    keptBytes_ = 0;
    for (std::size_t i = 0; i < kept_.size(); ++i)
        if (i >= kept_.size() / 2 || i % 2 == 0) {
            keptBytes_ += kept_[i].checkpoint.bytes();
            thinned.push_back(std::move(kept_[i]));
        }
    kept_ = std::move(thinned);
}

void Playground::forgetLater() {
    while (!kept_.empty() && kept_.back().frame > runner_->frame()) {
        keptBytes_ -= kept_.back().checkpoint.bytes();
        kept_.pop_back();
    }
}

int Playground::goTo(int frame) {
    if (recording_) {
        recording_->seek(std::clamp(frame, 0, recording_->frameCount() - 1));
        listRecording();
        return recording_->frame();
    }
    if (kept_.empty())
        return 0;
    auto found = kept_.begin();
    for (auto entry = kept_.begin(); entry != kept_.end() && entry->frame <= frame; ++entry)
        found = entry;
    release();
    runner_->rewind(found->checkpoint, found->frame);
    std::erase_if(blows_, [&](const Blow& blow) { return blow.frame > found->frame; });
    // A frame shows what it was; what comes next obeys the settings of now.
    settingsStale_ = found->frame <= changedAt_;
    listBodies();
    return found->frame;
}

std::string Playground::add(std::string_view text, const std::string& folder) {
    SceneResult result = parseScene(text, optionsFor({}, folder));
    if (!result)
        return failure(result.problems);
    if (!runner_)
        throw Error("a recording takes no new bodies");
    forgetLater();
    noteMaterials(*result.scene);
    for (const BodyDef& body : result.scene->bodies)
        runner_->world().addBody(body);
    listBodies();
    return R"({"ok":true})";
}

std::string Playground::pick(const Vec3& origin, const Vec3& displacement) const {
    if (!runner_)
        return "{}";
    const World& world = runner_->world();
    const std::optional<RayHit> hit = world.castRay({origin, displacement});
    if (!hit)
        return "{}";
    const auto entry = std::find_if(bodies_.begin(), bodies_.end(), [&](const ListedBody& body) {
        return body.index == hit->body.index && body.generation == hit->body.generation;
    });
    return Json{{"body", entry - bodies_.begin()},
                {"name", world.name(hit->body)},
                {"point", {hit->point.x, hit->point.y, hit->point.z}},
                {"normal", toJson(hit->normal)},
                {"distance", hit->distance},
                {"dynamic", world.motion(hit->body) == Motion::Dynamic}}
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool Playground::grab(int body, const Vec3& point) {
    if (!runner_ || body < 0 || std::size_t(body) >= bodies_.size())
        return false;
    const World& world = runner_->world();
    const BodyId id{bodies_[std::size_t(body)].index, bodies_[std::size_t(body)].generation};
    if (!world.isValid(id) || world.motion(id) != Motion::Dynamic)
        return false;
    grabbed_ = id;
    grabPoint_ = rotate(conjugate(world.orientation(id)), minus(point, world.position(id)));
    grabTarget_ = point;
    heldNodes_.clear();
    if (const auto view = world.vertices(id); view && world.deformable(id))
        heldNodes_.push_back({id, nearestNode(world, id, view->positions, grabPoint_)});
    return true;
}

// Nodes of deformable bodies are pinned for the frame, on the way to where they are pulled: an implicit step follows, however
// soft the body is, and it tears where that is too much for it.
void Playground::pullNode() {
    World& world = runner_->world();
    const Real dt = Real(1 / double(scene_.frameRate));
    std::erase_if(heldNodes_, [&](const HeldNode& held) {
        const auto view = world.isValid(held.body) ? world.vertices(held.body) : std::nullopt;
        return !view || held.node >= view->positions.size();
    });
    if (heldNodes_.empty())
        return;
    const HeldNode& first = heldNodes_.front();
    const Vec3 at = plus(world.position(first.body),
                         rotate(world.orientation(first.body), world.vertices(first.body)->positions[first.node]));
    const Vec3 way = minus(grabTarget_, at);
    const Real length = std::sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
    const Real share = std::min(kNodeShare, length > 0 ? kNodeSpeed * dt / length : Real(0));
    heldPlace_ = plus(at, times(way, share));
    for (const HeldNode& held : heldNodes_)
        world.pinNode(held.body, held.node, heldPlace_);
}

// Frames are kept without the pins. A body that tore has its nodes in another order, and on both sides of a crack.
void Playground::letNodesGo() {
    if (heldNodes_.empty())
        return;
    heldNodes_.clear();
    World& world = runner_->world();
    for (const BodyId body : world.bodies()) {
        if (!world.deformable(body))
            continue;
        std::vector<std::uint32_t> pinned;
        for (const NodePin& pin : world.pinnedNodes(body))
            if (pin.place.x == heldPlace_.x && pin.place.y == heldPlace_.y && pin.place.z == heldPlace_.z)
                pinned.push_back(pin.node);
        for (const std::uint32_t node : pinned) {
            world.unpinNode(body, node);
            heldNodes_.push_back({body, node});
        }
    }
}

void Playground::pull() {
    World& world = runner_->world();
    if (!heldNodes_.empty())
        return pullNode();
    if (grabbed_.isNull() || !world.isValid(grabbed_))
        return;
    const Real dt = Real(1 / double(scene_.frameRate));
    const Real rate = std::min(kGrabRate, kGrabRateTimesDt / dt), mass = world.mass(grabbed_);
    const Vec3 point = plus(world.position(grabbed_), rotate(world.orientation(grabbed_), grabPoint_));
    const Vec3 spin = world.angularVelocity(grabbed_);
    const Vec3 arm = minus(point, world.centerOfMass(grabbed_));
    const Vec3 speed = plus(world.velocity(grabbed_), cross(spin, arm));
    const Vec3 change = plus(times(minus(grabTarget_, point), rate * rate * dt), times(speed, -2 * rate * dt));
    const Vec3 impulse = times(change, mass);
    world.addImpulse(grabbed_, minus(impulse, times(world.gravity(), mass * dt)));
    world.addAngularImpulse(grabbed_, times(cross(arm, impulse), kGrabTorque));
    world.setAngularVelocity(grabbed_, times(world.angularVelocity(grabbed_), kGrabSpin));
}

void Playground::explode(const Vec3& at, Real speed, Real radius) {
    if (!runner_)
        return;
    forgetLater();
    World& world = runner_->world();
    Real mass = 0;
    for (const BodyId body : world.bodies()) {
        const Vec3 away = minus(world.centerOfMass(body), at);
        if (away.x * away.x + away.y * away.y + away.z * away.z < radius * radius)
            mass += world.mass(body);
    }
    world.explode(at, kBlastShare * mass * speed, radius);
}

void Playground::cut(int body, const Vec3& point, const Vec3& normal) {
    if (!runner_ || body < 0 || std::size_t(body) >= bodies_.size())
        return;
    forgetLater();
    runner_->world().cut({bodies_[std::size_t(body)].index, bodies_[std::size_t(body)].generation}, point, normal);
}

void Playground::startRecording(const std::string& path) {
    if (!runner_)
        throw Error("there is no scene to record");
    RecorderOptions options;
    options.moving = movingSurfaces_;
    recorder_ = std::make_unique<RunRecorder>(path, scene_, *runner_, options);
    recorder_->record(*runner_, runner_->statsLine());
}

void Playground::stopRecording() {
    if (!recorder_)
        throw Error("nothing is being recorded");
    recorder_->finish();
    recorder_.reset();
}

}  // namespace sunder::web
