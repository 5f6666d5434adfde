// The order of collisions that the timewarp steppers find at 60 Hz against a run with tiny steps, and their worst frame.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <ctime>
#include <numeric>
#include <optional>
#include <thread>

#include "bars/bars.h"
#include "scenes/parts.h"

namespace sunder::bars {

namespace {

constexpr int kBodies = 500, kSeeds = 12, kFirst = 200;
// The reference runs at two rates; how far their times of a meeting are apart says how well the reference knows it. A step in
// which bodies meet is taken back and done in kParts: where two meetings of a body fall into one step, that step does not know
// which comes first, and what follows is another run.
constexpr double kRate = 60, kTinyRate = 8000, kHalfRate = kTinyRate / 2;
constexpr int kParts = 8;
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
    def.threads = 1;  // so that the processor's time is that of the step
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
    double time;       // s; of the reference, the end of the part of a step
    double speed = 0;  // m/s of approach; not known of the tiny steps
};

// The first meeting of each two bodies, in order, at least kFirst of them where there are so many within a second.
struct Run {
    std::vector<Meet> meets;
    double meanMs = 0, worstMs = 0;  // of the processor, so that other work of the machine is not in them
    int cut = 0;
};

// Lists the first meeting of each two bodies.
class Meetings {
public:
    explicit Meetings(Run& run) : run_(run) {}
    void add(BodyId a, BodyId b, double time, double speed) {
        const std::uint64_t key = std::uint64_t(a.index) << 32 | b.index;
        const auto place = std::lower_bound(known_.begin(), known_.end(), key);
        if (place != known_.end() && *place == key)
            return;
        known_.insert(place, key);
        run_.meets.push_back({a.index, b.index, time, speed});
    }

private:
    Run& run_;
    std::vector<std::uint64_t> known_;
};

Run runRain(Stepper stepper, std::uint64_t seed) {
    Run run;
    Meetings meetings(run);
    constexpr int kSteps = int(kRate);
    std::vector<double> times(kSteps, 1e9);  // ms
    std::optional<World> world;
    // Twice: what other programs of the machine do to a step is not in the lesser of its times.
    for (int i = 0; i < 2 * kSteps; ++i) {
        if (i % kSteps == 0)
            world.emplace(rain(stepper, seed));
        const std::clock_t start = std::clock();
        world->step(Real(1 / kRate));
        double& ms = times[std::size_t(i % kSteps)];
        ms = std::min(ms, double(std::clock() - start) * 1e3 / CLOCKS_PER_SEC);
        if (i >= kSteps)
            continue;
        run.cut += world->stats().cutCollisions;
        for (const CollisionEvent& event : world->collisionEvents())
            meetings.add(event.a, event.b, event.time, double(event.speed));
    }
    run.worstMs = *std::max_element(times.begin(), times.end());
    run.meanMs = std::accumulate(times.begin(), times.end(), 0.0) / kSteps;
    return run;
}

bool hasMeeting(const World& world) {
    for (const ContactEvent& event : world.contactEvents())
        if (event.phase == ContactPhase::Begin)
            return true;
    return false;
}

// Tiny steps until `end` (s). doubted: times near which each step is done in parts, whatever it shows: two corners may pass
// through each other within one.
Run runReference(std::uint64_t seed, double rate, double end, const std::vector<double>& doubted) {
    constexpr double kNear = 1e-3;  // s
    World world = rain(Stepper::Impulse, seed);
    Run run;
    Meetings meetings(run);
    const auto step = [&](double dt) {
        world.step(Real(dt));
        for (const ContactEvent& event : world.contactEvents())
            if (event.phase == ContactPhase::Begin)
                meetings.add(event.a, event.b, world.stats().time, 0);
    };
    while (world.stats().time < end) {
        const double now = world.stats().time;
        const bool isDoubted =
            std::any_of(doubted.begin(), doubted.end(), [&](double time) { return std::abs(time - now) < kNear; });
        const Checkpoint before = world.checkpoint();
        if (!isDoubted)
            world.step(Real(1 / rate));
        if (!isDoubted && !hasMeeting(world))
            continue;
        world.rewind(before);
        for (int i = 0; i < kParts; ++i)
            step(1 / (rate * kParts));
    }
    return run;
}

const Meet* find(const Run& run, const Meet& meet) {
    const auto same = std::find_if(run.meets.begin(), run.meets.end(),
                                   [&](const Meet& other) { return other.a == meet.a && other.b == meet.b; });
    return same == run.meets.end() ? nullptr : &*same;
}

struct Reference {
    Run fine, half;
};

struct Order {
    std::vector<Meet> wrong;      // not where the reference has them
    std::vector<Meet> undecided;  // known to the reference at one of its rates only, or more than kUnknown apart

    void add(const Order& other) {
        wrong.insert(wrong.end(), other.wrong.begin(), other.wrong.end());
        undecided.insert(undecided.end(), other.undecided.begin(), other.undecided.end());
    }
};

std::string textOf(const std::vector<Meet>& meets) {
    std::string text = format("%zu", meets.size());
    for (const Meet& meet : meets)
        text += format(" (%u-%u %.6f s)", meet.a, meet.b, meet.time);
    return text;
}

// Two meetings have an order in the reference where its times are farther apart than it knows them: one and a half of the
// larger steps, the difference of its two rates, and the time in which kMetGap closes.
Order compare(const Run& run, const Reference& reference) {
    constexpr double kUnknown = 2e-3;  // s
    Order order;
    double latest = 0;  // s: the latest time so far, less what is not known of it
    for (const Meet& meet : run.meets) {
        const Meet *inFine = find(reference.fine, meet), *inHalf = find(reference.half, meet);
        if (!inFine || !inHalf || std::abs(inFine->time - inHalf->time) > kUnknown) {
            (!inFine && !inHalf ? order.wrong : order.undecided).push_back(meet);
            continue;
        }
        const double known = 1.5 / (kHalfRate * kParts) + std::abs(inFine->time - inHalf->time) + kMetGap / meet.speed;
        if (inFine->time + known < latest)
            order.wrong.push_back(meet);
        latest = std::max(latest, inFine->time - known);
    }
    // What the reference has at both rates, well before the last of them, must be among them.
    for (const Meet& meet : reference.fine.meets)
        if (const Meet* inHalf = find(reference.half, meet);
            inHalf && std::max(meet.time, inHalf->time) + kUnknown < run.meets.back().time && !find(run, meet))
            order.wrong.push_back(meet);
    return order;
}

// The references of the runs of all seeds, side by side. Where both rates lack a meeting of the run, they run again with parts
// of steps around it.
std::vector<Reference> runReferences(const std::vector<Run>& runs) {
    std::vector<Reference> references(runs.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < runs.size(); i = next++) {
            const Run& run = runs[i];
            const double end = run.meets.back().time + 0.01;
            std::vector<double> doubted;
            for (bool isDone = false; !isDone;) {
                references[i] = {runReference(i + 1, kTinyRate, end, doubted), runReference(i + 1, kHalfRate, end, doubted)};
                isDone = !doubted.empty();
                for (const Meet& meet : run.meets)
                    if (!find(references[i].fine, meet) && !find(references[i].half, meet))
                        doubted.push_back(meet.time);
                isDone = isDone || doubted.empty();
            }
        }
    };
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
        workers.emplace_back(work);
    for (std::thread& worker : workers)
        worker.join();
    return references;
}

}  // namespace

void timewarpOrder(Table& table) {
    table.begin("timewarp.order", "500 falling bodies of all shapes, 60 Hz, 12 seeds: first 200 meetings against tiny steps");
    std::vector<Reference> references;  // of both: where they differ, they are out of order
    for (const auto& [stepper, name] :
         {std::pair{Stepper::Timewarp, "timewarp"}, std::pair{Stepper::TimewarpSafer, "timewarp_safer"}}) {
        std::vector<Run> runs;
        int cut = 0;
        double ratio = 0, meanMs = 0;
        std::size_t fewest = kFirst;
        for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
            runs.push_back(runRain(stepper, seed));
            cut += runs.back().cut;
            fewest = std::min(fewest, runs.back().meets.size());
            runs.back().meets.resize(std::min<std::size_t>(kFirst, runs.back().meets.size()));
            ratio = std::max(ratio, runs.back().worstMs / runs.back().meanMs);
            meanMs = std::max(meanMs, runs.back().meanMs);
        }
        if (references.empty())
            references = runReferences(runs);
        Order order;
        for (std::size_t i = 0; i < runs.size(); ++i)
            order.add(compare(runs[i], references[i]));
        table.check(format("%s: meetings out of order, of at least %zu per seed", name, fewest), "0", textOf(order.wrong),
                    order.wrong.empty());
        table.note(format("%s: meetings that the reference does not decide", name), textOf(order.undecided));
        table.check(format("%s: worst frame over mean frame, first second", name), "<= 5", format("%.1f", ratio), ratio <= 5);
        table.note(format("%s: mean frame, collisions cut off", name), format("%.1f ms, %d", meanMs, cut));
    }
}

}  // namespace sunder::bars
