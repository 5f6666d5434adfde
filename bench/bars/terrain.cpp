// Bodies on hilly meshes: none goes under, those that land fall asleep, and finer triangles hardly cost more.
#include "scenes/terrain.h"

#include <algorithm>
#include <ctime>

#include "bars/bars.h"

namespace sunder::bars {

namespace {

using scenes::Faller;
using scenes::TerrainScene;

double processorMs() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) * 1e-6;
}

WorldDef oneThread() {
    WorldDef def;
    def.threads = 1;
    return def;
}

// Bodies of 0.1 m whose centre was ever below the ground.
int countUnder(double rate, double cell, std::uint64_t seed) {
    constexpr double kSize = 0.1, kSeconds = 3;
    TerrainScene scene =
        scenes::terrainScene(oneThread(), {.cell = cell, .side = 316, .seed = seed},
                             {.kind = Faller::Any, .count = 150, .size = kSize, .slowest = 20, .fastest = 100, .seed = seed});
    std::vector<bool> isUnder(scene.moving.size(), false);
    for (int step = 0; step < int(kSeconds * rate); ++step) {
        scene.world.step(Real(1 / rate));
        for (std::size_t i = 0; i < scene.moving.size(); ++i)
            if (scene.isOver(scene.moving[i]) && scene.heightAbove(scene.moving[i]) < -kSize / 4)
                isUnder[i] = true;
    }
    return int(std::count(isUnder.begin(), isUnder.end(), true));
}

struct Cost {
    double mean = 0, worst = 0;  // ms
};

Cost costOf(Faller kind, double cell) {
    const bool isTree = kind == Faller::Tree;
    TerrainScene scene = scenes::terrainScene(oneThread(), {.cell = cell},
                                              {.kind = kind, .size = isTree ? 15.0 : 0.5, .fastest = isTree ? 0.0 : 30.0});
    constexpr int kSteps = 240;
    Cost cost;
    for (int step = 0; step < kSteps; ++step) {
        const double start = processorMs();
        scene.world.step(Real(1) / 60);
        const double ms = processorMs() - start;
        cost.mean += ms / kSteps;
        cost.worst = std::max(cost.worst, ms);
    }
    return cost;
}

}  // namespace

void terrain(Table& table) {
    constexpr int kSeeds = 6;
    table.begin("terrain", "bodies on hills of 200,000 triangles");
    for (const double rate : {30.0, 60.0, 240.0}) {
        int under = 0;
        for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
            under += countUnder(rate, 1, seed) + countUnder(rate, 0.5, seed);
        table.check(format("of 1800 bodies of 0.1 m at 20 to 100 m/s, %g Hz: under the ground", rate), "0", format("%d", under),
                    under == 0);
    }
    for (const auto& [kind, name] : {std::pair(Faller::Box, "cubes"), std::pair(Faller::Hull, "hulls")}) {
        int asleep = 0;
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            TerrainScene scene = scenes::terrainScene(oneThread(), {.cell = seed % 2 == 0 ? 1.0 : 0.25, .seed = seed},
                                                      {.kind = kind, .fastest = 0, .seed = seed});
            for (int step = 0; step < 600; ++step)
                scene.world.step(Real(1) / 60);
            asleep += scene.world.stats().asleep;
        }
        table.check(format("of 200 %s asleep after 10 s", name), "200", format("%d", asleep), asleep == 200);
    }
    for (const auto& [kind, name] : {std::pair(Faller::Sphere, "balls"), std::pair(Faller::Box, "cubes"),
                                     std::pair(Faller::Hull, "hulls"), std::pair(Faller::Tree, "trees of 30 m")}) {
        const Cost coarse = costOf(kind, 1), fine = costOf(kind, 0.25);
        table.below(format("50 %s: triangles of 0.25 m, against 1 m", name), fine.mean / coarse.mean, 1.3, "times");
        table.below(format("50 %s: worst step", name), std::max(coarse.worst, fine.worst), 5, "ms");
        table.note("mean steps", format("%.2f and %.2f ms", coarse.mean, fine.mean));
    }
}

}  // namespace sunder::bars
