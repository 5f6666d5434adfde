// Bodies of which nothing is set but pattern and material break into a number of pieces that a game can bear.
#include "scenes/newcomer.h"

#include <gtest/gtest.h>

namespace sunder {
namespace {

// The strongest blow of each thing, all patterns. With three generations of pieces down to 10 cm^3 a pane of 2 m became 1270.
TEST(Newcomer, FewerThan200Pieces) {
    for (const scenes::NamedPattern& pattern : scenes::allPatterns()) {
        const SharedPattern built = buildPattern({.kind = pattern.kind});
        for (const scenes::Breakable& thing : scenes::breakables()) {
            World world;
            addBreakable(world, thing, built, thing.blows.back());
            int most = 0;
            for (int i = 0; i < 40; ++i) {
                world.step(Real(1) / 60);
                most = std::max(most, world.stats().pieces);
            }
            EXPECT_GT(most, 1) << thing.name << ", " << pattern.name;
            EXPECT_LT(most, 200) << thing.name << ", " << pattern.name;
        }
    }
}

// No piece is below a 200th of the body that was added, also where pieces break again: so there are never more than 200.
TEST(Newcomer, SmallestPieceIsAShareOfTheBody) {
    const scenes::Breakable thing = scenes::breakables().front();
    World world;
    FractureDef fracture;
    fracture.method = Prescored{.pattern = buildPattern({})};
    fracture.generations = 4;
    const BodyId pane =
        world.addBody({.shape = thing.shape, .position = {0, 5, 0}, .material = thing.material, .fracture = fracture});
    const double whole = double(world.mass(pane));
    for (int round = 0; round < 4; ++round) {
        for (const BodyId body : world.bodies()) {
            try {
                world.breakBody(body, world.position(body), {0, 0, 1}, 0);
            } catch (const Error&) {
                // Pieces of less than twice the smallest volume do not break again.
            }
        }
        world.step(Real(1) / 60);
    }
    EXPECT_GT(world.bodies().size(), 20u);
    EXPECT_LE(world.bodies().size(), 200u);
    for (const BodyId body : world.bodies())
        EXPECT_GE(double(world.mass(body)), 0.99 * whole / 200);
}

// A body may be a hundred times as long as it is thick: its grid is fine enough to have nodes inside.
TEST(Newcomer, ThinBodiesHaveAGrid) {
    for (const double thickness : {0.1, 0.02, 0.01, 0.007}) {
        World world;
        FractureDef fracture;
        fracture.method = Prescored{.pattern = buildPattern({})};
        const BodyId pane = world.addBody({.shape = Box{{Real(0.5), Real(0.5), Real(thickness / 2)}},
                                           .material = scenes::breakableMaterial(2500, 50),
                                           .fracture = fracture});
        world.breakBody(pane, {0, 0, Real(thickness / 2)}, {0, 0, 1}, 0);
        world.step(Real(1) / 60);
        EXPECT_GT(world.bodies().size(), 5u) << thickness;
    }
}

}  // namespace
}  // namespace sunder
