// Chains with slack that come taut under a weight: dropped, swung, lifted and yanked, thrown.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "sunder/world.h"

namespace sunder::scenes {

enum class ChainMotion { Dropped, Swung, Lifted, Thrown };

struct ChainCase {
    int links = 10;
    double weight = 1000;  // kg; links have 1 kg each
    double slack = 0.2;    // m: how much nearer the weight is than the chain is long
    double rate = 60;      // Hz
    ChainMotion motion = ChainMotion::Dropped;
    bool folded = false;       // in two straight halves; else zigzag
    bool linksCollide = true;  // with each other
};

struct ChainOutcome {
    double gain = 0;     // the most energy above what was there and what was done, over all that was put in
    double opening = 0;  // the worst joint error, over the length
};

class SlackChain {
public:
    static constexpr double kLink = 0.3;  // m

    explicit SlackChain(const ChainCase& chain, int threads = 1) : case_(chain), world_(defOf(threads)) {
        const std::vector<Vec3> knots = layKnots();
        BodyId last{};
        if (chain.motion == ChainMotion::Lifted)
            last = hook_ = world_.addBody({.shape = Sphere{Real(0.03)}, .motion = Motion::Kinematic});
        for (int i = 0; i < chain.links; ++i) {
            const BodyId link = addLink(knots[i], knots[i + 1]);
            joints_.push_back(world_.addJoint({.a = last, .b = link, .anchor = knots[i]}));
            last = link;
        }
        const Vec3 end = knots.back();
        const bool swings = chain.motion == ChainMotion::Swung;
        weight_ = world_.addBody({.shape = Sphere{Real(0.1)},
                                  .position = {end.x + Real(swings ? 0.1 : 0), end.y - Real(swings ? 0 : 0.1), end.z},
                                  .mass = Real(chain.weight)});
        joints_.push_back(world_.addJoint({.a = last, .b = weight_, .anchor = end}));
        if (chain.motion == ChainMotion::Thrown)
            world_.setVelocity(weight_, {3, -8, 1});
    }

    ChainOutcome run(double seconds) {
        ChainOutcome outcome;
        double put = heightPut() + world_.stats().kineticEnergy, allowed = energy(), most = 0;
        for (int i = 0; i < int(seconds * case_.rate); ++i) {
            const double lift = hook_.isNull() ? 0 : liftAt(i / case_.rate);
            if (!hook_.isNull())
                world_.setVelocity(hook_, {0, Real(lift), 0});
            world_.step(Real(1 / case_.rate));
            const double work = lift * double(world_.jointState(joints_[0]).force.y) / case_.rate;
            allowed += work;
            put += std::fabs(work);
            most = std::fmax(most, energy() - allowed);
            for (const JointId joint : joints_)
                outcome.opening = std::fmax(outcome.opening, double(world_.jointState(joint).error) / length());
        }
        outcome.gain = most / put;
        return outcome;
    }

    World& world() { return world_; }

private:
    static WorldDef defOf(int threads) {
        WorldDef def;
        def.threads = threads;
        return def;
    }
    double length() const { return kLink * case_.links; }
    double slack() const { return std::fmin(case_.slack, 0.8 * length()); }
    double heightPut() const {
        const double height = case_.motion == ChainMotion::Swung ? length() : std::fmax(slack(), 0.05);
        return (case_.weight + case_.links) * 9.81 * height;
    }
    double energy() const {
        const WorldStats stats = world_.stats();
        return stats.kineticEnergy + stats.potentialEnergy + stats.elasticEnergy;
    }
    // m/s: a crane that lifts, stops, and yanks.
    static double liftAt(double time) { return time < 0.5 ? 0 : (time < 1 ? 0.5 : (time < 1.5 ? 0 : (time < 2 ? 3 : 0))); }

    std::vector<Vec3> layKnots() const {
        const double reach = length() - slack();
        std::vector<Vec3> knots;
        const auto add = [&](double x, double y) {
            knots.push_back(case_.motion == ChainMotion::Swung ? Vec3{Real(-y), Real(x), 0} : Vec3{Real(x), Real(y), 0});
        };
        if (case_.folded) {
            const int half = case_.links / 2;
            const double first = kLink * half, second = length() - first;
            const double down = std::fmin((first * first - second * second + reach * reach) / (2 * reach), first);
            const double aside = std::sqrt(std::fmax(first * first - down * down, 0));
            for (int i = 0; i <= half; ++i)
                add(aside * i / half, -down * i / half);
            for (int i = 1; i <= case_.links - half; ++i)
                add(aside * (1 - double(i) / (case_.links - half)), -down - (reach - down) * i / (case_.links - half));
            return knots;
        }
        const double down = reach / case_.links, aside = std::sqrt(std::fmax(kLink * kLink - down * down, 0));
        for (int i = 0; i <= case_.links; ++i)
            add(i % 2 == 0 ? 0 : aside, -down * i);
        return knots;
    }
    BodyId addLink(const Vec3& from, const Vec3& to) {
        const double x = to.x - from.x, y = to.y - from.y;
        // Half of the angle that turns the y axis towards the link.
        const double half = std::atan2(-x, y) / 2;
        return world_.addBody({.shape = Capsule{Real(0.03), Real(0.1)},
                               .position = {(from.x + to.x) / 2, (from.y + to.y) / 2, 0},
                               .orientation = {0, 0, Real(std::sin(half)), Real(std::cos(half))},
                               .mass = Real(1),
                               .mask = case_.linksCollide ? 0xffffffffu : 0u});
    }

    ChainCase case_;
    World world_;
    BodyId hook_{}, weight_{};
    std::vector<JointId> joints_;
};

}  // namespace sunder::scenes
