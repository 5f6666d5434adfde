// Deformable solids: sweeps and time of a step, for clamped beams at 30 Hz on one core.
#include "scenes/flesh.h"

#include "bars/bars.h"

namespace sunder::bars {

void fleshSteps(Table& table) {
    struct Beam {
        const char* name;
        std::array<int, 3> cells;
        double mostMilliseconds;
    };
    // The bars of 2.4k and 10k are a ninth and a 25th of what Bullet's deformable world took for the same tetrahedra.
    constexpr Beam kBeams[] = {{"2.4k", {30, 4, 4}, 1}, {"10k", {56, 6, 6}, 6.4}, {"50k", {100, 10, 10}, 33}};
    table.begin("flesh", "a clamped beam that sags, 30 Hz, one core");
    for (const Beam& beam : kBeams)
        for (const double young : {1e5, 1e7, 1e9}) {
            const scenes::FleshCost cost = scenes::sagBeam(beam.cells, Real(young), Real(1e-3), 1);
            const std::string what = format("%s tetrahedra, E %.0e Pa", beam.name, young);
            table.below(what + ", iterations to 1e-3", cost.iterations, 36, "");
            table.below(what, cost.milliseconds, beam.mostMilliseconds, "ms");
        }
}

}  // namespace sunder::bars
