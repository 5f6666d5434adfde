// Runs worlds under random calls for as long as it is told, and checks what must always hold:
//   anything goes   every number stays finite, but of what a kinematic body drives; a snapshot restored elsewhere, on other
//                   threads, continues with the same hashes; the log of the round replays without a difference
//   closed          bodies fall on something fixed: no step adds energy
//   free space      nothing but bodies: momentum stays, no step adds energy
//     sunder_soak [--seconds N | --rounds N | --round NUMBER] [--seed N]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "sunder/replay.h"
#include "support/random_calls.h"

namespace sunder {
namespace {

using support::RandomCalls;
using Clock = std::chrono::steady_clock;

// A step may add this part of the energy that is there: what the energy guard lets pass, and the rounding of float.
constexpr double kEnergyShare = 0.01;
// Rounding of float over the contacts of a few hundred steps, of the sum of all momenta by size.
constexpr double kMomentumShare = 1e-3;

// Steps without a call between as many with some, so that bodies come to rest and fall asleep.
constexpr int kQuiet = 25;

class MemoryLog : public CallLog {
public:
    void write(std::span<const std::byte> record) override { bytes.insert(bytes.end(), record.begin(), record.end()); }
    std::vector<std::byte> bytes;
};

enum class Kind { Anything, Closed, FreeSpace };

class Round {
public:
    Round(std::uint64_t seed, std::uint64_t round)
        : kind_(Kind(round % 3)), random_(seed * 1000003 + round), world_(definition()), calls_(world_, random_.bits()) {
        world_.record(&log_);
    }

    // What went wrong, or nothing.
    std::string run() {
        kind_ == Kind::Anything ? calls_.populate(int(10 + random_.below(40))) : populateApart();
        takeTotals();
        const int steps = int(60 + random_.below(140));
        for (int i = 0; i < steps && fault_.empty(); ++i) {
            if (kind_ == Kind::Anything && i / kQuiet % 2 == 0)
                for (std::uint32_t n = random_.below(4); n > 0; --n)
                    calls_.call();
            step();
            if (random_.below(24) == 0)
                compareFutures();
        }
        if (fault_.empty())
            repeatLog();
        return fault_.empty() ? "" : fault_ + ", step " + std::to_string(world_.stats().step);
    }

    const std::vector<std::byte>& log() const { return log_.bytes; }
    std::uint64_t steps() const { return world_.stats().step; }
    std::string name() const {
        const char* kinds[] = {"anything", "closed", "free space"};
        return std::string(kinds[int(kind_)]) + (world_.settings().stepper == Stepper::Impulse ? ", impulse" : ", frame rate");
    }

private:
    WorldDef definition() {
        WorldDef def;
        def.stepper = random_.below(3) == 0 ? Stepper::Impulse : Stepper::FrameRate;
        def.threads = someThreads();
        if (kind_ == Kind::FreeSpace)
            def.gravity = {};
        def.sleeping = kind_ != Kind::FreeSpace;  // what drifts by a millimetre per second is stopped by it
        if (random_.below(2))
            def.sleepTime = Real(0.1);
        return def;
    }

    // Mostly one: small worlds gain nothing from more.
    int someThreads() { return random_.below(6) == 0 ? int(2 + random_.below(3)) : 1; }

    // Dynamic bodies that do not overlap, with nothing about them that takes up momentum or does work.
    void populateApart() {
        if (kind_ == Kind::Closed)
            world_.addBody({.name = "floor", .shape = Box{{20, 1, 20}}, .motion = Motion::Static, .position = {0, -1, 0}});
        const int side = int(2 + random_.below(3));
        BodyId last{};
        for (int i = 0; i < side * side * side; ++i) {
            BodyDef def = calls_.body();
            def.motion = Motion::Dynamic;
            def.keyframes.clear();
            def.lockedAxes = 0;
            def.sensor = false;
            // The largest shape is a hull of 0.52 m.
            const Real spacing = Real(1.1);
            def.position = {Real(i % side) * spacing, Real(0.8) + Real(i / side % side) * spacing,
                            Real(i / side / side) * spacing};
            if (kind_ == Kind::FreeSpace)  // towards each other
                def.velocity = {-def.position.x, -def.position.y, -def.position.z};
            const BodyId body = world_.addBody(def);
            if (world_.settings().stepper == Stepper::FrameRate && i % side != 0 && random_.below(3) == 0)
                world_.addJoint(passiveJoint(last, body));
            last = body;
        }
    }

    // Holds and rubs, but does no work.
    JointDef passiveJoint(BodyId a, BodyId b) {
        using enum JointType;
        constexpr JointType kTypes[] = {Ball, Hinge, Slider, Fixed, Distance, ConeTwist, SixDof};
        JointDef def = calls_.joint(kTypes[random_.below(7)]);
        def.a = a;
        def.b = b;
        def.anchor = (world_.position(a) + world_.position(b)) * Real(0.5);
        if (def.type == Distance) {
            def.anchor = world_.position(a);
            def.anchorB = world_.position(b);
            def.limits.reset();  // they do not begin within them
        }
        if (def.limits) {  // one that begins beyond them is drawn in, which is work
            def.limits->low = std::min(def.limits->low, Real(0));
            def.limits->high = std::max(def.limits->high, Real(0));
        }
        def.stiffness = def.frequency = 0;
        def.springStiffness = def.springFrequency = def.springDampingRatio = 0;
        def.motorSpeed = def.motorStrength = 0;
        return def;
    }

    void takeTotals() {
        const WorldStats stats = world_.stats();
        energy_ = stats.kineticEnergy + stats.potentialEnergy;
        for (int i = 0; i < 3; ++i) {
            linear_[i] = stats.linearMomentum[i];
            angular_[i] = stats.angularMomentum[i];
        }
        scale_ = reach_ = 0;
        for (const BodyId body : world_.bodies()) {
            const Vec3 v = world_.velocity(body), x = world_.centerOfMass(body);
            scale_ += double(world_.mass(body)) * std::sqrt(double(v.x * v.x + v.y * v.y + v.z * v.z));
            reach_ = std::fmax(reach_, std::sqrt(double(x.x * x.x + x.y * x.y + x.z * x.z)));
        }
        energyScale_ = stats.kineticEnergy + std::fabs(stats.potentialEnergy);
    }

    void step() {
        constexpr Real kLengths[] = {Real(1) / 60, Real(1) / 30, Real(1) / 15};
        world_.step(kLengths[random_.below(3)]);
        checkFinite();
        const WorldStats stats = world_.stats();
        const double energy = stats.kineticEnergy + stats.potentialEnergy;
        if (kind_ != Kind::Anything && energy > energy_ + kEnergyShare * energyScale_)
            fail("energy rose from " + std::to_string(energy_) + " to " + std::to_string(energy) + " J of " +
                 std::to_string(energyScale_));
        energy_ = energy;
        if (kind_ == Kind::FreeSpace)
            checkMomentum(stats);
    }

    void checkFinite() {
        for (const BodyId body : world_.bodies()) {
            const Vec3 x = world_.position(body), v = world_.velocity(body), w = world_.angularVelocity(body);
            const Quat q = world_.orientation(body);
            for (const Real number : {x.x, x.y, x.z, v.x, v.y, v.z, w.x, w.y, w.z, q.x, q.y, q.z, q.w})
                if (!std::isfinite(number))
                    return fail("body " + std::to_string(body.index) + " is not finite");
        }
        for (const ErrorEvent& event : world_.errorEvents())
            if (!isDriven(event.body))
                fail(event.message);
    }

    // Whether joints lead from it to a body that turns whatever it takes. What slides along such a rod gains speed by the same
    // factor in every step, as it should, until the numbers end.
    bool isDriven(BodyId lost) const {
        std::vector<BodyId> driven;
        const auto isAmong = [&](BodyId body) { return std::find(driven.begin(), driven.end(), body) != driven.end(); };
        for (const BodyId body : world_.bodies())
            if (world_.motion(body) == Motion::Kinematic && !(world_.angularVelocity(body) == Vec3{}))
                driven.push_back(body);
        for (std::size_t before = 0; before != driven.size();) {
            before = driven.size();
            for (const JointId joint : world_.joints()) {
                const JointDef def = world_.joint(joint);
                if (isAmong(def.a) != isAmong(def.b))
                    driven.push_back(isAmong(def.a) ? def.b : def.a);
            }
        }
        return isAmong(lost);
    }

    void checkMomentum(const WorldStats& stats) {
        for (int i = 0; i < 3; ++i) {
            if (std::fabs(stats.linearMomentum[i] - linear_[i]) > kMomentumShare * scale_)
                fail("linear momentum changed by " + std::to_string(stats.linearMomentum[i] - linear_[i]) + " of " +
                     std::to_string(scale_) + " N s");
            if (std::fabs(stats.angularMomentum[i] - angular_[i]) > kMomentumShare * scale_ * (1 + reach_))
                fail("angular momentum changed by " + std::to_string(stats.angularMomentum[i] - angular_[i]) + " of " +
                     std::to_string(scale_ * (1 + reach_)) + " N m s");
        }
    }

    // The same steps here and in a world that was restored, then back again.
    void compareFutures() {
        const std::vector<std::byte> snapshot = world_.snapshot();
        const Checkpoint checkpoint = world_.checkpoint();
        const std::uint64_t now = world_.hash();
        WorldDef def;
        def.threads = someThreads();
        World other(def);
        other.restore(snapshot);
        if (other.hash() != now || other.snapshot() != snapshot)
            return fail("a restored world is not the same");
        RandomCalls here(world_, now), there(other, now);
        for (int i = 0; i < 4; ++i) {
            if (kind_ == Kind::Anything) {
                here.call();
                there.call();
            }
            world_.step(Real(1) / 30);
            other.step(Real(1) / 30);
            if (world_.hash() != other.hash())
                return fail("a restored world takes another way after " + std::to_string(i) + " steps");
        }
        random_.below(2) ? world_.rewind(checkpoint) : world_.restore(snapshot);
        if (world_.hash() != now || world_.snapshot() != snapshot)
            return fail("a world that was taken back is not the same");
    }

    void repeatLog() {
        const ReplayReport report = replay(log_.bytes, someThreads());
        if (report.difference)
            fail("the replay differs in step " + std::to_string(report.difference->step));
        else if (report.hash != world_.hash() || report.cutShort)
            fail("the replay does not end as the round did");
    }

    void fail(const std::string& what) {
        if (fault_.empty())
            fault_ = what;
    }

    Kind kind_;
    core::Random random_;
    MemoryLog log_;
    World world_;
    RandomCalls calls_;
    std::string fault_;
    double energy_ = 0, energyScale_ = 0;
    double linear_[3] = {}, angular_[3] = {}, scale_ = 0, reach_ = 0;
};

bool runRound(std::uint64_t seed, std::uint64_t number, std::uint64_t& steps) {
    Round round(seed, number);
    std::string fault;
    try {
        fault = round.run();
    } catch (const std::exception& error) {
        fault = error.what();
    }
    steps += round.steps();
    if (fault.empty())
        return true;
    const std::string file = "soak-" + std::to_string(seed) + "-" + std::to_string(number) + ".log";
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(round.log().data()), std::streamsize(round.log().size()));
    std::printf("seed %llu round %llu (%s): %s; calls in %s\n", static_cast<unsigned long long>(seed),
                static_cast<unsigned long long>(number), round.name().c_str(), fault.c_str(), file.c_str());
    return false;
}

int soak(double seconds, std::uint64_t mostRounds, std::uint64_t seed) {
    const Clock::time_point start = Clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    std::uint64_t rounds = 0, failed = 0, steps = 0;
    double told = 0;
    for (; elapsed() < seconds && rounds < mostRounds; ++rounds) {
        failed += !runRound(seed, rounds, steps);
        if (elapsed() > told + 60) {
            told = elapsed();
            std::printf("%.0f s: %llu rounds, %llu steps, %llu failed\n", told, static_cast<unsigned long long>(rounds + 1),
                        static_cast<unsigned long long>(steps), static_cast<unsigned long long>(failed));
            std::fflush(stdout);
        }
    }
    std::printf("soak: %llu rounds, %llu steps, %llu failed\n", static_cast<unsigned long long>(rounds),
                static_cast<unsigned long long>(steps), static_cast<unsigned long long>(failed));
    return failed > 0;
}

}  // namespace
}  // namespace sunder

int main(int argc, char** argv) {
    constexpr double kForever = 1e9;
    double seconds = kForever;
    std::uint64_t seed = 1, rounds = ~std::uint64_t(0), steps = 0;
    long long round = -1;
    for (int i = 1; i < argc; i += 2) {
        const std::string option = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
        char* end = nullptr;
        const double number = std::strtod(value.c_str(), &end);
        if (value.empty() || *end || !(number >= 0)) {
            std::printf("sunder_soak [--seconds N | --rounds N | --round NUMBER] [--seed N]\n");
            return 2;
        }
        if (option == "--seconds")
            seconds = number;
        else if (option == "--seed")
            seed = std::uint64_t(number);
        else if (option == "--rounds")
            rounds = std::uint64_t(number);
        else if (option == "--round")
            round = static_cast<long long>(number);
        else {
            std::printf("sunder_soak: unknown option %s\n", option.c_str());
            return 2;
        }
    }
    if (round >= 0)
        return sunder::runRound(seed, std::uint64_t(round), steps) ? 0 : 1;
    return sunder::soak(seconds, rounds, seed);
}
