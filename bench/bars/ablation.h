// What each mechanism of the default step brings and costs: scenes are run with all of them, and without one at a time.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sunder/sunder.h"

namespace sunder::bars {

// What was measured in a run; less is better.
struct Figure {
    std::string name, unit;
    double value = 0;
};
using Figures = std::vector<Figure>;

// One run of a scene: counts what its steps cost, on one thread.
class MeasuredRun {
public:
    // seed: bodies begin with other velocities of less than 1 mm/s; 0 with their own.
    MeasuredRun(const Mechanisms& without, std::uint64_t seed);

    const WorldDef& def() const { return def_; }
    void disturb(World& world) const;
    void step(World& world, double rate);
    // Largest rise of the energy in a step, J; and the deepest contact point that the solver saw, m.
    double energyRise() const { return energyRise_; }
    double deepest() const { return deepest_; }
    // Per step: processor time, searches of pairs, passes over manifolds.
    Figures costs() const;

private:
    WorldDef def_;
    std::uint64_t seed_;
    int steps_ = 0;
    double seconds_ = 0, looks_ = 0, passes_ = 0;
    double energy_ = 0, energyRise_ = 0, deepest_ = 0;
};

struct AblationScene {
    std::string_view name, title;
    int seeds;
    Figures (*run)(MeasuredRun& run);
};
// ablation_scenes.cpp
std::span<const AblationScene> ablationScenes();

// `sunder_bars --ablate [--markdown] [--jobs N] [NAME...]`, names of scenes or mechanisms; the exit status.
int ablate(std::span<const std::string_view> arguments);

}  // namespace sunder::bars
