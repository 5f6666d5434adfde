// Deformable solids: sweeps and time of a step, for clamped beams at 30 Hz on one core; what tears; bodies thrown about.
#include "scenes/flesh.h"

#include "bars/bars.h"
#include "scenes/flesh_world.h"
#include "scenes/rope.h"

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

// How a pane tears hangs on the last bit: blows that differ by a hundredth tear it by 1.1 to 1.9 m^2 at any one rate. What may
// not depend on the rate is the mean over such blows.
void panes(Table& table) {
    constexpr Real kSpeeds[] = {Real(14.8), Real(14.9), 15, Real(15.1), Real(15.2)};
    double leastMean = 1e9, mostMean = 0;
    for (const int rate : {30, 60, 240}) {
        double mean = 0, least = 1e9, most = 0, worstMs = 0, speedLeft = 0;
        int pieces = 0;
        for (const Real speed : kSpeeds) {
            const scenes::TearOutcome outcome = scenes::breakPane(rate, speed, 2, 0);
            mean += outcome.area / std::size(kSpeeds);
            speedLeft += outcome.speedLeft / std::size(kSpeeds);
            least = std::min(least, outcome.area);
            most = std::max(most, outcome.area);
            worstMs = std::max(worstMs, std::min(outcome.worstMs, outcome.worstCpuMs));
            pieces = std::max(pieces, outcome.pieces);
        }
        leastMean = std::min(leastMean, mean);
        mostMean = std::max(mostMean, mean);
        table.note(format("a pane of 2,420 tetrahedra that a ball breaks, five blows at %d Hz, worst step", rate),
                   format("%.0f ms", worstMs));
        table.note("their cracks: mean, least, most; most pieces; the ball's mean speed",
                   format("%.2f, %.2f, %.2f m^2; %d; %.1f m/s", mean, least, most, pieces, speedLeft));
    }
    table.below("mean cracks at 30, 60 and 240 Hz, most over least", mostMean / leastMean, 1.3, "");
    table.below("cracks of a ball of 0.3 m/s", scenes::breakPane(60, Real(0.3), 2, 0, 8).area, 1e-9, "m^2");
}

// The three scenes of [Parker09], each with other blows and at another rate: the worst step, and whether energy was gained.
void blows(Table& table) {
    struct Scene {
        const char* name;
        scenes::TearOutcome (*run)(int, Real, int, int, double);
        Real speed;
        double seconds, mostMs;
    };
    constexpr Scene kScenes[] = {{"glass", scenes::breakPane, 15, 0.5, 33},
                                 {"gate", scenes::breakGate, 16, 0.5, 50},
                                 {"trestle", scenes::breakTrestle, 3, 0.6, 100}};
    constexpr int kRigidPieces = 24;
    for (const Scene& scene : kScenes)
        for (const int rigidPieces : {0, kRigidPieces})
            for (const int rate : {60, 30})
                for (const Real share : {Real(1), Real(0.8), Real(1.2)}) {
                    const scenes::TearOutcome outcome = scene.run(rate, scene.speed * share, 2, rigidPieces, scene.seconds);
                    const std::string what = format("%s, %g m/s, %d Hz, pieces rigid up to %d tetrahedra", scene.name,
                                                    double(scene.speed * share), rate, rigidPieces);
                    // Beside other programs its wall time says little; the processor time of all threads is at least that of a
                    // quiet machine.
                    table.below(what + ", worst step", std::min(outcome.worstMs, outcome.worstCpuMs), scene.mostMs, "ms");
                    table.below("its energy gained from step to step", 100 * outcome.gained / outcome.energy, 1, "%");
                    table.note("its cracks and pieces", format("%.2f m^2, %d", outcome.area, outcome.pieces));
                }
}

void abuses(Table& table) {
    const scenes::AbuseOutcome outcome = scenes::abuseBodies(100, 1);
    table.check("100 bodies thrown about at 10 to 240 Hz, not finite or under the floor at the end", "none",
                format("%d", outcome.lost), outcome.lost == 0);
    table.note("of those, pressed under the floor for a while by the ball", format("%d", outcome.dipped));
    table.check("of those, faster than anything could have made them", "none", format("%d", outcome.faster),
                outcome.faster == 0);
}

// A minute of winding. Segments of the rope that touch are a thickness apart, less what they are pressed.
void rope(Table& table) {
    const scenes::RopeOutcome outcome = scenes::windRope({}, 60);
    table.check("a rope of 200 segments on a spool, 60 s, inverted tetrahedra", "none", format("%d", outcome.inverted),
                outcome.inverted == 0 && outcome.isFinite);
    table.check("its segments that are no neighbours, nearest in any sixth of a second", "above 0.6 of its thickness",
                format("%.2f", outcome.nearest / double(scenes::RopeOnSpool::kThickness)),
                outcome.nearest > 0.6 * double(scenes::RopeOnSpool::kThickness));
    table.note("most turns on the spool; mean and worst step",
               format("%.1f; %.0f and %.0f ms", outcome.turns, outcome.meanMs, outcome.worstMs));
}

}  // namespace

void fleshSteps(Table& table) {
    table.begin("flesh", "deformable solids: beams at 30 Hz on one core, a rope on a spool, bodies thrown about");
    beams(table);
    rope(table);
    abuses(table);
}

void fleshTears(Table& table) {
    table.begin("flesh.tears", "deformable solids that tear: cracks at three rates, worst steps");
    panes(table);
    blows(table);
}

}  // namespace sunder::bars
