// S2t, piles of thin plates, and the energy of piles at many rates and restitutions.
#include "scenes/piles.h"

#include <algorithm>

#include "bars/bars.h"
#include "bars/energy_watch.h"
#include "measure/penetration.h"

namespace sunder::bars {

namespace {

int countEscaped(const scenes::BoxScene& scene, double pitWidth) {
    int escaped = 0;
    for (const scenes::BoxRecord& box : scene.moving) {
        const Vec3 p = scene.world.position(box.id);
        escaped += std::abs(p.x) > pitWidth / 2 || std::abs(p.z) > pitWidth / 2 || !(p.y > 0);
    }
    return escaped;
}

}  // namespace

void pileOfBoxes(Table& table) {
    table.begin("S2t", "1000 spinning boxes in a pit at 30 Hz, 10 s");
    constexpr double kRate = 30, kPitWidth = 7;
    scenes::BoxScene scene = scenes::boxPile(scenes::withoutSleep(), 10, kPitWidth);
    double peak = 0;
    for (int i = 1; i <= 300; ++i) {
        scene.world.step(Real(1 / kRate));
        if (i % 10 == 0)
            peak = std::max(peak, measure::measurePenetration(scene).largest);
    }
    const measure::Penetration end = measure::measurePenetration(scene);
    table.below("largest penetration at the end", end.largest * 1e3, 10, "mm");
    table.below("mean penetration at the end", end.mean * 1e3, 1.5, "mm");
    table.below("peak penetration, every tenth step", peak * 1e3, 60, "mm");
    table.below("mean kinetic energy at the end", scenes::mechanicsOf(scene).kinetic / double(scene.moving.size()), 1e-4, "J");
    const int escaped = countEscaped(scene, kPitWidth);
    table.check("escaped", "0", format("%d", escaped), escaped == 0);
    double top = 0;
    for (const scenes::BoxRecord& box : scene.moving)
        top = std::max(top, double(scene.world.position(box.id).y));
    table.note("height of the pile, contacts, passes over each",
               format("%.2f m, %d, %d", top, scene.world.stats().contacts, scene.world.stats().passesPerContact));
}

void restOfPiles(Table& table) {
    constexpr int kSeeds = 12;
    constexpr double kTime = 13;  // s: three to fall, ten to come to rest
    constexpr double kEnergy = 1e-7, kSpeed = 1e-3;
    table.begin("rest",
                "1000 boxes (S2t), 1000 hulls (S4), 13 s, sleeping off, seeds 1 to 12: below 1e-7 J per body and 1 mm/s");
    for (const bool isOfHulls : {false, true})
        for (const double rate : {30.0, 60.0}) {
            int restless = 0;
            double energy = 0, fastest = 0;
            for (int seed = 1; seed <= kSeeds; ++seed) {
                const std::uint64_t s = std::uint64_t(seed);
                scenes::BoxScene scene = isOfHulls ? scenes::hullPile(scenes::withoutSleep(), 10, 10, 7, 12, s)
                                                   : scenes::boxPile(scenes::withoutSleep(), scenes::BoxPile{.seed = s});
                for (int i = 0; i < int(kTime * rate); ++i)
                    scene.world.step(Real(1 / rate));
                const scenes::Unrest unrest = scenes::unrestOf(scene.world);
                restless += unrest.energy > kEnergy || unrest.fastest > kSpeed;
                energy = std::max(energy, unrest.energy);
                fastest = std::max(fastest, unrest.fastest);
            }
            table.check(format("piles of %s at %.0f Hz that are not at rest", isOfHulls ? "hulls" : "boxes", rate), "0 of 12",
                        format("%d of %d, most %.0e J, %.1f mm/s", restless, kSeeds, energy, fastest * 1e3), restless == 0);
        }
}

void pileOfPlates(Table& table) {
    table.begin("plates", "200 thin plates, e .9, mu 1, 10 s, with and without the clamp and the guard");
    for (const double rate : {15.0, 30.0, 60.0})
        for (const bool clamp : {true, false})
            for (const bool guard : {true, false}) {
                WorldDef def = scenes::withoutSleep();
                def.impulseClamp = clamp;
                def.frameRate.energyGuard = guard;
                scenes::BoxScene scene = scenes::platePile(def, 5, 8, {.friction = 1, .restitution = Real(0.9)});
                EnergyWatch watch(scenes::mechanicsOf(scene).energy());
                long clamped = 0, guarded = 0;
                for (int i = 0; i < int(10 * rate); ++i) {
                    scene.world.step(Real(1 / rate));
                    watch.see(scenes::mechanicsOf(scene).energy());
                    clamped += scene.world.stats().clampedImpulses;
                    guarded += scene.world.stats().guardedIslands;
                }
                const std::string setup = format("%g Hz, clamp %s, guard %s", rate, clamp ? "on" : "off", guard ? "on" : "off");
                const std::string energy = format("%+.1e, rise %.1e", watch.highest(), watch.largestRise());
                // The defaults must hold; the others show what each part is worth.
                if (clamp && guard)
                    table.check(setup + ": energy above initial", "<= 1e-4, rise <= 1e-4", energy, watch.holds());
                else
                    table.note(setup + ": energy above initial", energy);
                table.note("   impulses clamped, islands guarded", format("%ld, %ld", clamped, guarded));
            }
}

void energyOfPiles(Table& table) {
    table.begin("energy", "1000 boxes, e 0, .5, .9, 15 to 120 Hz, 10 s, heights from the floor");
    for (const double restitution : {0.0, 0.5, 0.9})
        for (const double rate : {15.0, 30.0, 60.0, 120.0}) {
            scenes::BoxScene scene = scenes::boxPile(scenes::withoutSleep(), 10, 7, {.restitution = Real(restitution)});
            EnergyWatch watch(scenes::mechanicsOf(scene).energy());
            for (int i = 0; i < int(10 * rate); ++i) {
                scene.world.step(Real(1 / rate));
                watch.see(scenes::mechanicsOf(scene).energy());
            }
            table.check(format("e %g, %g Hz: energy above initial", restitution, rate), "<= 1e-4, rise <= 1e-4",
                        format("%+.1e, rise %.1e", watch.highest(), watch.largestRise()), watch.holds());
        }
}

}  // namespace sunder::bars
