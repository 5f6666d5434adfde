#include "peers/scenes.h"

#include <cctype>

#include "peers/watches.h"
#include "scenes/asleep.h"
#include "scenes/bullets.h"
#include "scenes/free_space.h"
#include "scenes/joint_nets.h"
#include "scenes/piles.h"
#include "scenes/ragdolls.h"
#include "scenes/slides.h"
#include "scenes/stacks.h"
#include "scenes/terrain.h"

namespace sunder::peers {

namespace {

World take(scenes::BoxScene scene) { return std::move(scene.world); }

// 50 bodies over 200,000 triangles of 1 m / finer: trees of 30 m fall, the others fly on at up to 60 m/s.
template <scenes::Faller kind, int finer>
BenchScene onTerrain(std::string_view name, std::string_view title) {
    return {.name = name,
            .title = title,
            .rates = {60},
            .seconds = 5,
            .forOde = false,
            .build =
                [](double) {
                    constexpr bool kIsTree = kind == scenes::Faller::Tree;
                    const scenes::Fallers fallers{.kind = kind, .size = kIsTree ? 15.0 : 0.5, .fastest = kIsTree ? 0.0 : 60.0};
                    return std::move(scenes::terrainScene({}, {.cell = 1.0 / finer}, fallers).world);
                },
            .watch = watchTerrain};
}

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
        {.name = "S4 32",
         .title = "the same with hulls of 32 points",
         .rates = {60},
         .wholeRun = false,
         .build = [](double) { return take(scenes::hullPile({}, 10, 20, 7, 32)); },
         .watch = watchPile},
        {.name = "S4w",
         .title = "pile of 5120 hulls, from the fall on",
         .rates = {60},
         .seconds = 5,
         .forOde = false,
         .build = [](double) { return take(scenes::hullPile({}, 16, 20, 11)); },
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
        {.name = "R1",
         .title = "250 ragdolls of 11 capsules on stairs",
         .rates = {60},
         .seconds = 10,
         .forOde = false,
         .build = [](double) { return std::move(scenes::ragdollsOnStairs({}, 250, 1).world); },
         .watch = watchJoints},
        onTerrain<scenes::Faller::Sphere, 1>("T ball 1", "50 balls on hills of 200,000 triangles of 1 m"),
        onTerrain<scenes::Faller::Sphere, 4>("T ball 4", "the same, triangles of 0.25 m"),
        onTerrain<scenes::Faller::Box, 1>("T box 1", "50 cubes on hills of 200,000 triangles of 1 m"),
        onTerrain<scenes::Faller::Box, 4>("T box 4", "the same, triangles of 0.25 m"),
        onTerrain<scenes::Faller::Hull, 1>("T hull 1", "50 hulls on hills of 200,000 triangles of 1 m"),
        onTerrain<scenes::Faller::Hull, 4>("T hull 4", "the same, triangles of 0.25 m"),
        onTerrain<scenes::Faller::Tree, 1>("T tree 1", "50 trees of 30 m fall on hills of 200,000 triangles of 1 m"),
        onTerrain<scenes::Faller::Tree, 2>("T tree 2", "the same, triangles of 0.5 m"),
        onTerrain<scenes::Faller::Tree, 4>("T tree 4", "the same, triangles of 0.25 m"),
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
