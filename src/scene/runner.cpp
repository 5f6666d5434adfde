// See runner.h. The lines' fields are a contract with scripts: add, do not rename.
#include "sunder/scene/runner.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

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

}  // namespace

SceneRunner::SceneRunner(const Scene& scene, TaskRunner* tasks, CallLog* log)
    : frameRate_(scene.frameRate), stepsPerFrame_(scene.stepsPerFrame), world_(scene.world, tasks) {
    world_.record(log);
    for (const BodyDef& body : scene.bodies)
        world_.addBody(body);
}

void SceneRunner::stepFrame() {
    using Clock = std::chrono::steady_clock;
    errors_.clear();
    maxPenetration_ = 0;
    const Real dt = Real(1 / (double(frameRate_) * stepsPerFrame_));
    stepMs_ = 0;
    for (int i = 0; i < stepsPerFrame_; ++i) {
        const Clock::time_point start = Clock::now();
        world_.step(dt);
        stepMs_ += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
        maxPenetration_ = std::fmax(maxPenetration_, world_.stats().maxPenetration);
        for (const ErrorEvent& event : world_.errorEvents())
            errors_.push_back(event.message);
    }
    ++frame_;
}

void SceneRunner::rewind(const Checkpoint& checkpoint, int frame) {
    world_.rewind(checkpoint);
    frame_ = frame;
    stepMs_ = 0;
    maxPenetration_ = world_.stats().maxPenetration;
    errors_.clear();
}

std::string SceneRunner::statsLine() const {
    const WorldStats stats = world_.stats();
    const double* p = stats.linearMomentum;
    const double* l = stats.angularMomentum;
    return fmt::format(
        "{{\"frame\":{},\"time\":{},\"bodies\":{},\"awake\":{},\"contacts\":{},\"joints\":0,\"pieces\":0,"
        "\"kinetic_energy\":{},\"potential_energy\":{},\"elastic_energy\":{},\"linear_momentum\":[{},{},{}],"
        "\"angular_momentum\":[{},{},{}],\"max_penetration\":{},\"breaks\":0,\"step_ms\":{:.4f},\"hash\":\"{:016x}\"}}\n",
        frame_, text(time()), stats.bodies, stats.awake, stats.contacts, text(stats.kineticEnergy), text(stats.potentialEnergy),
        text(stats.elasticEnergy), text(p[0]), text(p[1]), text(p[2]), text(l[0]), text(l[1]), text(l[2]),
        text(maxPenetration_), stepMs_, world_.hash());
}

std::uint64_t SceneRunner::traceId(BodyId body) {
    if (body.index >= traceIds_.size())
        traceIds_.resize(body.index + 1);
    TraceId& entry = traceIds_[body.index];
    if (entry.generation != body.generation)
        entry = {body.generation, nextTraceId_++};
    return entry.id;
}

std::string SceneRunner::traceLine() {
    fmt::memory_buffer line;
    fmt::format_to(std::back_inserter(line), "{{\"frame\":{},\"bodies\":[", frame_);
    bool first = true;
    for (const BodyId body : world_.bodies()) {
        const std::uint64_t id = traceId(body);
        if (world_.motion(body) == Motion::Static)
            continue;
        fmt::format_to(std::back_inserter(line), "{}{{\"id\":{},\"name\":{},\"parent\":null", first ? "" : ",", id,
                       quoted(world_.name(body)));
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
    fmt::format_to(std::back_inserter(line), "]}}\n");
    return fmt::to_string(line);
}

}  // namespace sunder
