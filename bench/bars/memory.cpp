// What a pile takes of the machine's memory, above the process before it was made: 8000 boxes that fall into a pit (S2w).
#include <algorithm>

#include "bars/bars.h"
#include "measure/resident.h"
#include "scenes/piles.h"

namespace sunder::bars {

void memoryOfPile(Table& table) {
    constexpr int kSteps = 300;
    constexpr double kMegabyte = 1e6;
    table.begin("memory", "S2w, 8000 boxes, 60 Hz, two threads, sleeping off");
    measure::giveBackFreed();
    const double before = measure::residentBytes();
    scenes::BoxScene scene = scenes::boxPile(scenes::withoutSleep(2), 20, 14);
    double most = 0;
    for (int i = 0; i < kSteps; ++i) {
        scene.world.step(Real(1) / 60);
        most = std::max(most, measure::residentBytes() - before);
    }
    table.below("resident, once they lie", (measure::residentBytes() - before) / kMegabyte, 60, "MB");
    table.note("resident at most, while they fall", format("%.1f MB", most / kMegabyte));
}

}  // namespace sunder::bars
