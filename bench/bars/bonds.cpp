// Bonded bodies: a wall of 2000 bricks that stands, what alpha does to the scenes of [Li18], and strikers that go through
// walls.
#include <cmath>
#include <ctime>

#include "bars/bars.h"
#include "math/vec3.h"
#include "scenes/wrecking.h"
#include "sunder/sunder.h"

#ifdef SUNDER_HAS_SCENE
#include "scenes/alpha_outcome.h"
#include "sunder/scene/scene.h"
#endif

namespace sunder::bars {

#ifdef SUNDER_HAS_SCENE

namespace {

// ms of processor time: the wall is solved on one thread, and other programs do not count.
double processorMs() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * double(now.tv_sec) + 1e-6 * double(now.tv_nsec);
}

Scene sceneNamed(const std::string& name) {
    SceneOptions options;
    options.assets = std::string(SUNDER_SCENE_FOLDER) + "/../assets";
    const SceneResult loaded = loadScene(std::string(SUNDER_SCENE_FOLDER) + "/" + name + ".json", options);
    if (!loaded)
        throw Error(loaded.problems.front().text());
    return *loaded.scene;
}

}  // namespace

// The scene bonded_wall without its ball.
void bondedWall(Table& table) {
    table.begin("bonds.wall", "a bonded wall of 2000 bricks at rest for 60 s at 60 Hz, sleeping off, one thread");
    const Scene scene = sceneNamed("bonded_wall");
    WorldDef def = scene.world;
    def.sleeping = false;
    def.threads = 1;
    World world(def);
    BodyId wall;
    for (const BodyDef& body : scene.bodies)
        if (const BodyId id = body.name == "ball" ? BodyId{} : world.addBody(body); body.name == "wall")
            wall = id;
    const Vec3 start = world.position(wall);
    constexpr int kSteps = 3600;
    double sum = 0, worst = 0, sag = 0;
    int solves = 0, broken = 0;
    for (int i = 0; i < kSteps; ++i) {
        const double before = processorMs();
        world.step(Real(1) / 60);
        const double ms = processorMs() - before;
        sum += ms;
        worst = std::fmax(worst, ms);
        sag = std::fmax(sag, double(length(world.position(wall) - start)));
        solves += world.stats().loadSolves;
        broken += int(world.bondEvents().size());
    }
    table.below("mean step over the 60 s, load check active", sum / kSteps, 0.1, "ms");
    table.below("moved at any time", 1e3 * sag, 0.1, "mm");
    table.check("bonds broken", "none", std::to_string(broken), broken == 0);
    table.note("worst step; load solves in the 60 s", format("%.3g ms; %d", worst, solves));
}

void alphaSweep(Table& table) {
    table.begin("bonds.alpha",
                "first break of the scenes of Li18 against alpha: m/s one frame later; J stored, J released; breaks");
    for (const char* name : scenes::kAlphaScenes) {
        const Scene scene = sceneNamed(name);
        double last = -1, momentum = 0;
        bool rises = true;
        for (const double alpha : scenes::kAlphas) {
            const scenes::AlphaOutcome outcome = scenes::alphaOutcome(scene, alpha);
            rises = rises && outcome.breaks > 0 && outcome.speed > last;
            last = outcome.speed;
            momentum = std::fmax(momentum, outcome.momentum);
            table.note(format("%s, alpha %.2g", name, alpha),
                       format("%.3f; %.0f, %.1f; %d", outcome.speed, outcome.stored, outcome.released, outcome.breaks));
        }
        table.check(std::string(name) + ": speed rises with alpha", "at every step", rises ? "yes" : "no", rises);
        table.below(std::string(name) + ": momentum that releases change", momentum, 1e-5, "N s");
    }
}

#else
void bondedWall(Table&) {}
void alphaSweep(Table&) {}
#endif

void wrecking(Table& table) {
    table.begin("bonds.wrecking", "a striker against a bonded wall, default settings: speed left against a run at 2000 Hz");
    constexpr double kRates[] = {30, 60, 240};
    for (const double speed : {10.0, 40.0}) {
        scenes::Wrecking scene;
        scene.speed = speed;
        const double reference = scenes::runWrecking(scene, 2000).speed;
        table.note(format("2 t at %.0f m/s, 2000 Hz", speed), format("%.2f m/s", reference));
        for (const double rate : kRates) {
            const double left = scenes::runWrecking(scene, rate).speed;
            table.below(format("2 t at %.0f m/s, %.0f Hz: %.2f m/s, off by", speed, rate, left),
                        100 * std::fabs(left / reference - 1), 10, "%");
        }
    }
    // Thresholds decide which bricks come off, so a single run tells less than the mean of several places.
    const auto mean = [](scenes::Wrecking scene, double rate) {
        double sum = 0;
        for (const double shift : {0.03, 0.031, 0.032, 0.033, 0.035})
            sum += scenes::runWrecking((scene.shift = shift, scene), rate).speed / 5;
        return sum;
    };
    for (const scenes::NamedWrecking& one : scenes::wreckingFamily()) {
        const double reference = mean(one.scene, 2000);
        double worst = 0;
        std::string speeds;
        for (const double rate : kRates) {
            const double left = mean(one.scene, rate);
            worst = std::fmax(worst, std::fabs(left / reference - 1));
            speeds += format(" %.2f", left);
        }
        table.below(format("%s:%s of %.2f m/s, off by", one.name, speeds.c_str(), reference), 100 * worst, 10, "%");
    }
}

}  // namespace sunder::bars
