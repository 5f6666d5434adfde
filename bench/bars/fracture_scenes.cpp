// The scenes of [Su09] figures 4 to 9: the time of their frames on two threads, stage by stage, and how their pieces lie.
#include <time.h>

#include <algorithm>
#include <functional>

#include "bars/bars.h"
#include "bars/energy_watch.h"
#include "bars/fracture.h"
#include "measure/field_penetration.h"

#if SUNDER_HAS_SCENE

#include "sunder/scene/runner.h"

namespace sunder::bars {

namespace {

constexpr int kLate = 60;  // frames at the end

// Processor time of all threads, s. Waiting threads count too.
double processorTime() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

struct Frame {
    double wallMs = 0, processorMs = 0;
    WorldStats stats;
};

struct Run {
    std::vector<Frame> frames;
    measure::FieldPenetration end;
    std::string deepest;    // names of the pair
    double energyRise = 0;  // of a step, as a share of the initial energy
    std::vector<std::string> errors;
};

Run runScene(const std::string& name, const std::vector<std::string>& sets, int frames = 0) {
    SceneOptions options;
    options.sets = sets;
    options.assets = fractureScenes() / ".." / "assets";
    const SceneResult loaded = loadScene(fractureScenes() / (name + ".json"), options);
    if (!loaded)
        throw Error(loaded.problems.front().text());
    Scene scene = *loaded.scene;
    scene.world.threads = fractureThreads();
    SceneRunner runner(scene);
    Run run;
    const auto energy = [&] { return runner.world().stats().kineticEnergy + runner.world().stats().potentialEnergy; };
    EnergyWatch watch(energy());
    for (int i = 0; i < (frames > 0 ? frames : scene.frames); ++i) {
        const double before = processorTime();
        runner.stepFrame();
        Frame& frame = run.frames.emplace_back();
        frame.processorMs = 1e3 * (processorTime() - before);
        frame.wallMs = runner.stepMs();
        frame.stats = runner.world().stats();
        watch.see(energy());
        run.errors.insert(run.errors.end(), runner.errors().begin(), runner.errors().end());
    }
    run.energyRise = watch.largestRise();
    run.end = measure::measureFields(runner.world());
    if (!run.end.a.isNull())
        run.deepest = runner.world().name(run.end.a) + ", " + runner.world().name(run.end.b);
    return run;
}

double meanOf(const std::vector<Frame>& frames, std::size_t from, const std::function<double(const Frame&)>& value) {
    double sum = 0;
    for (std::size_t i = from; i < frames.size(); ++i)
        sum += value(frames[i]);
    return sum / double(frames.size() - from);
}

const Frame& worstOf(const std::vector<Frame>& frames) {
    return *std::max_element(frames.begin(), frames.end(), [](const Frame& a, const Frame& b) { return a.wallMs < b.wallMs; });
}

std::string stages(const WorldStats& s) {
    return format("break %.1f, broad %.1f, collide %.1f, solve %.1f, rest %.1f", s.breakMs, s.broadPhaseMs, s.collideMs,
                  s.solveMs, s.stepMs - s.breakMs - s.broadPhaseMs - s.collideMs - s.solveMs);
}

void describe(Table& table, const Run& run, std::size_t from) {
    const Frame& worst = worstOf(run.frames);
    table.note("   worst frame, ms by stage", format("%d: ", int(worst.stats.step)) + stages(worst.stats));
    WorldStats mean;
    const auto part = [&](double WorldStats::*member) {
        return meanOf(run.frames, from, [&](const Frame& frame) { return frame.stats.*member; });
    };
    mean.breakMs = part(&WorldStats::breakMs);
    mean.broadPhaseMs = part(&WorldStats::broadPhaseMs);
    mean.collideMs = part(&WorldStats::collideMs);
    mean.solveMs = part(&WorldStats::solveMs);
    mean.stepMs = part(&WorldStats::stepMs);
    table.note("   mean frame, ms by stage", stages(mean));
    table.note("   processor time, mean and worst",
               format("%.1f ms, %.1f ms", meanOf(run.frames, from, [](const Frame& f) { return f.processorMs; }),
                      std::max_element(run.frames.begin(), run.frames.end(), [](const Frame& a, const Frame& b) {
                          return a.processorMs < b.processorMs;
                      })->processorMs));
    const WorldStats& end = run.frames.back().stats;
    table.note("   at the end: pieces, pairs, manifolds, points",
               format("%d, %d, %d, %d", end.pieces, end.pairs, end.manifolds, end.contacts));
    table.note("   neighbours, kinetic energy", format("%.2f, %.3g J", run.end.neighbours, end.kineticEnergy));
    table.check("energy rises in no step", "<= 1e-4", format("%.1e", run.energyRise), run.energyRise <= 1e-4);
    table.below("largest penetration at the end", run.end.largestCells, 0.5, "cells");
    if (!run.deepest.empty())
        table.note("   of", format("%s, %.3g mm", run.deepest.c_str(), 1e3 * run.end.largest));
    if (!run.errors.empty())
        table.check("bodies that were taken out", "0", run.errors.front(), false);
}

void frameTimes(Table& table, const char* group, const char* title, const std::string& scene, double mostMs, double meanMs) {
    table.begin(group, title);
    const Run run = runScene(scene, {});
    table.below("worst frame", worstOf(run.frames).wallMs, mostMs, "ms");
    const double mean = meanOf(run.frames, 0, [](const Frame& frame) { return frame.wallMs; });
    if (meanMs > 0)
        table.below("mean frame", mean, meanMs, "ms");
    else
        table.note("mean frame", format("%.3g ms", mean));
    describe(table, run, 0);
}

}  // namespace

void fractureWall(Table& table) {
    frameTimes(table, "fracture.wall", "a ball through a wall of 150 x 10 x 100, fig. 4", "wall", 33, 8);
}
void fractureBall(Table& table) {
    frameTimes(table, "fracture.ball", "the ball breaks instead, fig. 4", "su09_fig4_ball_breaks", 33, 0);
}
void fractureCylinder(Table& table) {
    frameTimes(table, "fracture.cylinder", "cylinder of 55 x 105 x 55, fig. 5", "su09_fig5_cylinder", 33, 0);
}
void fractureBunny(Table& table) {
    frameTimes(table, "fracture.bunny", "bunny of 70 x 60 x 45, fig. 6", "su09_fig6_bunny", 33, 0);
}
void fractureRealistic(Table& table) {
    frameTimes(table, "fracture.realistic", "the wall with a realistic pattern, fig. 9", "su09_fig9_realistic", 33, 8);
}
void fractureTwice(Table& table) {
    frameTimes(table, "fracture.twice", "a wall hit twice, fig. 7", "su09_fig7_wall_twice", 33, 0);
}

void fractureTable100(Table& table) {
    table.begin("fracture.table100", "100 balls on a table, fig. 8");
    const Run run = runScene("su09_fig8_table_100", {});
    const std::size_t late = run.frames.size() - kLate;
    table.below("late frames, mean", meanOf(run.frames, late, [](const Frame& f) { return f.wallMs; }), 10, "ms");
    table.note("worst frame", format("%.3g ms", worstOf(run.frames).wallMs));
    describe(table, run, late);
}

void fractureTable1000(Table& table) {
    table.begin("fracture.table1000", "1000 balls on a table, fig. 8, sleeping off");
    const Run run = runScene("su09_fig8_table_1000", {});
    const std::size_t late = run.frames.size() - kLate;
    table.below("late frames, mean", meanOf(run.frames, late, [](const Frame& f) { return f.wallMs; }), 60, "ms");
    table.below("worst frame", worstOf(run.frames).wallMs, 150, "ms");
    table.check("bodies in contact at the end", ">= 8992", format("%d of %d", run.end.inContact, run.end.moving),
                run.end.inContact >= 8992);
    table.check("touching neighbours of a piece", ">= 5", format("%.2f", run.end.neighbours), run.end.neighbours >= 5);
    table.check("breaks still waiting", "0", format("%d", run.frames.back().stats.waitingBreaks),
                run.frames.back().stats.waitingBreaks == 0);
    describe(table, run, late);
}

void fractureTable1000Asleep(Table& table) {
    table.begin("fracture.table1000asleep", "the same with sleeping on");
    const Run run = runScene("su09_fig8_table_1000", {"sleeping=true"});
    const std::size_t late = run.frames.size() - kLate;
    table.note("late frames, mean", format("%.3g ms", meanOf(run.frames, late, [](const Frame& f) { return f.wallMs; })));
    table.note("worst frame, bodies asleep", format("%.3g ms, %d", worstOf(run.frames).wallMs, run.frames.back().stats.asleep));
    describe(table, run, late);
}

}  // namespace sunder::bars

#else

namespace sunder::bars {

void fractureWall(Table&) {}
void fractureBall(Table&) {}
void fractureCylinder(Table&) {}
void fractureBunny(Table&) {}
void fractureRealistic(Table&) {}
void fractureTwice(Table&) {}
void fractureTable100(Table&) {}
void fractureTable1000(Table&) {}
void fractureTable1000Asleep(Table&) {}

}  // namespace sunder::bars

#endif
