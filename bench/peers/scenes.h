// The scenes of the benchmark: how each is built, how long it runs and what is watched besides time and penetration.
#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "peers/engine.h"

namespace sunder::peers {

// Figures of one scene, by the name they have in the JSON file; SI units.
using Figures = std::vector<std::pair<std::string, double>>;

// Sees every step of a run.
class Watch {
public:
    virtual ~Watch() = default;
    virtual void see(const Engine&) {}
    virtual Figures finish(const Engine& engine, double seconds) = 0;  // simulated
};

struct BenchScene {
    std::string_view name, title;
    std::vector<double> rates;  // Hz
    double seconds = 10;
    int steps = 0;         // instead of seconds, at every rate
    bool wholeRun = true;  // ms is the mean over all steps; of piles, over the last half
    bool forOde = true;    // false where it would take minutes
    bool forPeers = true;  // false: ours only, for the threads
    bool sleeping = false;
    int repeats = 1;  // ms is the median
    World (*build)(double rate);
    std::unique_ptr<Watch> (*watch)(const SceneSetup& setup);

    int stepsAt(double rate) const { return steps > 0 ? steps : int(std::lround(seconds * rate)); }
};

std::span<const BenchScene> benchScenes();

// Case and spaces do not count. Null where there is none of that name.
const BenchScene* findScene(std::string_view name);

}  // namespace sunder::peers
