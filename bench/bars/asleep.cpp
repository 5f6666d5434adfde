// What sleepers cost: a step of 10,000 of them beside one awake ball, against a step with all of them awake.
#include "scenes/asleep.h"

#include <algorithm>
#include <chrono>

#include "bars/bars.h"

namespace sunder::bars {

namespace {

constexpr int kSide = 50, kHeight = 4;  // 10,000 cubes
constexpr Real kStep = Real(1) / 60;

double timeOfStep(World& world) {
    const auto start = std::chrono::steady_clock::now();
    world.step(kStep);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2), values.end());
    return values[values.size() / 2];
}

}  // namespace

void sleepers(Table& table) {
    table.begin("asleep", "10,000 cubes in stacks of 4 and a ball that rolls, 60 Hz");
    scenes::BoxScene scene = scenes::sleepingStacks({}, kSide, kHeight);
    std::vector<double> awake, asleep;
    constexpr int kMostSteps = 600;
    for (int i = 0; i < kMostSteps && asleep.size() < 120; ++i) {
        const double time = timeOfStep(scene.world);
        const int count = scene.world.stats().awake;
        if (i >= 5 && count == kSide * kSide * kHeight + 1)
            awake.push_back(time);
        else if (count == 1)
            asleep.push_back(time);
    }
    if (asleep.empty()) {
        table.check("all but the ball sleep", "within 10 s", "no", false);
        return;
    }
    const double whole = median(awake), rest = median(asleep);
    table.below("step with all but the ball asleep, of one with all awake", 100 * rest / whole, 2, "%");
    table.note("the two steps", format("%.4f ms and %.2f ms", rest, whole));
}

// What is built for static bodies is built when they are added.
void statics(Table& table) {
    table.begin("statics", "20,000 static cubes, 10 that lie on them, 60 Hz");
    std::vector<double> ratios, loads;
    for (int run = 0; run < 5; ++run) {
        World world;
        const auto start = std::chrono::steady_clock::now();
        constexpr int kRow = 141, kCount = 20000;
        for (int i = 0; i < kCount; ++i) {
            const int row = i / kRow;
            world.addBody({.shape = Box{scenes::vec(0.5, 0.5, 0.5)},
                           .motion = Motion::Static,
                           .position = scenes::vec(i % kRow, -0.5, row)});
        }
        for (int i = 0; i < 10; ++i)
            world.addBody({.shape = Box{scenes::vec(0.5, 0.5, 0.5)}, .position = scenes::vec(3 * i + 0.5, 0.5, 5)});
        loads.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        const double first = timeOfStep(world);
        ratios.push_back(first / timeOfStep(world));
    }
    table.below("first step of the second, median of 5 worlds", median(ratios), 3, "");
    table.note("loading", format("%.0f ms", median(loads)));
}

}  // namespace sunder::bars
