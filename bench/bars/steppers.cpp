// All steppers on the scenes of Egan's thesis, many seeds, 30 and 60 Hz: chatter, energy, penetration, time.
#include <algorithm>
#include <ctime>

#include "bars/bars.h"
#include "bars/energy_watch.h"
#include "measure/penetration.h"
#include "scenes/egan.h"
#include "scenes/heaps.h"
#include "scenes/mechanics.h"
#include "scenes/piles.h"
#include "scenes/stacks.h"
#include "sunder/describe.h"

namespace sunder::bars {

namespace {

using scenes::BoxScene;

WorldDef with(const EnumName<Stepper>& stepper, bool sleeping = true) {
    WorldDef def;
    def.stepper = stepper.value;
    def.sleeping = sleeping;
    def.threads = 1;  // its processor time is then that of the step: threads that wait for work are not counted
    return def;
}

// What a run showed; of several runs, the worst of each.
struct Outcome {
    double speed = 0;                // m/s, fastest body in the last second
    double way = 0;                  // m, farthest that a body's centre or corner got from where it was a second before the end
    double highest = -1;             // share of the initial energy
    double rise = 0;                 // of a single step
    double overlap = 0;              // m, at the end
    double meanMs = 0, worstMs = 0;  // of the processor
    int escaped = 0;
    int awake = 0;

    void add(const Outcome& o) {
        speed = std::max(speed, o.speed);
        way = std::max(way, o.way);
        highest = std::max(highest, o.highest);
        rise = std::max(rise, o.rise);
        overlap = std::max(overlap, o.overlap);
        meanMs = std::max(meanMs, o.meanMs);
        worstMs = std::max(worstMs, o.worstMs);
        escaped += o.escaped;
        awake = std::max(awake, o.awake);
    }
};

// m: by differences of components, which are exactly zero for a body that did not move; for small turns.
double wayOf(const Vec3& a, const Quat& qa, const Vec3& b, const Quat& qb, double radius) {
    const double d = std::hypot(double(a.x - b.x), double(a.y - b.y), double(a.z - b.z));
    const double turn =
        std::hypot(std::hypot(double(qa.x - qb.x), double(qa.y - qb.y)), std::hypot(double(qa.z - qb.z), double(qa.w - qb.w)));
    return d + 2 * turn * radius;
}

double fastest(const BoxScene& scene) {
    double speed = 0;
    for (const scenes::BoxRecord& box : scene.moving) {
        const Vec3 v = scene.world.velocity(box.id), w = scene.world.angularVelocity(box.id);
        speed = std::max(speed,
                         length(scenes::toVector(v)) + length(scenes::toVector(w)) * length(scenes::toVector(box.halfExtents)));
    }
    return speed;
}

Outcome run(BoxScene scene, double rate, double seconds) {
    Outcome out;
    EnergyWatch watch(scenes::mechanicsOf(scene).energy());
    const int steps = int(seconds * rate), last = int((seconds - 1) * rate);
    std::vector<Vec3> places;
    std::vector<Quat> turns;
    for (int i = 0; i < steps; ++i) {
        const std::clock_t start = std::clock();
        scene.world.step(Real(1 / rate));
        const double ms = double(std::clock() - start) * 1e3 / CLOCKS_PER_SEC;
        out.meanMs += ms / steps;
        out.worstMs = std::max(out.worstMs, ms);
        watch.see(scenes::mechanicsOf(scene).energy());
        if (i < last)
            continue;
        out.speed = std::max(out.speed, fastest(scene));
        for (std::size_t k = 0; k < scene.moving.size(); ++k) {
            const BodyId id = scene.moving[k].id;
            if (i == last) {
                places.push_back(scene.world.position(id));
                turns.push_back(scene.world.orientation(id));
            } else {
                out.way = std::max(out.way, wayOf(scene.world.position(id), scene.world.orientation(id), places[k], turns[k],
                                                  length(scenes::toVector(scene.moving[k].halfExtents))));
            }
        }
    }
    for (const scenes::BoxRecord& box : scene.moving)
        out.escaped += !(scene.world.position(box.id).y > -1);
    out.highest = watch.highest();
    out.rise = watch.largestRise();
    out.overlap = measure::measurePenetration(scene).largest;
    out.awake = scene.world.stats().awake;
    return out;
}

constexpr double kRates[] = {30, 60};
constexpr int kSeeds = 12;

void report(Table& table, const std::string& setup, const Outcome& o, bool isChatterBarred, bool isTimeBarred = false) {
    const std::string chatter = format("%.3f mm/s, %.3f mm", o.speed * 1e3, o.way * 1e3);
    if (isChatterBarred)
        table.check(setup + ": fastest body, farthest way in the last second", "< 1 mm/s, < 0.1 mm", chatter,
                    o.speed < 1e-3 && o.way < 1e-4);
    else
        table.note(setup + ": fastest body, farthest way in the last second", chatter);
    table.check(setup + ": energy above initial", "<= 1e-4, rise <= 1e-4", format("%+.1e, rise %.1e", o.highest, o.rise),
                o.highest <= 1e-4 && o.rise <= 1e-4);
    table.check(setup + ": overlap at the end, escaped", "< 10 mm, 0", format("%.2f mm, %d", o.overlap * 1e3, o.escaped),
                o.overlap < 0.01 && o.escaped == 0);
    const std::string time = format("%.2f ms, %.2f ms", o.meanMs, o.worstMs);
    if (isTimeBarred)
        table.check(setup + ": step, mean and worst", "mean < 2 ms", time, o.meanMs < 2);
    else
        table.note(setup + ": step, mean and worst", time);
}

}  // namespace

void steppersOnClump(Table& table) {
    table.begin("steppers.clump", "100 boxes that fly to the centre [Egan03] fig. 6.7, 12 s, 12 seeds");
    for (const EnumName<Stepper>& stepper : enumNames(Stepper{}))
        for (const double rate : kRates) {
            Outcome worst;
            for (int seed = 1; seed <= kSeeds; ++seed)
                worst.add(run(scenes::clump(with(stepper), 100, std::uint64_t(seed)), rate, 12));
            report(table, format("%s, %g Hz", std::string(stepper.name).c_str(), rate), worst,
                   stepper.value != Stepper::Impulse, true);
        }
}

void dampedHeaps(Table& table) {
    constexpr int kCount = 100, kHeapSeeds = 4;
    constexpr double kMost = 14;  // s
    table.begin("steppers.heaps", "100 bodies of a kind in a pit, stepper damped, seeds 1 to 4");
    WorldDef def;
    def.stepper = Stepper::Damped;
    for (const scenes::HeapKindName& kind : scenes::kHeapKinds)
        for (const double rate : kRates) {
            if (kind.kind == scenes::HeapKind::Ragdolls)  // joints
                continue;
            int awake = 0;
            double longest = 0;
            for (int seed = 1; seed <= kHeapSeeds; ++seed) {
                scenes::Heap heap = scenes::heap(def, kind.kind, kCount, std::uint64_t(seed));
                longest = std::max(longest, scenes::timeToRest(heap, rate, kMost));
                awake += heap.world.stats().awake > 0;
            }
            table.check(format("damped, heaps of %s at %.0f Hz that are awake after %.0f s", kind.name, rate, kMost), "0 of 4",
                        format("%d of %d, longest %.1f s", awake, kHeapSeeds, longest), awake == 0);
        }
}

void steppersOnPyramids(Table& table) {
    table.begin("steppers.pyramid", "55 boxes, hit by a box at 20 m/s [Egan03] fig. 6.6, 8 s; without one, fig. 5.6, 5 s");
    for (const EnumName<Stepper>& stepper : enumNames(Stepper{}))
        for (const double rate : kRates) {
            const std::string setup = format("%s, %g Hz", std::string(stepper.name).c_str(), rate);
            BoxScene hit = scenes::thesisPyramid(with(stepper), 10, false);
            scenes::shoot(hit, 10, 20);
            report(table, "6.6 " + setup, run(std::move(hit), rate, 8), false, true);
            report(table, "5.6 " + setup, run(scenes::thesisPyramid(with(stepper), 10, true), rate, 5), false);
        }
}

void steppersOnStacks(Table& table) {
    table.begin("steppers.stack", "five boxes stand, 10 s; 216 boxes fall into a pit, 10 s");
    for (const EnumName<Stepper>& stepper : enumNames(Stepper{}))
        for (const double rate : kRates) {
            const std::string setup = format("%s, %g Hz", std::string(stepper.name).c_str(), rate);
            BoxScene stack = scenes::stackOfCubes(with(stepper, false), 5);
            const BodyId top = stack.moving.back().id;
            for (int i = 0; i < int(10 * rate); ++i)
                stack.world.step(Real(1 / rate));
            const Vec3 p = stack.world.position(top);
            table.check("stack " + setup + ": the top one is at", "(0, 4.5, 0) within 10 mm",
                        format("(%.4f, %.4f, %.4f)", p.x, p.y, p.z),
                        std::abs(p.x) < 0.01 && std::abs(p.y - 4.5) < 0.01 && std::abs(p.z) < 0.01);
            report(table, "pile " + setup, run(scenes::boxPile(with(stepper), 6, 4.2), rate, 10), false);
        }
}

namespace {

struct Figure {
    const char* name;
    BoxScene (*make)(const WorldDef&);
    double seconds;
};

BoxScene hitPyramid(const WorldDef& def) {
    BoxScene scene = scenes::thesisPyramid(def, 10, false);
    scenes::shoot(scene, 10, 20);
    return scene;
}

constexpr Figure kFigures[] = {
    {"5.1 line", [](const WorldDef& def) { return scenes::lineOfFive(def); }, 2},
    {"5.3 corner", scenes::boxOnACorner, 3},
    {"5.4 box on box", scenes::boxOnABox, 3},
    {"5.5 box on two", scenes::boxOnTwo, 3},
    {"5.6 gap", [](const WorldDef& def) { return scenes::thesisPyramid(def, 10, true); }, 3},
    {"6.1 stack over an edge", [](const WorldDef& def) { return scenes::stackOverAnEdge(def, 4); }, 6},
    {"6.2 box over an edge", scenes::boxOverAnEdge, 6},
    {"6.3 two edges", scenes::boxesOverTwoEdges, 6},
    {"6.4 column", scenes::shiftedColumn, 3},
    {"6.5 lintel", scenes::heavyLintel, 3},
    {"6.6 pyramid", hitPyramid, 8},
    {"6.7 clump", [](const WorldDef& def) { return scenes::clump(def, 100, 1); }, 12},
};

}  // namespace

void steppersOnFigures(Table& table) {
    table.begin("steppers.figures", "every stepper on every figure of [Egan03], sleeping on: the last second, energy, time");
    for (const Figure& figure : kFigures)
        for (const double rate : kRates)
            for (const EnumName<Stepper>& stepper : enumNames(Stepper{})) {
                const Outcome o = run(figure.make(with(stepper)), rate, figure.seconds);
                table.note(format("%s, %g Hz, %s: speed, way, rise of energy, overlap, mean step", figure.name, rate,
                                  std::string(stepper.name).c_str()),
                           format("%.2f mm/s, %.2f mm, %.1e, %.2f mm, %.2f ms", o.speed * 1e3, o.way * 1e3, o.rise,
                                  o.overlap * 1e3, o.meanMs));
            }
}

}  // namespace sunder::bars
