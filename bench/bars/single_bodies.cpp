// One body with a known answer: slow, stopping, sliding, tumbling.
#include <algorithm>

#include "bars/bars.h"
#include "scenes/free_space.h"
#include "scenes/mechanics.h"
#include "scenes/slides.h"

namespace sunder::bars {

void slowCube(Table& table) {
    table.begin("slow", "a cube at 5 mm/s on a frictionless floor, 60 s");
    for (const double rate : {30.0, 60.0}) {
        scenes::BoxScene scene = scenes::cubeOnFloor(scenes::withoutSleep(), 0, scenes::vec(0.005, 0, 0));
        const BodyId cube = scene.moving.front().id;
        double slowest = 1;
        for (int i = 0; i < int(60 * rate); ++i) {
            scene.world.step(Real(1 / rate));
            slowest = std::min(slowest, double(scene.world.velocity(cube).x));
        }
        table.near(format("%g Hz: least speed on the way", rate), slowest * 1e3, 5, 0.005, "mm/s");
        table.near(format("%g Hz: way", rate), scene.world.position(cube).x * 1e3, 300, 0.3, "mm");
    }
}

void stopOnIncline(Table& table) {
    table.begin("fig3", "Su09 figure 3: a cube at 3 m/s slides to a stop on 20 degrees, mu 0.5");
    constexpr double kDegrees = 20, kFriction = 0.5, kSpeed = 3;
    const double angle = scenes::radians(kDegrees);
    const double braking = scenes::kGravity * (kFriction * std::cos(angle) - std::sin(angle));
    const double exact = kSpeed * kSpeed / (2 * braking);
    for (const double rate : {30.0, 60.0}) {
        scenes::Incline slope = scenes::incline(scenes::withoutSleep(), kDegrees, kFriction, kSpeed);
        const int sliding = int(std::ceil(kSpeed / braking * rate)) + int(rate / 10);
        for (int i = 0; i < sliding; ++i)
            slope.scene.world.step(Real(1 / rate));
        const double stopped = slope.travelled();
        table.near(format("%g Hz: stops after", rate), stopped, exact, exact * 0.01, "m");
        double creep = 0;
        for (int i = 0; i < int(10 * rate); ++i) {
            slope.scene.world.step(Real(1 / rate));
            creep = std::max(creep, std::abs(slope.travelled() - stopped));
        }
        table.below(format("%g Hz: creeps in the next 10 s", rate), creep * 1e3, 0.1, "mm");
    }
}

void slideDownIncline(Table& table) {
    table.begin("S6", "a cube slides down 30 degrees, mu 0.3, 2 s");
    const double angle = scenes::radians(30);
    const double exact = 0.5 * scenes::kGravity * (std::sin(angle) - 0.3 * std::cos(angle)) * 4;
    for (const double rate : {30.0, 60.0}) {
        scenes::Incline slope = scenes::incline(scenes::withoutSleep(), 30, 0.3);
        for (int i = 0; i < int(2 * rate); ++i)
            slope.scene.world.step(Real(1 / rate));
        table.below(format("%g Hz: error of the way", rate), std::abs(slope.travelled() / exact - 1) * 100,
                    rate == 30 ? 0.6 : 0.3, "%");
    }
}

void tumblingBox(Table& table) {
    table.begin("S5", "box of 2 x 0.2 x 0.02 m tumbling freely, 60 s");
    for (const double rate : {24.0, 30.0, 60.0}) {
        scenes::BoxScene scene = scenes::spinner(scenes::withoutSleep());
        const BodyId body = scene.moving.front().id;
        const scenes::Mechanics start = scenes::mechanicsOf(scene);
        double energy = 0, momentum = 0;
        int flips = 0;
        bool forward = true;
        for (int i = 0; i < int(60 * rate); ++i) {
            scene.world.step(Real(1 / rate));
            const scenes::Mechanics now = scenes::mechanicsOf(scene);
            energy = std::max(energy, std::abs(now.kinetic / start.kinetic - 1));
            momentum = std::max(momentum, length(now.angular - start.angular) / length(start.angular));
            const scenes::Axes axes = scenes::axesOf(scene.world.orientation(body));
            const bool nowForward = axes.toBody(scenes::toVector(scene.world.angularVelocity(body))).y > 0;
            flips += nowForward != forward;
            forward = nowForward;
        }
        table.below(format("%g Hz: energy error, any step", rate), energy, 1e-4, "");
        table.below(format("%g Hz: momentum error, any step", rate), momentum, 1e-4, "");
        table.near(format("%g Hz: flips", rate), flips, 111, 3, "");
    }
}

}  // namespace sunder::bars
