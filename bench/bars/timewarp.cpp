// The order of collisions that the timewarp steppers find at 60 Hz against a run with tiny steps, and their worst frame.
#include <algorithm>
#include <cmath>
#include <ctime>

#include "bars/bars.h"
#include "scenes/parts.h"

namespace sunder::bars {

namespace {

constexpr int kBodies = 500, kSeeds = 12, kFirst = 200;
// The reference runs at two rates; how far their times of a meeting are apart says how well the reference knows it.
constexpr double kRate = 60, kTinyRate = 8000, kHalfRate = kTinyRate / 2;
// m: the timewarp steppers call surfaces this near met (docs/steppers.md), which is a time for slow ones.
constexpr double kMetGap = 2e-5;

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
    double time;       // s; of the tiny steps, the end of the step
    double speed = 0;  // m/s of approach; not known of the tiny steps
};

// The first meeting of each two bodies, in order, at least kFirst of them where there are so many within a second.
struct Run {
    std::vector<Meet> meets;
    double meanMs = 0, worstMs = 0;  // of the processor, so that other work of the machine is not in them
    int cut = 0;
};

Run runRain(Stepper stepper, std::uint64_t seed, double rate, std::size_t most) {
    World world = rain(stepper, seed);
    Run run;
    std::vector<std::uint64_t> known;
    const auto add = [&](BodyId a, BodyId b, double time, double speed) {
        const std::uint64_t key = std::uint64_t(a.index) << 32 | b.index;
        const auto place = std::lower_bound(known.begin(), known.end(), key);
        if (place != known.end() && *place == key)
            return;
        known.insert(place, key);
        run.meets.push_back({a.index, b.index, time, speed});
    };
    int steps = 0;
    while (run.meets.size() < most && steps < int(rate)) {
        const std::clock_t start = std::clock();
        world.step(Real(1 / rate));
        const double ms = double(std::clock() - start) * 1e3 / CLOCKS_PER_SEC;
        run.meanMs += ms;
        run.worstMs = std::max(run.worstMs, ms);
        ++steps;
        run.cut += world.stats().cutCollisions;
        if (stepper == Stepper::Impulse)
            for (const ContactEvent& event : world.contactEvents())
                add(event.a, event.b, world.stats().time, 0);
        else
            for (const CollisionEvent& event : world.collisionEvents())
                add(event.a, event.b, event.time, double(event.speed));
    }
    run.meanMs /= std::max(steps, 1);
    return run;
}

const Meet* find(const Run& run, const Meet& meet) {
    const auto same = std::find_if(run.meets.begin(), run.meets.end(),
                                   [&](const Meet& other) { return other.a == meet.a && other.b == meet.b; });
    return same == run.meets.end() ? nullptr : &*same;
}

struct Order {
    int wrong = 0;      // not where the reference has them
    int undecided = 0;  // known to the reference at one of its rates only, or more than kUnknown apart
};

// Two meetings have an order in the reference where its times are farther apart than it knows them: one and a half of the
// larger steps, the difference of its two rates, and the time in which kMetGap closes.
Order compare(const Run& run, const Run& fine, const Run& half) {
    constexpr double kUnknown = 2e-3;  // s
    Order order;
    double latest = 0;  // s: the latest time so far, less what is not known of it
    const std::size_t count = std::min<std::size_t>(kFirst, run.meets.size());
    for (std::size_t i = 0; i < count; ++i) {
        const Meet& meet = run.meets[i];
        const Meet *inFine = find(fine, meet), *inHalf = find(half, meet);
        if (!inFine || !inHalf || std::abs(inFine->time - inHalf->time) > kUnknown) {
            ++(!inFine && !inHalf ? order.wrong : order.undecided);
            continue;
        }
        const double known = 1.5 / kHalfRate + std::abs(inFine->time - inHalf->time) + kMetGap / meet.speed;
        order.wrong += inFine->time + known < latest;
        latest = std::max(latest, inFine->time - known);
    }
    // What the reference has at both rates, well before the last of them, must be among them.
    for (const Meet& meet : fine.meets)
        if (const Meet* inHalf = find(half, meet);
            inHalf && std::max(meet.time, inHalf->time) + kUnknown < run.meets[count - 1].time && !find(run, meet))
            ++order.wrong;
    return order;
}

}  // namespace

void timewarpOrder(Table& table) {
    table.begin("timewarp.order", "500 falling bodies of all shapes, 60 Hz, 12 seeds: first 200 meetings against tiny steps");
    std::vector<std::pair<Run, Run>> references;
    for (int seed = 1; seed <= kSeeds; ++seed)
        references.push_back({runRain(Stepper::Impulse, std::uint64_t(seed), kTinyRate, kFirst + kFirst / 4),
                              runRain(Stepper::Impulse, std::uint64_t(seed), kHalfRate, kFirst + kFirst / 4)});
    for (const auto& [stepper, name] :
         {std::pair{Stepper::Timewarp, "timewarp"}, std::pair{Stepper::TimewarpSafer, "timewarp_safer"}}) {
        Order order;
        int cut = 0;
        double ratio = 0, meanMs = 0;
        std::size_t fewest = kFirst;
        for (int seed = 1; seed <= kSeeds; ++seed) {
            const Run run = runRain(stepper, std::uint64_t(seed), kRate, kFirst);
            const Order found = compare(run, references[std::size_t(seed - 1)].first, references[std::size_t(seed - 1)].second);
            order.wrong += found.wrong;
            order.undecided += found.undecided;
            cut += run.cut;
            fewest = std::min(fewest, run.meets.size());
            const Run all = runRain(stepper, std::uint64_t(seed), kRate, std::size_t(-1));
            ratio = std::max(ratio, all.worstMs / all.meanMs);
            meanMs = std::max(meanMs, all.meanMs);
        }
        table.check(format("%s: meetings out of order, of at least %zu per seed", name, fewest), "0", format("%d", order.wrong),
                    order.wrong == 0);
        table.note(format("%s: meetings that the reference does not decide", name), format("%d", order.undecided));
        table.check(format("%s: worst frame over mean frame, first second", name), "<= 5", format("%.1f", ratio), ratio <= 5);
        table.note(format("%s: mean frame, collisions cut off", name), format("%.1f ms, %d", meanMs, cut));
    }
}

}  // namespace sunder::bars
