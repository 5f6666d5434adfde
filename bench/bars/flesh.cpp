// Deformable solids: sweeps and time of a step, for clamped beams at 30 Hz on one core; a pane that tears; bodies thrown about.
#include "scenes/flesh.h"

#include "bars/bars.h"
#include "scenes/flesh_world.h"

namespace sunder::bars {

namespace {

void beams(Table& table) {
    struct Beam {
        const char* name;
        std::array<int, 3> cells;
        double mostMilliseconds;
    };
    // The bars of 2.4k and 10k are a ninth and a 25th of what Bullet's deformable world took for the same tetrahedra; in one
    // run with it: sunder_flesh_peers.
    constexpr Beam kBeams[] = {{"2.4k", {30, 4, 4}, 1}, {"10k", {56, 6, 6}, 6.4}, {"50k", {100, 10, 10}, 33}};
    for (const Beam& beam : kBeams)
        for (const double young : {1e5, 1e7, 1e9}) {
            const scenes::FleshCost cost = scenes::sagBeam(beam.cells, Real(young), Real(1e-3), 1);
            const std::string what = format("%s tetrahedra, E %.0e Pa", beam.name, young);
            table.below(what + ", iterations to 1e-3", cost.iterations, 36, "");
            table.below(what, cost.milliseconds, beam.mostMilliseconds, "ms");
        }
}

void panes(Table& table) {
    double least = 1e9, most = 0;
    for (const int rate : {30, 60, 240}) {
        const scenes::PaneOutcome outcome = scenes::breakPane(rate, 15, 2);
        least = std::min(least, outcome.area);
        most = std::max(most, outcome.area);
        const std::string what = format("a pane of 2,420 tetrahedra that a ball breaks, %d Hz, worst step", rate);
        if (rate == 60)
            table.below(what, outcome.worstMs, 33, "ms");
        else
            table.note(what, format("%.0f ms", outcome.worstMs));
        table.note("its cracks, its pieces, the ball's speed",
                   format("%.2f m^2, %d, %.1f m/s", outcome.area, outcome.pieces, outcome.speedLeft));
    }
    table.below("cracks at 30, 60 and 240 Hz, most over least", most / least, 1.3, "");
    table.below("cracks of a ball of 0.3 m/s", scenes::breakPane(60, Real(0.3), 2, 8).area, 1e-9, "m^2");
}

void abuses(Table& table) {
    const scenes::AbuseOutcome outcome = scenes::abuseBodies(100, 1);
    table.check("100 bodies thrown about at 10 to 240 Hz, not finite or under the floor at the end", "none",
                format("%d", outcome.lost), outcome.lost == 0);
    table.note("of those, pressed under the floor for a while by the ball", format("%d", outcome.dipped));
    table.check("of those, faster than anything could have made them", "none", format("%d", outcome.faster),
                outcome.faster == 0);
}

}  // namespace

void fleshSteps(Table& table) {
    table.begin("flesh", "deformable solids: beams at 30 Hz on one core, a pane that tears, bodies thrown about");
    beams(table);
    panes(table);
    abuses(table);
}

}  // namespace sunder::bars
