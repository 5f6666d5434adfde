// Exterior rotation [Egan03] 6.2: a leaning stack of boxes that grip each other turns about an edge as one body, which forces
// that hold for an instant and act for a whole step do not make it do. The remedy is the substeps of `frame_rate`.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scenes/egan.h"

namespace sunder {
namespace {

constexpr int kCubes = 4;
constexpr double kSeconds = 0.6;  // while the stack turns about its edge

// m: how far a cube is from where the pendulum has it, at most.
double poseError(Real substepRate, Stepper stepper = Stepper::FrameRate) {
    WorldDef def;
    def.stepper = stepper;
    def.sleeping = false;
    if (substepRate > 0)
        def.frameRate.substepRate = substepRate;
    scenes::BoxScene scene = scenes::stackOverAnEdge(def, kCubes);
    for (int i = 0; i < static_cast<int>(std::lround(kSeconds * 30)); ++i)
        scene.world.step(Real(1) / 30);
    const double angle = scenes::leaningAngle(kCubes, kSeconds);
    double most = 0;
    for (int i = 0; i < kCubes; ++i) {
        const double r = scenes::kLeaningSide * (i + 0.5);
        const Vec3 p = scene.world.position(scene.moving[std::size_t(i)].id);
        most =
            std::max(most, std::hypot(double(p.x) - std::sin(angle) * r, double(p.y) - 2 - std::cos(angle) * r, double(p.z)));
    }
    return most;
}

TEST(ExteriorRotation, SubstepsCarryAStackAroundAnEdge) {
    const double plain = poseError(30), error = poseError(0);  // one substep per step: semi-implicit Euler with impulses
    EXPECT_LT(error, 5e-3);
    EXPECT_LT(5 * error, plain);
}

// What is held and gains speed moves by the mean of its velocities: by that of the end of the step it would be 69 mm off.
TEST(ExteriorRotation, TimewarpMovesWhatSwingsByTheMeanVelocity) {
    EXPECT_LT(poseError(0, Stepper::Timewarp), 25e-3);
    EXPECT_LT(poseError(0, Stepper::TimewarpSafer), 25e-3);
}

}  // namespace
}  // namespace sunder
