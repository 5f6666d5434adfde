// See runner.h. The lines' fields are a contract with scripts: add, do not rename.
#include "sunder/scene/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

namespace sunder {

namespace {

// The shortest text that reads back as the same number; JSON has no infinities.
std::string text(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

void appendNumber(fmt::memory_buffer& line, Real value) {
    if (std::isfinite(value))
        fmt::format_to(std::back_inserter(line), "{}", value);
    else
        fmt::format_to(std::back_inserter(line), "null");
}

void appendList(fmt::memory_buffer& line, const char* key, std::initializer_list<Real> values) {
    fmt::format_to(std::back_inserter(line), ",\"{}\":[", key);
    bool first = true;
    for (const Real value : values) {
        if (!first)
            line.push_back(',');
        first = false;
        appendNumber(line, value);
    }
    line.push_back(']');
}

std::string quoted(const std::string& name) {
    std::string result = "\"";
    for (const char c : name) {
        if (c == '"' || c == '\\')
            result += '\\';
        if (static_cast<unsigned char>(c) < 0x20)
            result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            result += c;
    }
    return result + "\"";
}

struct StressCollector final : StressDraw {
    std::vector<StressMap> maps;
    void stress(const StressMap& map) override { maps.push_back(map); }
};

// What only shows when the body is made is told with the path that --set has for it.
BodyId addNamed(World& world, const BodyDef& body) {
    try {
        return world.addBody(body);
    } catch (const Error& error) {
        const std::string message = error.what();
        const bool startsWithField = message.find(": ") < message.find(' ');
        throw Error("bodies." + body.name + (startsWithField ? "." : ": ") + message);
    }
}

}  // namespace

SceneRunner::SceneRunner(const Scene& scene, TaskRunner* tasks, CallLog* log)
    : frameRate_(scene.frameRate), stepsPerFrame_(scene.stepsPerFrame), world_(scene.world, tasks) {
    world_.record(log);
    std::map<std::string, BodyId> byName;
    for (const BodyDef& body : scene.bodies)
        byName[body.name] = addNamed(world_, body);
    for (const SceneJoint& joint : scene.joints) {
        JointDef def = joint.def;
        def.a = joint.a.empty() ? BodyId{} : byName.at(joint.a);
        def.b = joint.b.empty() ? BodyId{} : byName.at(joint.b);
        world_.addJoint(def);
    }
    for (const BodyId body : world_.bodies())
        traceId(body);
    events_ = scene.events;
    for (const LateBody& late : scene.lateBodies)
        events_.push_back({late.time, {}, {}, {}, late.def});
    std::stable_sort(events_.begin(), events_.end(), [](const SceneEvent& a, const SceneEvent& b) { return a.time < b.time; });
}

void SceneRunner::doEvents() {
    // Half a step early counts as on time, as half a step late does.
    const double now = world_.stats().time + 0.5 / (double(frameRate_) * stepsPerFrame_);
    for (; nextEvent_ < events_.size() && double(events_[nextEvent_].time) < now; ++nextEvent_) {
        const SceneEvent& event = events_[nextEvent_];
        if (event.add)
            traceId(addNamed(world_, *event.add));
        if (event.explode)
            world_.explode(event.explode->at, event.explode->impulse, event.explode->radius);
        // The body may have broken meanwhile.
        if (event.breakBody)
            if (const BodyId body = world_.find(event.breakBody->body); !body.isNull())
                world_.breakBody(body, event.breakBody->at, event.breakBody->normal, event.breakBody->impulse);
        if (event.cut)
            if (const BodyId body = world_.find(event.cut->body); !body.isNull())
                world_.cut(body, event.cut->at, event.cut->normal);
    }
}

// Pieces get their ids in the order of their creation; a slot may be reused in the same step.
void SceneRunner::noteBreaks() {
    for (const BreakEvent& event : world_.breakEvents()) {
        const std::uint64_t parent = traceId(event.body).id;
        for (const BodyId piece : event.pieces)
            traceId(piece).parent = parent;
        broken_.push_back(event);
        brokenIds_.push_back(parent);
    }
}

void SceneRunner::noteStress() {
    StressCollector found;
    world_.debugDraw(found);
    for (StressMap& map : found.maps) {
        if (world_.isValid(map.body) && world_.vertices(map.body))
            continue;
        const auto same = std::find_if(stressMaps_.begin(), stressMaps_.end(),
                                       [&](const StressMap& known) { return known.body == map.body; });
        if (same == stressMaps_.end())
            stressMaps_.push_back(std::move(map));
        else if (map.worstTension > same->worstTension)
            *same = std::move(map);
    }
}

void SceneRunner::stepFrame() {
    using Clock = std::chrono::steady_clock;
    errors_.clear();
    broken_.clear();
    brokenIds_.clear();
    blows_.beginFrame();
    stressMaps_.clear();
    maxPenetration_ = storedEnergy_ = releasedEnergy_ = 0;
    breaks_ = rewinds_ = 0;
    stressSolves_ = stressIterations_ = crackedElements_ = dents_ = 0;
    const Real dt = Real(1 / (double(frameRate_) * stepsPerFrame_));
    stepMs_ = 0;
    for (int i = 0; i < stepsPerFrame_; ++i) {
        doEvents();
        if (watchesBlows_)
            blows_.beforeStep(world_);
        const Clock::time_point start = Clock::now();
        world_.step(dt);
        stepMs_ += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
        noteBreaks();
        if (watchesBlows_)
            blows_.afterStep(world_, dt);
        const WorldStats stats = world_.stats();
        maxPenetration_ = std::fmax(maxPenetration_, stats.maxPenetration);
        breaks_ += stats.breaks;
        rewinds_ += stats.rewinds;
        storedEnergy_ += stats.storedEnergy;
        releasedEnergy_ += stats.releasedEnergy;
        stressSolves_ += stats.stressSolves;
        stressIterations_ += stats.stressIterations;
        crackedElements_ += stats.crackedElements;
        dents_ += stats.dents;
        if (stats.stressSolves > 0)
            noteStress();
        for (const ErrorEvent& event : world_.errorEvents())
            errors_.push_back(event.message);
    }
    ++frame_;
}

void SceneRunner::rewind(const Checkpoint& checkpoint, int frame) {
    world_.rewind(checkpoint);
    blows_ = {};
    stressMaps_.clear();
    frame_ = frame;
    stepMs_ = 0;
    maxPenetration_ = world_.stats().maxPenetration;
    breaks_ = world_.stats().breaks;
    rewinds_ = world_.stats().rewinds;
    storedEnergy_ = world_.stats().storedEnergy;
    releasedEnergy_ = world_.stats().releasedEnergy;
    stressSolves_ = world_.stats().stressSolves;
    stressIterations_ = world_.stats().stressIterations;
    crackedElements_ = world_.stats().crackedElements;
    dents_ = world_.stats().dents;
    errors_.clear();
    broken_.clear();
    brokenIds_.clear();
    // Skips the events that steps before that moment have done, by the rule of doEvents().
    const double step = 1 / (double(frameRate_) * stepsPerFrame_);
    for (nextEvent_ = 0; nextEvent_ < events_.size(); ++nextEvent_)
        if (!(double(events_[nextEvent_].time) < world_.stats().time - 0.5 * step))
            break;
}

std::string SceneRunner::statsLine() const {
    const WorldStats stats = world_.stats();
    const double* p = stats.linearMomentum;
    const double* l = stats.angularMomentum;
    return fmt::format(
        "{{\"frame\":{},\"time\":{},\"bodies\":{},\"awake\":{},\"contacts\":{},\"joints\":{},\"bonds\":{},\"pieces\":{},"
        "\"kinetic_energy\":{},\"potential_energy\":{},\"elastic_energy\":{},\"linear_momentum\":[{},{},{}],"
        "\"angular_momentum\":[{},{},{}],\"max_penetration\":{},\"breaks\":{},\"rewinds\":{},\"stored_energy\":{},"
        "\"released_energy\":{},\"solves\":{},\"iterations\":{},\"cracked\":{},\"dents\":{},\"step_ms\":"
        "{:.4f},"
        "\"hash\":\"{:016x}\"}}\n",
        frame_, text(time()), stats.bodies, stats.awake, stats.contacts, stats.joints, stats.bonds, stats.pieces,
        text(stats.kineticEnergy), text(stats.potentialEnergy), text(stats.elasticEnergy), text(p[0]), text(p[1]), text(p[2]),
        text(l[0]), text(l[1]), text(l[2]), text(maxPenetration_), breaks_, rewinds_, text(storedEnergy_),
        text(releasedEnergy_), stressSolves_, stressIterations_, crackedElements_, dents_, stepMs_, world_.hash());
}

SceneRunner::TraceId& SceneRunner::traceId(BodyId body) {
    if (body.index >= traceIds_.size())
        traceIds_.resize(body.index + 1);
    TraceId& entry = traceIds_[body.index];
    if (entry.generation != body.generation)
        entry = {body.generation, nextTraceId_++, kNoTraceId};
    return entry;
}

// What broke in the frame, as one more key of a line of a trace; nothing where nothing did.
std::string SceneRunner::breaksText() const {
    fmt::memory_buffer line;
    for (std::size_t i = 0; i < broken_.size(); ++i) {
        const BreakEvent& event = broken_[i];
        fmt::format_to(std::back_inserter(line), "{}{{\"body\":{},\"rule\":\"{}\",\"pieces\":{}",
                       i == 0 ? ",\"broken\":[" : ",", brokenIds_[i], nameOf(event.rule), event.pieces.size());
        appendList(line, "point", {event.point.x, event.point.y, event.point.z});
        fmt::format_to(std::back_inserter(line), ",\"impulse\":");
        appendNumber(line, event.impulse);
        if (event.element != BreakEvent::kNoElement) {
            fmt::format_to(std::back_inserter(line), ",\"element\":{},\"stress\":", event.element);
            appendNumber(line, event.stress);
        }
        line.push_back('}');
    }
    if (!broken_.empty())
        line.push_back(']');
    return fmt::to_string(line);
}

std::string SceneRunner::traceLine() {
    fmt::memory_buffer line;
    fmt::format_to(std::back_inserter(line), "{{\"frame\":{},\"bodies\":[", frame_);
    bool first = true;
    for (const BodyId body : world_.bodies()) {
        const TraceId& entry = traceId(body);
        const std::string parent = entry.parent == kNoTraceId ? "null" : std::to_string(entry.parent);
        if (world_.motion(body) == Motion::Static)
            continue;
        fmt::format_to(std::back_inserter(line), "{}{{\"id\":{},\"name\":{},\"parent\":{}", first ? "" : ",", entry.id,
                       quoted(world_.name(body)), parent);
        first = false;
        const Vec3 position = world_.position(body), velocity = world_.velocity(body), spin = world_.angularVelocity(body);
        const Quat q = world_.orientation(body);
        appendList(line, "position", {position.x, position.y, position.z});
        appendList(line, "orientation", {q.x, q.y, q.z, q.w});
        appendList(line, "velocity", {velocity.x, velocity.y, velocity.z});
        appendList(line, "angular_velocity", {spin.x, spin.y, spin.z});
        fmt::format_to(std::back_inserter(line), ",\"mass\":");
        appendNumber(line, world_.mass(body));
        line.push_back('}');
    }
    fmt::format_to(std::back_inserter(line), "]{}}}\n", breaksText());
    return fmt::to_string(line);
}

}  // namespace sunder
