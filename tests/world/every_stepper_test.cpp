// What every stepper must do: stand, keep energy, and let slow collisions stick [Egan03] 4.3.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "scenes/mechanics.h"
#include "scenes/piles.h"
#include "scenes/stacks.h"
#include "sunder/describe.h"

namespace sunder {
namespace {

class EveryStepper : public ::testing::TestWithParam<std::tuple<Stepper, int>> {
protected:
    WorldDef def(bool sleeping = false) const {
        WorldDef def;
        def.stepper = std::get<0>(GetParam());
        def.sleeping = sleeping;
        return def;
    }
    int rate() const { return std::get<1>(GetParam()); }
    void run(World& world, double seconds) const {
        for (int i = 0; i < static_cast<int>(std::lround(seconds * rate())); ++i)
            world.step(Real(1) / Real(rate()));
    }
};

INSTANTIATE_TEST_SUITE_P(All, EveryStepper,
                         ::testing::Combine(::testing::Values(Stepper::FrameRate, Stepper::Impulse, Stepper::Damped,
                                                              Stepper::Timewarp, Stepper::TimewarpSafer),
                                            ::testing::Values(30, 60)),
                         [](const auto& tested) {
                             for (const EnumName<Stepper>& stepper : enumNames(Stepper{}))
                                 if (stepper.value == std::get<0>(tested.param))
                                     return std::string(stepper.name) + "_" + std::to_string(std::get<1>(tested.param)) + "Hz";
                             return std::string();
                         });

BodyDef boxAt(const Vec3& position, Real half = Real(0.5)) {
    BodyDef def;
    def.shape = Box{{half, half, half}};
    def.position = position;
    return def;
}

TEST_P(EveryStepper, FiveBoxesStand) {
    scenes::BoxScene stack = scenes::stackOfCubes(def(), 5);
    run(stack.world, 4);
    const Vec3 top = stack.world.position(stack.moving.back().id);
    EXPECT_NEAR(top.y, 4.5, 0.01);
    EXPECT_LT(std::hypot(double(top.x), double(top.z)), 0.01);
}

// Steps may take energy, but give none beyond rounding; nothing leaves the pit through its floor or walls.
TEST_P(EveryStepper, APileKeepsItsEnergy) {
    scenes::BoxScene pile = scenes::boxPile(def(true), 3, 2.2);
    const double start = scenes::mechanicsOf(pile).energy();
    double last = start, rise = 0;
    for (int i = 0; i < 2 * rate(); ++i) {
        pile.world.step(Real(1) / Real(rate()));
        const double energy = scenes::mechanicsOf(pile).energy();
        rise = std::max(rise, energy - last);
        last = energy;
    }
    EXPECT_LE(rise, 1e-4 * start);
    EXPECT_LE(last, start);
    for (const scenes::BoxRecord& box : pile.moving)
        EXPECT_GT(pile.world.position(box.id).y, 0);
}

// [Egan03] 4.3: two boxes of restitution 0.9 stick below the threshold and bounce above it.
TEST_P(EveryStepper, SlowCollisionsAreSticky) {
    for (const Real speed : {Real(0.4), Real(1)}) {
        WorldDef world = def();
        world.gravity = {};
        world.restitutionThreshold = Real(0.6);
        World pair(world);
        BodyDef a = boxAt({Real(-0.6), 0, 0}), b = boxAt({Real(0.6), 0, 0});
        a.velocity = {speed, 0, 0};
        a.material.restitution = b.material.restitution = Real(0.9);
        const BodyId first = pair.addBody(a), second = pair.addBody(b);
        run(pair, 1.5);
        const double parting = double(pair.velocity(second).x - pair.velocity(first).x);
        if (speed < world.restitutionThreshold)
            EXPECT_NEAR(parting, 0, 0.02 * double(speed));
        else
            EXPECT_GT(parting, 0.8 * double(speed));  // faces meet at four corners: `frame_rate` parts with 0.845 of 0.9
    }
}

}  // namespace
}  // namespace sunder
