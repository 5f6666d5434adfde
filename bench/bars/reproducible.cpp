// What must come out the same: momentum without outer forces, and every bit whatever the number of threads.
#include <algorithm>
#include <chrono>

#include "bars/bars.h"
#include "scenes/bit_flips.h"
#include "scenes/free_space.h"
#include "scenes/mechanics.h"
#include "scenes/piles.h"

namespace sunder::bars {

namespace {

struct ThreadedRun {
    std::vector<std::uint64_t> hashes;
    double milliseconds = 0;  // wall time per step over the last half
};

ThreadedRun runPile(int threadCount) {
    scenes::BoxScene scene = scenes::boxPile(scenes::withoutSleep(threadCount), 10, 7);
    ThreadedRun run;
    constexpr int kFrames = 300, kTimed = 150;
    for (int i = 0; i < kFrames; ++i) {
        const auto start = std::chrono::steady_clock::now();
        scene.world.step(Real(1) / 30);
        const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
        if (i >= kFrames - kTimed)
            run.milliseconds += time.count() / kTimed;
        run.hashes.push_back(scene.world.hash());
    }
    return run;
}

}  // namespace

void clusters(Table& table) {
    table.begin("cluster", "two clusters of 64 boxes collide without gravity, 10 s");
    for (const double restitution : {0.0, 0.9})
        for (const double rate : {30.0, 60.0}) {
            scenes::BoxScene scene = scenes::collidingClusters(scenes::withoutSleep(), 4, {.restitution = Real(restitution)});
            const scenes::Mechanics start = scenes::mechanicsOf(scene);
            double linear = 0, angular = 0, rise = 0, last = start.kinetic;
            for (int i = 0; i < int(10 * rate); ++i) {
                scene.world.step(Real(1 / rate));
                const scenes::Mechanics now = scenes::mechanicsOf(scene);
                linear = std::max(linear, length(now.linear - start.linear) / start.linearSum);
                angular = std::max(angular, length(now.angular - start.angular) / start.angularSum);
                rise = std::max(rise, (now.kinetic - last) / start.kinetic);
                last = now.kinetic;
            }
            const std::string setup = format("e %g, %g Hz: ", restitution, rate);
            table.below(setup + "linear momentum", linear, 1e-5, "");
            table.below(setup + "angular momentum", angular, 1e-4, "");
            table.note(setup + "energy left; largest rise in a step", format("%.3f; %.1e", last / start.kinetic, rise));
        }
}

void threads(Table& table) {
    table.begin("threads", "S2t at 30 Hz on 1, 2, 3 and 4 threads, 300 frames");
    const ThreadedRun one = runPile(1);
    for (int count = 2; count <= 4; ++count) {
        const ThreadedRun run = runPile(count);
        int differing = 0;
        for (std::size_t i = 0; i < run.hashes.size(); ++i)
            differing += run.hashes[i] != one.hashes[i];
        table.check(format("%d threads: hashes that differ", count), "0", format("%d of %zu", differing, run.hashes.size()),
                    differing == 0);
        if (count == 2)
            table.check(
                "2 threads: faster than one (on a quiet machine)", ">= 1.4",
                format("%.2f (%.2f and %.2f ms)", one.milliseconds / run.milliseconds, one.milliseconds, run.milliseconds),
                one.milliseconds >= 1.4 * run.milliseconds);
    }
    scenes::BoxScene scene = scenes::boxPile(scenes::withoutSleep(), 3, 2.2);
    for (int i = 0; i < 30; ++i)
        scene.world.step(Real(1) / 30);
    const scenes::BitFlips flips = scenes::flipEveryBit(scene.world, scene.moving[13].id);
    table.check("bits of the state that the hash does not see", "0",
                format("%d of %d %s", flips.missed, flips.tried, flips.firstMissed.c_str()), flips.missed == 0);
}

}  // namespace sunder::bars
