// Joints that must hold: a pendulum, a thousand times a link's weight on a chain, a cart on a bridge, slack chains, ragdolls.
#include <algorithm>
#include <cmath>
#include <string>

#include "bars/bars.h"
#include "scenes/chains.h"
#include "scenes/joint_nets.h"
#include "scenes/ragdolls.h"

namespace sunder::bars {
namespace {

constexpr int kRate = 60;

WorldDef awake() {
    WorldDef def;
    def.sleeping = false;
    return def;
}

// The worst error of any joint at the end of any of the frames.
double run(scenes::JointScene& scene, int frames, scenes::Jitter* jitter = nullptr) {
    double worst = 0;
    for (int i = 0; i < frames; ++i) {
        scene.world.step(Real(1) / kRate);
        worst = std::fmax(worst, scene.worstError());
        if (jitter && i >= frames - kRate)
            jitter->add(scene);
    }
    return worst;
}

}  // namespace

void pendulum(Table& table) {
    table.begin("joints.pendulum", "1 kg on 4 m from a right angle, 60 s at 60 Hz");
    scenes::JointScene scene(awake());
    const BodyId ball = scene.world.addBody({.shape = Sphere{Real(0.2)}, .position = {4, 0, 0}, .mass = Real(1)});
    scene.join({}, ball, {0, 0, 0});
    const auto energy = [&] { return scene.world.stats().kineticEnergy + scene.world.stats().potentialEnergy; };
    scene.world.step(Real(1) / kRate);
    const double before = energy(), scale = 9.81 * 4;
    double worstEnergy = 0, worstError = 0;
    for (int i = 1; i < 60 * kRate; ++i) {
        worstError = std::fmax(worstError, run(scene, 1));
        worstEnergy = std::fmax(worstEnergy, std::fabs(energy() - before) / scale);
    }
    table.below("energy, of m g L", 100 * worstEnergy, 1, "%");
    table.below("joint error", 1e3 * worstError, 1, "mm");
}

void chain(Table& table) {
    constexpr int kLinks = 20;
    constexpr double kLength = 6;
    table.begin("joints.chain", "20 links of 1 kg, a weight of 1000 kg, 60 s at 60 Hz");
    scenes::JointScene hanging = scenes::chainWithWeight(awake(), kLinks, 1000);
    scenes::Jitter jitter;
    table.below("stretch while it hangs", 100 * kLinks * run(hanging, 60 * kRate, &jitter) / kLength, 1, "% of 6 m");
    table.below("standard deviation of any position over the last second", 1e3 * jitter.worst(), 1, "mm");
    scenes::JointScene swinging = scenes::chainWithWeight(awake(), kLinks, 1000);
    scenes::swing(swinging, 1);
    table.below("stretch while it swings, 6.5 m/s at the weight", 100 * kLinks * run(swinging, 60 * kRate) / kLength, 1,
                "% of 6 m");
}

void bridge(Table& table) {
    table.begin("joints.bridge", "60 planks, a cart of 200 times a plank drives over, 30 s at 60 Hz");
    scenes::JointScene scene = scenes::bridgeWithCart(awake(), 60, 200);
    double worst = 0, sag = 0, farthest = -1e9;
    for (int i = 0; i < 30 * kRate; ++i) {
        worst = std::fmax(worst, run(scene, 1));
        for (int plank = 0; plank < 60; ++plank)
            sag = std::fmax(sag, -double(scene.world.position(scene.bodies[plank]).y));
        farthest = std::fmax(farthest, double(scene.world.position(scene.bodies[60]).x));
    }
    table.below("worst joint error", 1e3 * worst, 5, "mm");
    table.check("the cart comes to the other bank", "beyond 15 m", format("%.1f m", farthest), farthest > 15);
    table.note("the bridge sags by", format("%.2f m", sag));
}

void slackChains(Table& table) {
    using scenes::ChainMotion;
    table.begin("joints.slack", "chains of 4 to 60 links that come taut, 10:1 to 10,000:1, slack 0 to 1 m, 30 to 240 Hz");
    for (const bool linksCollide : {false, true}) {
        int cases = 0, gained = 0, opened = 0;
        double worstGain = 0, worstOpening = 0;
        for (const ChainMotion motion : {ChainMotion::Dropped, ChainMotion::Swung, ChainMotion::Lifted, ChainMotion::Thrown})
            for (const int links : {4, 10, 20, 60})
                for (const double weight : {10.0, 100.0, 1000.0, 10000.0})
                    for (const double slack : {0.0, 0.05, 0.2, 1.0})
                        for (const double rate : {30.0, 60.0, 240.0}) {
                            const scenes::ChainCase chain{links, weight, slack, rate, motion, ++cases % 2 == 0, linksCollide};
                            const scenes::ChainOutcome outcome = scenes::SlackChain(chain).run(2.5);
                            gained += outcome.gain > 1e-3;
                            opened += outcome.opening > 0.02;
                            worstGain = std::fmax(worstGain, outcome.gain);
                            worstOpening = std::fmax(worstOpening, outcome.opening);
                        }
        const char* which = linksCollide ? "links collide" : "links pass each other";
        table.check(format("%s: of %d, gained more than 1e-3", which, cases), "0", format("%d", gained), gained == 0);
        table.check(format("%s: of %d, opened by more than 2 %% of the length", which, cases), "0", format("%d", opened),
                    opened == 0);
        table.note("worst gain and opening", format("%.1e, %.3g %%", worstGain, 100 * worstOpening));
    }
}

void ragdolls(Table& table) {
    table.begin("joints.ragdolls", "50 ragdolls of 11 capsules that fall on stairs, seeds 1 to 4");
    for (const double rate : {30.0, 60.0, 240.0}) {
        double error = 0, angle = 0;
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            scenes::JointScene scene = scenes::ragdollsOnStairs({}, 50, seed);
            for (int i = 0; i < int(6 * rate); ++i) {
                scene.world.step(Real(1 / rate));
                error = std::fmax(error, scene.worstError());
                angle = std::fmax(angle, scenes::beyondLimits(scene));
            }
        }
        table.below(format("%g Hz: worst joint error", rate), 1e3 * error, 5, "mm");
        table.below(format("%g Hz: beyond a limit", rate), angle, 0.1, "rad");
    }
    for (const double friction : {-1.0, 0.06, 0.3}) {
        constexpr int kSeeds = 6, kDolls = 50;
        int asleep = 0, fewest = kDolls;
        for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
            scenes::JointScene scene = scenes::ragdollsOnStairs({}, kDolls, seed, {.friction = friction});
            for (int i = 0; i < 14 * kRate; ++i)
                scene.world.step(Real(1) / kRate);
            const int dolls = scene.world.stats().asleep / 11;
            asleep += dolls;
            fewest = std::min(fewest, dolls);
        }
        const std::string given = friction < 0 ? "no friction given" : format("friction of %g N m in each joint", friction);
        table.check(given + ": of 50, asleep after 14 s", "at least 25 for each of 6 seeds",
                    format("%d to 50, %.0f in the mean", fewest, double(asleep) / kSeeds), fewest >= kDolls / 2);
    }
}

}  // namespace sunder::bars
