// What becomes of a scene of [Li18] with a given alpha: measured where its first joint or bond breaks. For the bars and tests.
#pragma once

#include <cmath>

#include "sunder/scene/runner.h"
#include "sunder/sunder.h"

namespace sunder::scenes {

inline constexpr double kAlphas[] = {0, 0.5, 1, 1.5, 2};
inline constexpr const char* kAlphaScenes[] = {"li18_beam", "li18_plate", "li18_chain", "li18_bunny"};

struct AlphaOutcome {
    double speed = 0;                 // m/s: mean over the mass of all moving bodies one frame after the first break
    double stored = 0, released = 0;  // J in the frame of the first break
    double momentum = 0;              // N s that its releases changed the sum by
    int breaks = 0;                   // bonds and joints in that frame
};

// Over the mass: a mean over bodies would depend on how many pieces come off.
inline double meanSpeed(const World& world) {
    double sum = 0, mass = 0;
    for (const BodyId body : world.bodies()) {
        if (world.motion(body) != Motion::Dynamic)
            continue;
        const Vec3 v = world.velocity(body);
        sum += double(world.mass(body)) *
               std::sqrt(double(v.x) * double(v.x) + double(v.y) * double(v.y) + double(v.z) * double(v.z));
        mass += double(world.mass(body));
    }
    return mass > 0 ? sum / mass : 0;
}

// Nothing where nothing breaks.
inline AlphaOutcome alphaOutcome(Scene scene, double alpha, int threads = 1) {
    for (BodyDef& body : scene.bodies)
        if (body.bonds)
            body.bonds->alpha = Real(alpha);
    for (auto& joint : scene.joints)
        joint.def.alpha = Real(alpha);
    scene.world.threads = threads;
    SceneRunner runner(scene);
    AlphaOutcome outcome;
    for (int i = 0; i < scene.frames && outcome.breaks == 0; ++i) {
        runner.stepFrame();
        const World& world = runner.world();
        const WorldStats stats = world.stats();
        outcome.breaks = int(world.bondEvents().size());
        for (const JointEvent& event : world.jointEvents())
            outcome.breaks += event.kind == JointEventKind::Broken;
        outcome.stored = stats.storedEnergy;
        outcome.released = stats.releasedEnergy;
        outcome.momentum = stats.releasedMomentum;
    }
    runner.stepFrame();
    outcome.speed = meanSpeed(runner.world());
    return outcome;
}

}  // namespace sunder::scenes
