#include "peers/scenes.h"

#include <cctype>

#include "peers/watches.h"
#include "scenes/asleep.h"
#include "scenes/bullets.h"
#include "scenes/free_space.h"
#include "scenes/joint_nets.h"
#include "scenes/piles.h"
#include "scenes/slides.h"
#include "scenes/stacks.h"

namespace sunder::peers {

namespace {

World take(scenes::BoxScene scene) { return std::move(scene.world); }

const std::vector<BenchScene>& table() {  // NOLINT(readability-function-size): one entry after the other
    static const std::vector<BenchScene> scenes{
        {.name = "S1",
         .title = "pyramid of 210 cubes",
         .rates = {60, 30},
         .steps = 300,
         .repeats = 3,
         .build = [](double) { return take(scenes::pyramid({}, 20)); },
         .watch = watchStanding},
        {.name = "S2t",
         .title = "pile of 1000 boxes",
         .rates = {60, 30},
         .wholeRun = false,
         .repeats = 3,
         .build = [](double) { return take(scenes::boxPile({}, scenes::BoxPile{})); },
         .watch = watchPile},
        {.name = "S2w",
         .title = "wide pile of 8000 boxes",
         .rates = {60, 30},
         .wholeRun = false,
         .forOde = false,
         .build = [](double) { return take(scenes::boxPile({}, {.side = 20, .layers = 20, .pitWidth = 14})); },
         .watch = watchPile},
        {.name = "S2 deep",
         .title = "deep pile of 8000 boxes",
         .rates = {60},
         .wholeRun = false,
         .forOde = false,
         .build = [](double) { return take(scenes::boxPile({}, {.side = 10, .layers = 80, .pitWidth = 7, .spin = 0})); },
         .watch = watchPile},
        {.name = "S2x",
         .title = "pile of 20000 boxes, for threads",
         .rates = {60},
         .seconds = 4,
         .wholeRun = false,
         .forPeers = false,
         .build = [](double) { return take(scenes::boxPile({}, {.side = 25, .layers = 32, .pitWidth = 17.5})); },
         .watch = watchPile},
        {.name = "S3",
         .title = "stack of 20 cubes",
         .rates = {60, 30},
         .build = [](double) { return take(scenes::stackOfCubes({}, 20)); },
         .watch = watchStanding},
        {.name = "S4",
         .title = "pile of 2000 hulls",
         .rates = {60},
         .wholeRun = false,
         .build = [](double) { return take(scenes::hullPile({}, 10, 20, 7)); },
         .watch = watchPile},
        {.name = "S5",
         .title = "thin box that tumbles freely",
         .rates = {60, 30},
         .seconds = 60,
         .build = [](double) { return take(scenes::spinner({})); },
         .watch = watchSpinner},
        {.name = "S6",
         .title = "cube down an incline",
         .rates = {60, 30},
         .seconds = 2,
         .build = [](double) { return take(scenes::incline({}, 30, 0.3).scene); },
         .watch = watchSlide},
        {.name = "S7",
         .title = "16 balls at 200 m/s at a thin wall",
         .rates = {60, 30},
         .seconds = 1,
         .build = [](double rate) { return take(scenes::bullets({}, rate)); },
         .watch = watchBullets},
        {.name = "S8",
         .title = "1000:1, a 1 m cube on a 0.5 m cube",
         .rates = {60, 30},
         .build = [](double) { return take(scenes::heavyOnLight({}, 1000, 0)); },
         .watch = watchStanding},
        {.name = "S8 100",
         .title = "100:1, a 1 m cube on a 0.5 m cube",
         .rates = {60, 30},
         .build = [](double) { return take(scenes::heavyOnLight({}, 100, 0)); },
         .watch = watchStanding},
        {.name = "awake",
         .title = "10000 cubes in stacks of 4 and a ball that rolls, sleeping off",
         .rates = {60},
         .seconds = 4,
         .wholeRun = false,
         .forPeers = false,
         .build = [](double) { return take(scenes::sleepingStacks({}, 50, 4)); },
         .watch = watchPile},
        {.name = "asleep",
         .title = "the same with sleeping on: all but the ball sleep",
         .rates = {60},
         .seconds = 4,
         .wholeRun = false,
         .forPeers = false,
         .sleeping = true,
         .build = [](double) { return take(scenes::sleepingStacks({}, 50, 4)); },
         .watch = watchPile},
        {.name = "J1",
         .title = "grid of 10000 balls and 19800 ball joints",
         .rates = {60},
         .seconds = 5,
         .forOde = false,
         .build = [](double) { return std::move(scenes::jointGrid({}, 100).world); },
         .watch = watchJoints},
    };
    return scenes;
}

std::string simplified(std::string_view name) {
    std::string result;
    for (const char c : name)
        if (c != ' ')
            result += char(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

}  // namespace

std::span<const BenchScene> benchScenes() { return table(); }

const BenchScene* findScene(std::string_view name) {
    for (const BenchScene& scene : table())
        if (simplified(scene.name) == simplified(name))
            return &scene;
    return nullptr;
}

}  // namespace sunder::peers
