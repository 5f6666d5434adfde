// sunder_bars --ablate: one table, a row for each figure of each scene, a column for all mechanisms and for all but one.
#include "bars/ablation.h"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>

#include "math/vec3.h"
#include "measure/text.h"
#include "scenes/parts.h"
#include "sunder/describe.h"

namespace sunder::bars {

namespace {

using measure::format;

// A figure without a mechanism differs where the runs of all seeds lie beyond those with it by this factor, and by more than
// what is too little to matter.
constexpr double kBeyondNoise = 1.15;
// Counts do not depend on the machine, and processor time does: on one that others use too, it varies by so much.
constexpr double kTimeNoise = 1.15, kCountNoise = 1.02;

// Processor time of this thread, s: what others do on the machine does not count.
double threadSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

// What is too little to matter, in a figure's own unit.
double negligible(const Figure& figure) {
    if (figure.unit == "mm")
        return 0.3;
    if (figure.unit == "J/body")
        return 1e-4;
    if (figure.unit == "of initial")
        return 1e-4;
    if (figure.unit == "%")
        return 2;
    if (figure.unit == "s" || figure.unit == "cells" || figure.unit == "m/s")
        return 0.05;
    return 0;
}

// The figures of one scene in one column, by seed.
struct Cell {
    std::vector<Figures> runs, costs;
    std::string error;
};

struct Column {
    std::string name;
    Mechanisms without;
};

struct Options {
    bool markdown = false;
    bool counts = false;  // costs by counts alone, without processor time
    int jobs = 2;
    std::vector<std::string_view> names;
};

struct Range {
    double low = INFINITY, high = -INFINITY, mean = 0;
};

Range rangeOf(const std::vector<Figures>& runs, std::size_t figure) {
    Range range;
    for (const Figures& run : runs) {
        const double value = std::isfinite(run[figure].value) ? run[figure].value : INFINITY;
        range.low = std::min(range.low, value);
        range.high = std::max(range.high, value);
        range.mean += value / double(runs.size());
    }
    return range;
}

// 1 where the figure is worse without the mechanism, -1 where it is better, beyond noise.
int compare(const Range& with, const Range& without, double factor, double least) {
    if (without.low > factor * with.high && without.low - with.high > least)
        return 1;
    return with.low > factor * without.high && with.low - without.high > least ? -1 : 0;
}

class Ablation {
public:
    explicit Ablation(const Options& options) : options_(options) {
        columns_.push_back({"all", {}});
        for (const AblationScene& scene : ablationScenes())
            if (isWanted(scene.name, false))
                scenes_.push_back(&scene);
        for (const EnumName<Mechanism>& entry : kMechanismNames)
            if (isWanted(entry.name, true)) {
                columns_.push_back({std::string(entry.name), {}});
                columns_.back().without.add(entry.value);
            }
        cells_.resize(scenes_.size() * columns_.size());
    }

    void run() {
        std::atomic<std::size_t> next{0};
        const auto work = [&] {
            for (std::size_t i = next++; i < cells_.size(); i = next++)
                fill(i / columns_.size(), i % columns_.size());
        };
        std::vector<std::thread> workers;
        for (int i = 1; i < options_.jobs; ++i)
            workers.emplace_back(work);
        work();
        for (std::thread& worker : workers)
            worker.join();
    }

    void print() const {
        printRow("scene", "figure", [&](const Column& column) { return column.name; });
        if (options_.markdown) {
            std::string line = "|";
            for (std::size_t i = 0; i < columns_.size() + 2; ++i)
                line += " --- |";
            std::puts(line.c_str());
        }
        for (std::size_t i = 0; i < scenes_.size(); ++i)
            printScene(i);
        std::puts("");
        for (std::size_t column = 1; column < columns_.size(); ++column)
            printVerdict(column);
    }

private:
    // No name of the kind asks for all of the kind.
    bool isWanted(std::string_view name, bool isMechanism) const {
        bool anyOfKind = false;
        for (const std::string_view wanted : options_.names) {
            const bool ofKind = std::any_of(std::begin(kMechanismNames), std::end(kMechanismNames),
                                            [&](const auto& entry) { return entry.name == wanted; }) == isMechanism;
            anyOfKind = anyOfKind || ofKind;
            if (wanted == name)
                return true;
        }
        return !anyOfKind;
    }

    void fill(std::size_t scene, std::size_t column) {
        Cell& cell = cells_[scene * columns_.size() + column];
        try {
            for (int seed = 0; seed < scenes_[scene]->seeds; ++seed) {
                MeasuredRun run(columns_[column].without, std::uint64_t(seed));
                cell.runs.push_back(scenes_[scene]->run(run));
                cell.costs.push_back(run.costs());
                if (options_.counts)
                    cell.costs.back().erase(cell.costs.back().begin());
            }
        } catch (const std::exception& error) {
            cell.error = error.what();
        }
        const std::lock_guard lock(mutex_);
        std::fprintf(stderr, "%d of %d: %s, %s %s\n", ++done_, int(cells_.size()), std::string(scenes_[scene]->name).c_str(),
                     columns_[column].name.c_str(), cell.error.c_str());
    }

    const Cell& cell(std::size_t scene, std::size_t column) const { return cells_[scene * columns_.size() + column]; }

    template <class Text>
    void printRow(const std::string& scene, const std::string& figure, Text&& text) const {
        std::string line =
            options_.markdown ? "| " + scene + " | " + figure : format("%-8s %-32s", scene.c_str(), figure.c_str());
        for (const Column& column : columns_) {
            const std::string value = text(column);
            line += options_.markdown ? " | " + value : format(" %9.9s", value.c_str());
        }
        std::puts((line + (options_.markdown ? " |" : "")).c_str());
    }

    // The mean of the seeds; bold where it differs beyond noise.
    std::string valueText(std::size_t scene, std::size_t column, std::vector<Figures> Cell::*list, std::size_t figure,
                          bool isRelative) const {
        const Cell &with = cell(scene, 0), &without = cell(scene, column);
        if (!without.error.empty())
            return "broke off";
        const Range base = rangeOf(with.*list, figure), range = rangeOf(without.*list, figure);
        const double value = isRelative && column > 0 ? range.mean / base.mean : range.mean;
        const std::string text = format(isRelative && column > 0 ? "x %.2f" : "%.3g", value);
        const bool differs = column > 0 && judge(scene, column, list, figure) != 0;
        return differs && options_.markdown ? "**" + text + "**" : text;
    }

    int judge(std::size_t scene, std::size_t column, std::vector<Figures> Cell::*list, std::size_t figure) const {
        const Cell &with = cell(scene, 0), &without = cell(scene, column);
        if (!with.error.empty() || !without.error.empty())
            return 0;
        const bool isCost = list == &Cell::costs, isAlone = with.runs.size() < 2;
        if (isAlone && !isCost)  // what is noise is not known
            return 0;
        const double factor = !isCost ? kBeyondNoise : figure == 0 || isAlone ? kTimeNoise : kCountNoise;
        return compare(rangeOf(with.*list, figure), rangeOf(without.*list, figure), factor,
                       isCost ? 0 : negligible((with.*list)[0][figure]));
    }

    void printScene(std::size_t scene) const {
        const Cell& with = cell(scene, 0);
        const std::string name(scenes_[scene]->name);
        if (!with.error.empty()) {
            std::printf("%s broke off: %s\n", name.c_str(), with.error.c_str());
            return;
        }
        for (const auto list : {&Cell::runs, &Cell::costs})
            for (std::size_t i = 0; i < (with.*list)[0].size(); ++i) {
                const Figure& figure = (with.*list)[0][i];
                std::size_t column = 0;
                printRow(name, figure.name + ", " + figure.unit,
                         [&](const Column&) { return valueText(scene, column++, list, i, list == &Cell::costs); });
            }
    }

    // Where the mechanism helps and where it harms, of figures and of costs.
    void printVerdict(std::size_t column) const {
        std::string gains, harms;
        for (std::size_t scene = 0; scene < scenes_.size(); ++scene)
            for (const auto list : {&Cell::runs, &Cell::costs})
                for (std::size_t i = 0; cell(scene, 0).error.empty() && i < (cell(scene, 0).*list)[0].size(); ++i) {
                    const int verdict = judge(scene, column, list, i);
                    std::string& to = verdict > 0 ? gains : harms;
                    if (verdict != 0)
                        to += (to.empty() ? "" : "; ") + std::string(scenes_[scene]->name) + " " +
                              (cell(scene, 0).*list)[0][i].name + " " +
                              format("%.3g to %.3g", rangeOf(cell(scene, column).*list, i).mean,
                                     rangeOf(cell(scene, 0).*list, i).mean);
                }
        std::printf("%s%s%s brings: %s. Costs: %s.\n", options_.markdown ? "- **" : "", columns_[column].name.c_str(),
                    options_.markdown ? "**" : "", gains.empty() ? "nothing" : gains.c_str(),
                    harms.empty() ? "nothing" : harms.c_str());
    }

    const Options& options_;
    std::vector<const AblationScene*> scenes_;
    std::vector<Column> columns_;
    std::vector<Cell> cells_;  // scene by scene
    std::mutex mutex_;
    int done_ = 0;
};

bool isKnown(std::string_view name) {
    for (const AblationScene& scene : ablationScenes())
        if (scene.name == name)
            return true;
    for (const EnumName<Mechanism>& entry : kMechanismNames)
        if (entry.name == name)
            return true;
    return false;
}

int usage() {
    std::fputs("usage: sunder_bars --ablate [--markdown] [--counts] [--jobs N] [NAME]...\nscenes:", stderr);
    for (const AblationScene& scene : ablationScenes())
        std::fprintf(stderr, " %s", std::string(scene.name).c_str());
    std::fputs("\nmechanisms:", stderr);
    for (const EnumName<Mechanism>& entry : kMechanismNames)
        std::fprintf(stderr, " %s", std::string(entry.name).c_str());
    std::fputs("\n", stderr);
    return 1;
}

}  // namespace

MeasuredRun::MeasuredRun(const Mechanisms& without, std::uint64_t seed) : def_(scenes::withoutSleep()), seed_(seed) {
    def_.frameRate.without = without;
}

void MeasuredRun::disturb(World& world) const {
    constexpr double kSpeed = 5e-4;  // m/s: too little to see
    if (seed_ == 0)
        return;
    scenes::Random random(seed_);
    for (const BodyId id : world.bodies())
        if (world.isAwake(id))
            world.setVelocity(id, world.velocity(id) + random.inBox(kSpeed));
}

void MeasuredRun::step(World& world, double rate) {
    if (world.stats().step == 0)  // a run may go through several worlds
        energy_ = world.stats().kineticEnergy + world.stats().potentialEnergy;
    const double start = threadSeconds();
    world.step(Real(1 / rate));
    seconds_ += threadSeconds() - start;
    const WorldStats stats = world.stats();
    const double energy = stats.kineticEnergy + stats.potentialEnergy;
    energyRise_ = std::max(energyRise_, energy - energy_);
    energy_ = energy;
    deepest_ = std::max(deepest_, stats.maxPenetration);
    looks_ += stats.pairLooks;
    passes_ += double(stats.manifoldPasses);
    ++steps_;
}

Figures MeasuredRun::costs() const {
    const double share = 1.0 / std::max(steps_, 1);
    return {{"processor time", "ms/step", 1e3 * seconds_ * share},
            {"pairs searched", "per step", looks_ * share},
            {"manifold passes", "per step", passes_ * share}};
}

int ablate(std::span<const std::string_view> arguments) {
    Options options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == "--markdown")
            options.markdown = true;
        else if (arguments[i] == "--counts")
            options.counts = true;
        else if (arguments[i] == "--jobs" && i + 1 < arguments.size())
            options.jobs = std::max(1, std::atoi(std::string(arguments[++i]).c_str()));
        else if (isKnown(arguments[i]))
            options.names.push_back(arguments[i]);
        else
            return usage();
    }
    Ablation ablation(options);
    ablation.run();
    ablation.print();
    return 0;
}

}  // namespace sunder::bars
