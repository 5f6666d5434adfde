// Analytic contact forces [Egan03] 3.3.1 on the pyramid of 210 boxes, with and without geometric stability [Egan03] 5.4.
#include <algorithm>
#include <chrono>

#include "bars/bars.h"
#include "scenes/egan.h"

namespace sunder::bars {

namespace {

struct Outcome {
    double residual = 0, meanMs = 0;
    int points = 0, fallbacks = 0, stable = 0;  // of the last step; fallbacks of all
};

Outcome run(scenes::BoxScene scene, int steps) {
    Outcome out;
    for (int i = 0; i < steps; ++i) {
        const auto start = std::chrono::steady_clock::now();
        scene.world.step(Real(1) / 60);
        out.meanMs +=
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / double(steps);
        const WorldStats stats = scene.world.stats();
        out.residual = std::max(out.residual, stats.analyticResidual);
        out.points = stats.analyticPoints;
        out.fallbacks += stats.analyticFallbacks;
        out.stable = stats.stableBodies;
    }
    return out;
}

WorldDef withStability(bool stability) {
    WorldDef def;
    def.stepper = Stepper::Damped;
    def.sleeping = false;
    def.damped.analytic = true;
    def.damped.analyticPoints = 5000;
    def.damped.stability = stability;
    return def;
}

}  // namespace

void analyticPyramid(Table& table) {
    struct Pyramid {
        const char* name;
        int base;
        bool hasGap;
    };
    constexpr int kSteps = 3;
    table.begin("analytic", "damped with analytic contact forces, pyramids at rest, 3 steps at 60 Hz");
    for (const Pyramid& pyramid : {Pyramid{"210 boxes", 20, false}, {"54 boxes, figure 5.6", 10, true}}) {
        Outcome of[2];
        for (const bool stability : {false, true}) {
            const Outcome o = of[stability] =
                run(scenes::thesisPyramid(withStability(stability), pyramid.base, pyramid.hasGap), kSteps);
            const char* with = stability ? "with" : "without";
            table.check(format("%s, %s stability: complementarity residual, groups left to passes", pyramid.name, with),
                        "< 1e-5, 0", format("%.1e, %d", o.residual, o.fallbacks), o.residual < 1e-5 && o.fallbacks == 0);
            table.note(format("%s, %s stability: points solved, stable bodies, mean step", pyramid.name, with),
                       format("%d, %d, %.1f ms", o.points, o.stable, o.meanMs));
        }
        const double ratio = of[0].meanMs / of[1].meanMs;
        if (pyramid.hasGap)  // half of its bodies are not stable
            table.note(format("%s: times faster with geometric stability", pyramid.name), format("%.1f", ratio));
        else
            table.check(format("%s: times faster with geometric stability", pyramid.name), ">= 5", format("%.1f", ratio),
                        ratio >= 5);
    }
}

}  // namespace sunder::bars
