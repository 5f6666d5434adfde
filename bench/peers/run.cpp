#include "peers/run.h"

#include <algorithm>
#include <ctime>

#include "measure/convex_penetration.h"
#include "measure/resident.h"

namespace sunder::peers {

namespace {

constexpr int kSampleEvery = 10;  // steps between two looks at penetration and memory

double milliseconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) * 1e-6;
}

bool allBoxes(const SceneSetup& setup) {
    return std::all_of(setup.bodies.begin(), setup.bodies.end(),
                       [](const BodyDef& def) { return std::holds_alternative<Box>(def.shape); });
}

measure::Penetration measurePenetration(const SceneSetup& setup, const Engine& engine) {
    const auto owner = [&](std::size_t i) { return setup.bodies[i].motion == Motion::Dynamic ? i : measure::kFixed; };
    if (allBoxes(setup)) {
        std::vector<measure::Placed<measure::OrientedBox>> boxes;
        for (std::size_t i = 0; i < setup.bodies.size(); ++i) {
            const BodyState state = engine.state(i);
            boxes.push_back(measure::placeBox(std::get<Box>(setup.bodies[i].shape).halfExtents, state.position,
                                              state.orientation, owner(i)));
        }
        return measure::measurePenetration(std::move(boxes));
    }
    std::vector<measure::Placed<measure::ConvexPart>> parts;
    for (std::size_t i = 0; i < setup.bodies.size(); ++i) {
        if (std::holds_alternative<Mesh>(setup.bodies[i].shape))  // measured by the watch
            continue;
        const BodyState state = engine.state(i);
        for (auto& part : measure::placeShape(setup.bodies[i].shape, state.position, state.orientation, owner(i)))
            parts.push_back(std::move(part));
    }
    return measurePairs(std::move(parts), [](const measure::ConvexPart& a, const measure::ConvexPart& b) {
        return a.isRound() || b.isRound() ? penetration(a, b) : polytopePenetration(a, b);
    });
}

std::unique_ptr<Engine> makeEngine(EngineKind kind, const SceneSetup& setup, int threads) {
    switch (kind) {
        case EngineKind::Sunder: return makeSunder(setup, threads);
        case EngineKind::Bullet: return makeBullet(setup);
        case EngineKind::Ode: return makeOde(setup);
    }
    return nullptr;
}

double mean(const std::vector<double>& values, std::size_t first) {
    double sum = 0;
    for (std::size_t i = first; i < values.size(); ++i)
        sum += values[i];
    return values.size() > first ? sum / double(values.size() - first) : 0;
}

double percentile99(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[std::min(values.size() - 1, std::size_t(double(values.size()) * 0.99))];
}

void addTo(Stages& sum, const Stages& stages, double share) {
    sum.resize(stages.size());
    for (std::size_t i = 0; i < stages.size(); ++i) {
        sum[i].first = stages[i].first;
        sum[i].second += stages[i].second * share;
    }
}

}  // namespace

std::string_view nameOf(EngineKind kind) {
    switch (kind) {
        case EngineKind::Sunder: return "sunder";
        case EngineKind::Bullet: return "bullet";
        case EngineKind::Ode: return "ode";
    }
    return "";
}

bool isBuiltIn(EngineKind kind) { return makeEngine(kind, {}, 1) != nullptr; }

std::unique_ptr<RunResult> run(const BenchScene& scene, double rate, EngineKind kind, int threads, int mostSteps) {
    SceneSetup setup = describe(scene.build(rate));
    setup.sleeping = scene.sleeping;
    measure::giveBackFreed();
    const double residentBefore = measure::residentBytes();
    const std::unique_ptr<Engine> engine = makeEngine(kind, setup, threads);
    if (engine == nullptr)
        return nullptr;
    const std::unique_ptr<Watch> watch = scene.watch(setup);
    auto result = std::make_unique<RunResult>();
    result->steps = mostSteps > 0 ? std::min(mostSteps, scene.stepsAt(rate)) : scene.stepsAt(rate);
    result->bodies = int(setup.bodies.size());
    const int firstTimed = scene.wholeRun ? 0 : result->steps / 2;
    std::vector<double> cpu, wall;
    for (int i = 1; i <= result->steps; ++i) {
        const double cpuStart = milliseconds(CLOCK_THREAD_CPUTIME_ID), wallStart = milliseconds(CLOCK_MONOTONIC);
        engine->step(Real(1 / rate));
        const double wallEnd = milliseconds(CLOCK_MONOTONIC), cpuEnd = milliseconds(CLOCK_THREAD_CPUTIME_ID);
        cpu.push_back(cpuEnd - cpuStart);
        wall.push_back(wallEnd - wallStart);
        if (i > firstTimed)
            addTo(result->stages, engine->stages(), 1.0 / (result->steps - firstTimed));
        watch->see(*engine);
        if (i % kSampleEvery == 0 || i == result->steps) {
            result->endResidentBytes = measure::residentBytes() - residentBefore;
            result->residentBytes = std::max(result->residentBytes, result->endResidentBytes);
            result->end = measurePenetration(setup, *engine);
            result->peakPenetration = std::max(result->peakPenetration, result->end.largest);
        }
    }
    const std::vector<double>& clock = threads > 1 ? wall : cpu;
    result->ms = mean(clock, std::size_t(firstTimed));
    result->p99Ms = percentile99(clock);
    result->worstMs = clock.empty() ? 0 : *std::max_element(clock.begin(), clock.end());
    result->wallMs = mean(wall, std::size_t(firstTimed));
    result->contacts = engine->contacts();
    result->figures = watch->finish(*engine, result->steps / rate);
    return result;
}

}  // namespace sunder::peers
