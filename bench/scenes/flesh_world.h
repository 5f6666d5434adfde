// Deformable bodies in a world: a ball through a pane that tears, and bodies thrown about at random.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

#include "core/random.h"
#include "sunder/sunder.h"

namespace sunder::scenes {

struct TearOutcome {
    double worstMs = 0;     // of a step
    double worstCpuMs = 0;  // processor time of a step, all threads: what a busy machine does not change much
    double area = 0;        // m^2: of cracks
    int pieces = 0;
    double speedLeft = 0;  // m/s: of the striker, along the blow
    double gained = 0;     // J: kinetic and potential energy, from step to step, summed up
    double energy = 0;     // J: at the start
};

inline TearOutcome tearIn(World& world, BodyId striker, const Vec3& along, int rate, double seconds) {
    TearOutcome outcome;
    const auto energyOf = [](const WorldStats& stats) { return stats.kineticEnergy + stats.potentialEnergy; };
    double last = outcome.energy = energyOf(world.stats());
    for (int i = 0; i < int(seconds * rate); ++i) {
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t used = std::clock();
        world.step(Real(1) / Real(rate));
        outcome.worstCpuMs = std::max(outcome.worstCpuMs, 1e3 * double(std::clock() - used) / CLOCKS_PER_SEC);
        outcome.worstMs = std::max(outcome.worstMs,
                                   std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        for (const TearEvent& tear : world.tearEvents())
            outcome.area += double(tear.area);
        const double now = energyOf(world.stats());
        outcome.gained += std::max(0.0, now - last);
        last = now;
    }
    outcome.pieces = world.stats().pieces;
    const Vec3 v = world.velocity(striker);
    outcome.speedLeft = double(v.x * along.x + v.y * along.y + v.z * along.z);
    return outcome;
}

inline Material timber() {
    Material timber;
    timber.density = 650;
    timber.friction = Real(0.5);
    timber.young = Real(5e8);
    timber.poisson = Real(0.3);
    timber.strength = Real(3e6);
    return timber;
}

// The scene parker09_gate: a ram of steel against two leaves on hinges.
inline TearOutcome breakGate(int rate, Real speed, int threads, int rigidPieces, double seconds = 0.5) {
    WorldDef settings;
    settings.threads = threads;
    World world(settings);
    world.addBody({.shape = Box{{20, Real(0.5), 20}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
    for (const Real side : {Real(-1), Real(1)}) {
        world.addBody(
            {.shape = Box{{Real(0.1), 1, Real(0.1)}}, .motion = Motion::Static, .position = {Real(1.34) * side, 1, 0}});
        BodyDef leaf;
        leaf.shape = Box{{Real(0.6), Real(0.9), Real(0.04)}};
        leaf.position = {Real(0.62) * side, Real(0.93), 0};
        leaf.material = timber();
        leaf.deformable = DeformableDef{.cell = Real(0.12)};
        leaf.deformable->stiffnessDamping = Real(2e-4);
        leaf.deformable->tears = true;
        leaf.deformable->rigidPieces = rigidPieces;
        for (const Real height : {Real(-0.625), Real(0.625)})
            leaf.deformable->pinned.push_back({{side * Real(0.59) - Real(0.02), height - Real(0.175), -1},
                                               {side * Real(0.59) + Real(0.02), height + Real(0.175), 1}});
        world.addBody(leaf);
    }
    BodyDef ram;
    ram.shape = Capsule{Real(0.14), Real(0.5)};
    ram.position = {Real(-0.22), 1, 2};
    ram.orientation = {Real(0.7071068), 0, 0, Real(0.7071068)};
    ram.velocity = {Real(0.5), Real(0.8), -speed};
    ram.material.density = 7850;
    return tearIn(world, world.addBody(ram), {0, 0, -1}, rate, seconds);
}

// The scene parker09_trestle: a boulder on six planks over two beams.
inline TearOutcome breakTrestle(int rate, Real speed, int threads, int rigidPieces, double seconds = 0.6) {
    WorldDef settings;
    settings.threads = threads;
    World world(settings);
    world.addBody({.shape = Box{{20, Real(0.5), 20}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
    const auto addTimber = [&](const Vec3& halfExtents, const Vec3& position, bool isBeam) {
        BodyDef def;
        def.shape = Box{halfExtents};
        def.position = position;
        def.material = timber();
        def.deformable = DeformableDef{.cell = Real(0.1)};
        def.deformable->stiffnessDamping = Real(5e-4);
        def.deformable->tears = true;
        def.deformable->rigidPieces = rigidPieces;
        if (isBeam)
            def.deformable->pinned = {{{Real(-1.26), -1, -1}, {Real(-1.2), 1, 1}}, {{Real(1.2), -1, -1}, {Real(1.26), 1, 1}}};
        world.addBody(def);
    };
    for (const Real side : {Real(-1), Real(1)})
        world.addBody({.shape = Box{{Real(0.15), Real(0.33), Real(0.55)}},
                       .motion = Motion::Static,
                       .position = {Real(1.2) * side, Real(0.32), 0}});
    for (const Real side : {Real(-1), Real(1)})
        addTimber({Real(1.25), Real(0.05), Real(0.05)}, {0, Real(0.7), Real(0.4) * side}, true);
    for (int i = 0; i < 6; ++i)
        addTimber({Real(0.19), Real(0.03), Real(0.5)}, {Real(0.4) * Real(i) - 1, Real(0.78), 0}, false);
    BodyDef boulder;
    boulder.shape = Sphere{Real(0.35)};
    boulder.position = {Real(0.1), Real(2.2), Real(0.05)};
    boulder.velocity = {Real(0.3), -speed, 0};
    boulder.material.density = 2400;
    return tearIn(world, world.addBody(boulder), {0, -1, 0}, rate, seconds);
}

// The scene parker09_glass: a pane of 2,420 tetrahedra between two posts, and a ball of 57 kg.
inline TearOutcome breakPane(int rate, Real speed, int threads, int rigidPieces, double seconds = 0.3) {
    WorldDef settings;
    settings.threads = threads;
    World world(settings);
    world.addBody({.shape = Box{{20, Real(0.5), 20}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
    for (const Real side : {Real(-1), Real(1)})
        world.addBody({.shape = Box{{Real(0.06), Real(0.85), Real(0.06)}},
                       .motion = Motion::Static,
                       .position = {Real(0.87) * side, Real(0.85), 0}});
    BodyDef pane;
    pane.shape = Box{{Real(0.8), Real(0.8), Real(0.02)}};
    pane.position = {0, Real(0.83), 0};
    pane.material.density = 2500;
    pane.material.friction = Real(0.4);
    pane.material.young = Real(1e9);
    pane.material.poisson = Real(0.22);
    pane.material.strength = 800000;
    pane.deformable = DeformableDef{.cell = Real(0.073)};
    pane.deformable->stiffnessDamping = Real(1e-4);
    pane.deformable->tears = true;
    pane.deformable->rigidPieces = rigidPieces;
    pane.deformable->pinned = {{{Real(-0.81), -1, -1}, {Real(-0.79), 1, 1}}, {{Real(0.79), -1, -1}, {Real(0.81), 1, 1}}};
    world.addBody(pane);
    BodyDef ball;
    ball.shape = Sphere{Real(0.12)};
    ball.position = {Real(0.1), 1, 2};
    ball.velocity = {0, 1, -speed};
    ball.material.density = 7850;
    return tearIn(world, world.addBody(ball), {0, 0, -1}, rate, seconds);
}

struct AbuseOutcome {
    int thrown = 0;
    int lost = 0;    // not finite, or under the floor at the end
    int dipped = 0;  // whose centre was under the floor for a while
    int faster = 0;  // than anything could have made them: twice what they came with and fell by
};

// Boxes of any size and stiffness, thrown at a floor and at a rigid ball, spinning, at 10 to 240 Hz.
inline AbuseOutcome abuseBodies(int count, std::uint64_t seed, int first = 0) {
    AbuseOutcome outcome;
    for (int i = first; i < first + count; ++i) {
        core::Random random(seed + std::uint64_t(i));
        const auto between = [&](double low, double high) { return random.between(low, high); };
        World world;
        world.addBody({.shape = Box{{50, 2, 50}}, .motion = Motion::Static, .position = {0, -2, 0}});
        BodyDef def;
        const Real half = Real(between(0.1, 0.6));
        def.shape = Box{{half, half * Real(between(0.2, 1)), half * Real(between(0.2, 1))}};
        def.position = {0, Real(between(1, 3)), 0};
        def.velocity = {Real(between(-10, 10)), Real(between(-20, 5)), Real(between(-10, 10))};
        def.angularVelocity = {Real(between(-15, 15)), Real(between(-15, 15)), Real(between(-15, 15))};
        def.material.young = Real(std::exp(between(std::log(1e4), std::log(1e9))));
        def.material.poisson = Real(between(0, 0.45));
        def.deformable = DeformableDef{.cell = half / 2};
        const BodyId body = world.addBody(def);
        BodyDef ball;
        ball.shape = Sphere{Real(0.3)};
        ball.position = {Real(between(-0.5, 0.5)), 5, 0};
        ball.velocity = {0, Real(between(-20, 0)), 0};
        ball.mass = Real(between(1, 2000));
        world.addBody(ball);
        constexpr int kRates[] = {10, 30, 60, 240};
        const int rate = kRates[i % 4];
        const double most = 2 * (25 + std::sqrt(2 * 9.81 * 8) + 20 + 15);
        bool isLost = false, isFaster = false, dips = false;
        for (int step = 0; step < 2 * rate; ++step) {
            world.step(Real(1) / Real(rate));
            const Vec3 v = world.velocity(body);
            const double speed = std::sqrt(double(v.x * v.x + v.y * v.y + v.z * v.z));
            isLost = isLost || !world.errorEvents().empty();
            dips = dips || !(world.centerOfMass(body).y > 0);
            isFaster = isFaster || !(speed < most);
        }
        ++outcome.thrown;
        outcome.lost += isLost || !(world.centerOfMass(body).y > 0);
        outcome.dipped += dips;
        outcome.faster += isFaster;
    }
    return outcome;
}

}  // namespace sunder::scenes
