// One engine through one scene: time per step, penetration from outside, memory, and what the scene's watch sees.
#pragma once

#include "measure/penetration.h"
#include "peers/scenes.h"

namespace sunder::peers {

enum class EngineKind { Sunder, Bullet, Ode };
constexpr EngineKind kEngines[] = {EngineKind::Sunder, EngineKind::Bullet, EngineKind::Ode};

std::string_view nameOf(EngineKind kind);
bool isBuiltIn(EngineKind kind);

struct RunResult {
    double ms = 0;     // per step: thread CPU time with one thread, wall time with several
    double p99Ms = 0;  // over all steps, of the same clock
    double worstMs = 0;
    double wallMs = 0;  // per step
    int steps = 0, bodies = 0, contacts = 0;
    measure::Penetration end;
    double peakPenetration = 0;   // m, of every tenth step and the last
    double residentBytes = 0;     // largest growth since before the engine was made
    double endResidentBytes = 0;  // growth by the end of the run
    Stages stages;                // mean over the steps that ms is of
    Figures figures;
};

// Nothing where the engine cannot run the scene. mostSteps 0: as many as the scene has.
std::unique_ptr<RunResult> run(const BenchScene& scene, double rate, EngineKind kind, int threads, int mostSteps);

}  // namespace sunder::peers
