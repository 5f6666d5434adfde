// The order of collisions that the timewarp steppers find at 60 Hz against a run with tiny steps, and their worst frame.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "bars/bars.h"
#include "scenes/parts.h"

namespace sunder::bars {

namespace {

constexpr int kBodies = 500, kSeeds = 12, kFirst = 200;
constexpr double kRate = 60, kTinyRate = 2000;

Shape shapeOf(int i) {
    Hull hull;
    for (int k = 0; k < 8; ++k)
        hull.points.push_back(scenes::vec(k & 1 ? 0.25 : -0.25, k & 2 ? 0.2 : -0.2, k & 4 ? 0.3 : -0.25));
    const Shape shapes[] = {
        Sphere{Real(0.25)},
        Box{scenes::vec(0.3, 0.2, 0.25)},
        Capsule{.radius = Real(0.15), .halfHeight = Real(0.2)},
        Cylinder{.radius = Real(0.2), .halfHeight = Real(0.2)},
        hull,
        Compound{{{Box{scenes::vec(0.3, 0.1, 0.1)}, {}}, {Box{scenes::vec(0.1, 0.1, 0.3)}, scenes::vec(0, 0.15, 0)}}}};
    return shapes[i % 6];
}

// A loose grid of 10 x 5 x 10 bodies above a floor, each with a motion of its own.
World rain(Stepper stepper, std::uint64_t seed) {
    WorldDef def;
    def.stepper = stepper;
    def.sleeping = false;
    def.restitutionThreshold = 0;
    def.persistEvents = false;
    World world(def);
    world.addBody({.shape = Box{scenes::vec(20, 1, 20)},
                   .motion = Motion::Static,
                   .position = scenes::vec(4, -1, 4),
                   .material = {.friction = Real(0.3), .restitution = Real(0.5)}});
    scenes::Random random(seed);
    for (int i = 0; i < kBodies; ++i) {
        BodyDef body;
        body.shape = shapeOf(i);
        body.position = scenes::vec(0.9 * (i % 10) + random.between(-0.05, 0.05), 1 + 0.9 * (i / 100.0),
                                    0.9 * (i / 10 % 10) + random.between(-0.05, 0.05));
        body.orientation = random.rotation();
        body.velocity = random.inBox(2);
        body.angularVelocity = random.inBox(3);
        body.material = {.friction = Real(0.3), .restitution = Real(0.5)};
        world.addBody(body);
    }
    return world;
}

struct Meet {
    std::uint32_t a, b;
    double time;  // s; of the tiny steps, the end of the step
};

// The first meeting of each two bodies, in order, at least kFirst of them where there are so many within a second.
struct Run {
    std::vector<Meet> meets;
    double meanMs = 0, worstMs = 0;
    int cut = 0;
};

Run runRain(Stepper stepper, std::uint64_t seed, double rate, std::size_t most) {
    World world = rain(stepper, seed);
    Run run;
    std::vector<std::uint64_t> known;
    const auto add = [&](BodyId a, BodyId b, double time) {
        const std::uint64_t key = std::uint64_t(a.index) << 32 | b.index;
        const auto place = std::lower_bound(known.begin(), known.end(), key);
        if (place != known.end() && *place == key)
            return;
        known.insert(place, key);
        run.meets.push_back({a.index, b.index, time});
    };
    int steps = 0;
    while (run.meets.size() < most && steps < int(rate)) {
        const auto start = std::chrono::steady_clock::now();
        world.step(Real(1 / rate));
        const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        run.meanMs += ms;
        run.worstMs = std::max(run.worstMs, ms);
        ++steps;
        run.cut += world.stats().cutCollisions;
        if (stepper == Stepper::Impulse)
            for (const ContactEvent& event : world.contactEvents())
                add(event.a, event.b, world.stats().time);
        else
            for (const CollisionEvent& event : world.collisionEvents())
                add(event.a, event.b, event.time);
    }
    run.meanMs /= std::max(steps, 1);
    return run;
}

// How many of the first meetings are not where the fine run has them. Two that the fine run has within one and a half of its
// steps have no order there.
int outOfOrder(const Run& run, const Run& fine) {
    int wrong = 0;
    double latest = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(kFirst, run.meets.size()); ++i) {
        const Meet& meet = run.meets[i];
        const auto same = std::find_if(fine.meets.begin(), fine.meets.end(),
                                       [&](const Meet& other) { return other.a == meet.a && other.b == meet.b; });
        if (same == fine.meets.end() || same->time < latest - 1.5 / kTinyRate)
            ++wrong;
        else
            latest = std::max(latest, same->time);
    }
    return wrong;
}

}  // namespace

void timewarpOrder(Table& table) {
    table.begin("timewarp.order", "500 falling bodies of all shapes, 60 Hz, 12 seeds: first 200 meetings against tiny steps");
    for (const auto& [stepper, name] :
         {std::pair{Stepper::Timewarp, "timewarp"}, std::pair{Stepper::TimewarpSafer, "timewarp_safer"}}) {
        int wrong = 0, cut = 0;
        double ratio = 0, meanMs = 0;
        std::size_t fewest = kFirst;
        for (int seed = 1; seed <= kSeeds; ++seed) {
            const Run run = runRain(stepper, std::uint64_t(seed), kRate, kFirst);
            const Run fine = runRain(Stepper::Impulse, std::uint64_t(seed), kTinyRate, kFirst + kFirst / 4);
            wrong += outOfOrder(run, fine);
            cut += run.cut;
            fewest = std::min(fewest, run.meets.size());
            const Run all = runRain(stepper, std::uint64_t(seed), kRate, std::size_t(-1));
            ratio = std::max(ratio, all.worstMs / all.meanMs);
            meanMs = std::max(meanMs, all.meanMs);
        }
        table.check(format("%s: meetings out of order, of at least %zu per seed", name, fewest), "0", format("%d", wrong),
                    wrong == 0);
        table.check(format("%s: worst frame over mean frame, first second", name), "<= 5", format("%.1f", ratio), ratio <= 5);
        table.note(format("%s: mean frame, collisions cut off", name), format("%.1f ms, %d", meanMs, cut));
    }
}

}  // namespace sunder::bars
