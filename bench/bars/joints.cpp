// Joints that must hold: a pendulum, a thousand times a link's weight on a chain, a cart on a bridge.
#include <cmath>

#include "bars/bars.h"
#include "scenes/joint_nets.h"

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

}  // namespace sunder::bars
